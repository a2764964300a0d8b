//! Work on another thread while this one waits for it: its progress and its warnings reach Python, and Ctrl-C or an
//! exception of a callback stops it.

use crate::errors::{classes, exception, internal};
use errare_lab::LabError;
use errare_work::{PlanStatus, Progress, Status};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The longest time for which Ctrl-C may go unnoticed. The work itself then stops within milliseconds.
const PATIENCE: Duration = Duration::from_millis(50);

/// Number of Python frames between a warning and the code that asked for the operation.
const CALLER: usize = 3;

/// Does work without the interpreter's lock on a thread of its own. `callback` is called on this thread with the progress:
/// activity, unit, done, total, step, and part, parts and share of the plan.
pub fn run<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Progress) -> Result<T, LabError> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let result = thread::scope(|scope| {
        let worker = thread::Builder::new().name("errare".to_owned()).spawn_scoped(scope, || {
            let _at_the_end = Finish(&watch);
            work(&watch)
        })?;
        let mut raised = None;
        loop {
            let news = py.detach(|| watch.wait());
            let finished = news.finished;
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| news.deliver(py, callback)).err();
                if raised.is_some() {
                    watch.cancelled.store(true, Ordering::Relaxed);
                }
            }
            if finished {
                break;
            }
        }
        let result = py.detach(|| worker.join());
        raised.map_or(Ok(result), Err)
    })?;
    match result {
        Ok(response) => response.map_err(|error| exception(py, &error)),
        Err(_) => Err(internal(py, "an operation panicked")),
    }
}

/// The messages of the work that the waiting thread has not taken yet.
#[derive(Default)]
struct Watch {
    news: Mutex<News>,
    is_news: Condvar,
    cancelled: AtomicBool,
}

#[derive(Default)]
struct News {
    /// The latest progress; older progress is of no interest.
    status: Option<OwnedStatus>,
    warnings: Vec<String>,
    finished: bool,
}

struct OwnedStatus {
    activity: String,
    unit: &'static str,
    done: u64,
    total: Option<u64>,
    step: Option<String>,
    plan: Option<PlanStatus>,
}

impl Watch {
    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of the work, but not so long that progress or Ctrl-C would have to wait.
    fn wait(&self) -> News {
        let news = self.lock();
        let waited = self.is_news.wait_timeout_while(news, PATIENCE, |news| !news.finished);
        let (mut news, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let finished = news.finished;
        News { finished, ..std::mem::take(&mut *news) }
    }
}

impl Progress for Watch {
    fn report(&self, status: &Status<'_>) {
        self.lock().status = Some(OwnedStatus {
            activity: status.activity.to_owned(),
            unit: status.unit,
            done: status.done,
            total: status.total,
            step: status.step.map(str::to_owned),
            plan: status.plan,
        });
    }

    fn warn(&self, warning: &str) {
        self.lock().warnings.push(warning.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Tells the waiting thread of the end, also of one by a panic.
struct Finish<'a>(&'a Watch);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.lock().finished = true;
        self.0.is_news.notify_all();
    }
}

impl News {
    fn deliver(self, py: Python<'_>, callback: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        for warning in self.warnings {
            let category = classes(py)?.getattr("ErrareWarning")?;
            py.import("warnings")?.call_method1("warn", (warning, category, CALLER))?;
        }
        if let (Some(callback), Some(status)) = (callback, self.status) {
            let plan = status.plan.map(|plan| (plan.part, plan.parts, plan.share));
            let OwnedStatus { activity, unit, done, total, step, .. } = status;
            callback.call1((activity, unit, done, total, step, plan))?;
        }
        Ok(())
    }
}
