//! Estimation of the constant of the scale correction.

use crate::error::{RatingsError, Refusal};
use crate::evaluation::Scale;
use crate::sample::Sample;
use errare_work::{Cancelled, Progress, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An estimate of the constant a of the scale correction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScaleFit {
    /// The constant that makes the mean loss independent of the evaluation.
    pub a: f64,
    /// The standard error of `a` by the delta method, taking games as independent.
    pub se: f64,
}

/// The greatest constant that is tried: beyond it a correction leaves nothing of great evaluations.
const MAX: f64 = 50.0;

/// The number of steps of the search, each of which halves the range of a.
const STEPS: u64 = 60;

/// Estimates the constant a as Regan and Haworth (2011) did, by making the average difference independent of the
/// evaluation: the slope of losses over the size of the evaluation is 0. None if no constant up to the greatest one
/// does that.
///
/// # Errors
/// [`Refusal::TooFewTurns`] with fewer than three turns; [`RatingsError::Cancelled`] if the work is cancelled.
pub fn estimate_scale(
    sample: &Sample,
    scale: Scale,
    progress: &dyn Progress,
) -> Result<Option<ScaleFit>, RatingsError> {
    if sample.count() < 3 {
        return Err(Refusal::TooFewTurns { turns: sample.count(), min: 3 }.into());
    }
    let regression = |a: f64| regression(sample, Scale { a, ..scale }, progress);
    let slope = |a: f64| regression(a).map(|(slope, _)| slope);
    // Losses at great evaluations shrink as a grows, so the slope falls.
    let (mut low, mut high) = (0.0, MAX);
    if slope(low)? <= 0.0 || slope(high)? >= 0.0 {
        return Ok(None);
    }
    for step in 0..STEPS {
        progress.report(&Status::new("estimating the scale correction", "steps").at(step, STEPS));
        let middle = 0.5 * (low + high);
        if slope(middle)? > 0.0 { low = middle } else { high = middle }
    }
    let a = 0.5 * (low + high);
    let width = 1e-3 * a.max(0.1);
    let change = (slope(a + width)? - slope(a - width)?) / (2.0 * width);
    let (_, se) = regression(a)?;
    Ok(Some(ScaleFit { a, se: se / change.abs() }))
}

/// The slope of the regression of losses on |evaluation|, and its standard error.
fn regression(sample: &Sample, scale: Scale, progress: &dyn Progress) -> Result<(f64, f64), Cancelled> {
    let points =
        || sample.iter().map(|turn| (turn.evaluation().abs(), scale.loss(turn.evaluation(), turn.played_evaluation())));
    let count = sample.count() as f64;
    let mean_x = sum(points().map(|(x, _)| x), progress)? / count;
    let mean_y = sum(points().map(|(_, y)| y), progress)? / count;
    let square = sum(points().map(|(x, _)| (x - mean_x).powi(2)), progress)?;
    let slope = sum(points().map(|(x, y)| (x - mean_x) * (y - mean_y)), progress)? / square;
    let score = |x: f64, y: f64| (x - mean_x) * (y - mean_y - slope * (x - mean_x));
    let mut variance = 0.0;
    for game in 0..sample.games() {
        let scores = sample
            .game(game)
            .map(|turn| score(turn.evaluation().abs(), scale.loss(turn.evaluation(), turn.played_evaluation())));
        variance += sum(scores, progress)?.powi(2);
    }
    Ok((slope, variance.sqrt() / square))
}

/// Adds up numbers, and checks for cancellation once in a while: a check for each would cost as much as adding.
fn sum(numbers: impl Iterator<Item = f64>, progress: &dyn Progress) -> Result<f64, Cancelled> {
    const CHUNK: usize = 1024;
    let mut total = 0.0;
    for (place, number) in numbers.enumerate() {
        if place % CHUNK == 0 {
            progress.proceed()?;
        }
        total += number;
    }
    Ok(total)
}
