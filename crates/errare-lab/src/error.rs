//! Why an operation gave no response.

use errare_endgame::EndgameError;
use errare_evaluate::EvaluateError;
use errare_tables::{FenError, TableError, TableFailure};
use errare_work::{Cancelled, WriteError};
use std::path::Path;

/// Why an operation gave no response. Every door shows its text as it is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The request makes no sense as it is; the text explains what is wrong and what is expected.
    #[error("{0}")]
    Request(String),
    /// There is no such operation.
    #[error("unknown operation `{0}`")]
    UnknownOperation(String),
    /// A request in JSON does not have the shape of its schema.
    #[error("invalid request for `{operation}`: {reason}")]
    Shape {
        /// The operation.
        operation: &'static str,
        /// What is wrong with the JSON.
        reason: String,
    },
    /// The position cannot be asked about.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// Nobody said where tables are kept.
    #[error("no folder for tables: neither XDG_CACHE_HOME nor HOME is set; give --tables or ERRARE_TABLES")]
    NoTablesFolder,
    /// Nobody said where evaluations are kept.
    #[error("no place for evaluations: neither XDG_CACHE_HOME nor HOME is set; give --cache")]
    NoCacheFolder,
    /// The threads cannot be started.
    #[error("cannot start {count} threads: {reason}")]
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system said.
        reason: String,
    },
    /// A table is missing, damaged or cannot be built.
    #[error(transparent)]
    Table(TableError),
    /// A position, agent or model of an endgame failed.
    #[error(transparent)]
    Endgame(EndgameError),
    /// Games could not be evaluated, or results not merged.
    #[error(transparent)]
    Evaluate(EvaluateError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The work was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Something that our own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

impl LabError {
    /// A request that makes no sense, in words.
    pub(crate) fn request(reason: impl ToString) -> LabError {
        LabError::Request(reason.to_string())
    }
}

impl From<TableError> for LabError {
    fn from(error: TableError) -> LabError {
        match error {
            TableError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            error => LabError::Table(error),
        }
    }
}

impl From<EndgameError> for LabError {
    fn from(error: EndgameError) -> LabError {
        match error {
            EndgameError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            EndgameError::Table(error) => error.into(),
            error => LabError::Endgame(error),
        }
    }
}

impl From<EvaluateError> for LabError {
    fn from(error: EvaluateError) -> LabError {
        match error {
            EvaluateError::Cancelled(cancelled) => LabError::Cancelled(cancelled),
            error => LabError::Evaluate(error),
        }
    }
}

impl TableFailure for LabError {
    fn damaged_table(&self) -> Option<&Path> {
        match self {
            LabError::Table(error) => error.damaged_table(),
            _ => None,
        }
    }
}
