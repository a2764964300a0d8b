//! Errors of evaluating games and merging the results.

use errare_ratings::{MergeError, RatingsError};
use errare_uci::client::EngineError;
use errare_work::{Cancelled, WriteError};
use std::path::PathBuf;

/// Why games cannot be evaluated, or results not merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The engine cannot be started, or does not take an option.
    #[error(transparent)]
    Engine(EngineError),
    /// A file of games, the engine's file, or a file that the engine was given cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// File that cannot be read.
        path: PathBuf,
        /// Why the file cannot be read.
        source: std::io::Error,
    },
    /// A folder cannot be created.
    #[error("cannot create the folder {}: {source}", path.display())]
    Folder {
        /// Folder that cannot be created.
        path: PathBuf,
        /// Why the folder cannot be created.
        source: std::io::Error,
    },
    /// The user sets an option that the number of lines decides.
    #[error("invalid option MultiPV: set the number of lines instead")]
    MultiPvOption,
    /// The engine cannot show as many lines as requested.
    #[error("{engine} shows at most {max} lines: request at most that number, not all moves")]
    FewLines {
        /// The engine's name.
        engine: String,
        /// The largest number of lines that it shows.
        max: i64,
    },
    /// The engine failed at every position for a while.
    #[error("the engine failed at {count} positions in a row, the last time because {reason}")]
    Failing {
        /// Number of positions in a row at which the engine failed.
        count: u32,
        /// Why the engine failed the last time.
        reason: String,
    },
    /// There are no games, or only broken ones.
    #[error("no games to evaluate{}", if *broken > 0 { format!(": all {broken} are broken") } else { String::new() })]
    NoGames {
        /// Number of broken games.
        broken: u64,
    },
    /// The cache cannot be read or written.
    #[error("cannot use the cache {}: {source}", path.display())]
    Cache {
        /// The cache's file.
        path: PathBuf,
        /// Why the cache cannot be used.
        source: rusqlite::Error,
    },
    /// The cache is a database of something else.
    #[error("{} is not a cache of evaluations, or one of a later version of errare", path.display())]
    ForeignCache {
        /// The database's file.
        path: PathBuf,
    },
    /// A cache to merge does not exist.
    #[error("cannot find the file {}", path.display())]
    MissingCache {
        /// File that does not exist.
        path: PathBuf,
    },
    /// Two files of games have the same name, by which turns refer to them.
    #[error("two files are called {name}: rename one of them, since turns name their files")]
    SameName {
        /// The name that both files have.
        name: String,
    },
    /// A file's name does not end in one of the known formats.
    #[error("unknown format of {}: expected a name that ends in .parquet, .jsonl, .jsonl.gz, .jsonl.zst or .sqlite", path.display())]
    Format {
        /// File whose format is unknown.
        path: PathBuf,
    },
    /// A turn file cannot be written.
    #[error(transparent)]
    Output(Box<RatingsError>),
    /// Turn files cannot be merged.
    #[error(transparent)]
    Merge(Box<MergeError>),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<EngineError> for EvaluateError {
    fn from(error: EngineError) -> EvaluateError {
        if error.is_cancelled() { EvaluateError::Cancelled(Cancelled) } else { EvaluateError::Engine(error) }
    }
}

impl EvaluateError {
    /// The file that could not be written, if that is what failed.
    #[must_use]
    pub fn write_error(&self) -> Option<&WriteError> {
        let error = match self {
            EvaluateError::Output(error) => &**error,
            EvaluateError::Merge(error) => match &**error {
                MergeError::Output(error) => error,
                _ => return None,
            },
            _ => return None,
        };
        match error {
            RatingsError::WriteFile(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RatingsError> for EvaluateError {
    /// The error of a turn file that cannot be written.
    fn from(error: RatingsError) -> EvaluateError {
        EvaluateError::Output(Box::new(error))
    }
}

impl From<MergeError> for EvaluateError {
    fn from(error: MergeError) -> EvaluateError {
        match error {
            MergeError::Cancelled(cancelled) => EvaluateError::Cancelled(cancelled),
            error => EvaluateError::Merge(Box::new(error)),
        }
    }
}
