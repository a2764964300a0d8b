//! The starting point of a search: the best of a coarse grid, on a part of the sample.

use super::conditions::{Moments, Percentiles, means};
use super::{Fitter, Method, least_squares, log_likelihood, skill};
use crate::error::RatingsError;
use crate::sample::Sample;
use errare_work::Progress;

/// The number of turns that are enough to tell neighbours of the grid apart.
const ENOUGH: usize = 250;

/// The numbers of steps of the grid: s from 0.005 to 5 and c from 0.2 to 4, evenly in their logarithms.
const STEPS: [usize; 2] = [11, 7];
const FIRST: [f64; 2] = [-5.3, -1.6];
const LAST: [f64; 2] = [1.6, 1.4];

pub(crate) fn coarse(fitter: &Fitter, sample: &Sample, progress: &dyn Progress) -> Result<[f64; 2], RatingsError> {
    let part = sample.thinned(ENOUGH);
    let mut best = (f64::INFINITY, FIRST);
    for i in 0..STEPS[0] {
        // With c given there is nothing to look for along it.
        for j in 0..if fitter.fixed_c.is_some() { 1 } else { STEPS[1] } {
            let place = |axis: usize, step: usize| {
                FIRST[axis] + (LAST[axis] - FIRST[axis]) * step as f64 / (STEPS[axis] - 1) as f64
            };
            let (at, _) = fitter.bounded([place(0, i), place(1, j)]);
            let score = match fitter.method {
                Method::Percentile => {
                    least_squares::squares(&means(fitter, &Percentiles, &part, None, at, false, progress)?)
                }
                Method::Moments => least_squares::squares(&means(fitter, &Moments, &part, None, at, false, progress)?),
                Method::Likelihood => -log_likelihood(&fitter.model, &part, skill(at)?, progress)?,
            };
            if score < best.0 {
                best = (score, at);
            }
        }
    }
    Ok(best.1)
}
