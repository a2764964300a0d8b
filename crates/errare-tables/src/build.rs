//! Building one table, after the tables of its sub-endgames.

use crate::error::TableError;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::library::{BuildLock, Library};
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::{Planned, needs, needs_only_outcomes};
use crate::solve::{SolveStep, Task, solve};
use crate::store::{Counts, SliceReader, Stored, Table, write_table};
use crate::threads;
use crate::usage::Stopwatch;
use crate::view::Solved;
use errare_work::{PlanStatus, Progress, Status};
use shakmaty::ByColor;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The cost and the result of building a table.
#[derive(Clone, Copy, Debug)]
pub struct BuildReport {
    /// The endgame of the table built.
    pub material: Material,
    /// The metric of the table built.
    pub metric: Metric,
    /// Wall time of solving.
    pub solving: Duration,
    /// CPU time of solving, over all threads.
    pub solving_cpu: Duration,
    /// Wall time of compressing and writing.
    pub storing: Duration,
    /// CPU time of compressing and writing.
    pub storing_cpu: Duration,
    /// The peak memory of the process in bytes, where the system reports it.
    pub peak_memory: Option<u64>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Counts and maxima, by side to move.
    pub counts: ByColor<Counts>,
    /// Number of plies that the solver processed, over all its runs.
    pub plies: u64,
    /// Number of bytes that the solver read and wrote in all its plies.
    pub bytes_moved: u64,
}

/// Observes building: the progress of each table, its place in a plan, and the reports of finished tables.
pub struct BuildObserver<'a> {
    progress: &'a dyn Progress,
    on_built: &'a (dyn Fn(&BuildReport) + Sync),
    plan: Mutex<PlanState>,
}

/// The state of a plan of builds; all fields are 0 without a plan.
#[derive(Clone, Copy, Default)]
struct PlanState {
    parts: usize,
    effort: f64,
    done_parts: usize,
    done_effort: f64,
}

impl<'a> BuildObserver<'a> {
    /// Makes an observer that reports the progress of each table, and nothing else.
    pub fn new(progress: &'a dyn Progress) -> BuildObserver<'a> {
        BuildObserver { progress, on_built: &|_| (), plan: Mutex::default() }
    }

    /// Adds a receiver of the report of each table that is finished.
    #[must_use]
    pub fn on_built(self, on_built: &'a (dyn Fn(&BuildReport) + Sync)) -> BuildObserver<'a> {
        BuildObserver { on_built, ..self }
    }

    /// Adds reports of how far a plan of several tables is, of which the tables are part.
    #[must_use]
    pub fn with_plan(self, plan: &[Planned]) -> BuildObserver<'a> {
        let effort = plan.iter().map(|planned| planned.effort).sum();
        let state = if plan.len() > 1 {
            PlanState { parts: plan.len(), effort, ..PlanState::default() }
        } else {
            PlanState::default()
        };
        BuildObserver { plan: Mutex::new(state), ..self }
    }

    /// The progress that tables report to.
    pub fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// The state of the plan, `current` being the effort spent on the table in work.
    fn plan_status(&self, current: f64) -> Option<PlanStatus> {
        let PlanState { parts, effort, done_parts, done_effort } =
            *self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let share = ((done_effort + current) / effort.max(f64::MIN_POSITIVE)).min(1.0);
        (parts > 0).then(|| PlanStatus { part: (done_parts + 1).min(parts), parts, share })
    }

    fn finished(&self, planned: &Planned, report: &BuildReport) {
        {
            let mut plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
            plan.done_parts += 1;
            plan.done_effort += planned.effort;
        }
        (self.on_built)(report);
    }
}

/// The builder of a library's tables.
pub(crate) struct Builder<'a> {
    pub library: &'a Library,
    pub memory: u64,
    pub built_rules: BuiltRules,
    /// The sides to move that tables store; by default those that make their files small.
    pub stored: Option<Stored>,
    pub observer: &'a BuildObserver<'a>,
}

/// The move rules whose tables may be built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BuiltRules {
    /// Tables of every move rule may be built.
    All,
    /// Only tables of rules of these numbers of moves may be built, beside tables without a rule.
    Only(&'static [u16]),
}

