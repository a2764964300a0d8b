//! How a terminal watches long work: bars and warnings on stderr, Ctrl-C to stop it.

use crate::progress::Progress;
use anyhow::Result;
use errare_work::{Cancel, Status};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The error of a command that Ctrl-C stopped.
#[derive(Debug, thiserror::Error)]
#[error("interrupted {0}")]
pub struct Interrupted(pub String);

/// Shows the progress of work, and stops it when the user presses Ctrl-C.
pub struct Watch {
    progress: Progress,
    cancel: Cancel,
    last: Mutex<Last>,
}

/// What was reported last.
#[derive(Default)]
struct Last {
    activity: String,
    unit: &'static str,
    done: u64,
    total: Option<u64>,
}

impl Watch {
    pub fn new(quiet: bool) -> Result<Watch> {
        Ok(Watch { progress: Progress::new(quiet), cancel: interruptible()?, last: Mutex::default() })
    }

    /// The error of work that was stopped, with how far it was.
    pub fn interrupted(&self) -> Interrupted {
        let Last { activity, unit, done, total } = &*self.last();
        let activity = if activity.is_empty() { "starting" } else { activity };
        Interrupted(match total {
            Some(total) => format!("while {activity}: {done} of {total} {unit} done"),
            None if unit.is_empty() => format!("while {activity}"),
            None => format!("while {activity}: {done} {unit} done"),
        })
    }

    fn last(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl errare_work::Progress for Watch {
    fn report(&self, status: &Status<'_>) {
        let mut last = self.last();
        if last.activity != status.activity {
            status.activity.clone_into(&mut last.activity);
            self.progress.counting(status.activity.to_owned(), status.unit, status.total);
        }
        last.unit = status.unit;
        last.done = status.done;
        last.total = status.total;
        self.progress.counted(status.done);
    }

    fn warn(&self, warning: &str) {
        self.progress.note(&format!("warning: {warning}"));
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.progress.clear();
    }
}

/// A token that Ctrl-C cancels. Whoever cannot wait for a clean end presses it again.
pub fn interruptible() -> Result<Cancel> {
    let cancel = Cancel::new();
    let token = cancel.clone();
    ctrlc::set_handler(move || {
        if token.is_cancelled() {
            std::process::exit(130);
        }
        token.cancel();
    })?;
    Ok(cancel)
}
