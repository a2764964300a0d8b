//! Errors of tables, which always name the table or file.

use crate::material::{MAX_MEN_WITH_PAWNS, Material};
use crate::metric::Metric;
use crate::owned::OwnedError;
use errare_work::Cancelled;
use std::io;
use std::path::PathBuf;

/// A table that could not be found, read, built or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The table has no file.
    #[error("no {metric} table of {material}: {} does not exist", path.display())]
    Missing {
        /// The endgame whose table is missing.
        material: Material,
        /// The metric of the missing table.
        metric: Metric,
        /// The file that does not exist.
        path: PathBuf,
    },
    /// The file of a table is damaged.
    #[error("damaged table {}: {fault}", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// The kind of damage.
        fault: Fault,
    },
    /// The file was made by another version of the program.
    #[error("table {} has format version {found}, expected {expected}", path.display())]
    Version {
        /// The file of another version.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The operating system reported an error.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The file of the action.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The endgame has pawns and more men than tables with pawns are built for.
    #[error("too many men in {material}: expected at most {MAX_MEN_WITH_PAWNS} with pawns, found {}", material.men())]
    TooManyWithPawns {
        /// The endgame with too many men.
        material: Material,
    },
    /// The table is missing, and too large to be built because a position of it was asked about.
    #[error(
        "{material} has {} men: a table of that size takes minutes and gigabytes and is built only by name, \
         with `errare table build {material} --metric {metric}`",
        material.men()
    )]
    OnlyByName {
        /// The endgame whose table is missing.
        material: Material,
        /// The metric of the missing table.
        metric: Metric,
    },
    /// The table is missing, and its move rule is not among those whose tables are built here.
    #[error(
        "the table of {material} to {metric} is missing, and tables of this move rule are not built here, only of {}; \
         build it with `errare table build {material} --metric {metric}`",
        rules.iter().map(|rule| format!("dtz{rule}")).collect::<Vec<_>>().join(", ")
    )]
    RuleNotBuilt {
        /// The endgame whose table is missing.
        material: Material,
        /// The metric of the missing table, with its move rule.
        metric: Metric,
        /// The move rules whose tables are built.
        rules: &'static [u16],
    },
    /// Two bare kings, which are always drawn, have no table.
    #[error("two bare kings are always drawn: they have no table")]
    BareKings,
    /// Building the table would take more memory than is allowed.
    #[error("{material} to {metric} needs about {} MB of memory, but only {} MB are allowed", needed >> 20, allowed >> 20)]
    Memory {
        /// The endgame of the table.
        material: Material,
        /// The metric of the table.
        metric: Metric,
        /// Number of bytes that building needs.
        needed: u64,
        /// Number of bytes that building may take.
        allowed: u64,
    },
    /// Tables of another maker could not be used.
    #[error(transparent)]
    Owned(OwnedError),
    /// A table file could not be written.
    #[error(transparent)]
    Write(#[from] errare_work::WriteError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A bug in errare: something that its own code rules out.
    #[error("internal error (a bug in errare): {0}")]
    Internal(&'static str),
}

/// The kind of damage of a table file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not begin as a table file does.
    #[error("it is not a table file")]
    Magic,
    /// The file is shorter or longer than its header says.
    #[error("it has {found} bytes, expected {expected}")]
    Length {
        /// Number of bytes of the file.
        found: u64,
        /// Number of bytes according to the header.
        expected: u64,
    },
    /// The checksum or the contents of the header are wrong.
    #[error("its header is corrupt")]
    Header,
    /// The file holds another endgame or metric than its name says.
    #[error("it holds the table {found}")]
    Other {
        /// The metric and endgame that the file holds.
        found: String,
    },
    /// The checksum or the contents of a block are wrong.
    #[error("block {block} is corrupt")]
    Block {
        /// The number of the block.
        block: usize,
    },
}

impl TableError {
    /// Whether a table is not there, so that its positions have no value here.
    pub fn is_missing(&self) -> bool {
        matches!(self, TableError::Missing { .. } | TableError::Owned(OwnedError::Missing { .. }))
    }

    /// The error for a decisive value without a depth, which cannot exist.
    pub(crate) const NO_DEPTH: TableError = TableError::Internal("a decisive value has no depth");

    /// The error for a legal position that its table has no place for, which cannot exist.
    pub(crate) const NO_PLACE: TableError = TableError::Internal("a table has no place for a legal position");

    /// The error for a sub-endgame that was not given to the solver.
    pub(crate) const NO_SUB_ENDGAME: TableError = TableError::Internal("a sub-endgame is missing from the build");

    /// Wraps an error of the operating system with the action and the file.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TableError {
        let path = path.into();
        move |source| TableError::Io { action, path, source }
    }

    /// Whether the file should be quarantined and the table built again.
    pub fn is_unusable_file(&self) -> bool {
        matches!(self, TableError::Damaged { .. } | TableError::Version { .. })
    }
}
