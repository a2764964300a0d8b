//! The progress that a job reports while it runs, not more often than anybody can read.

use crate::job_status::ActivityStatus;
use crate::jobs::Job;
use errare_work::{Progress, Status};
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

/// The least time between two reports on one activity.
const INTERVAL: Duration = Duration::from_millis(100);

/// Watches a job, and stops it when it is cancelled or takes too long.
pub struct JobProgress<'a> {
    job: &'a Job,
    started: Instant,
    max_time: Duration,
    /// The time and the activity of the last report.
    last: Mutex<Option<(Instant, String)>>,
}

impl<'a> JobProgress<'a> {
    pub fn new(job: &'a Job, max_time: Duration) -> JobProgress<'a> {
        JobProgress { job, started: Instant::now(), max_time, last: Mutex::default() }
    }

    /// Whether the job has run longer than it may.
    pub fn is_late(&self) -> bool {
        self.started.elapsed() > self.max_time
    }
}

impl Progress for JobProgress<'_> {
    fn report(&self, status: &Status<'_>) {
        // Another thread is reporting just now: that will do.
        let mut last = match self.last.try_lock() {
            Ok(last) => last,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let is_soon = |(at, activity): &(Instant, String)| at.elapsed() < INTERVAL && activity == status.activity;
        if last.as_ref().is_some_and(is_soon) {
            return;
        }
        *last = Some((Instant::now(), status.activity.to_owned()));
        self.job.status.send_modify(|seen| seen.progress = Some(ActivityStatus::from(status)));
    }

    fn warn(&self, warning: &str) {
        self.job.status.send_modify(|seen| seen.warn(warning));
    }

    fn is_cancelled(&self) -> bool {
        self.job.cancel.is_cancelled() || self.is_late()
    }
}
