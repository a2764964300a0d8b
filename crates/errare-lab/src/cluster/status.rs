//! The state of a run and of its jobs.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_cluster::{JobState, Queue, RunFolder, Submissions};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Asks for the state of a run, by the records of its jobs and by what Slurm reports.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterStatusRequest {
    /// The folder of the run.
    pub folder: PathBuf,
}

/// The state of a run, with that of each job.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterStatusResponse {
    /// The folder of the run, in full.
    pub folder: PathBuf,
    /// Whether all jobs are done.
    pub is_done: bool,
    /// Number of jobs of each state: planned, waiting, running, stopped, failed, lost, done.
    pub states: BTreeMap<String, u64>,
    /// Share of the estimated work that is done, from 0 to 1; share of the jobs if the work is not known.
    pub share: f64,
    /// The states of the jobs, by number.
    pub jobs: Vec<ClusterJobStatus>,
}

/// The state of a job.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterJobStatus {
    /// The number of the job.
    pub number: usize,
    /// The name of the job.
    pub name: String,
    /// The state of the job: planned, waiting, running, stopped, failed, lost or done.
    pub state: String,
    /// The number that Slurm gave the job, such as 17, or 17_3 in an array.
    pub slurm_id: Option<String>,
    /// Slurm's own word for the job's state, and the reason.
    pub slurm_state: Option<String>,
    /// Number of times that the job was submitted to Slurm.
    pub submitted: u32,
    /// Number of times that the job was begun.
    pub attempts: u32,
    /// The machine that began the job last.
    pub host: Option<String>,
    /// Seconds that the last attempt took.
    pub seconds: Option<f64>,
    /// The reason why the last attempt failed.
    pub error: Option<String>,
}

impl Operation for ClusterStatusRequest {
    const NAME: &'static str = "cluster-status";
    const ABOUT: &'static str = "Show how far a run on many machines is";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterStatusResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterStatusResponse, LabError> {
        lab.outside_path(&self.folder)?;
        let folder = RunFolder::open(&self.folder)?;
        let submissions = Submissions::read(&folder)?;
        Ok(ClusterStatusResponse::of(&folder, submissions.as_ref(), progress)?.0)
    }
}

impl ClusterStatusResponse {
    /// Determines the state of a run, and the state of each job.
    pub(super) fn of(
        folder: &RunFolder,
        submissions: Option<&Submissions>,
        progress: &dyn Progress,
    ) -> Result<(ClusterStatusResponse, Vec<JobState>, Queue), LabError> {
        let has_submitted = submissions.is_some_and(|submissions| !submissions.jobs.is_empty());
        // Before the records: a job that ends meanwhile is done rather than lost.
        let queue = if has_submitted { Queue::ask()? } else { Queue::default() };
        let mut jobs = Vec::new();
        let mut found = Vec::new();
        let mut states: BTreeMap<String, u64> = BTreeMap::new();
        let (mut done, mut all) = (0.0, 0.0);
        let is_estimated = folder.plan().jobs().iter().any(|job| job.cpu_seconds > 0.0);
        for (number, job) in folder.plan().jobs().iter().enumerate() {
            progress.proceed()?;
            let record = folder.record(job)?;
            let submission = submissions.and_then(|submissions| submissions.jobs.get(&job.name));
            let state = JobState::of(record.as_ref(), submission.map(|submission| (submission, &queue)));
            *states.entry(state.name().to_owned()).or_default() += 1;
            let weight = if is_estimated { job.cpu_seconds } else { 1.0 };
            all += weight;
            done += if state == JobState::Done { weight } else { 0.0 };
            let words = submission.and_then(|submission| {
                let state = queue.state(submission)?;
                let reason = queue.reason(submission).map(|reason| format!(" ({reason})"));
                Some(format!("{state}{}", reason.unwrap_or_default()))
            });
            jobs.push(ClusterJobStatus {
                number,
                name: job.name.clone(),
                state: state.name().to_owned(),
                slurm_id: submission.map(errare_cluster::Submission::slurm_name),
                slurm_state: words,
                submitted: submission.map_or(0, |submission| submission.times),
                attempts: record.as_ref().map_or(0, |record| record.attempts),
                host: record.as_ref().map(|record| record.host.clone()),
                seconds: record.as_ref().and_then(|record| record.seconds),
                error: record.and_then(|record| record.error),
            });
            found.push(state);
        }
        let response = ClusterStatusResponse {
            folder: folder.path().to_owned(),
            is_done: found.iter().all(|&state| state == JobState::Done),
            states,
            share: done / f64::max(all, f64::MIN_POSITIVE),
            jobs,
        };
        Ok((response, found, queue))
    }
}
