//! The source of an operation's values: our tables, built when they are missing, or those of other makers.

use crate::library::Library;
use crate::material::{MAX_MEN, Material};
use crate::metric::Metric;
use crate::position::{FenError, parse_fen_within};
use crate::source::Source;
use crate::tables::{TableFailure, Tables};
use errare_work::Progress;
use shakmaty::Chess;
use std::sync::Arc;

/// Our tables, which are built on demand, or tables of other makers, which are only read. Cheap to clone.
#[derive(Clone)]
pub enum TableSource {
    /// Our tables.
    Ours(Tables),
    /// Tables of other makers, or ours in a folder that is only read.
    Others(Arc<dyn Source>),
}

impl TableSource {
    /// Our library; none for tables of other makers.
    pub fn our_library(&self) -> Option<&Arc<Library>> {
        match self {
            TableSource::Ours(tables) => Some(tables.library()),
            TableSource::Others(_) => None,
        }
    }

    /// The source of values behind the tables.
    pub fn source(&self) -> Arc<dyn Source> {
        match self {
            TableSource::Ours(tables) => Arc::clone(tables.library()) as Arc<dyn Source>,
            TableSource::Others(source) => Arc::clone(source),
        }
    }

    /// The metric to use where none is asked for: `ours` for our tables, or the only one of another maker's tables.
    pub fn metric(&self, asked: Option<Metric>, ours: Metric) -> Metric {
        asked.unwrap_or_else(|| match self {
            TableSource::Ours(_) => ours,
            TableSource::Others(source) => source.metric(),
        })
    }

    /// Parses a FEN as a position that these tables can have.
    ///
    /// # Errors
    /// If the FEN is invalid or has more men than the tables.
    pub fn position(&self, fen: &str) -> Result<Chess, FenError> {
        parse_fen_within(fen, self.max_men())
    }

    /// The greatest number of men, kings included, that these tables may have.
    pub fn max_men(&self) -> usize {
        match self {
            TableSource::Ours(_) => MAX_MEN,
            TableSource::Others(source) => source.max_men(),
        }
    }

    /// Does work that reads tables, that of the endgame in question first. Missing tables of ours are built if they are
    /// small enough to build on demand, and damaged ones are built again.
    ///
    /// # Errors
    /// If a table is too large to build on demand or cannot be built, or the work fails or is cancelled.
    pub fn with_tables<T, E, W>(&self, needed: &[(Material, Metric)], progress: &dyn Progress, work: W) -> Result<T, E>
    where
        E: TableFailure,
        W: Fn() -> Result<T, E>,
    {
        if let (Some(&(material, metric)), TableSource::Ours(tables)) = (needed.first(), self) {
            tables.check_on_demand(material, metric)?;
        }
        self.build_and_work(needed, progress, work)
    }

    /// Does work as [`with_tables`](TableSource::with_tables) does, with tables of any size.
    ///
    /// # Errors
    /// If a table cannot be built, or the work fails or is cancelled.
    pub fn build_and_work<T, E, W>(
        &self,
        needed: &[(Material, Metric)],
        progress: &dyn Progress,
        work: W,
    ) -> Result<T, E>
    where
        E: TableFailure,
        W: Fn() -> Result<T, E>,
    {
        match self {
            TableSource::Ours(tables) => tables.with_tables(needed, progress, work),
            TableSource::Others(_) => work(),
        }
    }
}
