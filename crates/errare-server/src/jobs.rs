//! Long work: started by one request, watched, cancelled and fetched by others.
//!
//! Jobs are kept in the store: whatever came of one survives a restart of the server, and one that was not finished is
//! begun again.

use crate::calls::Call;
use crate::content::Content;
use crate::job_progress::JobProgress;
use crate::job_status::{JobState, JobStatus};
use crate::refusal::Refusal;
use crate::store::{JobRow, Store, StoredOutcome};
use crate::unique_id::unique_id;
use crate::work::{Answer, Queue, blocking, broken};
use axum::http::StatusCode;
use errare_lab::{Lab, OperationInfo};
use errare_work::{Cancel, Progress};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The greatest number of jobs that run at once.
const MAX_RUNNING: usize = 2;

/// The greatest number of jobs that are waiting, running, or finished and not yet forgotten.
const MAX_JOBS: usize = 32;

/// The longest time that a job may run.
pub const MAX_TIME: Duration = Duration::from_secs(8 * 3600);

/// The greatest number of times that a job is begun that ends its server each time.
const MAX_STARTS: u32 = 3;

/// All jobs of a server. Clones share them.
#[derive(Clone)]
pub struct Jobs(Arc<Inner>);

struct Inner {
    lab: Lab,
    queue: Queue,
    store: Store,
    /// The jobs, the oldest first.
    all: Mutex<Vec<Arc<Job>>>,
    /// The response that was last asked for in parts.
    opened: Mutex<Option<(String, Arc<Value>)>>,
    max_time: Duration,
}

/// A job: one call of an operation that may take long.
pub struct Job {
    id: String,
    store: Store,
    pub status: watch::Sender<JobStatus>,
    pub cancel: Cancel,
}

impl Jobs {
    /// Makes the jobs of a store, which run on threads of their own. Unfinished jobs are begun again, unless another
    /// server has the store too: they may belong to that server.
    pub fn new(lab: &Lab, store: Store) -> Result<Jobs, Refusal> {
        let jobs = Jobs::with_time(lab, store, MAX_TIME);
        for row in jobs.0.store.jobs()? {
            jobs.take_up(&row)?;
        }
        Ok(jobs)
    }

    fn with_time(lab: &Lab, store: Store, max_time: Duration) -> Jobs {
        // A job that waits for a place counts among all jobs, which are fewer than the queue has room for.
        let queue = Queue::new(MAX_RUNNING, MAX_JOBS);
        let (all, opened) = (Mutex::default(), Mutex::default());
        Jobs(Arc::new(Inner { lab: lab.with_own_threads(), queue, store, all, opened, max_time }))
    }

