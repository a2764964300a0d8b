//! The tables that the engine can ask: ours, and the Syzygy tables that the user has.

use errare_endgame::{EndgameError, Oracle};
use errare_tables::{
    ChecksumChecks, Library, MAX_MEN, MAX_MEN_WITH_PAWNS, Material, Metric, Reading, Source, Syzygy, TableError,
    Tables, Value, WinnerMoves,
};
use shakmaty::{ByColor, Chess, Position};
use std::path::Path;
use std::sync::Arc;

/// The tables that are open, ours and those of Syzygy.
pub struct TableCache {
    /// Our tables.
    pub tables: Tables,
    syzygy: Option<Arc<BoundedSyzygy>>,
    /// The path of the Syzygy tables as it was set last, so that it is opened only once.
    path: String,
}

/// Tables that answer in a metric.
#[derive(Clone)]
pub struct TableView {
    pub source: Arc<dyn Source>,
    pub metric: Metric,
    pub is_ours: bool,
}

impl TableCache {
    /// Makes a cache of our tables, without any of Syzygy.
    pub fn new(tables: Tables) -> TableCache {
        TableCache { tables, syzygy: None, path: String::new() }
    }

    /// Uses our tables in a folder, and the Syzygy tables on a path.
    ///
    /// # Errors
    /// If the Syzygy tables cannot be used; reported once for a path.
    pub fn set(&mut self, folder: &Path, syzygy: &str) -> Result<(), TableError> {
        if self.tables.library().folder() != folder {
            self.tables = Tables::new(Library::new(folder), self.tables.memory());
        }
        if self.path == syzygy {
            return Ok(());
        }
        self.path = syzygy.to_owned();
        let folders: Vec<_> = std::env::split_paths(syzygy).filter(|folder| !folder.as_os_str().is_empty()).collect();
        self.syzygy = None;
        if !folders.is_empty() {
            self.syzygy = Some(Arc::new(BoundedSyzygy(
                Syzygy::open(&folders, ChecksumChecks::Small).map_err(TableError::Owned)?,
            )));
        }
        Ok(())
    }

    /// The tables that may know a position: ours first, in the metric asked for.
    pub fn views(&self, position: &Chess, metric: Metric) -> Vec<TableView> {
        if !position.castles().is_empty() {
            return Vec::new();
        }
        let ours = is_within_reach(position).then_some(TableView {
            source: Arc::clone(self.tables.library()) as Arc<dyn Source>,
            metric,
            is_ours: true,
        });
        let men = position.board().occupied().count();
        let syzygy = self.syzygy.as_ref().filter(|tables| men <= tables.max_men());
        let theirs = syzygy.map(|tables| TableView {
            source: Arc::clone(tables) as Arc<dyn Source>,
            metric: tables.metric(),
            is_ours: false,
        });
        ours.into_iter().chain(theirs).collect()
    }

    /// Asks the first tables that know a position. If none do, the error is that of the first tables asked, which are
    /// ours if one of ours could know the position; none if there are no tables to ask.
    pub fn ask<T>(
        &self,
        position: &Chess,
        metric: Metric,
        mut question: impl FnMut(&Oracle, TableView) -> Result<T, EndgameError>,
    ) -> Result<Option<T>, EndgameError> {
        let mut first = None;
        for view in self.views(position, metric) {
            match question(&Oracle::new(Arc::clone(&view.source), view.metric), view.clone()) {
                Ok(answer) => return Ok(Some(answer)),
                Err(error) => first = first.or(Some(error)),
            }
        }
        first.map_or(Ok(None), Err)
    }
}

/// Whether a table of ours could know the position.
pub fn is_within_reach(position: &Chess) -> bool {
    let men = position.board().occupied().count();
    let most = if position.board().pawns().any() { MAX_MEN_WITH_PAWNS } else { MAX_MEN };
    position.castles().is_empty() && men <= most
}

/// Syzygy tables that report as their deepest win the deepest possible one: to find the true one would take too long in
/// play.
struct BoundedSyzygy(Syzygy);

impl Source for BoundedSyzygy {
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        self.0.value(position, metric)
    }

    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        self.0.reading(position, metric)
    }

    fn metric(&self) -> Metric {
        self.0.metric()
    }

    fn known_deepest(&self, _: Material, _: Metric) -> Result<Option<ByColor<WinnerMoves>>, TableError> {
        Ok(Some(ByColor { white: WinnerMoves(u16::MAX), black: WinnerMoves(u16::MAX) }))
    }

    fn max_men(&self) -> usize {
        self.0.max_men()
    }
}
