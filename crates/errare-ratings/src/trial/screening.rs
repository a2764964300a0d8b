//! Trials of screening: how often it points at honest players, and how often at players who take the engine's move.

use super::TrialOptions;
use super::blocks::KnownGames;
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::joint::{JointFit, JointOdds};
use crate::progress::Unreported;
use crate::projection::loss_moments;
use crate::provenance::PlayerSide;
use crate::screening::Widening;
use crate::turns::Turns;
use errare_work::{Progress, Status};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::sync::Arc;

/// The shares of players beyond bounds of z, for players of so many turns who are helped on a share of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// Number of turns of each player.
    pub turns: usize,
    /// The share of turns on which the engine's first choice is played, whatever the player would have played.
    pub helped: f64,
    /// Number of players drawn; they share turns.
    pub players: usize,
    /// The shares of players with z of mm at or beyond 2, 2.5 and 3.
    pub mm: [f64; 3],
    /// The shares of players with z of ad at or beyond 2, 2.5 and 3.
    pub ad: [f64; 3],
    /// The shares of players with the greater z at or beyond 2, 2.5 and 3.
    pub either: [f64; 3],
    /// The shares of players with the greater z at or beyond 2, 2.5 and 3, with standard deviations widened by the
    /// factors of K. W. Regan instead of the estimated ones.
    pub either_published: [f64; 3],
}

/// A trial of screening on held-out games.
#[derive(Clone, Debug, PartialEq)]
pub struct ScreeningTrial {
    /// The factors that widen standard deviations, estimated from the other folds; on average.
    pub widening: Widening,
    /// The correlation between both scores, on average.
    pub score_correlation: f64,
    /// The shares of players beyond the bounds, by number of turns and share of help.
    pub detections: Vec<Detection>,
}

impl ScreeningTrial {
    /// The bounds of z that are counted.
    pub const BOUNDS: [f64; 3] = [2.0, 2.5, 3.0];
    /// The numbers of turns that players have.
    pub const TURNS: [usize; 3] = [50, 150, 300];
    /// The shares of turns on which players are helped; 0 for honest ones.
    pub const HELPED: [f64; 5] = [0.0, 0.1, 0.2, 0.3, 0.5];
}

/// The number of players drawn for each number of turns and share of help.
const PLAYERS: usize = 4000;

/// The expectations of a calibration that has not seen a turn, and the actual choice.
#[derive(Clone, Copy)]
struct Expected {
    matched: f64,
    loss: f64,
    first: f64,
    mean: f64,
    variance: f64,
    widening: Widening,
}

impl ScreeningTrial {
    /// Compares real players with their Elo, on games that the calibration has not seen, as they are and with help.
    ///
    /// # Errors
    /// As [`HeldOutTrial::new`](super::HeldOutTrial::new).
    pub fn new(
        turns: &Arc<Turns>,
        model: &ChoiceModel,
        options: &TrialOptions,
        progress: &dyn Progress,
    ) -> Result<ScreeningTrial, RatingsError> {
        let known = KnownGames::new(turns);
        let folds = options.folds.max(2);
        // Blocks as small as can be, so that no game is left over.
        let blocks = known.blocks(1, folds, options.seed);
        let (mut mm, mut ad, mut correlation, mut fitted) = (0.0, 0.0, 0.0, 0.0);
        // For each side of each game: what was expected of its turns.
        let mut sides: Vec<Vec<Expected>> = Vec::new();
        for fold in 0..folds {
            progress.report(&Status::new("screening held-out players", "folds").at(fold as u64, folds as u64));
            let joint = JointFit::new(&known.others(&blocks, fold), model, &Unreported(progress))?;
            fitted += 1.0;
            (mm, ad) = (mm + joint.widening.mm, ad + joint.widening.ad);
            correlation += joint.clusters.score_correlation;
            let mut odds = JointOdds::default();
            for block in blocks.iter().filter(|block| block.fold == fold) {
                for side in [PlayerSide::White, PlayerSide::Black] {
                    let sample = known.side(&block.games, side);
                    let mut expected = Vec::new();
                    for turn in sample.iter() {
                        progress.proceed()?;
                        let Some(elo) = turn.player().elo.map(f64::from) else { continue };
                        joint.model.weigh(&mut odds, elo, turn, joint.model.traits(turn)?)?;
                        let (mean, square) = loss_moments(odds.probabilities(), turn.losses());
                        expected.push(Expected {
                            matched: if turn.played() == 0 { 1.0 } else { 0.0 },
                            loss: turn.loss(),
                            first: odds.probabilities()[0],
                            mean,
                            variance: (square - mean * mean).max(0.0),
                            widening: joint.widening,
                        });
                    }
                    sides.push(expected);
                }
            }
        }
        let widening = Widening { mm: mm / fitted, ad: ad / fitted };
        let mut random = Pcg64::seed_from_u64(options.seed);
        let mut detections = Vec::new();
        for count in ScreeningTrial::TURNS {
            for helped in ScreeningTrial::HELPED {
                detections.push(detection(&mut sides, count, helped, &mut random, progress)?);
            }
        }
        Ok(ScreeningTrial { widening, score_correlation: correlation / fitted, detections })
    }
}

