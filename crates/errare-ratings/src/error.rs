//! What can go wrong between a file of turns and a rating.

use crate::provenance::Engine;
pub(crate) use crate::refusal::Refusal;
use errare_choice::{ChoiceError, GridError, PosteriorError, SkillError};
use errare_work::Cancelled;
use std::path::PathBuf;

/// Why there are no turns, no fit or no rating.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// The file cannot be read on.
    #[error("line {line}: {source}")]
    Read {
        /// Where, from 1.
        line: u64,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no turn.
    #[error("line {line}: {what}")]
    Line {
        /// Where, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A file cannot be opened.
    #[error("cannot open it: {0}")]
    Open(std::io::Error),
    /// A file cannot be written on.
    #[error("cannot write it: {0}")]
    Write(std::io::Error),
    /// Not a Parquet file of turns, or a damaged one.
    #[error("{0}")]
    Parquet(String),
    /// A row of a Parquet file is no turn.
    #[error("row {row}: {what}")]
    Row {
        /// Where, from 1.
        row: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A record contradicts itself.
    #[error("{0}")]
    Record(String),
    /// Turns of different engines or depths cannot be analysed together.
    #[error("evaluations by {found} among those by {expected}: use one engine, depth and net at a time")]
    Engines {
        /// The engine of the turns before.
        expected: Engine,
        /// The engine of this turn.
        found: Engine,
    },
    /// The weights of an ensemble do not suit the turns.
    #[error("invalid weights: {weights} for {depths} depths; expected one for each depth, none negative, not all 0")]
    Weights {
        /// Number of weights.
        weights: usize,
        /// Number of depths.
        depths: usize,
    },
    /// The turns were read well but allow no answer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A file of turns could not be read.
    #[error("{}: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<RatingsError>,
    },
    /// The work was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Losses give no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The parameters s and c are out of range.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// The numbers make no grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A prior or an observation makes no sense.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
}

impl From<parquet::errors::ParquetError> for RatingsError {
    fn from(error: parquet::errors::ParquetError) -> RatingsError {
        RatingsError::Parquet(error.to_string())
    }
}
