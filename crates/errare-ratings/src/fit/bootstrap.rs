//! Bootstraps: how much a fit varies over samples of whole games (of turns, where games are few), drawn with
//! replacement and refitted.

use super::{Fit, Fitter, skill};
use crate::error::RatingsError;
use crate::progress::Unreported;
use crate::sample::Sample;
use errare_choice::Skill;
use errare_work::{Progress, Status};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of samples that a bootstrap draws, and the random seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// Number of draws.
    pub count: usize,
    /// Random seed.
    pub seed: u64,
}

/// The fits to the samples that a bootstrap drew.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// Random seed of the draws.
    pub seed: u64,
    /// The fitted skills, in the order of the draws.
    pub skills: Vec<Skill>,
    /// Number of draws that could not be fitted.
    pub failed: usize,
}

impl Fitter {
    /// Fits a sample, and then samples that are drawn from its games, or from its turns if it has fewer than ten games.
    ///
    /// Each draw depends on nothing but the seed and its own number.
    ///
    /// # Errors
    /// As [`Fitter::fit`].
    pub fn bootstrap(
        &self,
        sample: &Sample,
        draws: Draws,
        progress: &dyn Progress,
    ) -> Result<(Fit, Bootstrap), RatingsError> {
        let (fit, optimum) = self.fit_from_scratch(sample, progress)?;
        let pieces = sample.in_independent_pieces();
        let done = AtomicU64::new(0);
        let drawn: Vec<Option<Skill>> = (0..draws.count)
            .into_par_iter()
            .map(|number| -> Result<Option<Skill>, RatingsError> {
                let counts = draw(pieces.games(), draws.seed, number as u64);
                let found = self.search(&pieces, Some(&counts), optimum, &Unreported(progress))?;
                let status = Status::new(self.method.activity(), "draws");
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.report(&Status { step: Some("bootstrap"), ..status.at(done, draws.count as u64) });
                Ok(if found.is_settled { Some(skill(found.at)?) } else { None })
            })
            .collect::<Result<_, _>>()?;
        let skills: Vec<Skill> = drawn.iter().copied().flatten().collect();
        Ok((fit, Bootstrap { seed: draws.seed, failed: draws.count - skills.len(), skills }))
    }

    /// Fits a sample, with draws if any are wanted.
    ///
    /// # Errors
    /// As [`Fitter::fit`].
    pub fn fit_and_draw(
        &self,
        sample: &Sample,
        draws: Option<Draws>,
        progress: &dyn Progress,
    ) -> Result<(Fit, Option<Bootstrap>), RatingsError> {
        match draws {
            Some(draws) => self.bootstrap(sample, draws, progress).map(|(fit, drawn)| (fit, Some(drawn))),
            None => Ok((self.fit(sample, progress)?, None)),
        }
    }
}

/// Draws as many games as there are, with replacement, and counts how often each was drawn.
fn draw(games: usize, seed: u64, number: u64) -> Vec<u32> {
    // An odd factor of all digits sets neighbouring numbers far apart.
    let mixed = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut random = Pcg64::seed_from_u64(mixed);
    let mut counts = vec![0; games];
    for _ in 0..games {
        counts[random.random_range(0..games)] += 1;
    }
    counts
}

impl Bootstrap {
    /// The standard deviation of a function of the skill over the draws.
    pub fn sd(&self, of: impl Fn(Skill) -> f64) -> f64 {
        let values: Vec<f64> = self.skills.iter().map(|&skill| of(skill)).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
    }

    /// The central interval that contains this share of a function of the skill; none without draws.
    pub fn interval(&self, share: f64, of: impl Fn(Skill) -> f64) -> Option<(f64, f64)> {
        central(share, self.skills.iter().map(|&skill| of(skill)).collect())
    }
}

/// The central interval that contains this share of values; none without values.
pub(crate) fn central(share: f64, mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let at = |quantile: f64| {
        let place = quantile * (values.len().checked_sub(1)?) as f64;
        let (low, part) = (place.floor() as usize, place.fract());
        let next = values.get(low + 1).or(values.last())?;
        Some(values[low] * (1.0 - part) + next * part)
    };
    let tail = ((1.0 - share) / 2.0).clamp(0.0, 0.5);
    Some((at(tail)?, at(1.0 - tail)?))
}