    /// Takes up a job of an earlier server.
    fn take_up(&self, row: &JobRow) -> Result<(), Refusal> {
        let store = &self.0.store;
        let Some(operation) = OperationInfo::find(&row.operation) else { return store.forget_job(&row.id) };
        let status = JobStatus::new(&row.id, operation.name, &row.started);
        let is_finished = matches!(row.state.as_str(), "done" | "failed");
        if is_finished {
            let state = if row.state == "done" { JobState::Done } else { JobState::Failed };
            self.push(&JobStatus { state, error: row.error.clone(), ..status });
            return Ok(());
        }
        if !store.is_alone() {
            return Ok(());
        }
        let Some((request, starts)) = store.job_request(&row.id)? else { return Ok(()) };
        let job = self.push(&status);
        if starts >= MAX_STARTS {
            let sentence = format!("this was begun {starts} times, and each time the server ended before it was done");
            job.finish(Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)));
            return Ok(());
        }
        match Call::stored(operation, &request) {
            Ok(call) => self.run(&job, call),
            Err(refusal) => {
                job.finish(Err(refusal));
                Ok(())
            }
        }
    }

    fn push(&self, status: &JobStatus) -> Arc<Job> {
        let store = self.0.store.clone();
        let job =
            Job { id: status.id.clone(), store, status: watch::Sender::new(status.clone()), cancel: Cancel::new() };
        let job = Arc::new(job);
        self.0.all().push(Arc::clone(&job));
        job
    }

    /// Starts a job. Its request is stored first, which takes a while if it is large.
    pub async fn start(&self, call: Call) -> Result<Arc<Job>, Refusal> {
        let jobs = self.clone();
        let (job, call) = blocking(move || Ok((jobs.add(call.operation.name, &call.text()?)?, call))).await?;
        self.run(&job, call)?;
        Ok(job)
    }

    fn run(&self, job: &Arc<Job>, call: Call) -> Result<(), Refusal> {
        let lab = self.0.lab.clone();
        self.begin(job, move |progress| call.run(&lab, progress))
    }

    /// Adds a job to the store and the list. If there are too many jobs, the oldest finished one is forgotten.
    fn add(&self, operation: &'static str, request: &str) -> Result<Arc<Job>, Refusal> {
        let mut all = self.0.all();
        if all.len() >= MAX_JOBS {
            let oldest = all.iter().position(|job| job.status.borrow().state.is_final());
            let oldest = oldest
                .ok_or_else(|| Refusal::busy(format!("there are {MAX_JOBS} jobs already: ask again, or cancel one")))?;
            self.0.store.forget_job(&all[oldest].id)?;
            all.remove(oldest);
        }
        drop(all);
        let id = unique_id()?;
        let started = self.0.store.add_job(&id, operation, request)?;
        Ok(self.push(&JobStatus::new(&id, operation, &started)))
    }

    fn begin(
        &self,
        job: &Arc<Job>,
        work: impl FnOnce(&dyn Progress) -> Answer + Send + 'static,
    ) -> Result<(), Refusal> {
        let (running, max_time) = (Arc::clone(job), self.0.max_time);
        self.0.queue.begin(move || running.run(max_time, work))
    }

    /// Lists the status of all jobs, the newest first.
    pub fn list(&self) -> Vec<JobStatus> {
        self.0.all().iter().rev().map(|job| job.status()).collect()
    }

    /// The job of an id.
    pub fn find(&self, id: &str) -> Result<Arc<Job>, Refusal> {
        let found = self.0.all().iter().find(|job| job.id == id).cloned();
        found.ok_or_else(|| Refusal::not_found("there is no such job: the oldest are forgotten when there are many"))
    }

    /// Cancels a job and forgets it.
    pub fn cancel(&self, id: &str) -> Result<JobStatus, Refusal> {
        let job = self.find(id)?;
        self.0.all().retain(|other| other.id != id);
        job.cancel.cancel();
        // Watchers see the cancellation even if the store cannot be written.
        job.status.send_modify(|status| status.cancel());
        self.0.store.forget_job(id)?;
        Ok(job.status())
    }

    /// The response of a job that has finished: all of it, or the part that a JSON pointer leads to.
    pub fn response(&self, id: &str, pointer: Option<&str>) -> Answer {
        let job = self.find(id)?;
        if !job.status.borrow().state.is_final() {
            let address = job.address();
            let sentence = format!("the job is not finished: watch {address} or {address}/events");
            return Err(Refusal::new(StatusCode::CONFLICT, sentence));
        }
        let Some(pointer) = pointer else { return job.outcome() };
        let whole = self.opened(&job)?;
        let part = whole.pointer(pointer);
        Content::json(part.ok_or_else(|| Refusal::not_found(format!("the response has nothing at {pointer}")))?)
    }

    /// Reads the response of a job. The last one stays in memory, since clients look at it part by part.
    fn opened(&self, job: &Job) -> Result<Arc<Value>, Refusal> {
        let mut opened = self.0.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((id, value)) = &*opened
            && *id == job.id
        {
            return Ok(Arc::clone(value));
        }
        let value: Value = serde_json::from_slice(job.outcome()?.bytes()).map_err(|_| broken())?;
        let value = Arc::new(value);
        *opened = Some((job.id.clone(), Arc::clone(&value)));
        Ok(value)
    }
}

impl Inner {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops work that nobody can ask about any more, and parks it for the next server.
impl Drop for Inner {
    fn drop(&mut self) {
        for job in self.all().iter() {
            job.cancel.cancel();
            // If that cannot be noted, the job counts as one that ended its server.
            let _ = self.store.park_job(&job.id);
        }
    }
}

impl Job {
    /// The address of the job's status.
    pub fn address(&self) -> String {
        format!("/api/v1/jobs/{}", self.id)
    }

