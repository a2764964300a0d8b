//! Inference of a player's competence from observed choices.

use crate::candidate::Candidate;
use crate::chooser::{Chooser, Fallible};
use crate::grid::Grid;
use crate::preference::Preference;
use crate::probability::ChoiceError;

/// The distribution of the competence before the first observation.
#[derive(Clone, Debug, PartialEq)]
pub enum Prior {
    /// Every point of the grid has the same probability.
    Uniform,
    /// A normal distribution, cut off at the ends of the grid.
    Normal {
        /// The mean of the normal distribution.
        mean: f64,
        /// The standard deviation of the normal distribution.
        sd: f64,
    },
    /// A weight for each point; the sum need not be 1.
    Explicit(Vec<f64>),
    /// The posterior of earlier observations, on the same grid.
    CarriedOver(Posterior),
}

/// A probability for each competence of a grid, updated by observations.
///
/// The probabilities are kept as logarithms, so that no series of observations makes a point impossible that is only
/// improbable.
///
/// ```
/// use errare_choice::{Grid, Posterior, Prior, Update};
/// let mut posterior = Posterior::new(Grid::new(0.0, 1.0, 1.0)?, Prior::Uniform)?;
/// // An observation that is made half of the time at c = 0, and nine times in ten at c = 1.
/// posterior.observe(&[0.5_f64.ln(), 0.9_f64.ln()])?;
/// assert!((posterior.mean() - 0.9 / 1.4).abs() < 1e-15);
/// // An observation that is impossible at both changes nothing.
/// assert_eq!(posterior.observe(&[f64::NEG_INFINITY; 2])?, Update::Impossible);
/// assert!((posterior.mean() - 0.9 / 1.4).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    grid: Grid,
    /// The logarithms of the probabilities, unnormalised, the greatest being 0.
    logs: Vec<f64>,
    /// The logarithm of the sum of the unnormalised probabilities.
    log_sum: f64,
    probabilities: Vec<f64>,
}

/// The effect of an observation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "an impossible observation changes nothing"]
pub enum Update {
    /// The posterior has changed.
    Learned {
        /// The logarithm of the probability that the observation had before it was made.
        log_evidence: f64,
    },
    /// No competence that is still possible could have made this choice. The posterior is unchanged.
    Impossible,
}

/// A prior or an observation that is not valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PosteriorError {
    /// The number of values is not that of the grid's points.
    #[error("expected {expected} numbers, one for each point of the grid, found {found}")]
    Length {
        /// The number of points of the grid.
        expected: usize,
        /// The number of values given.
        found: usize,
    },
    /// The mean is not finite, or the standard deviation not positive and finite.
    #[error("invalid normal prior of mean {mean} and standard deviation {sd}: expected finite numbers and sd above 0")]
    Normal {
        /// The mean that was asked for.
        mean: f64,
        /// The standard deviation that was asked for.
        sd: f64,
    },
    /// A weight is negative or not finite, or all of them are 0, be it by underflow.
    #[error("invalid weights of the prior: expected finite numbers, none negative, and not all 0")]
    Weights,
    /// The posterior to carry over is of another grid.
    #[error("cannot carry over a posterior on the grid {found} to the grid {expected}")]
    Grid {
        /// The new grid.
        expected: Grid,
        /// The grid of the posterior to carry over.
        found: Grid,
    },
    /// The logarithm of a likelihood is plus infinity or not a number.
    #[error("invalid logarithm of a likelihood {value} at c = {c}: expected a finite number or minus infinity")]
    Likelihood {
        /// The point of the grid whose likelihood is invalid.
        c: f64,
        /// The invalid value.
        value: f64,
    },
    /// The probabilities of the observed choice cannot be computed.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
}

