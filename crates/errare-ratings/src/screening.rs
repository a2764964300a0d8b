//! Screening: how far moves are from those of a claimed rating, as z-scores; never a verdict.

use crate::calibration::Calibration;
use crate::error::{RatingsError, Refusal};
use crate::multiple::greater_of_two;
use crate::normal::upper_tail;
use crate::predictor::Predictor;
use crate::projection::{Projection, Sums, loss_moments};
use crate::sample::Sample;
use crate::turns::Turn;
use errare_work::{Progress, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Factors by which standard deviations are widened for what the model leaves out: moves are not quite independent.
///
/// The defaults come from later work by K. W. Regan; a joint model estimates its own ([`Calibration::widening`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Widening {
    /// The factor for mm.
    pub mm: f64,
    /// The factor for ad.
    pub ad: f64,
}

impl Default for Widening {
    fn default() -> Widening {
        Widening { mm: 1.15, ad: 1.4 }
    }
}

/// The scores of some moves: how far they are from expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// The actual and the expected mm and ad.
    pub projection: Projection,
    /// The z-score of mm: standard deviations by which mm is above expectation, as with more moves like the engine's.
    pub z_mm: f64,
    /// The z-score of ad: standard deviations by which ad is below expectation, as with less loss.
    pub z_ad: f64,
}

impl Scores {
    fn new(projection: Projection, widening: Widening) -> Scores {
        let z = |excess: f64, sd: f64| if sd > 0.0 { excess / sd } else { 0.0 };
        Scores {
            projection,
            z_mm: z(projection.mm - projection.expected_mm, widening.mm * projection.sd_mm),
            z_ad: z(projection.expected_ad - projection.ad, widening.ad * projection.sd_ad),
        }
    }
}

/// A move compared with the claimed rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveTrace {
    /// The index of the turn in the turns that the sample is from.
    pub turn: usize,
    /// The probability of the played move.
    pub probability: f64,
    /// The probability of the engine's first choice.
    pub first_probability: f64,
    /// The loss by the played move in pawns.
    pub loss: f64,
    /// The expected loss in pawns.
    pub expected_loss: f64,
    /// The place of the played move in the engine's order, from 1.
    pub rank: usize,
}

/// The result of comparing moves with claimed ratings.
#[derive(Clone, Debug)]
pub struct Screening {
    /// The scores over all turns.
    pub overall: Scores,
    /// The scores of each game, with its place among the games of the source.
    pub games: Vec<(usize, Scores)>,
    /// The moves, each compared with the claimed rating.
    pub trace: Vec<MoveTrace>,
    /// Number of turns left out because the rating of whoever played them is not known.
    pub unrated: usize,
}

impl Calibration {
    /// The factors that the joint model estimates from games of players of known Elo; without a joint model those of K.
    /// W. Regan.
    pub fn widening(&self) -> Widening {
        self.joint.as_ref().map_or_else(Widening::default, |joint| joint.widening)
    }

    /// The probability that the greater of both z-scores is z or more for players who are as strong as claimed: by the
    /// correlation that the joint model finds between them, or without one at most twice that of a single score.
    pub fn chance_of_either(&self, z: f64) -> f64 {
        match &self.joint {
            Some(joint) => greater_of_two(z, joint.clusters.score_correlation),
            None => (2.0 * upper_tail(z)).min(1.0),
        }
    }

    /// Compares the turns of a sample with the ratings that their players are claimed to have.
    ///
    /// # Errors
    /// A [`Refusal`] if the turns were evaluated otherwise than the mileposts, if no rating is known for any of them, or
    /// if a rating is outside the range of the calibration; [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn screen(
        &self,
        sample: &Sample,
        claimed: impl Fn(Turn<'_>) -> Option<f64>,
        widening: Widening,
        progress: &dyn Progress,
    ) -> Result<Screening, RatingsError> {
        self.check(sample.source())?;
        let mut predictor = Predictor::new(self);
        let mut games = Vec::new();
        let (mut all, mut trace, mut unrated) = (Sums::default(), Vec::new(), 0);
        let games_in_all = sample.games() as u64;
        for game in 0..sample.games() {
            progress.report(&Status::new("screening", "games").at(game as u64, games_in_all));
            let mut of_game: Option<(usize, Sums)> = None;
            for turn in sample.game(game) {
                progress.proceed()?;
                let Some(elo) = claimed(turn) else {
                    unrated += 1;
                    continue;
                };
                let probabilities = predictor.probabilities(elo, turn, progress)?;
                trace.push(traced(probabilities, turn));
                of_game.get_or_insert((turn.game_number(), Sums::default())).1.add(probabilities, turn);
                all.add(probabilities, turn);
            }
            games.extend(of_game.map(|(number, sums)| (number, Scores::new(sums.projection(), widening))));
        }
        if trace.is_empty() {
            return Err(Refusal::NoTurns.into());
        }
        let overall = Scores::new(all.projection(), widening);
        Ok(Screening { overall, games, trace, unrated })
    }
}

fn traced(probabilities: &[f64], turn: Turn<'_>) -> MoveTrace {
    MoveTrace {
        turn: turn.index(),
        probability: probabilities[turn.played()],
        first_probability: probabilities[0],
        loss: turn.loss(),
        expected_loss: loss_moments(probabilities, turn.losses()).0,
        rank: turn.played() + 1,
    }
}
