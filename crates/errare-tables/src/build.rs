//! Building tables on demand: sub-endgames first, each once.

use crate::error::TableError;
use crate::layout::Layout;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::{Planned, needs, needs_only_who_wins};
use crate::rule::with_cursed;
use crate::solve::{Step, solve};
use crate::store::{Counts, Table, write_table};
use crate::usage::Stopwatch;
use crate::view::Solved;
use shakmaty::ByColor;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What a builder is told, and what it tells while it works.
pub trait Observer: Sync {
    /// A table's turn has come.
    fn started(&self, table: &Planned) {
        let _ = table;
    }
    /// One ply of the solver is done and decided so many positions.
    fn ply(&self, ply: u16, positions: u64) {
        let _ = (ply, positions);
    }
    /// So many pawn structures of so many are solved.
    fn structures(&self, done: usize, all: usize) {
        let _ = (done, all);
    }
    /// Solving is over, the file is being written.
    fn storing(&self) {}
    /// A table is finished.
    fn finished(&self, report: &BuildReport) {
        let _ = report;
    }
    /// Another process is building the same table; we wait for it.
    fn waiting(&self, lock: &Path) {
        let _ = lock;
    }
    /// A file could not be used and was moved out of the way.
    fn set_aside(&self, error: &TableError, aside: &Path) {
        let _ = (error, aside);
    }
}

/// An observer that says nothing.
pub struct Silent;

impl Observer for Silent {}

/// What a build cost.
#[derive(Clone, Copy, Debug)]
pub struct BuildReport {
    /// The endgame.
    pub material: Material,
    /// The metric.
    pub metric: Metric,
    /// Wall time of solving.
    pub solving: Duration,
    /// CPU time of solving, over all threads.
    pub solving_cpu: Duration,
    /// Wall time of compressing and writing.
    pub storing: Duration,
    /// CPU time of compressing and writing.
    pub storing_cpu: Duration,
    /// The most memory the process has held, in bytes, if the system tells.
    pub peak_memory: Option<u64>,
    /// Size of the file.
    pub bytes: u64,
    /// Counts and maxima, by side to move.
    pub counts: ByColor<Counts>,
    /// How often the solver went through a ply.
    pub plies: u64,
    /// Bytes the solver read and wrote in all its plies.
    pub bytes_moved: u64,
}

/// Builds tables into a library.
pub struct Builder<'a> {
    library: &'a Library,
    observer: &'a dyn Observer,
    memory: u64,
}

impl<'a> Builder<'a> {
    /// A builder that may take `memory` bytes.
    pub fn new(library: &'a Library, observer: &'a dyn Observer, memory: u64) -> Builder<'a> {
        Builder { library, observer, memory }
    }

    pub(crate) fn library(&self) -> &Library {
        self.library
    }

    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Opens a table, building it and what it needs if it is missing or unusable.
    pub fn ensure(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        let metric = metric.stored(material);
        match self.library.open(material, metric) {
            // What cannot be used is set aside by whoever holds the lock.
            Err(error) if error.is_unusable_file() || matches!(error, TableError::Missing { .. }) => {
                self.build(material, metric)
            }
            opened => opened,
        }
    }

    /// `None` if there is no usable file.
    fn open_or_set_aside(&self, material: Material, metric: Metric) -> Result<Option<Arc<Table>>, TableError> {
        match self.library.open(material, metric) {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Missing { .. }) => Ok(None),
            Err(error) if error.is_unusable_file() => {
                let aside = self.library.set_aside(material, metric)?;
                self.observer.set_aside(&error, &aside);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn build(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        let planned = Planned::new(material, metric, self.memory)?;
        let layout = Layout::new(material).ok_or(TableError::BareKings)?;
        let mut subs: HashMap<Material, Arc<Table>> = HashMap::new();
        for (sub, of) in needs(material, metric).into_iter().filter(|&(sub, _)| sub != material) {
            let any = if needs_only_who_wins(metric) { self.library.open_any_value(sub).ok() } else { None };
            subs.insert(sub, any.map_or_else(|| self.ensure(sub, of), Ok)?);
        }
        let plain = match metric {
            Metric::DtzRule(_) => Some(self.ensure(material, Metric::Dtz)?),
            _ => None,
        };
        let _lock = self.library.lock(material, metric, &|path| self.observer.waiting(path))?;
        // Another builder may have finished it while we waited.
        if let Some(table) = self.open_or_set_aside(material, metric)? {
            return Ok(table);
        }
        self.observer.started(&planned);
        let watch = Stopwatch::start();
        let find = |sub: Material| subs.get(&sub).map(|table| &**table as &dyn Solved);
        let progress = |step: Step| match step {
            Step::Ply(ply, positions) => self.observer.ply(ply, positions),
            Step::Structures(done, all) => self.observer.structures(done, all),
        };
        let (mut verdicts, traffic) = solve(&layout, &find, metric, planned.at_once, &progress)?;
        if let Some(plain) = plain {
            with_cursed(&mut verdicts, &plain)?;
        }
        let (solving, solving_cpu) = watch.elapsed();
        self.observer.storing();
        let watch = Stopwatch::start();
        let path = self.library.path(material, metric);
        let temporary = path.with_added_extension("tmp");
        write_table(&layout, metric, &verdicts, &temporary, &path)?;
        let (storing, storing_cpu) = watch.elapsed();
        // What was read may never be asked for again, and a mapped file counts as memory held.
        subs.values().for_each(|sub| self.library.close(sub.material(), sub.metric()));
        let table = self.library.open(material, metric)?;
        self.observer.finished(&BuildReport {
            material,
            metric,
            solving,
            solving_cpu,
            storing,
            storing_cpu,
            peak_memory: crate::usage::peak_memory(),
            bytes: table.file_len(),
            counts: table.header().counts,
            plies: traffic.plies,
            bytes_moved: traffic.bytes,
        });
        Ok(table)
    }
}
