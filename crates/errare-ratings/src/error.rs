//! What can go wrong between a file of turns and a rating.

use crate::file_kind::FileKind;
use crate::provenance::Engine;
pub(crate) use crate::refusal::Refusal;
use crate::turn_file::TurnPlace;
use errare_choice::{ChoiceError, GridError, PosteriorError, SkillError};
use errare_work::{Cancelled, WriteError};
use std::path::PathBuf;

/// Why there are no turns, no fit or no rating.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// The file cannot be read any further.
    #[error("line {line}: {source}")]
    Read {
        /// The number of the line, from 1.
        line: u64,
        /// Why the line cannot be read.
        source: std::io::Error,
    },
    /// A turn of a file is wrong.
    #[error("{place}: {source}")]
    At {
        /// The place of the turn in its file.
        place: TurnPlace,
        /// The fault of the turn.
        source: Box<RatingsError>,
    },
    /// A file cannot be opened.
    #[error("cannot open it: {0}")]
    Open(std::io::Error),
    /// The file is something else than turns.
    #[error("this is {0}, not turns: {advice}", advice = .0.advice_for_turns())]
    NotTurns(FileKind),
    /// Turns cannot be written to their destination.
    #[error("cannot write turns: {0}")]
    Write(std::io::Error),
    /// A file cannot be written.
    #[error(transparent)]
    WriteFile(#[from] WriteError),
    /// The format of a file has no place for a turn.
    #[error("{0}")]
    Unsupported(String),
    /// A turn cannot be written to a file.
    #[error("cannot write {}: {source}", path.display())]
    Output {
        /// File that cannot be written.
        path: PathBuf,
        /// Why the turn cannot be written.
        source: Box<RatingsError>,
    },
    /// The file is not a Parquet file of turns, or a damaged one.
    #[error("{0}")]
    Parquet(String),
    /// A record contradicts itself.
    #[error("{0}")]
    Record(String),
    /// Turns of different engines or depths cannot be analysed together.
    #[error("evaluations by {found} among those by {expected}: use one engine, depth and net at a time")]
    Engines {
        /// The engine of the turns before this one.
        expected: Box<Engine>,
        /// The engine of this turn.
        found: Box<Engine>,
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
        /// File that could not be read.
        path: PathBuf,
        /// Why the file could not be read.
        source: Box<RatingsError>,
    },
    /// The work was cancelled.
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
    /// The program was built without support for Parquet.
    #[error("this build has no Parquet: build it with `--features parquet`, or use .jsonl files")]
    NoParquet,
    /// A prior or an observation makes no sense.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
}

impl RatingsError {
    /// Adds the place of the turn in its file to an error.
    pub(crate) fn at(self, place: TurnPlace) -> RatingsError {
        RatingsError::At { place, source: Box::new(self) }
    }
}
