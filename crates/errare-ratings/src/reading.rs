//! Posteriors over Elo: how probable the moves make each Elo, one move after another.

use crate::calibration::Calibration;
use crate::error::{RatingsError, Refusal};
use crate::joint::JointFit;
use crate::reliability::EndsOutside;
use crate::sample::Sample;
use errare_choice::{Grid, Odds, Posterior, Prior, Skill};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// The grid of Elos that posteriors consider: the first, the step, the last.
pub const ELO_GRID: (f64, f64, f64) = (600.0, 20.0, 3600.0);

/// The posterior over Elo after some moves.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Number of moves that the posterior rests on.
    pub moves: usize,
    /// The probability of each Elo.
    pub posterior: Posterior,
    /// The range of Elos of the calibration.
    pub calibrated_range: (f64, f64),
}

/// A posterior over Elo, summarised in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadingSummary {
    /// Number of moves that the posterior rests on.
    pub moves: usize,
    /// The mean Elo.
    pub mean: f64,
    /// Whether the mean is outside the range of the calibration, so that it is extrapolated.
    pub outside_range: bool,
    /// The standard deviation of the Elo.
    pub sd: f64,
    /// The central 95% interval of the Elo.
    pub interval: (f64, f64),
    /// Which ends of `interval` are outside the range of the calibration, so that they are extrapolated.
    #[serde(default)]
    pub interval_outside_range: EndsOutside,
}

impl Reading {
    /// Summarises the posterior.
    pub fn summary(&self) -> ReadingSummary {
        let Reading { moves, posterior, calibrated_range } = self;
        let (mean, sd, interval) = (posterior.mean(), posterior.sd(), posterior.interval(0.95));
        ReadingSummary {
            moves: *moves,
            mean,
            outside_range: EndsOutside::new((mean, mean), *calibrated_range).any(),
            sd,
            interval,
            interval_outside_range: EndsOutside::new(interval, *calibrated_range),
        }
    }
}

impl Calibration {
    /// Computes posteriors over the Elos of [`ELO_GRID`], all equally probable beforehand.
    ///
    /// Empty if the calibration has no likelihood curve. See [`readings_on`](Calibration::readings_on).
    ///
    /// # Errors
    /// As [`readings_on`](Calibration::readings_on).
    pub fn readings(&self, sample: &Sample, progress: &dyn Progress) -> Result<Vec<Reading>, RatingsError> {
        let (first, step, last) = ELO_GRID;
        let readings = self.readings_on(sample, Grid::new(first, step, last)?, Prior::Uniform, progress)?;
        Ok(readings.unwrap_or_default())
    }

    /// Computes the probability of each Elo of a grid after 1, 2, 5, 10, 20, 50 moves and so on, and after all of them.
    ///
    /// With a joint model it is that of [`JointFit::assess`], without the control by opponents: as wide as scores
    /// of real players vary. Otherwise players are taken to be on the skill curve that likelihood gives the mileposts; none if that does not rise with
    /// Elo. Along a curve that was fitted by other means the posterior would be off: all models misjudge rare blunders,
    /// and likelihood weighs them most. Elos that no player on the curve has are impossible. The curve is taken as
    /// exact: its own error is not in the posterior.
    ///
    /// # Errors
    /// [`Refusal::EngineMismatch`] if the turns were evaluated otherwise than the mileposts,
    /// [`RatingsError::Posterior`] if the prior does not suit the grid, [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn readings_on(
        &self,
        sample: &Sample,
        grid: Grid,
        prior: Prior,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Reading>>, RatingsError> {
        self.check(sample.source())?;
        if let Some(joint) = &self.joint {
            return self.joint_readings(joint, sample, grid, prior, progress).map(Some);
        }
        let Some(curve) = &self.likelihood_curve else { return Ok(None) };
        let stops = stops(sample.count());
        let points: Vec<f64> = grid.points().collect();
        let done = AtomicU64::new(0);
        let likelihoods: Vec<Vec<f64>> = points
            .par_iter()
            .map(|&elo| {
                progress.proceed()?;
                let found = match curve.skill(elo, &self.model, &self.reference, progress) {
                    Ok(skill) => self.log_likelihoods(sample, skill, &stops, progress)?,
                    Err(RatingsError::Refused(Refusal::OutsideRange { .. })) => vec![f64::NEG_INFINITY; stops.len()],
                    Err(error) => return Err(error),
                };
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.report(&Status::new("computing the posterior", "Elos").at(done, points.len() as u64));
                Ok(found)
            })
            .collect::<Result<_, RatingsError>>()?;
        let mut posterior = Posterior::new(grid, prior)?;
        let mut readings = Vec::with_capacity(stops.len());
        for (stage, &moves) in stops.iter().enumerate() {
            let learned: Vec<f64> = likelihoods.iter().map(|by_stage| by_stage[stage]).collect();
            // If no Elo makes the moves possible, the posterior stays as it was.
            let _ = posterior.observe(&learned)?;
            readings.push(Reading { moves, posterior: posterior.clone(), calibrated_range: self.range() });
        }
        Ok(Some(readings))
    }

