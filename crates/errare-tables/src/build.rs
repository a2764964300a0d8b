//! Building one table, after the tables of its sub-endgames.

use crate::error::TableError;
use crate::layout::Layout;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::plan::{Planned, needs, needs_only_outcomes};
use crate::rule::with_cursed;
use crate::solve::{Step, Task, solve};
use crate::store::{Counts, Table, write_table};
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

/// The state of a plan. All is 0 without a plan.
#[derive(Clone, Copy, Default)]
struct PlanState {
    parts: usize,
    effort: f64,
    done_parts: usize,
    done_effort: f64,
}

impl<'a> BuildObserver<'a> {
    /// Reports the progress of each table, and nothing else.
    pub fn new(progress: &'a dyn Progress) -> BuildObserver<'a> {
        BuildObserver { progress, on_built: &|_| (), plan: Mutex::default() }
    }

    /// Also passes on the report of each table that is finished.
    #[must_use]
    pub fn on_built(self, on_built: &'a (dyn Fn(&BuildReport) + Sync)) -> BuildObserver<'a> {
        BuildObserver { on_built, ..self }
    }

    /// Also reports how far the plan is that the tables are part of, if it has more than one.
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

/// Builds tables into a library.
pub(crate) struct Builder<'a> {
    pub library: &'a Library,
    pub memory: u64,
    pub built_rules: BuiltRules,
    pub observer: &'a BuildObserver<'a>,
}

/// The move rules whose tables may be built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BuiltRules {
    /// Every rule.
    All,
    /// Rules of these numbers of moves.
    Only(&'static [u16]),
}

impl BuiltRules {
    /// Refuses a table whose move rule is not among them.
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
        let mut subs: HashMap<Material, Arc<Table>> = HashMap::new();
        for (sub, of) in needs(material, metric).into_iter().filter(|&(sub, _)| sub != material) {
            // Whatever is wrong with those, a table of the metric itself can be built.
            let any = if needs_only_outcomes(metric) { self.library.open_any_value(sub).ok() } else { None };
            subs.insert(sub, any.map_or_else(|| self.ensure(sub, of), Ok)?);
        }
        let plain = match metric {
            Metric::DtzRule(_) => Some(self.ensure(material, Metric::Dtz)?),
            _ => None,
        };
        let lock = self.library.lock(material, metric, progress)?;
        // Another builder may have finished the table in the meantime.
        if let Some(table) = self.open_or_quarantine(material, metric)? {
            return Ok(table);
        }
        self.library.remove_stale(material, metric, &lock)?;
        let activity = format!("building {material} to {metric}");
        let status = Status { plan: self.observer.plan_status(0.0), ..Status::new(&activity, "positions") };
        progress.report(&status);
        let watch = Stopwatch::start();
        let find = |sub: Material| subs.get(&sub).map(|table| &**table as &dyn Solved);
        let solved_positions = AtomicU64::new(0);
        let report = |step: Step| match step {
            Step::Ply(ply, positions) => {
                let done = solved_positions.fetch_add(positions, Ordering::Relaxed) + positions;
                progress.report(&Status { done, step: Some(&format!("ply {ply}")), ..status });
            }
            Step::Structures(done, all) => {
                let plan = self.observer.plan_status(planned.effort * done as f64 / all.max(1) as f64);
                progress.report(&Status { unit: "pawn structures", plan, ..status.at(done as u64, all as u64) });
            }
        };
        let at_once = planned.at_once;
        let task = Task { layout: &layout, subs: &find, metric, at_once, on_step: &report, progress };
        let (mut verdicts, traffic) = solve(&task)?;
        if let Some(plain) = plain {
            with_cursed(&mut verdicts, &plain, progress)?;
        }
        let (solving, solving_cpu) = watch.elapsed();
        progress.report(&Status { done: solved_positions.into_inner(), step: Some("storing"), ..status });
        let watch = Stopwatch::start();
        write_table(&layout, metric, &verdicts, &self.library.path(material, metric), progress)?;
        let (storing, storing_cpu) = watch.elapsed();
        // These tables may never be needed again, and their blocks take memory.
        subs.values().for_each(|sub| self.library.close(sub.material(), sub.metric()));
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
        self.observer.finished(&planned, &report);
        Ok(table)
    }
}

pub(crate) fn warn_of_damage(progress: &dyn Progress, error: &dyn std::fmt::Display, quarantined: &Path) {
    progress.warn(&format!("{error}; moved to {}, building it again", quarantined.display()));
}