    /// The present status of the job.
    pub fn status(&self) -> JobStatus {
        self.status.borrow().clone()
    }

    /// The outcome of the job, as it was stored.
    fn outcome(&self) -> Answer {
        let gone = || Refusal::not_found("the response of this job was not kept");
        let StoredOutcome { status, bytes } = self.store.job_outcome(&self.id)?.ok_or_else(gone)?;
        match StatusCode::from_u16(status) {
            Ok(StatusCode::OK) => Ok(Content::json_bytes(bytes)),
            Ok(status) => Err(Refusal::new(status, String::from_utf8_lossy(&bytes))),
            Err(_) => Err(broken()),
        }
    }

    fn run(&self, max_time: Duration, work: impl FnOnce(&dyn Progress) -> Answer) {
        if self.cancel.is_cancelled() {
            return;
        }
        // Whether or not this can be noted, the work can be done.
        let _ = self.store.begin_job(&self.id);
        self.status.send_modify(|status| status.state = JobState::Running);
        let progress = JobProgress::new(self, max_time);
        let answer = catch_unwind(AssertUnwindSafe(|| work(&progress))).unwrap_or_else(|_| Err(broken()));
        let answer = match answer {
            Err(_) if progress.is_late() => {
                let hours = max_time.as_secs() / 3600;
                Err(Refusal::busy(format!("this took more than {hours} hours and was stopped")))
            }
            answer => answer,
        };
        // Whoever cancelled it does not wait for an answer, or wants it begun again by the next server.
        if !self.cancel.is_cancelled() {
            self.finish(answer);
        }
    }

    /// Stores the outcome of the job, and updates its status.
    fn finish(&self, answer: Answer) {
        let outcome = match &answer {
            Ok(content) => StoredOutcome { status: StatusCode::OK.as_u16(), bytes: content.bytes().to_vec() },
            Err(refusal) => {
                StoredOutcome { status: refusal.status.as_u16(), bytes: refusal.sentence.clone().into_bytes() }
            }
        };
        let answer = self.store.finish_job(&self.id, &outcome).and(answer);
        self.status.send_modify(|status| status.finish(answer.as_ref().err()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_lab::LabConfig;
    use errare_work::Status;
    use std::sync::mpsc;
    use std::thread;
    use tokio::runtime::{Builder, Runtime};

    fn lab() -> Lab {
        Lab::new(LabConfig { threads: Some(1), ..LabConfig::default() }).for_clients()
    }

    fn jobs() -> Jobs {
        Jobs::new(&lab(), Store::in_memory().unwrap()).unwrap()
    }

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_time().build().unwrap()
    }

    fn begin(jobs: &Jobs, work: impl FnOnce(&dyn Progress) -> Answer + Send + 'static) -> Result<Arc<Job>, Refusal> {
        let job = jobs.add("probe", "{}")?;
        jobs.begin(&job, work)?;
        Ok(job)
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
            let job = begin(&jobs, move |progress| {
                progress.report(&Status::new("building KRK to dtm", "positions").at(3, 7));
                progress.warn("a damaged file");
                let _ = wait.recv();
                Content::json(&serde_json::json!({"games": [1, {"title": "two"}]}))
            });
            let job = job.unwrap();
            let mut watching = job.status.subscribe();
            let seen = watching.wait_for(|status| !status.warnings.is_empty()).await.unwrap().clone();
            let progress = seen.progress.unwrap();
            assert_eq!((seen.state, progress.activity.as_str()), (JobState::Running, "building KRK to dtm"));
            assert_eq!((progress.done, progress.total, progress.unit), (3, Some(7), "positions"));
            assert_eq!(jobs.response(&job.id, None).unwrap_err().status, StatusCode::CONFLICT);
            drop(go);
            assert_eq!(finished(&job).await.state, JobState::Done);
            assert!(jobs.response(&job.id, None).is_ok());
            let part = |pointer: &str| jobs.response(&job.id, Some(pointer)).map(|content| content.bytes().to_vec());
            assert_eq!(part("/games/1/title").unwrap(), b"\"two\"\n");
            assert_eq!(part("/games/2").unwrap_err().status, StatusCode::NOT_FOUND);
        });
    }

