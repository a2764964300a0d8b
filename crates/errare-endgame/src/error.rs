//! What can go wrong between a position and a decision.

use errare_choice::{ChainError, ChoiceError, MatrixError, PosteriorError, PreferenceError, RuleError, SpectrumError};
use errare_tables::{TableError, TableFailure};
use errare_work::Cancelled;
use std::path::Path;

/// Why there is no decision, assessment or prediction.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game is over: there is nothing to choose.
    #[error("there is no legal move")]
    NoMove,
    /// A move that the position does not have.
    #[error("{0} is no legal move of the position")]
    Illegal(String),
    /// The model has no preferences for the states.
    #[error(transparent)]
    Preference(#[from] PreferenceError),
    /// The competences make no spectrum.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
    /// Rules made weights that are none.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The choice has no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The prior or an observation makes no sense.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
    /// What was counted makes no stochastic matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The Markov chain cannot be solved.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A belief without probability.
    #[error("a belief needs as many probabilities as competences, none negative and not all 0")]
    Belief,
    /// An emulator needs something to emulate.
    #[error("an emulator needs a competence above 0 and up to 1000, not {0}")]
    Emulated(f64),
    /// The search is too shallow, too deep or uneven.
    #[error("a search looks an even number of plies ahead, from 2 to 64, not {0}")]
    Plies(u16),
    /// An agent that is none of ours could not choose.
    #[error("{0}")]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// The work was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// No probability.
    #[error("{0} is no probability: it must lie between 0 and 1")]
    Probability(f64),
}

impl TableFailure for EndgameError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            EndgameError::Table(error) => error.damaged_table(),
            _ => None,
        }
    }
}
