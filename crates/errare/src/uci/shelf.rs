//! The tables that can be asked: ours, and those of Syzygy that the user has.

use errare_endgame::{EndgameError, Oracle};
use errare_tables::{
    Library, MAX_MEN, MAX_MEN_WITH_PAWNS, Material, Metric, Reading, Source, Syzygy, TableError, Value, WinnerMoves,
};
use shakmaty::{ByColor, Chess, Position};
use std::path::Path;
use std::sync::Arc;

/// Where values may come from.
pub struct Shelf {
    pub library: Arc<Library>,
    syzygy: Option<Arc<Owned>>,
    /// What was asked for, so that it is looked at once.
    path: String,
}

/// Tables that answer in a metric.
#[derive(Clone)]
pub struct View {
    pub source: Arc<dyn Source>,
    pub metric: Metric,
    pub is_ours: bool,
}

impl Shelf {
    pub fn new(folder: &Path) -> Shelf {
        Shelf { library: Arc::new(Library::new(folder)), syzygy: None, path: String::new() }
    }

    /// Uses the tables of this folder, and those of Syzygy on this path. Tells why the latter cannot be used.
    pub fn set(&mut self, folder: &Path, syzygy: &str) -> Option<TableError> {
        if self.library.folder() != folder {
            self.library = Arc::new(Library::new(folder));
        }
        if self.path == syzygy {
            return None;
        }
        self.path = syzygy.to_owned();
        let folders: Vec<_> = std::env::split_paths(syzygy).filter(|folder| !folder.as_os_str().is_empty()).collect();
        self.syzygy = None;
        if folders.is_empty() {
            return None;
        }
        match Syzygy::open(&folders) {
            Ok(tables) => self.syzygy = Some(Arc::new(Owned(tables))),
            Err(error) => return Some(TableError::Owned(error)),
        }
        None
    }

    /// Who may know this position: ours first, in the metric asked for.
    pub fn views(&self, position: &Chess, metric: Metric) -> Vec<View> {
        if !position.castles().is_empty() {
            return Vec::new();
        }
        let ours = is_within_reach(position).then_some(View {
            source: Arc::clone(&self.library) as Arc<dyn Source>,
            metric,
            is_ours: true,
        });
        let men = position.board().occupied().count();
        let syzygy = self.syzygy.as_ref().filter(|tables| men <= tables.max_men());
        let theirs = syzygy.map(|tables| View {
            source: Arc::clone(tables) as Arc<dyn Source>,
            metric: tables.metric(),
            is_ours: false,
        });
        ours.into_iter().chain(theirs).collect()
    }

    /// The first of them that knows it, asked in a way; else the error of ours, which may be built.
    pub fn ask<T>(
        &self,
        position: &Chess,
        metric: Metric,
        mut question: impl FnMut(&Oracle, View) -> Result<T, EndgameError>,
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

/// Syzygy tables, of which nobody waits to be told the deepest win: it is taken for what the rule allows.
struct Owned(Syzygy);

impl Source for Owned {
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
