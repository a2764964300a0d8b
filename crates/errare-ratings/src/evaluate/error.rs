//! What can go wrong while games are evaluated.

use errare_uci::client::EngineError;
use std::path::PathBuf;

/// Why there are no evaluations.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// No engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine's file, or one that it was given, cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The engine gives no more lines.
    #[error("{engine} shows {most} lines at most: ask for as many with MultiPV, not for all moves")]
    FewLines {
        /// Its name.
        engine: String,
        /// How many it shows.
        most: i64,
    },
    /// The engine does nothing but fail.
    #[error("the engine failed at {count} positions one after the other, at last so: {reason}")]
    Failing {
        /// How often.
        count: u32,
        /// Its last fault.
        reason: String,
    },
    /// The cache is of no use.
    #[error("cannot use the cache {}: {source}", path.display())]
    Cache {
        /// Its file.
        path: PathBuf,
        /// Why not.
        source: rusqlite::Error,
    },
    /// The cache is a database, but not ours.
    #[error("{} is no cache of evaluations, or one of a later version", path.display())]
    ForeignCache {
        /// Its file.
        path: PathBuf,
    },
    /// Turns name their files, so these must be told apart by their names.
    #[error("two files are called {name}: give one of them another name, since turns name their files")]
    SameName {
        /// The name of both.
        name: String,
    },
}
