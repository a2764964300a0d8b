//! What there is to choose from.

use crate::state::State;

/// One thing that can be chosen: the state it leads to, its weight v, and whatever the caller chooses between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<T = ()> {
    choice: T,
    state: State,
    weight: f64,
}

/// A weight that is negative, infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is no weight: it must be a finite number, 0 or above")]
pub struct WeightError(pub f64);

impl<T> Candidate<T> {
    /// Of weight 1.
    pub fn new(choice: T, state: State) -> Candidate<T> {
        Candidate { choice, state, weight: 1.0 }
    }

    /// Of another weight; 0 excludes it.
    pub fn weighted(choice: T, state: State, weight: f64) -> Result<Candidate<T>, WeightError> {
        Ok(Candidate { choice, state, weight: checked_weight(weight)? })
    }

    /// What is chosen.
    pub fn choice(&self) -> &T {
        &self.choice
    }

    /// Where it leads to, seen by the one who chooses.
    pub fn state(&self) -> State {
        self.state
    }

    /// The weight v.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Whether its weight lets it be chosen at all.
    pub fn is_open(&self) -> bool {
        self.weight > 0.0
    }

    /// The weight must have been checked.
    pub(crate) fn set_weight(&mut self, weight: f64) {
        self.weight = weight;
    }
}

/// Itself, if it can be a weight.
pub(crate) fn checked_weight(weight: f64) -> Result<f64, WeightError> {
    if weight.is_finite() && weight >= 0.0 { Ok(weight) } else { Err(WeightError(weight)) }
}
