//! The constant of the scale correction, estimated.

use crate::error::RatingsError;
use crate::evaluation::Scale;
use crate::sample::Sample;

/// a, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleFit {
    /// The constant that makes the mean loss independent of the evaluation.
    pub a: f64,
    /// Its standard error by the delta method, games being independent.
    pub se: f64,
}

/// Beyond this a correction leaves nothing of great evaluations.
const MOST: f64 = 50.0;

/// Estimates the constant a as the paper did, by making the average difference the same whatever the evaluation: the
/// slope of losses over the size of the evaluation is 0. None if no constant does that.
pub fn estimate_scale(sample: &Sample<'_>, scale: Scale) -> Result<Option<ScaleFit>, RatingsError> {
    if sample.count() < 3 {
        return Err(RatingsError::TooFew { turns: sample.count(), least: 3 });
    }
    let slope = |a: f64| slope(sample, Scale { a, ..scale }).0;
    // Losses at great evaluations shrink as a grows, so the slope falls.
    let (mut low, mut high) = (0.0, MOST);
    if slope(low) <= 0.0 || slope(high) >= 0.0 {
        return Ok(None);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let a = 0.5 * (low + high);
    let width = 1e-3 * a.max(0.1);
    let change = (slope(a + width) - slope(a - width)) / (2.0 * width);
    let (_, se) = self::slope(sample, Scale { a, ..scale });
    Ok(Some(ScaleFit { a, se: se / change.abs() }))
}

/// The slope of the regression of losses on |evaluation|, and its standard error.
fn slope(sample: &Sample<'_>, scale: Scale) -> (f64, f64) {
    let points =
        || sample.iter().map(|turn| (turn.evaluation().abs(), scale.loss(turn.evaluation(), turn.played_evaluation())));
    let count = sample.count() as f64;
    let mean_x = points().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points().map(|(_, y)| y).sum::<f64>() / count;
    let square: f64 = points().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = points().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / square;
    let of_game = |game: usize| -> f64 {
        let score = |x: f64, y: f64| (x - mean_x) * (y - mean_y - slope * (x - mean_x));
        let turns = sample.game(game);
        turns.map(|turn| score(turn.evaluation().abs(), scale.loss(turn.evaluation(), turn.played_evaluation()))).sum()
    };
    let variance: f64 = (0..sample.games()).map(|game| of_game(game).powi(2)).sum();
    (slope, variance.sqrt() / square)
}
