//! What can go wrong with a table, always with its name and place.

use crate::material::{MAX_MEN_WITH_PAWNS, Material};
use crate::metric::Metric;
use crate::owned::OwnedError;
use errare_work::Cancelled;
use std::io;
use std::path::PathBuf;

/// A table could not be found, read, built or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// No file for the table.
    #[error("no {metric} table of {material}: {} does not exist", path.display())]
    Missing {
        /// The endgame.
        material: Material,
        /// The metric.
        metric: Metric,
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is there but is not what a table should be.
    #[error("damaged table {}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The file was made by another version of the program.
    #[error("table {} has format version {found}, this program reads {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// More men than tables with pawns are built for.
    #[error("{material} has {} men and pawns: tables with pawns reach to {MAX_MEN_WITH_PAWNS} men", material.men())]
    TooManyWithPawns {
        /// The endgame.
        material: Material,
    },
    /// The table is missing, and too large to be built because a position of it was asked about.
    #[error(
        "{material} has {} men: a table of that size takes minutes and gigabytes and is built only by name, \
         with `errare table build {material} --metric {metric}`",
        material.men()
    )]
    OnlyByName {
        /// The endgame.
        material: Material,
        /// The metric.
        metric: Metric,
    },
    /// Two kings alone are always drawn and have no table.
    #[error("two bare kings are always drawn: there is no table of them")]
    BareKings,
    /// It would not fit.
    #[error("{material} to {metric} needs about {} MB of memory, {} MB are allowed", needed >> 20, allowed >> 20)]
    Memory {
        /// The endgame.
        material: Material,
        /// The metric.
        metric: Metric,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// Tables that others made could not be used.
    #[error(transparent)]
    Owned(OwnedError),
    /// A table file could not be written.
    #[error(transparent)]
    Write(#[from] errare_work::WriteError),
    /// The work was told to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Something that our own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

/// How a table file is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Not one of our files.
    #[error("it is not a table file")]
    Magic,
    /// Shorter or longer than its header says.
    #[error("it has {found} bytes where {expected} are expected")]
    Length {
        /// Bytes there.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The header's checksum or contents are wrong.
    #[error("its header is corrupt")]
    Header,
    /// The file is about another endgame or metric than its name.
    #[error("it holds {found}")]
    Other {
        /// What it holds.
        found: String,
    },
    /// A block's checksum or contents are wrong.
    #[error("block {block} is corrupt")]
    Block {
        /// The block's number.
        block: usize,
    },
}

impl TableError {
    /// Wraps an error of the operating system.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TableError {
        let path = path.into();
        move |source| TableError::Io { action, path, source }
    }

    /// Whether the file should be quarantined and the table built again.
    pub fn is_unusable_file(&self) -> bool {
        matches!(self, TableError::Damaged { .. } | TableError::Version { .. })
    }
}
