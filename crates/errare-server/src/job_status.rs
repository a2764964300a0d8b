//! The status of jobs as clients see it.

use crate::refusal::Refusal;
use errare_work::Status;
use schemars::JsonSchema;
use serde::Serialize;

/// The greatest number of warnings that a job keeps.
const MAX_WARNINGS: usize = 20;

/// All jobs that the server knows.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JobList {
    /// The status of each job, the newest job first.
    pub jobs: Vec<JobStatus>,
}

/// The status of a job: how far it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JobStatus {
    /// The id of the job.
    pub id: String,
    /// The operation that the job runs.
    pub operation: &'static str,
    /// The time at which the job was asked for, as in 2026-01-31T12:00:00.000Z.
    pub started: String,
    /// Whether the job is waiting, running or finished.
    pub state: JobState,
    /// The activity that the job is at; null before the job has reported one, and once it has finished.
    pub progress: Option<ActivityStatus>,
    /// Warnings about the work, such as that a table was damaged and is built again.
    pub warnings: Vec<String>,
    /// Why the job failed or was cancelled.
    pub error: Option<String>,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// The job begins when other jobs have finished.
    Waiting,
    /// The job is being worked on.
    Running,
    /// The job has a response.
    Done,
    /// The job has no response, for the reason that `error` gives.
    Failed,
    /// The job was cancelled.
    Cancelled,
}

impl JobState {
    /// Whether the job has finished, so that its state does not change any more.
    pub fn is_final(self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }

    /// The name of the state in JSON.
    pub fn name(self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Done => "done",
            JobState::Failed => "failed",
            JobState::Cancelled => "cancelled",
        }
    }
}

/// The current activity of a job, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ActivityStatus {
    /// The activity, such as `building KQKR to dtm`.
    pub activity: String,
    /// The unit that is counted, in the plural: positions, games, moves.
    pub unit: &'static str,
    /// Number of units done.
    pub done: u64,
    /// Number of units in all; null if that is not known.
    pub total: Option<u64>,
    /// The step within the activity, such as `ply 17`.
    pub step: Option<String>,
    /// The plan that this activity is a part of.
    pub plan: Option<PlanProgress>,
}

/// How far a plan of several activities is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanProgress {
    /// The number of the current part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
    /// Share of all the effort that is done, from 0 to 1.
    pub share: f64,
}

impl JobStatus {
    pub fn new(id: &str, operation: &'static str, started: &str) -> JobStatus {
        let (state, progress, warnings, error) = (JobState::Waiting, None, Vec::new(), None);
        JobStatus { id: id.to_owned(), operation, started: started.to_owned(), state, progress, warnings, error }
    }

    /// Keeps a warning, unless there are too many already.
    pub fn warn(&mut self, warning: &str) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning.to_owned());
        }
    }

    /// Notes that the job has finished, with a response or a refusal.
    pub fn finish(&mut self, refusal: Option<&Refusal>) {
        self.state = if refusal.is_some() { JobState::Failed } else { JobState::Done };
        self.error = refusal.map(|refusal| refusal.sentence.clone());
        self.progress = None;
    }

    /// Notes that the job was cancelled.
    pub fn cancel(&mut self) {
        self.state = JobState::Cancelled;
        self.error = Some("the job was cancelled".to_owned());
        self.progress = None;
    }
}

impl From<&Status<'_>> for ActivityStatus {
    fn from(status: &Status<'_>) -> ActivityStatus {
        let plan = status.plan.map(|plan| PlanProgress { part: plan.part, parts: plan.parts, share: plan.share });
        ActivityStatus {
            activity: status.activity.to_owned(),
            unit: status.unit,
            done: status.done,
            total: status.total,
            step: status.step.map(str::to_owned),
            plan,
        }
    }
}
