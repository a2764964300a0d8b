//! Errors of the list and of computing it.

use errare_choice::{ChoiceError, GridError, MatrixError, PosteriorError, PreferenceError};
use errare_endgame::EndgameError;
use errare_tables::{FenError, TableError, TableFailure};
use errare_work::Cancelled;
use std::path::Path;

/// A result of this crate.
pub(crate) type Result<T, E = ReproduceError> = std::result::Result<T, E>;

/// Why statements or experiments were not computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// No item has this id.
    #[error("unknown item `{id}`{near}; `errare reproduce --list` lists them")]
    UnknownItem {
        /// The id asked for.
        id: String,
        /// A suggestion of a similar id in words, or nothing.
        near: String,
    },
    /// The experiment does not go through an endgame that it was asked about.
    #[error("the experiment {name} {}", not_listed(.endgame, .listed))]
    EndgameOfExperiment {
        /// The name of the experiment.
        name: &'static str,
        /// The name of the endgame.
        endgame: String,
        /// The endgames that the experiment goes through, in words.
        listed: String,
    },
    /// No experiment has this name.
    #[error("unknown experiment `{name}`{near}; `errare experiment` lists them")]
    UnknownExperiment {
        /// The name asked for.
        name: String,
        /// A suggestion of a similar name in words, or nothing.
        near: String,
    },
    /// A data file of the crate is not as it should be.
    #[error("invalid data file {file}, line {line}: {reason}")]
    Data {
        /// The name of the file.
        file: &'static str,
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line.
        reason: String,
    },
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A computation on an endgame failed.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// A position of the crate's data is not a legal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A preference function cannot be made.
    #[error(transparent)]
    Preference(#[from] PreferenceError),
    /// A choice has no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// A grid of competences is invalid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A posterior is invalid.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
    /// A matrix is not stochastic.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Something happened that this crate's own code rules out.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

impl TableFailure for ReproduceError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            ReproduceError::Table(error) => error.damaged_table(),
            ReproduceError::Endgame(error) => error.damaged_table(),
            _ => None,
        }
    }
}

fn not_listed(endgame: &str, listed: &str) -> String {
    match listed {
        "" => format!("is one whole and cannot be run for {endgame} alone"),
        _ => format!("does not go through {endgame}: expected one of {listed}"),
    }
}
