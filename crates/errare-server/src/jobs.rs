//! Long work: a job is started, watched, and its response fetched later.
//!
//! Jobs have threads of their own, so that requests that take a moment do not wait for them. A job is known by an id that
//! nobody can guess, and there is no list of them.

use crate::calls::Call;
use crate::content::Content;
use crate::job_progress::JobProgress;
use crate::job_status::{JobState, JobStatus};
use crate::refusal::Refusal;
use crate::work::{Answer, Queue, broken};
use axum::http::StatusCode;
use errare_lab::Lab;
use errare_work::{Cancel, Progress};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Number of jobs that run at once.
const MAX_RUNNING: usize = 2;

/// Number of jobs that are waiting, running, or finished and not yet forgotten.
const MAX_JOBS: usize = 16;

/// How long a job may run.
pub const MAX_TIME: Duration = Duration::from_secs(3600);

/// How long a finished job is known.
pub const KEPT: Duration = Duration::from_secs(900);

/// Number of letters of an id.
const ID_LETTERS: usize = 32;

/// Whether an address is that of a job.
pub fn is_job(path: &str) -> bool {
    path.strip_prefix("/api/jobs/").is_some_and(is_id)
}

fn is_id(text: &str) -> bool {
    text.len() == ID_LETTERS && text.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'a'..=b'f'))
}

/// An id that nobody can guess.
fn new_id() -> Result<String, Refusal> {
    let mut bytes = [0; ID_LETTERS / 2];
    getrandom::fill(&mut bytes).map_err(|_| broken())?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All jobs of a server.
pub struct Jobs {
    lab: Lab,
    queue: Queue,
    /// The oldest first.
    all: Mutex<Vec<Arc<Job>>>,
    max_time: Duration,
}

/// One job.
pub struct Job {
    id: String,
    pub status: watch::Sender<JobStatus>,
    pub cancel: Cancel,
    /// When it finished, and what came of it.
    outcome: Mutex<Option<(Instant, Answer)>>,
}

impl Jobs {
    /// No jobs yet; they run on threads of their own.
    pub fn new(lab: &Lab) -> Jobs {
        // A job that waits for a place counts among all jobs, which are fewer than the queue has room for.
        let queue = Queue::new(MAX_RUNNING, MAX_JOBS);
        Jobs { lab: lab.with_own_threads(), queue, all: Mutex::default(), max_time: MAX_TIME }
    }

    /// Starts a job.
    pub fn start(&self, call: Call) -> Result<Arc<Job>, Refusal> {
        let lab = self.lab.clone();
        self.begin(call.operation.name, move |progress| call.run(&lab, progress))
    }

    fn begin(
        &self,
        operation: &'static str,
        work: impl FnOnce(&dyn Progress) -> Answer + Send + 'static,
    ) -> Result<Arc<Job>, Refusal> {
        let mut all = self.all();
        if all.len() >= MAX_JOBS {
            let finished = all.iter().position(|job| job.outcome().is_some());
            let oldest = finished
                .ok_or_else(|| Refusal::busy(format!("there are {MAX_JOBS} jobs already: ask again, or cancel one")))?;
            all.remove(oldest);
        }
        let id = new_id()?;
        let (status, _) = watch::channel(JobStatus::new(&id, operation));
        let job = Arc::new(Job { id, status, cancel: Cancel::new(), outcome: Mutex::default() });
        let (running, max_time) = (Arc::clone(&job), self.max_time);
        self.queue.begin(move || running.run(max_time, work))?;
        all.push(Arc::clone(&job));
        Ok(job)
    }

    /// The job of an id.
    pub fn find(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let found = self.all().iter().find(|job| job.id == id).cloned();
        found.ok_or_else(|| Refusal::not_found("there is no such job: finished ones are forgotten after a while"))
    }

    /// Cancels a job and forgets it.
    pub fn cancel(&self, id: &str) -> Result<JobStatus, Refusal> {
        let job = self.find(id)?;
        self.all().retain(|other| other.id != id);
        job.cancel();
        Ok(job.status())
    }

    /// The jobs that are not forgotten yet.
    fn all(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|job| job.outcome().as_ref().is_none_or(|(finished, _)| finished.elapsed() < KEPT));
        all
    }
}

/// Work that nobody can ask about any more is stopped.
impl Drop for Jobs {
    fn drop(&mut self) {
        self.all().iter().for_each(|job| job.cancel.cancel());
    }
}

impl Job {
    /// Where the job is found.
    pub fn address(&self) -> String {
        format!("/api/jobs/{}", self.id)
    }

    /// How far the job is.
    pub fn status(&self) -> JobStatus {
        self.status.borrow().clone()
    }

    /// What came of the job.
    pub fn response(&self) -> Answer {
        match &*self.outcome() {
            Some((_, answer)) => answer.clone(),
            None => {
                let sentence =
                    format!("the job is not finished: watch {} or {}/events", self.address(), self.address());
                Err(Refusal::new(StatusCode::CONFLICT, sentence))
            }
        }
    }

