//! What can go wrong between a file of turns and a rating.

use crate::provenance::Engine;
use crate::turn_file::TurnPlace;
use errare_choice::{ChoiceError, GridError, PosteriorError, SkillError};
use errare_work::{Cancelled, WriteError};
use std::path::PathBuf;

/// Why there are no turns, no fit or no rating.
#[derive(Debug, thiserror::Error)]
pub enum RatingsError {
    /// The file cannot be read on.
    #[error("line {line}: {source}")]
    Read {
        /// Where, from 1.
        line: u64,
        /// Why.
        source: std::io::Error,
    },
    /// A turn of a file is wrong.
    #[error("{place}: {source}")]
    At {
        /// The place of the turn in its file.
        place: TurnPlace,
        /// What is wrong with it.
        source: Box<RatingsError>,
    },
    /// A file cannot be opened.
    #[error("cannot open it: {0}")]
    Open(std::io::Error),
    /// Turns cannot be written to where they should go.
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
        /// The file.
        path: PathBuf,
        /// Why the turn cannot be written.
        source: Box<RatingsError>,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Not a Parquet file of turns, or a damaged one.
    #[error("{0}")]
    Parquet(String),
    /// A record contradicts itself.
    #[error("{0}")]
    Record(String),
    /// Turns of different engines or depths do not belong together.
    #[error("evaluations of {found} among those of {expected}: use one engine, depth and net at a time")]
    Engines {
        /// Of the turns before.
        expected: Engine,
        /// Of this one.
        found: Engine,
    },
    /// Nothing is left to fit.
    #[error("there is no turn to go by")]
    NoTurns,
    /// The weights of an ensemble do not suit the turns.
    #[error("{weights} weights for evaluations at {depths} depths: one for each is needed, none negative, not all 0")]
    Weights {
        /// How many weights.
        weights: usize,
        /// How many depths.
        depths: usize,
    },
    /// Too little to say anything.
    #[error("{turns} turns are too few to mean anything: at least {least} are needed")]
    TooFew {
        /// How many there are.
        turns: usize,
        /// How many are needed.
        least: usize,
    },
    /// A line through mileposts needs some.
    #[error("{0} mileposts make no calibration: at least 3, of different Elo, are needed")]
    Mileposts(usize),
    /// Better play must have the higher rating.
    #[error("the mileposts' expected errors do not fall with Elo: they make no map to ratings")]
    NoTrend,
    /// The calibration was made with something else.
    #[error("the calibration was made with {calibration}, the turns with {turns}: a rating would mean nothing")]
    Calibration {
        /// What the calibration names.
        calibration: Engine,
        /// What the turns name.
        turns: Engine,
    },
    /// No skill on the calibration line has this Elo.
    #[error("Elo {0} is beyond what the calibration reaches")]
    Beyond(f64),
    /// The model has no probabilities.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// No skill.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// No grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// No posterior.
    #[error(transparent)]
    Posterior(#[from] PosteriorError),
}

impl RatingsError {
    /// The same error with the place of the turn in its file.
    pub(crate) fn at(self, place: TurnPlace) -> RatingsError {
        RatingsError::At { place, source: Box::new(self) }
    }
}

impl From<parquet::errors::ParquetError> for RatingsError {
    fn from(error: parquet::errors::ParquetError) -> RatingsError {
        RatingsError::Parquet(error.to_string())
    }
}