    #[test]
    fn cancelled_jobs_stop_and_are_forgotten() {
        runtime().block_on(async {
            let jobs = jobs();
            let (stopped, waiting) = mpsc::channel();
            let job = begin(&jobs, move |progress| {
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
            assert!(jobs.0.store.jobs().unwrap().is_empty());
        });
    }

    #[test]
    fn jobs_are_bounded_in_number_and_time() {
        runtime().block_on(async {
            let jobs = Jobs::with_time(&lab(), Store::in_memory().unwrap(), Duration::from_millis(50));
            let forever = |progress: &dyn Progress| {
                while progress.proceed().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(Refusal::busy("stopped"))
            };
            let all: Vec<Arc<Job>> = (0..MAX_JOBS).map(|_| begin(&jobs, forever).unwrap()).collect();
            let refused = begin(&jobs, forever).err().unwrap();
            assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
            let late = finished(&all[0]).await;
            assert_eq!(late.state, JobState::Failed);
            assert!(late.error.unwrap().contains("was stopped"));
            // The oldest that has finished makes room.
            let next = begin(&jobs, |_| Content::json(&1)).unwrap();
            assert_eq!(finished(&next).await.state, JobState::Done);
            assert!(jobs.find(&all[0].id).is_err());
        });
    }

    #[test]
    fn a_panic_fails_the_job_alone() {
        runtime().block_on(async {
            let jobs = jobs();
            let job = begin(&jobs, |_| panic!("on purpose")).unwrap();
            let status = finished(&job).await;
            assert_eq!(status.state, JobState::Failed);
            assert!(status.error.unwrap().contains("a bug in errare"));
            assert_eq!(jobs.response(&job.id, None).unwrap_err().status, StatusCode::INTERNAL_SERVER_ERROR);
            let next = begin(&jobs, |_| Content::json(&1)).unwrap();
            assert_eq!(finished(&next).await.state, JobState::Done);
        });
    }

    /// The next server has what came of the jobs of the one before, and begins again what was not finished.
    #[test]
    fn jobs_outlive_their_server() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(folder.path()).unwrap();
        let done = runtime().block_on(async {
            let jobs = Jobs::new(&lab(), open()).unwrap();
            let done = begin(&jobs, |_| Content::json(&"kept")).unwrap();
            finished(&done).await;
            let parked = begin(&jobs, |progress| {
                while progress.proceed().is_ok() {
                    thread::sleep(Duration::from_millis(1));
                }
                Err(broken())
            });
            let mut watching = parked.unwrap().status.subscribe();
            drop(watching.wait_for(|status| status.state == JobState::Running).await.unwrap().clone());
            done.id.clone()
        });
        runtime().block_on(async {
            let jobs = Jobs::new(&lab(), open()).unwrap();
            assert_eq!(jobs.response(&done, None).unwrap().bytes(), &b"\"kept\"\n"[..]);
            let again = jobs.list().into_iter().find(|job| job.id != done).unwrap();
            let again = jobs.find(&again.id).unwrap();
            // `{}` is not a request to probe: it is refused, and so it was begun.
            let status = finished(&again).await;
            assert_eq!(status.state, JobState::Failed);
            assert!(status.error.unwrap().contains("missing field `fen`"));
        });
    }

    #[test]
    fn a_job_that_ends_its_server_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.add_job("a", "probe", "{\"fen\": \"8/8/8/8/8/2k5/1R6/K7 w - - 0 1\"}").unwrap();
        (0..MAX_STARTS).for_each(|_| store.begin_job("a").unwrap());
        runtime().block_on(async {
            let jobs = Jobs::new(&lab(), store).unwrap();
            let refused = jobs.response("a", None).unwrap_err();
            assert!(refused.sentence.contains("begun 3 times"), "{}", refused.sentence);
        });
    }
}
