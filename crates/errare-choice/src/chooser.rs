//! The trait that all models of choice share: candidates in, probabilities out.

use crate::candidate::Candidate;
use crate::competence::Competence;
use crate::preference::Preference;
use crate::probability::{ChoiceError, log_probability, probabilities};

/// A player who chooses between candidates of type `C` with known probabilities.
///
/// A candidate is whatever the chooser looks at: a [`Candidate`] that leads to a state for a [`Fallible`] player, a
/// loss in value for a [`Skilled`](crate::Skilled) one. A [`Posterior`](crate::Posterior) can be updated by the choices
/// of any chooser.
pub trait Chooser<C> {
    /// Replaces `logs` by the logarithm of the probability of each candidate; minus infinity if it is never chosen.
    ///
    /// # Errors
    /// If there is nothing to choose from, or if the candidates are invalid for this chooser.
    fn log_probabilities(&self, candidates: &[C], logs: &mut Vec<f64>) -> Result<(), ChoiceError>;

    /// Computes the probability of each candidate.
    ///
    /// # Errors
    /// As [`log_probabilities`](Chooser::log_probabilities).
    fn probabilities(&self, candidates: &[C]) -> Result<Vec<f64>, ChoiceError> {
        let mut logs = Vec::with_capacity(candidates.len());
        self.log_probabilities(candidates, &mut logs)?;
        logs.iter_mut().for_each(|log| *log = log.exp());
        Ok(logs)
    }

    /// Computes the logarithm of the probability of one candidate.
    ///
    /// # Errors
    /// As [`log_probabilities`](Chooser::log_probabilities), and if no candidate has this index.
    fn log_probability(&self, candidates: &[C], index: usize) -> Result<f64, ChoiceError> {
        let mut logs = Vec::with_capacity(candidates.len());
        self.log_probabilities(candidates, &mut logs)?;
        logs.get(index).copied().ok_or(ChoiceError::Index { index, count: candidates.len() })
    }
}

/// The player R_c of competence c, who chooses by a preference function for states.
///
/// ```
/// use errare_choice::{Candidate, Chooser, Competence, Depth, Fallible, Kappa, PowerLaw, State, States};
/// let law = PowerLaw::new(States::new(Depth(3), Depth(0)), Kappa::ONE)?;
/// let player = Fallible { preference: law, competence: Competence::new(1.0)? };
/// let candidates = [Candidate::new("good", State::Win(Depth(1))), Candidate::new("bad", State::Win(Depth(3)))];
/// assert!((player.probabilities(&candidates)?[0] - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fallible<P> {
    /// The preference function S_c.
    pub preference: P,
    /// The competence c.
    pub competence: Competence,
}

impl<P: Preference, T> Chooser<Candidate<T>> for Fallible<P> {
    fn log_probabilities(&self, candidates: &[Candidate<T>], logs: &mut Vec<f64>) -> Result<(), ChoiceError> {
        logs.clear();
        for index in 0..candidates.len() {
            logs.push(log_probability(&self.preference, self.competence, candidates, index)?);
        }
        if logs.is_empty() { Err(ChoiceError::Nothing) } else { Ok(()) }
    }

    fn probabilities(&self, candidates: &[Candidate<T>]) -> Result<Vec<f64>, ChoiceError> {
        probabilities(&self.preference, self.competence, candidates)
    }

    fn log_probability(&self, candidates: &[Candidate<T>], index: usize) -> Result<f64, ChoiceError> {
        log_probability(&self.preference, self.competence, candidates, index)
    }
}
