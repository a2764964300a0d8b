//! The Bayesian reading: what each Elo makes of the moves, one after another.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::sample::Sample;
use errare_choice::{Grid, Odds, Posterior, Prior};
use rayon::prelude::*;

/// What is thought of a player after some moves.
#[derive(Clone, Debug)]
pub struct Reading {
    /// How many.
    pub moves: usize,
    /// How probable each Elo is.
    pub posterior: Posterior,
}

impl Calibration {
    /// How probable each Elo of a grid is, for players on the course that likelihood gives the mileposts: after 1, 2, 5,
    /// 10, 20, 50 moves and so on, and after all of them. None if that course does not rise with Elo.
    ///
    /// Along a course that was fitted by other means the reading would be off: all models misjudge rare blunders, and
    /// likelihood minds them most. Points that no player on the course has are impossible. The course is taken as it is:
    /// its own error is not in the posterior.
    pub fn readings(
        &self,
        sample: &Sample<'_>,
        grid: Grid,
        prior: Prior,
    ) -> Result<Option<Vec<Reading>>, RatingsError> {
        self.check(sample.source())?;
        let Some(course) = &self.likely else { return Ok(None) };
        let stops = stops(sample.count());
        let points: Vec<f64> = grid.points().collect();
        let likelihoods: Vec<Vec<f64>> = points
            .par_iter()
            .map(|&elo| match course.skill(elo, &self.lens, &self.reference) {
                Ok(skill) => self.log_likelihoods(sample, skill, &stops),
                Err(RatingsError::Beyond(_)) => Ok(vec![f64::NEG_INFINITY; stops.len()]),
                Err(error) => Err(error),
            })
            .collect::<Result<_, _>>()?;
        let mut posterior = Posterior::new(grid, prior)?;
        let mut readings = Vec::with_capacity(stops.len());
        for (stage, &moves) in stops.iter().enumerate() {
            let learned: Vec<f64> = likelihoods.iter().map(|by_stage| by_stage[stage]).collect();
            // Where nothing is possible what was thought before is all there is.
            let _ = posterior.observe(&learned)?;
            readings.push(Reading { moves, posterior: posterior.clone() });
        }
        Ok(Some(readings))
    }

    /// ln of the probability of the moves up to each stop from the one before.
    fn log_likelihoods(
        &self,
        sample: &Sample<'_>,
        skill: errare_choice::Skill,
        stops: &[usize],
    ) -> Result<Vec<f64>, RatingsError> {
        let (mut odds, mut turns, mut done) = (Odds::default(), sample.iter(), 0);
        let mut found = Vec::with_capacity(stops.len());
        for &stop in stops {
            let mut sum = 0.0;
            for turn in turns.by_ref().take(stop - done) {
                self.lens.look(&mut odds, skill, turn)?;
                sum += odds.log_probabilities()[turn.played()];
            }
            done = stop;
            found.push(sum);
        }
        Ok(found)
    }
}

/// 1, 2, 5, 10, 20, 50 and so on below the last, and the last.
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