    fn outcome(&self) -> MutexGuard<'_, Option<(Instant, Answer)>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, max_time: Duration, work: impl FnOnce(&dyn Progress) -> Answer) {
        if self.cancel.is_cancelled() {
            return;
        }
        self.status.send_modify(|status| status.state = JobState::Running);
        let progress = JobProgress::new(self, max_time);
        let answer = catch_unwind(AssertUnwindSafe(|| work(&progress))).unwrap_or_else(|_| Err(broken()));
        let answer = match answer {
            Err(_) if progress.is_late() => {
                let minutes = max_time.as_secs() / 60;
                Err(Refusal::busy(format!("this took more than {minutes} minutes and was stopped")))
            }
            answer => answer,
        };
        self.finish(answer);
    }

    fn cancel(&self) {
        self.cancel.cancel();
        self.finish(Err(Refusal::new(StatusCode::GONE, "the job was cancelled")));
    }

    /// Settles what came of the job, once.
    fn finish(&self, answer: Answer) {
        let mut outcome = self.outcome();
        if outcome.is_some() {
            return;
        }
        self.status.send_modify(|status| status.finish(answer.as_ref().err(), self.cancel.is_cancelled()));
        *outcome = Some((Instant::now(), answer));
    }
}

/// The status of a job as an answer.
pub fn status_content(status: &JobStatus) -> Answer {
    Content::json(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_lab::LabConfig;
    use errare_work::Status;
    use std::sync::mpsc;
    use std::thread;
    use tokio::runtime::{Builder, Runtime};

    fn jobs() -> Jobs {
        Jobs::new(&Lab::new(LabConfig { threads: Some(1), ..LabConfig::default() }).for_clients())
    }

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_time().build().unwrap()
    }

    async fn finished(job: &Job) -> JobStatus {
        let mut watching = job.status.subscribe();
        watching.wait_for(|status| status.state.is_final()).await.unwrap().clone()
    }

    #[test]
    fn a_job_reports_how_far_it_is_and_keeps_its_response() {
        runtime().block_on(async {
            let jobs = jobs();
            let (go, wait) = mpsc::channel::<()>();
            let job = jobs.begin("probe", move |progress| {
                progress.report(&Status::new("building KRK to dtm", "positions").at(3, 7));
                progress.warn("a damaged file");
                let _ = wait.recv();
                Content::json(&"done")
            });
            let job = job.unwrap();
            assert!(is_job(&job.address()));
            let mut watching = job.status.subscribe();
            let seen = watching.wait_for(|status| !status.warnings.is_empty()).await.unwrap().clone();
            let progress = seen.progress.unwrap();
            assert_eq!((seen.state, progress.activity.as_str()), (JobState::Running, "building KRK to dtm"));
            assert_eq!((progress.done, progress.total, progress.unit), (3, Some(7), "positions"));
            assert_eq!(job.response().unwrap_err().status, StatusCode::CONFLICT);
            drop(go);
            assert_eq!(finished(&job).await.state, JobState::Done);
            assert!(jobs.find(&job.id).unwrap().response().is_ok());
        });
    }

    #[test]
    fn cancelled_jobs_stop_and_are_forgotten() {
        runtime().block_on(async {
            let jobs = jobs();
            let (stopped, waiting) = mpsc::channel();
            let job = jobs.begin("probe", move |progress| {
                while progress.proceed().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                stopped.send(()).unwrap();
                Err(broken())
            });
            let job = job.unwrap();
            let mut watching = job.status.subscribe();
            drop(watching.wait_for(|status| status.state == JobState::Running).await.unwrap().clone());
            assert_eq!(jobs.cancel(&job.id).unwrap().state, JobState::Cancelled);
            assert_eq!(jobs.find(&job.id).err().unwrap().status, StatusCode::NOT_FOUND);
            waiting.recv().unwrap();
            assert_eq!(job.status().state, JobState::Cancelled);
        });
    }

    #[test]
    fn jobs_are_bounded_in_number_and_time() {
        runtime().block_on(async {
            let mut jobs = jobs();
            jobs.max_time = Duration::from_millis(50);
            let forever = |progress: &dyn Progress| {
                while progress.proceed().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(Refusal::busy("stopped"))
            };
            let all: Vec<Arc<Job>> = (0..MAX_JOBS).map(|_| jobs.begin("probe", forever).unwrap()).collect();
            let refused = jobs.begin("probe", forever).err().unwrap();
            assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
            let late = finished(&all[0]).await;
            assert_eq!(late.state, JobState::Failed);
            assert!(late.error.unwrap().contains("was stopped"));
            // The oldest that has finished makes room.
            let next = jobs.begin("probe", |_| Content::json(&1)).unwrap();
            assert_eq!(finished(&next).await.state, JobState::Done);
            assert!(jobs.find(&all[0].id).is_err());
        });
    }

    #[test]
    fn a_panic_fails_the_job_alone() {
        runtime().block_on(async {
            let jobs = jobs();
            let job = jobs.begin("probe", |_| panic!("on purpose")).unwrap();
            let status = finished(&job).await;
            assert_eq!(status.state, JobState::Failed);
            assert!(status.error.unwrap().contains("a bug in errare"));
            assert_eq!(job.response().unwrap_err().status, StatusCode::INTERNAL_SERVER_ERROR);
            let next = jobs.begin("probe", |_| Content::json(&1)).unwrap();
            assert_eq!(finished(&next).await.state, JobState::Done);
        });
    }

    #[test]
    fn ids_are_long_and_differ() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| new_id().unwrap()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| is_id(id)));
        assert!(!is_id("probe") && !is_id(&"g".repeat(ID_LETTERS)) && !is_id(&"A".repeat(ID_LETTERS)));
    }
}
