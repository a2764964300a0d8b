//! Submitting failed and lost jobs again.

use super::status::ClusterStatusResponse;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_cluster::{ClusterError, JobState, RunFolder, Slurm, Submissions, nap};
use errare_work::{Progress, Status, Unreported};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Asks for the jobs of a run on Slurm to be submitted again that failed, were stopped or are lost.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterResumeRequest {
    /// The folder of the run.
    pub folder: PathBuf,
    /// Whether to watch the run until all jobs are done or given up, and to submit jobs again that fail meanwhile.
    #[serde(default)]
    pub watch: bool,
    /// Seconds between looks, if the run is watched.
    #[serde(default = "half_a_minute")]
    pub every_seconds: u64,
    /// Number of times that a job is submitted before it is given up; by default as when the run was started.
    #[serde(default)]
    pub tries: Option<u32>,
}

/// Number of times in a row that Slurm may fail to answer while a run is watched.
const MAX_FAILURES: u32 = 20;

fn half_a_minute() -> u64 {
    30
}

/// The jobs that were submitted again, and the present state of the run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterResumeResponse {
    /// Number of jobs that were submitted again.
    pub submitted: usize,
    /// Names of jobs that were given up, as they were submitted too often.
    pub given_up: Vec<String>,
    /// The state of the run.
    pub status: ClusterStatusResponse,
}

impl Operation for ClusterResumeRequest {
    const NAME: &'static str = "cluster-resume";
    const ABOUT: &'static str = "Submit again what failed of a run on many machines";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterResumeResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterResumeResponse, LabError> {
        lab.outside_path(&self.folder)?;
        let folder = RunFolder::open(&self.folder)?;
        let mut submissions = Submissions::read(&folder)?.ok_or_else(|| {
            LabError::request("the run was not submitted to Slurm: run the command again that planned it")
        })?;
        submissions.settings.tries = self.tries.unwrap_or(submissions.settings.tries);
        let (mut submitted, mut failures) = (0, 0);
        loop {
            let now = match submit_open(&folder, &mut submissions, &Unreported(progress)) {
                // Controllers are restarted now and then.
                Err(LabError::Cluster(error @ ClusterError::Program { .. }))
                    if self.watch && failures < MAX_FAILURES =>
                {
                    failures += 1;
                    progress.warn(&format!("{error}; trying again"));
                    nap(Duration::from_secs(self.every_seconds.max(1)), progress)?;
                    continue;
                }
                now => now?,
            };
            failures = 0;
            submitted += now.submitted;
            let (status, states, _) = ClusterStatusResponse::of(&folder, Some(&submissions), progress)?;
            let is_alive = states.iter().any(|state| matches!(state, JobState::Waiting | JobState::Running));
            let done = states.iter().filter(|&&state| state == JobState::Done).count();
            progress.report(&Status::new("watching the run", "jobs").at(done as u64, states.len() as u64));
            let is_open = states.iter().any(|&state| state.needs_submission()) && now.given_up.is_empty();
            if !self.watch || status.is_done || !(is_alive || is_open) {
                return Ok(ClusterResumeResponse { submitted, given_up: now.given_up, status });
            }
            nap(Duration::from_secs(self.every_seconds.max(1)), progress)?;
        }
    }
}

/// The jobs that were submitted after one look at a run.
pub(super) struct Submitted {
    /// Number of jobs that were submitted.
    pub submitted: usize,
    /// Names of jobs that were given up, as they were submitted too often.
    pub given_up: Vec<String>,
}

/// Submits all jobs that nobody works on, except jobs that were submitted too often, and those that need such a job.
pub(super) fn submit_open(
    folder: &RunFolder,
    submissions: &mut Submissions,
    progress: &dyn Progress,
) -> Result<Submitted, LabError> {
    let (_, states, queue) = ClusterStatusResponse::of(folder, Some(submissions), progress)?;
    let settings = submissions.settings.clone();
    let mut given_up = Vec::new();
    let mut is_hopeless = vec![false; states.len()];
    let mut numbers = Vec::new();
    for (number, (job, &state)) in folder.plan().jobs().iter().zip(&states).enumerate() {
        if !state.needs_submission() {
            continue;
        }
        let before = submissions.jobs.get_mut(&job.name);
        if before.as_ref().is_some_and(|submission| submission.times >= settings.tries) {
            is_hopeless[number] = true;
            given_up.push(job.name.clone());
        } else if job.needs.iter().any(|&needed| is_hopeless[needed]) {
            is_hopeless[number] = true;
        } else {
            // What ran out of time or memory needs more. Slurm forgets within minutes why a job ended.
            if let Some(submission) = before {
                match queue.state(submission) {
                    Some("TIMEOUT" | "DEADLINE") | None => {
                        submission.resources.minutes = submission.resources.minutes.saturating_mul(2);
                    }
                    Some("OUT_OF_MEMORY") => submission.resources.memory_bytes += submission.resources.memory_bytes / 2,
                    Some(_) => {}
                }
            }
            numbers.push(number);
        }
    }
    let done: Vec<bool> = states.iter().map(|&state| state == JobState::Done).collect();
    if !numbers.is_empty() {
        folder.forgive(&numbers, progress)?;
        Slurm { folder, settings: &settings }.submit(&numbers, &done, submissions, progress)?;
    }
    Ok(Submitted { submitted: numbers.len(), given_up })
}
