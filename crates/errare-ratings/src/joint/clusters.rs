//! Clusters of turns: how much turns of one game go together, by scores of the two sides of each game.

use super::fit::Rated;
use super::model::JointModel;
use super::odds::JointOdds;
use crate::error::RatingsError;
use crate::projection::loss_moments;
use crate::provenance::PlayerSide;
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Measures of how turns of one game, and the two sides of it, go together.
///
/// A turn's score is the derivative of the logarithm of the probability of the played move by Elo: above 0 if the move
/// speaks for a higher one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clusters {
    /// The variance of single turns' scores over the variance by the model: 1 if the model is right.
    pub dispersion: f64,
    /// The variance of the sum of scores of one side of a game over the variance by the model.
    pub side_dispersion: f64,
    /// The correlation between the scores of the two sides of a game: hard games are hard for both.
    pub correlation: f64,
    /// The correlation between the z-scores of mm and ad of one side of a game: positive if more first choices go with
    /// less loss.
    pub score_correlation: f64,
    /// Standard deviation of players about their Elo, in points, as games of the same players show it; 0 unless the
    /// variance is more than twice its standard error.
    pub player_scatter: f64,
    /// The estimated variance of players about their Elo, in points squared; below 0 by chance.
    pub player_variance: f64,
    /// The standard error of `player_variance`; 0 if no player comes up in two games, so that the variance is not
    /// known.
    pub player_variance_se: f64,
}

/// The scores of one side of a game.
#[derive(Clone, Debug)]
pub(crate) struct SideScore {
    pub game: usize,
    pub player: String,
    pub turns: usize,
    /// The sum of derivatives by x.
    pub score: f64,
    /// The sum of squares of derivatives by x.
    pub squares: f64,
    /// The sum of second derivatives by x, negated.
    pub information: f64,
    /// The number of first choices beyond expectation, and the variance that the model gives it.
    pub mm: (f64, f64),
    /// The sum of losses beyond expectation, and the variance that the model gives it.
    pub ad: (f64, f64),
}

/// Computes the scores of every side of every game, at the players' own Elos.
pub(super) fn side_scores(
    rated: &Rated<'_>,
    model: &JointModel,
    progress: &dyn Progress,
) -> Result<Vec<SideScore>, RatingsError> {
    const WIDTH: f64 = 0.05 * JointModel::UNIT;
    let each_game = |state: &mut (Vec<SideScore>, JointOdds), game: usize| {
        for side in [PlayerSide::White, PlayerSide::Black] {
            let mut sums: Option<SideScore> = None;
            for turn in rated.sample.game(game).filter(|turn| turn.side() == side) {
                progress.proceed()?;
                let Some(elo) = turn.player().elo.map(f64::from) else { continue };
                let traits = rated.traits[turn.index()];
                let mut slope_at = |elo: f64| -> Result<f64, RatingsError> {
                    model.weigh(&mut state.1, elo, turn, traits)?;
                    Ok(model.by_x(state.1.gradient(turn.played())))
                };
                let (above, below) = (slope_at(elo + WIDTH)?, slope_at(elo - WIDTH)?);
                let score = slope_at(elo)?;
                let probabilities = state.1.probabilities();
                let (mean, square) = loss_moments(probabilities, turn.losses());
                let (first, matched) = (probabilities[0], if turn.played() == 0 { 1.0 } else { 0.0 });
                let sums = sums.get_or_insert_with(|| SideScore {
                    game: turn.game_number(),
                    player: turn.player().name.clone(),
                    turns: 0,
                    score: 0.0,
                    squares: 0.0,
                    information: 0.0,
                    mm: (0.0, 0.0),
                    ad: (0.0, 0.0),
                });
                sums.turns += 1;
                sums.score += score;
                sums.squares += score * score;
                sums.information -= (above - below) * JointModel::UNIT / (2.0 * WIDTH);
                sums.mm = (sums.mm.0 + matched - first, sums.mm.1 + first * (1.0 - first));
                sums.ad = (sums.ad.0 + turn.loss() - mean, sums.ad.1 + (square - mean * mean).max(0.0));
            }
            state.0.extend(sums);
        }
        Ok(())
    };
    let make = || (Vec::new(), JointOdds::default());
    Ok(rated.sample.gather(make, each_game, |one, other| one.0.extend(other.0))?.0)
}

impl Clusters {
    pub(super) fn new(sides: &[SideScore]) -> Clusters {
        let sum = |of: fn(&SideScore) -> f64| sides.iter().map(of).sum::<f64>();
        let information = sum(|side| side.information).max(f64::MIN_POSITIVE);
        let (mut products, mut squares) = (0.0, 0.0);
        for pair in sides.windows(2).filter(|pair| pair[0].game == pair[1].game) {
            // Of sums over any number of turns, as if each were one turn's.
            let scaled = |side: &SideScore| side.score / (side.turns as f64).sqrt();
            let (one, other) = (scaled(&pair[0]), scaled(&pair[1]));
            products += one * other;
            squares += 0.5 * (one * one + other * other);
        }
        let (variance, se) = player_variance(sides, information / sum(|side| side.turns as f64).max(1.0));
        Clusters {
            dispersion: sum(|side| side.squares) / information,
            side_dispersion: sum(|side| side.score * side.score) / information,
            correlation: if squares > 0.0 { (products / squares).clamp(0.0, 0.9) } else { 0.0 },
            score_correlation: score_correlation(sides),
            player_scatter: if variance > 2.0 * se { variance.sqrt() } else { 0.0 },
            player_variance: variance,
            player_variance_se: se,
        }
    }
}

/// The correlation between first choices beyond expectation and losses below it.
fn score_correlation(sides: &[SideScore]) -> f64 {
    let scaled = |(miss, variance): (f64, f64)| if variance > 0.0 { miss / variance.sqrt() } else { 0.0 };
    let (mut products, mut mm, mut ad) = (0.0, 0.0, 0.0);
    for side in sides {
        let (one, other) = (scaled(side.mm), -scaled(side.ad));
        products += one * other;
        mm += one * one;
        ad += other * other;
    }
    if mm > 0.0 && ad > 0.0 { (products / (mm * ad).sqrt()).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The variance of players about their Elo, in points squared, and its standard error: players who are better than
/// their Elo in one game are so in another.
fn player_variance(sides: &[SideScore], information: f64) -> (f64, f64) {
    let mut by_player: HashMap<&str, Vec<&SideScore>> = HashMap::new();
    for side in sides.iter().filter(|side| !side.player.is_empty()) {
        by_player.entry(&side.player).or_default().push(side);
    }
    let (mut products, mut scale, mut squares) = (0.0, 0.0, 0.0);
    for games in by_player.values() {
        let mut of_player = 0.0;
        for (place, one) in games.iter().enumerate() {
            for other in games[..place].iter().filter(|other| other.game != one.game) {
                of_player += one.score * other.score;
                scale += one.turns as f64 * other.turns as f64 * information * information;
            }
        }
        products += of_player;
        squares += of_player * of_player;
    }
    let unit = JointModel::UNIT * JointModel::UNIT;
    if scale > 0.0 { (unit * products / scale, unit * squares.sqrt() / scale) } else { (0.0, 0.0) }
}