impl BuiltRules {
    /// Refuses a table whose move rule is not one that may be built.
    pub fn check(self, material: Material, metric: Metric) -> Result<(), TableError> {
        match (self, metric) {
            (BuiltRules::Only(rules), Metric::DtzRule(rule)) if !rules.contains(&rule) => {
                Err(TableError::RuleNotBuilt { material, metric, rules })
            }
            _ => Ok(()),
        }
    }
}

impl Builder<'_> {
    /// Opens a table, building it and what it needs if it is missing or unusable.
    ///
    /// # Errors
    /// If the table cannot be built or opened, or the work is cancelled.
    pub fn ensure(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        let metric = metric.stored(material);
        match self.library.open(material, metric) {
            // An unusable file is quarantined later, under the lock.
            Err(error) if error.is_unusable_file() || matches!(error, TableError::Missing { .. }) => {
                self.build(material, metric)
            }
            opened => opened,
        }
    }

    /// Opens a table, or quarantines its file if that is unusable; `None` without a usable file.
    fn open_or_quarantine(&self, material: Material, metric: Metric) -> Result<Option<Arc<Table>>, TableError> {
        match self.library.open(material, metric) {
            Ok(table) => Ok(Some(table)),
            Err(TableError::Missing { .. }) => Ok(None),
            Err(error) if error.is_unusable_file() => {
                let quarantined = self.library.quarantine(material, metric)?;
                warn_of_damage(self.observer.progress, &error, &quarantined);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn build(&self, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
        self.built_rules.check(material, metric)?;
        let progress = self.observer.progress;
        let planned = Planned::new(material, metric, self.memory)?;
        let layout = Layout::new(material).ok_or(TableError::BareKings)?;
        let mut subs: HashMap<Material, SliceReader<Arc<Table>>> = HashMap::new();
        for (sub, of) in needs(material, metric).into_iter().filter(|&(sub, _)| sub != material) {
            // Whatever is wrong with those, a table of the metric itself can be built.
            let any = if needs_only_outcomes(metric) { self.library.open_any_value(sub).ok() } else { None };
            subs.insert(sub, SliceReader::new(any.map_or_else(|| self.ensure(sub, of), Ok)?));
        }
        let plain = match metric {
            Metric::DtzRule(_) => Some(self.ensure(material, Metric::Dtz)?),
            _ => None,
        };
        let lock = self.library.lock(material, metric, progress)?;
        // Whoever holds the lock must take up no other work: that could need this table, and wait for the lock for ever.
        threads::apart(|| self.build_locked(&planned, &layout, &subs, plain, &lock))?
    }

    /// Builds a table when all tables that it needs are there.
    fn build_locked(
        &self,
        planned: &Planned,
        layout: &Layout,
        subs: &HashMap<Material, SliceReader<Arc<Table>>>,
        plain: Option<Arc<Table>>,
        lock: &BuildLock,
    ) -> Result<Arc<Table>, TableError> {
        let &Planned { material, metric, .. } = planned;
        let progress = self.observer.progress;
        // Another builder may have finished the table in the meantime.
        if let Some(table) = self.open_or_quarantine(material, metric)? {
            return Ok(table);
        }
        self.library.remove_stale(material, metric, lock)?;
        let activity = format!("building {material} to {metric}");
        let status = Status { plan: self.observer.plan_status(0.0), ..Status::new(&activity, "positions") };
        progress.report(&status);
        let watch = Stopwatch::start();
        let find = |sub: Material| subs.get(&sub).map(|reader| reader as &dyn Solved);
        let solved_positions = AtomicU64::new(0);
        let report = |step: SolveStep| match step {
            SolveStep::Ply(ply, positions) => {
                let done = solved_positions.fetch_add(positions, Ordering::Relaxed) + positions;
                progress.report(&Status { done, step: Some(&format!("ply {ply}")), ..status });
            }
            SolveStep::Structures(done, all) => {
                let plan = self.observer.plan_status(planned.effort * done as f64 / all.max(1) as f64);
                progress.report(&Status { unit: "pawn structures", plan, ..status.at(done as u64, all as u64) });
            }
        };
        let path = self.library.path(material, metric);
        let mut journal = if planned.in_files {
            Journal::in_file(&self.library.journal_path(material, metric), layout, metric)?
        } else {
            Journal::in_memory()
        };
        if journal.plies_left() > 0 {
            let step = format!("going on after {} plies", journal.plies_left());
            progress.report(&Status { step: Some(&step), ..status });
        }
        let at_once = planned.at_once;
        let task = Task { layout, subs: &find, metric, at_once, on_step: &report, progress };
        let (mut decided, traffic) = solve(&task, &mut journal)?;
        decided.plain = plain.map(SliceReader::new);
        let (solving, solving_cpu) = watch.elapsed();
        progress.report(&Status { done: solved_positions.into_inner(), step: Some("storing"), ..status });
        let watch = Stopwatch::start();
        write_table(layout, metric, &decided, self.stored, &path, &journal, progress)?;
        drop(decided);
        journal.remove()?;
        let (storing, storing_cpu) = watch.elapsed();
        // These tables may never be needed again, and their blocks take memory.
        let close = |sub: &Table| self.library.close(sub.material(), sub.metric());
        subs.values().for_each(|sub| close(sub.table()));
        let table = self.library.open(material, metric)?;
        let report = BuildReport {
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
        };
        self.observer.finished(planned, &report);
        Ok(table)
    }
}

pub(crate) fn warn_of_damage(progress: &dyn Progress, error: &dyn std::fmt::Display, quarantined: &Path) {
    progress.warn(&format!("{error}; moved to {}, building it again", quarantined.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::{Cancelled, Silent};
    use std::fs;
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;
    use std::thread;

    const METRICS: [Metric; 4] = [Metric::Dtc, Metric::Dtm, Metric::DtzRule(15), Metric::Dtr];

    /// Stops the work when it has been asked a number of times.
    struct StopAfter(AtomicUsize);

    impl Progress for StopAfter {
        fn report(&self, _: &Status<'_>) {}

        fn warn(&self, _: &str) {}

        fn is_cancelled(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    /// An endgame in which captures can lose: the king may take one man, and the other mates. That is part of what a build
    /// that goes on has to bring up to date.
    const ENDGAME: &str = "KQRK";

    /// Builds the endgame with so little memory that decided positions are kept in files, and returns the bytes of the table.
    fn build(folder: &Path, metric: Metric, progress: &dyn Progress) -> Result<Vec<u8>, TableError> {
        let material = ENDGAME.parse().expect("an endgame");
        let library = Library::new(folder);
        let memory = Planned::new(material, metric, u64::MAX)?.memory - 1;
        assert!(Planned::new(material, metric, memory)?.in_files);
        // The sub-endgames are smaller, and built in memory.
        let observer = BuildObserver::new(progress);
        let builder =
            Builder { library: &library, memory, built_rules: BuiltRules::All, stored: None, observer: &observer };
        builder.ensure(material, metric)?;
        fs::read(library.path(material, metric)).map_err(TableError::io("read", folder))
    }

    fn in_memory(metric: Metric) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::new(folder.path());
        let observer = BuildObserver::new(&Silent);
        let builder = Builder {
            library: &library,
            memory: u64::MAX,
            built_rules: BuiltRules::All,
            stored: None,
            observer: &observer,
        };
        let material = ENDGAME.parse().expect("an endgame");
        builder.ensure(material, metric).expect("built");
        fs::read(library.path(material, metric)).expect("a table")
    }

    fn journals(folder: &Path) -> Vec<std::path::PathBuf> {
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "journal")).collect()
    }

    #[test]
    fn tables_built_in_files_have_the_same_bytes() {
        for metric in METRICS {
            let folder = tempfile::tempdir().expect("a folder");
            assert!(build(folder.path(), metric, &Silent).expect("built") == in_memory(metric), "{metric}");
            assert!(journals(folder.path()).is_empty(), "{metric}: the journal is removed");
        }
    }

    /// Builds a table, removes it, and returns its bytes and how often the work asked whether to go on, those of other
    /// tables left out.
    fn counted(folder: &Path, metric: Metric) -> (Vec<u8>, usize) {
        build(folder, metric, &Silent).expect("built");
        fs::remove_file(folder.join(format!("{ENDGAME}.{metric}.egt"))).expect("a table");
        let never = StopAfter(AtomicUsize::new(usize::MAX));
        let whole = build(folder, metric, &never).expect("built");
        fs::remove_file(folder.join(format!("{ENDGAME}.{metric}.egt"))).expect("a table");
        (whole, usize::MAX - never.0.into_inner())
    }

    #[test]
    fn a_build_that_is_stopped_again_and_again_goes_on() {
        for metric in METRICS {
            let folder = tempfile::tempdir().expect("a folder");
            let (whole, calls) = counted(folder.path(), metric);
            let mut stops = 0;
            let bytes = loop {
                match build(folder.path(), metric, &StopAfter(AtomicUsize::new(calls * (2 + stops) / 4))) {
                    Ok(bytes) => break bytes,
                    Err(TableError::Cancelled(Cancelled)) => stops += 1,
                    Err(error) => panic!("{metric}: {error}"),
                }
                let layout = ENDGAME.parse().ok().and_then(Layout::new).expect("an endgame with men");
                let path = folder.path().join(format!("{ENDGAME}.{metric}.egt.journal"));
                let journal = Journal::in_file(&path, &layout, metric).expect("a journal");
                assert!(journal.plies_left() > 1, "{metric}: there is something to take up");
            };
            assert!(bytes == whole, "{metric}");
            assert!(stops > 0, "{metric}");
        }
    }

    /// Takes its time at every step, so that threads wait for each other.
    struct Slow;

    impl Progress for Slow {
        fn report(&self, _: &Status<'_>) {}

        fn proceed(&self) -> Result<(), Cancelled> {
            thread::sleep(Duration::from_micros(100));
            Ok(())
        }
    }

    /// A thread that waits for a part of a build takes up other work of its pool meanwhile, and that may need the same table.
    #[test]
    fn work_of_one_pool_that_needs_the_same_table_gets_it() {
        const ROUNDS: u64 = 4;
        let (sender, receiver) = mpsc::channel();
        // A build that waits for itself never ends. The thread is then left behind.
        thread::spawn(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
            for round in 0..ROUNDS {
                let folder = tempfile::tempdir().expect("a folder");
                let later = &|n| {
                    thread::sleep(Duration::from_millis(n * (3 + round)));
                    pool.install(|| build(folder.path(), Metric::Dtc, &Slow).expect("built"))
                };
                let tables: Vec<_> = thread::scope(|scope| {
                    let started: Vec<_> = (0..20).map(|n| scope.spawn(move || later(n))).collect();
                    started.into_iter().map(|work| work.join().expect("a table")).collect()
                });
                assert!(tables.windows(2).all(|pair| pair[0] == pair[1]));
                sender.send(()).expect("somebody waits");
            }
        });
        for _ in 0..ROUNDS {
            receiver.recv_timeout(Duration::from_secs(60)).expect("a build within a minute");
        }
    }

    #[test]
    fn a_damaged_journal_is_taken_up_as_far_as_it_is_whole() {
        for metric in [Metric::Dtm, Metric::Dtr] {
            let folder = tempfile::tempdir().expect("a folder");
            let (whole, calls) = counted(folder.path(), metric);
            let stop = || StopAfter(AtomicUsize::new(calls / 2));
            assert!(build(folder.path(), metric, &stop()).is_err(), "{metric}: stopped in the middle");
            let journal = journals(folder.path()).pop().expect("a journal");
            let bytes = fs::read(&journal).expect("a journal");
            for damaged in
                [bytes[..bytes.len() - 7].to_vec(), flipped(&bytes, bytes.len() / 2), b"something else".to_vec()]
            {
                fs::write(&journal, damaged).expect("written");
                assert!(build(folder.path(), metric, &Silent).expect("built") == whole, "{metric}");
                fs::remove_file(folder.path().join(format!("{ENDGAME}.{metric}.egt"))).expect("a table");
            }
        }
    }

    fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 4;
        bytes
    }
}