/// Draws players, whole sides of games one after another until there are enough turns, and counts those beyond the
/// bounds.
fn detection(
    sides: &mut [Vec<Expected>],
    turns: usize,
    helped: f64,
    random: &mut Pcg64,
    progress: &dyn Progress,
) -> Result<Detection, RatingsError> {
    if sides.iter().map(Vec::len).sum::<usize>() < 2 * turns {
        return Err(Refusal::TooFewTurns { turns: sides.iter().map(Vec::len).sum(), min: 2 * turns }.into());
    }
    let mut found = Detection {
        turns,
        helped,
        players: 0,
        mm: [0.0; 3],
        ad: [0.0; 3],
        either: [0.0; 3],
        either_published: [0.0; 3],
    };
    let published = Widening::default();
    while found.players < PLAYERS {
        sides.shuffle(random);
        let mut all = sides.iter().flatten();
        // As many players as the turns allow before they are shuffled again.
        loop {
            progress.proceed()?;
            let player: Vec<&Expected> = all.by_ref().take(turns).collect();
            if player.len() < turns || found.players == PLAYERS {
                break;
            }
            let (mut mm, mut mm_variance, mut ad, mut ad_variance) = (0.0, 0.0, 0.0, 0.0);
            let mut widening = published;
            for turn in player {
                let is_helped = helped > 0.0 && random.random::<f64>() < helped;
                let (matched, loss) = if is_helped { (1.0, 0.0) } else { (turn.matched, turn.loss) };
                mm += matched - turn.first;
                mm_variance += turn.first * (1.0 - turn.first);
                ad += turn.mean - loss;
                ad_variance += turn.variance;
                widening = turn.widening;
            }
            let (mm, ad) = (mm / mm_variance.sqrt(), ad / ad_variance.sqrt());
            let (z_mm, z_ad) = (mm / widening.mm, ad / widening.ad);
            found.players += 1;
            for (place, bound) in ScreeningTrial::BOUNDS.into_iter().enumerate() {
                let count = |share: &mut [f64; 3], z: f64| share[place] += if z >= bound { 1.0 } else { 0.0 };
                count(&mut found.mm, z_mm);
                count(&mut found.ad, z_ad);
                count(&mut found.either, z_mm.max(z_ad));
                count(&mut found.either_published, (mm / published.mm).max(ad / published.ad));
            }
        }
    }
    let players = found.players.max(1) as f64;
    for shares in [&mut found.mm, &mut found.ad, &mut found.either, &mut found.either_published] {
        shares.iter_mut().for_each(|share| *share /= players);
    }
    Ok(found)
}