impl Posterior {
    /// Makes the posterior before any observation, which is the prior.
    ///
    /// # Errors
    /// If the parameters of the prior are invalid, or if it is of another grid.
    pub fn new(grid: Grid, prior: Prior) -> Result<Posterior, PosteriorError> {
        let logs = match prior {
            Prior::Uniform => vec![0.0; grid.count()],
            Prior::Normal { mean, sd } => {
                if !(mean.is_finite() && sd.is_finite() && sd > 0.0) {
                    return Err(PosteriorError::Normal { mean, sd });
                }
                grid.points().map(|c| -0.5 * ((c - mean) / sd).powi(2)).collect()
            }
            Prior::Explicit(weights) => {
                check_length(&grid, &weights)?;
                if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
                    return Err(PosteriorError::Weights);
                }
                weights.iter().map(|weight| weight.ln()).collect()
            }
            Prior::CarriedOver(earlier) if earlier.grid == grid => earlier.logs,
            Prior::CarriedOver(earlier) => {
                return Err(PosteriorError::Grid { expected: grid, found: earlier.grid });
            }
        };
        Posterior::from_logs(grid, logs).ok_or(PosteriorError::Weights)
    }

    /// Normalises logarithms of probabilities; none if every point is impossible.
    fn from_logs(grid: Grid, mut logs: Vec<f64>) -> Option<Posterior> {
        let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !greatest.is_finite() {
            return None;
        }
        logs.iter_mut().for_each(|log| *log -= greatest);
        // Below this the exponential is exactly 0, which `exp` computes slowly.
        let exp = |&log: &f64| if log < -746.0 { 0.0 } else { log.exp() };
        let mut probabilities: Vec<f64> = logs.iter().map(exp).collect();
        let sum: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probability| *probability /= sum);
        Some(Posterior { grid, logs, log_sum: sum.ln(), probabilities })
    }

    /// Applies Bayes' rule, given the logarithm of the probability of the observation at each point of the grid.
    ///
    /// Only their differences matter to the posterior.
    ///
    /// # Errors
    /// If there is not one number for each point of the grid, or if one is plus infinity or NaN. The posterior is
    /// unchanged then.
    pub fn observe(&mut self, log_likelihoods: &[f64]) -> Result<Update, PosteriorError> {
        check_length(&self.grid, log_likelihoods)?;
        for (c, &value) in self.grid.points().zip(log_likelihoods) {
            if value.is_nan() || value == f64::INFINITY {
                return Err(PosteriorError::Likelihood { c, value });
            }
        }
        let joint: Vec<f64> = self.logs.iter().zip(log_likelihoods).map(|(log, likelihood)| log + likelihood).collect();
        let greatest = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Not plus infinity: no logarithm here is above 0, and no likelihood was infinite.
        debug_assert!(greatest < f64::INFINITY, "an infinite posterior");
        let Some(learned) = Posterior::from_logs(self.grid, joint) else { return Ok(Update::Impossible) };
        let log_evidence = greatest + learned.log_sum - self.log_sum;
        *self = learned;
        Ok(Update::Learned { log_evidence })
    }

    /// Applies Bayes' rule after the candidate with this index was chosen.
    ///
    /// # Errors
    /// If the probability of that choice cannot be computed. The posterior is unchanged then.
    pub fn observe_choice<P: Preference + ?Sized, T>(
        &mut self,
        preference: &P,
        candidates: &[Candidate<T>],
        index: usize,
    ) -> Result<Update, PosteriorError> {
        let competences = self.grid.competences().into_iter();
        let choosers: Vec<_> = competences.map(|competence| Fallible { preference, competence }).collect();
        self.observe_choice_of(&choosers, candidates, index)
    }

    /// Applies Bayes' rule after the candidate with this index was chosen by one of several choosers, which stand for
    /// the points of the grid in order.
    ///
    /// # Errors
    /// If there is not one chooser for each point of the grid, or if the probability of that choice cannot be computed.
    /// The posterior is unchanged then.
    pub fn observe_choice_of<C>(
        &mut self,
        choosers: &[impl Chooser<C>],
        candidates: &[C],
        index: usize,
    ) -> Result<Update, PosteriorError> {
        let likelihoods: Vec<f64> =
            choosers.iter().map(|chooser| chooser.log_probability(candidates, index)).collect::<Result<_, _>>()?;
        self.observe(&likelihoods)
    }

    /// The grid of competences.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The probability of each point of the grid.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The points of the grid with their probabilities.
    pub fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.grid.points().zip(self.probabilities.iter().copied())
    }

    /// The expectation of a function of c.
    pub fn expectation(&self, mut value: impl FnMut(f64) -> f64) -> f64 {
        // The function is not called where the probability is 0: it may be infinite there.
        self.iter().filter(|&(_, probability)| probability > 0.0).map(|(c, probability)| probability * value(c)).sum()
    }

    /// The expectation of c: the apparent competence.
    pub fn mean(&self) -> f64 {
        self.expectation(|c| c)
    }

    /// The standard deviation of c.
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.expectation(|c| (c - mean).powi(2)).sqrt()
    }

    /// The most probable point, the least one if there are several.
    pub fn mode(&self) -> f64 {
        let better = |best: (f64, f64), next: (f64, f64)| if next.1 > best.1 { next } else { best };
        self.iter().fold((self.grid.min(), f64::NEG_INFINITY), better).0
    }

    /// The least point of the grid up to which at least this much of the probability lies.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        for (c, probability) in self.iter() {
            below += probability;
            // A share that is met exactly must not be missed by rounding.
            if below >= share - 1e-12 && probability > 0.0 {
                return c;
            }
        }
        self.grid.max()
    }

    /// The central credible interval that holds at least this share, e.g. 0.9: equal shares may lie below and above.
    pub fn interval(&self, share: f64) -> (f64, f64) {
        let tail = ((1.0 - share) / 2.0).clamp(0.0, 0.5);
        (self.quantile(tail), self.quantile(1.0 - tail))
    }
}

