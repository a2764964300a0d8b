//! Building in the background what play would like to have.

use super::voice::Voice;
use errare_tables::{BuildObserver, BuildReport, Library, Material, Metric, TableError, Tables};
use errare_work::{Progress, Status};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Tables of up to so many men are always built.
const SMALL: usize = 4;
/// Larger ones, up to so many, if all of it takes no more than some CPU-seconds.
const LARGE: usize = 5;
const CHEAP: f64 = 30.0;

/// Progress is told no more often.
const PATIENCE: Duration = Duration::from_secs(2);

/// Tables that are wanted, the endgame at hand first.
pub struct Order {
    pub library: Arc<Library>,
    pub tables: Vec<(Material, Metric)>,
    /// A file that proved damaged only when it was read.
    pub damaged: Option<PathBuf>,
    pub threads: usize,
}

/// What became of an order, by folder and what is wanted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// In work, or next.
    Waiting,
    /// Not to be had: asking again does not help.
    Refused,
}

type Key = (PathBuf, Vec<(Material, Metric)>);

/// A thread that builds.
pub struct Background {
    orders: Sender<(Key, Order)>,
    standings: Arc<Mutex<HashMap<Key, Standing>>>,
    finished: Arc<AtomicU64>,
}

impl Background {
    /// Sets the thread up, with so many bytes to build in.
    pub fn new(voice: Arc<Voice>, memory: u64) -> Background {
        let (orders, inbox) = mpsc::channel::<(Key, Order)>();
        let standings: Arc<Mutex<HashMap<Key, Standing>>> = Arc::default();
        let finished: Arc<AtomicU64> = Arc::default();
        let mut site = Site { voice, memory, mended: Vec::new() };
        let (told, count) = (Arc::clone(&standings), Arc::clone(&finished));
        thread::spawn(move || {
            for (key, order) in inbox {
                let done = site.fill(&order);
                let mut standings = told.lock().unwrap_or_else(PoisonError::into_inner);
                match done {
                    Ok(()) => drop(standings.remove(&key)),
                    Err(reason) => {
                        site.voice.tell(reason);
                        standings.insert(key, Standing::Refused);
                    }
                }
                drop(standings);
                count.fetch_add(1, Ordering::Release);
            }
        });
        Background { orders, standings, finished }
    }

    /// How many orders have been dealt with.
    pub fn finished(&self) -> u64 {
        self.finished.load(Ordering::Acquire)
    }

    /// Wants tables. What is in work already or was refused is not ordered again.
    pub fn order(&self, order: Order) {
        let key = (order.library.folder().to_owned(), order.tables.clone());
        let mut standings = self.standings();
        if !standings.contains_key(&key) && self.orders.send((key.clone(), order)).is_ok() {
            standings.insert(key, Standing::Waiting);
        }
    }

    fn standings(&self) -> MutexGuard<'_, HashMap<Key, Standing>> {
        self.standings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Site {
    voice: Arc<Voice>,
    memory: u64,
    /// What has been built again: a file that is damaged once more tells of a broken disk.
    mended: Vec<PathBuf>,
}

impl Site {
    /// Builds what is missing of an order, or tells why not.
    fn fill(&mut self, order: &Order) -> Result<(), String> {
        let Some(&(material, metric)) = order.tables.first() else { return Ok(()) };
        let by_name = || format!("`errare table build {material} --metric {metric}` does it");
        if material.men() > LARGE {
            return Err(format!(
                "no table of {material} to {metric}: with {} men it is not built by the way; {}",
                material.men(),
                by_name()
            ));
        }
        if let Some(path) = &order.damaged {
            self.set_aside(order, path)?;
        }
        let watch = Watch { voice: &self.voice, told: Mutex::new(Instant::now()) };
        let finished = |report: &BuildReport| watch.finished(report);
        let observer = BuildObserver::new(&watch).on_built(&finished);
        let tables = Tables::new(Arc::clone(&order.library), self.memory);
        let plan = tables.plan(&order.tables).map_err(|error| error.to_string())?;
        let effort: f64 = plan.iter().map(|planned| planned.effort).sum();
        if material.men() > SMALL && effort > CHEAP {
            return Err(format!(
                "no table of {material} to {metric}: it would take about {effort:.0} s of work, and more than {CHEAP} s \
                 are not spent by the way; {}",
                by_name()
            ));
        }
        if !plan.is_empty() {
            self.voice
                .tell(format!("building {material} to {metric}: {} tables, about {effort:.1} s of work", plan.len()));
        }
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(order.threads).build().map_err(|error| error.to_string())?;
        let build = || {
            order
                .tables
                .iter()
                .try_for_each(|&(material, metric)| tables.ensure_observed(material, metric, &observer).map(drop))
        };
        pool.install(build).map_err(|error| format!("{material} cannot be built: {error}"))
    }

    /// Moves a damaged file out of the way, once.
    fn set_aside(&mut self, order: &Order, path: &Path) -> Result<(), String> {
        if self.mended.iter().any(|mended| mended == path) {
            return Err(format!("{} is damaged again: it is not built a third time", path.display()));
        }
        self.mended.push(path.to_owned());
        let own = order.tables.iter().find(|&&(material, metric)| order.library.path(material, metric) == path);
        let &(material, metric) = own.ok_or_else(|| format!("{} is damaged", path.display()))?;
        match order.library.quarantine(material, metric) {
            Ok(aside) => self.voice.tell(format!("set aside as {}", aside.display())),
            // Another process was quicker.
            Err(TableError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }
}

/// Tells how a build goes.
struct Watch<'a> {
    voice: &'a Voice,
    told: Mutex<Instant>,
}

impl Watch<'_> {
    fn now_and_then(&self, text: impl Fn() -> String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= PATIENCE {
            *told = Instant::now();
            self.voice.tell(text());
        }
    }
}

impl Watch<'_> {
    fn finished(&self, report: &BuildReport) {
        let BuildReport { material, metric, solving, storing, .. } = report;
        self.voice.tell(format!("built {material} to {metric} in {:.2} s", (*solving + *storing).as_secs_f64()));
    }
}

impl Progress for Watch<'_> {
    fn report(&self, status: &Status<'_>) {
        self.now_and_then(|| {
            let step = status.step.map_or_else(String::new, |step| format!(": {step}"));
            let total = status.total.map_or_else(String::new, |total| format!(" of {total}"));
            format!("{}{step}, {}{total} {} done", status.activity, status.done, status.unit)
        });
    }

    fn warn(&self, warning: &str) {
        self.voice.tell(warning.to_owned());
    }
}
