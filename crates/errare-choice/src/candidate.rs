//! Candidates: what a player can choose from.

use crate::state::State;

/// One of the things that can be chosen: the caller's name for it, the state it leads to, and its weight v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<T = ()> {
    choice: T,
    state: State,
    weight: f64,
}

/// A weight that is negative, infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("invalid weight {0}: expected a finite number, 0 or greater")]
pub struct WeightError(pub f64);

impl<T> Candidate<T> {
    /// Makes a candidate of weight 1.
    pub fn new(choice: T, state: State) -> Candidate<T> {
        Candidate { choice, state, weight: 1.0 }
    }

    /// Makes a candidate of any weight; 0 excludes it.
    ///
    /// # Errors
    /// If the weight is negative, infinite or not a number.
    pub fn weighted(choice: T, state: State, weight: f64) -> Result<Candidate<T>, WeightError> {
        Ok(Candidate { choice, state, weight: checked_weight(weight)? })
    }

    /// The thing that is chosen, as the caller named it.
    pub fn choice(&self) -> &T {
        &self.choice
    }

    /// The state that the candidate leads to, seen by the player who chooses.
    pub fn state(&self) -> State {
        self.state
    }

    /// The weight v.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Whether the candidate can be chosen: its weight is positive.
    pub fn is_open(&self) -> bool {
        self.weight > 0.0
    }

    /// Sets a weight that has been checked.
    pub(crate) fn set_weight(&mut self, weight: f64) {
        self.weight = weight;
    }
}

/// Returns the weight if it is valid.
pub(crate) fn checked_weight(weight: f64) -> Result<f64, WeightError> {
    if weight.is_finite() && weight >= 0.0 { Ok(weight) } else { Err(WeightError(weight)) }
}