fn check_length(grid: &Grid, numbers: &[f64]) -> Result<(), PosteriorError> {
    if numbers.len() == grid.count() {
        Ok(())
    } else {
        Err(PosteriorError::Length { expected: grid.count(), found: numbers.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kappa::Kappa;
    use crate::power_law::PowerLaw;
    use crate::state::{Depth, State, States};

    type Test = Result<(), Box<dyn std::error::Error>>;

    /// Two wins, of depth 1 and 3, at kappa = 1: R_c takes the better one with probability 2^c / (1 + 2^c),
    /// which is 1/2, 2/3 and 4/5 for c = 0, 1, 2.
    fn hand_computed() -> Result<(Posterior, PowerLaw, [Candidate; 3]), Box<dyn std::error::Error>> {
        let law = PowerLaw::new(States::new(Depth(3), Depth(0)), Kappa::ONE)?;
        let candidates = [
            Candidate::new((), State::Win(Depth(1))),
            Candidate::new((), State::Win(Depth(3))),
            Candidate::weighted((), State::Draw, 0.0)?,
        ];
        Ok((Posterior::new(Grid::new(0.0, 1.0, 2.0)?, Prior::Uniform)?, law, candidates))
    }

    #[test]
    fn bayes_by_hand() -> Test {
        let (mut posterior, law, candidates) = hand_computed()?;
        let Update::Learned { log_evidence } = posterior.observe_choice(&law, &candidates, 0)? else {
            return Err("possible".into());
        };
        // 15, 20 and 24 thirtieths.
        assert!((log_evidence.exp() - 59.0 / 90.0).abs() < 1e-15);
        for (found, expected) in posterior.probabilities().iter().zip([15.0, 20.0, 24.0]) {
            assert!((found - expected / 59.0).abs() < 1e-15);
        }
        let mean: f64 = 68.0 / 59.0;
        assert!((posterior.mean() - mean).abs() < 1e-14);
        let variance = (20.0 + 4.0 * 24.0) / 59.0 - mean * mean;
        assert!((posterior.sd() - variance.sqrt()).abs() < 1e-14);
        assert_eq!(posterior.mode(), 2.0);
        // Then the worse one: 15/2, 20/3 and 24/5, of sum 569/30.
        let _ = posterior.observe_choice(&law, &candidates, 1)?;
        for (found, expected) in posterior.probabilities().iter().zip([225.0, 200.0, 144.0]) {
            assert!((found - expected / 569.0).abs() < 1e-15);
        }
        assert_eq!(posterior.mode(), 0.0);
        Ok(())
    }

    #[test]
    fn an_impossible_observation_changes_nothing() -> Test {
        let (mut posterior, law, candidates) = hand_computed()?;
        let before = posterior.clone();
        assert_eq!(posterior.observe_choice(&law, &candidates, 2)?, Update::Impossible);
        assert_eq!(posterior, before);
        // Impossible where anything is left of the prior.
        let mut sure = Posterior::new(*before.grid(), Prior::Explicit(vec![0.0, 1.0, 0.0]))?;
        let before = sure.clone();
        assert_eq!(sure.observe(&[0.0, f64::NEG_INFINITY, 0.0])?, Update::Impossible);
        assert_eq!(sure, before);
        Ok(())
    }

    #[test]
    fn ten_thousand_observations_do_not_underflow() -> Test {
        let mut posterior = Posterior::new(Grid::new(0.0, 1.0, 2.0)?, Prior::Uniform)?;
        for _ in 0..10_000 {
            let _ = posterior.observe(&[-2000.0, -1000.0, -1001.0])?;
        }
        assert_eq!(posterior.probabilities(), [0.0, 1.0, 0.0]);
        // The improbable point was not lost.
        for _ in 0..10_000 {
            let _ = posterior.observe(&[-1.0, -5000.0, -5000.0])?;
        }
        assert_eq!(posterior.probabilities(), [1.0, 0.0, 0.0]);
        Ok(())
    }

    #[test]
    fn priors() -> Test {
        let grid = Grid::new(0.0, 1.0, 50.0)?;
        let uniform = Posterior::new(grid, Prior::Uniform)?;
        assert!((uniform.mean() - 25.0).abs() < 1e-12);
        assert_eq!(uniform.interval(0.9), (2.0, 48.0));
        assert_eq!(uniform.interval(1.0), (0.0, 50.0));
        let normal = Posterior::new(grid, Prior::Normal { mean: 20.0, sd: 4.0 })?;
        assert!((normal.mean() - 20.0).abs() < 1e-5 && (normal.sd() - 4.0).abs() < 1e-3);
        assert_eq!(normal.interval(0.9), (13.0, 27.0));
        // Far outside the grid it still is a distribution.
        let far = Posterior::new(grid, Prior::Normal { mean: 1e6, sd: 1.0 })?;
        assert_eq!(far.mean(), 50.0);
        assert_eq!(Posterior::new(grid, Prior::CarriedOver(normal.clone()))?, normal);
        let other = Grid::new(0.0, 1.0, 40.0)?;
        assert!(matches!(Posterior::new(other, Prior::CarriedOver(normal)), Err(PosteriorError::Grid { .. })));
        assert!(matches!(Posterior::new(grid, Prior::Explicit(vec![1.0])), Err(PosteriorError::Length { .. })));
        for bad in [0.0, -1.0, f64::NAN] {
            assert_eq!(Posterior::new(grid, Prior::Explicit(vec![bad; 51])), Err(PosteriorError::Weights));
            assert!(Posterior::new(grid, Prior::Normal { mean: 0.0, sd: bad }).is_err());
        }
        Ok(())
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() -> Test {
        let mut posterior = Posterior::new(Grid::new(0.0, 1.0, 1.0)?, Prior::Uniform)?;
        let before = posterior.clone();
        assert!(matches!(posterior.observe(&[f64::NAN, 0.0]), Err(PosteriorError::Likelihood { .. })));
        assert!(matches!(posterior.observe(&[0.0]), Err(PosteriorError::Length { .. })));
        assert_eq!(posterior, before);
        Ok(())
    }
}
