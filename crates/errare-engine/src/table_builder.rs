//! Building tables in the background, for positions that come up in play.

use crate::engine::{RunError, spawn};
use crate::writer::UciWriter;
use errare_tables::{BuildObserver, BuildReport, Material, Metric, TableError, TableFailure, Tables};
use errare_work::{Cancel, Progress, Status};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The number of men up to which tables are always built.
const MAX_MEN_ALWAYS_BUILT: usize = 4;

/// The greatest work, in CPU-seconds, for which larger tables are built.
const MAX_SECONDS: f64 = 30.0;

/// The least time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// An order to build tables.
pub struct BuildOrder {
    pub tables: Tables,
    /// The tables that are needed, that of the endgame on the board first.
    pub needed: Vec<(Material, Metric)>,
    /// The error by which a file proved damaged when it was read.
    pub damage: Option<TableError>,
    pub threads: usize,
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
enum BuildRefusal {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(
        "building it takes about {seconds:.0} s of work, more than the {MAX_SECONDS} s that play allows; use \
         `errare table build {material} --metric {metric}`"
    )]
    TooSlow { material: Material, metric: Metric, seconds: f64 },
    #[error("{} is damaged again right after it was built: the disk may be failing", .0.display())]
    DamagedAgain(PathBuf),
    #[error("cannot start threads: {0}")]
    Threads(rayon::ThreadPoolBuildError),
}

/// The state of an order that has not been carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The order is being worked on, or waits for its turn.
    Waiting,
    /// The order was refused: ordering it again does not help.
    Refused,
}

/// The key of an order: the folder, and the tables needed.
type OrderKey = (PathBuf, Vec<(Material, Metric)>);

type Standings = Arc<Mutex<HashMap<OrderKey, Standing>>>;

/// A thread that builds tables, one order after the other.
pub struct TableBuilder {
    orders: Sender<(OrderKey, BuildOrder)>,
    standings: Standings,
    finished: Arc<AtomicU64>,
}

impl TableBuilder {
    /// Starts the thread. It drops `running` when it ends, which is soon after `shutdown` or after the builder is dropped.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn start(writer: Arc<UciWriter>, shutdown: Cancel, running: Sender<()>) -> Result<TableBuilder, RunError> {
        let (orders, inbox) = mpsc::channel::<(OrderKey, BuildOrder)>();
        let standings = Standings::default();
        let finished: Arc<AtomicU64> = Arc::default();
        let (shared, count) = (Arc::clone(&standings), Arc::clone(&finished));
        let mut worker = Worker { writer, shutdown, mended: Vec::new() };
        spawn(None, move || {
            let _running = running;
            for (key, order) in inbox {
                let is_built = worker.carry_out(&order);
                let mut standings = lock(&shared);
                if is_built {
                    standings.remove(&key);
                } else {
                    standings.insert(key, Standing::Refused);
                }
                drop(standings);
                count.fetch_add(1, Ordering::Release);
            }
        })?;
        Ok(TableBuilder { orders, standings, finished })
    }

    /// Number of orders that have been carried out or refused.
    pub fn finished(&self) -> u64 {
        self.finished.load(Ordering::Acquire)
    }

    /// Orders tables, unless the same order is being worked on or was refused.
    pub fn order(&self, order: BuildOrder) {
        let key = (order.tables.library().folder().to_owned(), order.needed.clone());
        let mut standings = lock(&self.standings);
        if !standings.contains_key(&key) && self.orders.send((key.clone(), order)).is_ok() {
            standings.insert(key, Standing::Waiting);
        }
    }
}

fn lock(standings: &Standings) -> MutexGuard<'_, HashMap<OrderKey, Standing>> {
    standings.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Worker {
    writer: Arc<UciWriter>,
    shutdown: Cancel,
    /// Files that have been built again. A file that is damaged once more is the sign of a broken disk.
    mended: Vec<PathBuf>,
}

impl Worker {
    /// Builds the missing tables of an order. Returns whether all of them are there now.
    fn carry_out(&mut self, order: &BuildOrder) -> bool {
        let Some(&(material, metric)) = order.needed.first() else { return true };
        match self.build(order, material, metric) {
            Ok(()) => true,
            Err(BuildRefusal::Table(TableError::Cancelled(_))) => false,
            Err(refusal) => {
                self.writer.note(format!("no table of {material} to {metric}: {refusal}"));
                false
            }
        }
    }

    fn build(&mut self, order: &BuildOrder, material: Material, metric: Metric) -> Result<(), BuildRefusal> {
        let BuildOrder { tables, needed, damage, threads } = order;
        needed.iter().try_for_each(|&(material, metric)| tables.check_on_demand(material, metric))?;
        let progress =
            BuildProgress { writer: &self.writer, shutdown: &self.shutdown, last_report: Mutex::new(Instant::now()) };
        if let Some((damage, path)) = damage.as_ref().and_then(|damage| Some((damage, damage.damaged_table()?))) {
            note_mended(&mut self.mended, path)?;
            tables.quarantine_damaged(damage, &progress)?;
        }
        let plan = tables.plan(needed)?;
        let seconds: f64 = plan.iter().map(|planned| planned.effort).sum();
        if material.men() > MAX_MEN_ALWAYS_BUILT && seconds > MAX_SECONDS {
            return Err(BuildRefusal::TooSlow { material, metric, seconds });
        }
        if !plan.is_empty() {
            self.writer
                .note(format!("building {material} to {metric}: {} tables, about {seconds:.1} s of work", plan.len()));
        }
        let on_built = |report: &BuildReport| progress.note_built(report);
        let observer = BuildObserver::new(&progress).on_built(&on_built);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(*threads).build().map_err(BuildRefusal::Threads)?;
        let mut each = needed.iter();
        let ensure =
            |&(material, metric): &(Material, Metric)| tables.ensure_observed(material, metric, &observer).map(drop);
        Ok(pool.install(|| each.try_for_each(ensure))?)
    }
}

/// Notes that a file is mended, and refuses to mend it twice.
fn note_mended(mended: &mut Vec<PathBuf>, path: &Path) -> Result<(), BuildRefusal> {
    if mended.iter().any(|known| known == path) {
        return Err(BuildRefusal::DamagedAgain(path.to_owned()));
    }
    mended.push(path.to_owned());
    Ok(())
}

/// Reports the progress of a build as `info string`, now and then.
struct BuildProgress<'a> {
    writer: &'a UciWriter,
    shutdown: &'a Cancel,
    last_report: Mutex<Instant>,
}

impl BuildProgress<'_> {
    fn note_built(&self, report: &BuildReport) {
        let BuildReport { material, metric, solving, storing, .. } = report;
        self.writer.note(format!("built {material} to {metric} in {:.2} s", (*solving + *storing).as_secs_f64()));
    }
}

impl Progress for BuildProgress<'_> {
    fn report(&self, status: &Status<'_>) {
        let mut last_report = self.last_report.lock().unwrap_or_else(PoisonError::into_inner);
        if last_report.elapsed() < REPORT_INTERVAL {
            return;
        }
        *last_report = Instant::now();
        let step = status.step.map_or_else(String::new, |step| format!(": {step}"));
        let total = status.total.map_or_else(String::new, |total| format!(" of {total}"));
        self.writer.note(format!("{}{step}, {}{total} {} done", status.activity, status.done, status.unit));
    }

    fn warn(&self, warning: &str) {
        self.writer.note(warning);
    }

    fn is_cancelled(&self) -> bool {
        self.shutdown.is_cancelled()
    }
}