    /// Computes the posteriors by the joint model.
    fn joint_readings(
        &self,
        joint: &JointFit,
        sample: &Sample,
        grid: Grid,
        prior: Prior,
        progress: &dyn Progress,
    ) -> Result<Vec<Reading>, RatingsError> {
        let stops = stops(sample.count());
        let elos: Vec<f64> = grid.points().collect();
        let by_stop = joint.log_likelihoods_at(&elos, sample, &stops, progress)?;
        let reading = |(&moves, logs): (&usize, &Vec<f64>)| {
            let mut posterior = Posterior::new(grid, prior.clone())?;
            // Both sides of a game vary together, as far as both have moved.
            let so_far = Sample::listed(sample.source(), sample.iter().take(moves).map(|turn| turn.index()));
            let dispersion = joint.dispersion(&so_far, progress)?;
            let tempered: Vec<f64> = logs.iter().map(|log| log / dispersion).collect();
            let _ = posterior.observe(&tempered)?;
            Ok(Reading { moves, posterior, calibrated_range: self.range() })
        };
        stops.iter().zip(&by_stop).map(reading).collect()
    }

    /// Computes the logarithms of the probabilities of the moves between one stop and the next.
    fn log_likelihoods(
        &self,
        sample: &Sample,
        skill: Skill,
        stops: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, RatingsError> {
        let (mut odds, mut turns, mut done) = (Odds::default(), sample.iter(), 0);
        let mut found = Vec::with_capacity(stops.len());
        for &stop in stops {
            let mut sum = 0.0;
            for turn in turns.by_ref().take(stop - done) {
                progress.proceed()?;
                self.model.weigh(&mut odds, skill, turn)?;
                sum += odds.log_probabilities()[turn.played()];
            }
            done = stop;
            found.push(sum);
        }
        Ok(found)
    }
}

/// The stops 1, 2, 5, 10, 20, 50 and so on below the last, and the last.
fn stops(last: usize) -> Vec<usize> {
    let decades = std::iter::successors(Some(1_usize), |decade| decade.checked_mul(10));
    let round = decades.flat_map(|decade| [1, 2, 5].map(|digit| decade.saturating_mul(digit)));
    let mut stops: Vec<usize> = round.take_while(|&stop| stop < last).collect();
    stops.extend((last > 0).then_some(last));
    stops
}

#[cfg(test)]
mod tests {
    use super::stops;

    #[test]
    fn round_numbers_and_the_end() {
        assert_eq!(stops(60), [1, 2, 5, 10, 20, 50, 60]);
        assert_eq!(stops(50), [1, 2, 5, 10, 20, 50]);
        assert_eq!((stops(1), stops(0)), (vec![1], vec![]));
    }
}
