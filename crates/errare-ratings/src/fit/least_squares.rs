//! Fits that meet conditions as closely as possible, by the method of Levenberg and Marquardt.

use super::conditions::{Conditions, Means, means};
use super::{Fitter, Optimum, inverted, product, solved};
use crate::error::RatingsError;
use crate::sample::Sample;
use errare_work::Progress;

/// The steps of ln s and ln c below which a search ends: they change no digit that anybody reads.
const FINE: f64 = 1e-7;
const MAX_STEPS: usize = 60;
/// The longest step of the search, as the conditions are far from linear.
const LONGEST: f64 = 0.7;

pub(crate) fn search(
    fitter: &Fitter,
    conditions: &impl Conditions,
    sample: &Sample,
    counts: Option<&[u32]>,
    from: Optimum,
    progress: &dyn Progress,
) -> Result<Optimum, RatingsError> {
    let look = |at: [f64; 2]| means(fitter, conditions, sample, counts, at, false, progress);
    let (mut at, _) = fitter.bounded(from.at);
    let mut here = look(at)?;
    let mut damping = 1e-4;
    let mut is_settled = false;
    for steps in 0..MAX_STEPS {
        progress.report(&fitter.status(steps));
        let (square, pull) = normal(&here);
        let mut damped = square;
        (0..2).for_each(|axis| damped[axis][axis] *= 1.0 + damping);
        let Some(step) = solved(damped, pull, fitter.free()) else { break };
        let longest = step[0].abs().max(step[1].abs());
        let scale = if longest > LONGEST { LONGEST / longest } else { 1.0 };
        let (next, is_outside) = fitter.bounded([at[0] - scale * step[0], at[1] - scale * step[1]]);
        let moved = (next[0] - at[0]).abs().max((next[1] - at[1]).abs());
        if moved < FINE {
            is_settled = !is_outside;
            break;
        }
        let there = look(next)?;
        if squares(&there) < squares(&here) {
            (at, here) = (next, there);
            damping = (damping / 10.0).max(1e-9);
        } else if damping > 1e6 {
            // Not even the least step leads down: this is it, but for kinks (see `around_kinks`).
            is_settled = true;
            break;
        } else {
            damping *= 10.0;
        }
    }
    Ok(Optimum { at, is_settled, inverse: from.inverse })
}

/// The steps of the search around kinks, in ln s and ln c: the first step, and the step below which the search ends.
const KINK_STEPS: (f64, f64) = (0.02, 1e-5);

/// Continues a search where slopes lead no further, as may be at kinks of the conditions: in eight directions, by ever
/// shorter steps, as long as the sum of squares falls.
pub(crate) fn around_kinks(
    fitter: &Fitter,
    conditions: &impl Conditions,
    sample: &Sample,
    from: [f64; 2],
    progress: &dyn Progress,
) -> Result<[f64; 2], RatingsError> {
    const DIRECTIONS: [[f64; 2]; 8] =
        [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    let value = |at: [f64; 2]| -> Result<f64, RatingsError> {
        Ok(squares(&means(fitter, conditions, sample, None, at, false, progress)?))
    };
    let (mut at, mut best, mut step) = (from, value(from)?, KINK_STEPS.0);
    while step > KINK_STEPS.1 {
        let mut is_lower = false;
        for direction in DIRECTIONS {
            let (next, is_outside) = fitter.bounded([at[0] + step * direction[0], at[1] + step * direction[1]]);
            if is_outside || next == at {
                continue;
            }
            let found = value(next)?;
            if found < best {
                (at, best, is_lower) = (next, found, true);
            }
        }
        if !is_lower {
            step *= 0.5;
        }
    }
    Ok(at)
}

/// Computes the covariance of ln s and ln c: (G'G)^-1 G' V G (G'G)^-1, where V is the covariance of the means.
pub(crate) fn covariance(
    fitter: &Fitter,
    conditions: &impl Conditions,
    sample: &Sample,
    at: [f64; 2],
    progress: &dyn Progress,
) -> Result<[[f64; 2]; 2], RatingsError> {
    let means = means(fitter, conditions, sample, None, at, true, progress)?;
    let (square, _) = normal(&means);
    let Some(bread) = inverted(square, fitter.free()) else { return Ok([[f64::INFINITY; 2]; 2]) };
    let mut filling = [[0.0; 2]; 2];
    for (one, row) in means.slopes.iter().zip(&means.covariance) {
        for (other, entry) in means.slopes.iter().zip(row) {
            for (i, line) in filling.iter_mut().enumerate() {
                for (j, sum) in line.iter_mut().enumerate() {
                    *sum += one[i] * entry * other[j];
                }
            }
        }
    }
    Ok(product(product(bread, filling), bread))
}

/// The sum of squares, which a fit minimises.
pub(crate) fn squares(means: &Means) -> f64 {
    means.values.iter().map(|value| value * value).sum()
}

/// Computes the normal equations: G'G and G'm.
fn normal(means: &Means) -> ([[f64; 2]; 2], [f64; 2]) {
    let (mut square, mut pull) = ([[0.0; 2]; 2], [0.0; 2]);
    for (slope, value) in means.slopes.iter().zip(&means.values) {
        for i in 0..2 {
            pull[i] += slope[i] * value;
            for j in 0..2 {
                square[i][j] += slope[i] * slope[j];
            }
        }
    }
    (square, pull)
}
