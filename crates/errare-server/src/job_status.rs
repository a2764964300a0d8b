//! How far a job is, as clients see it.

use crate::refusal::Refusal;
use errare_work::Status;
use schemars::JsonSchema;
use serde::Serialize;

/// Number of warnings that a job keeps.
const MAX_WARNINGS: usize = 20;

/// All jobs that are known.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JobList {
    /// How far each job is, the newest first.
    pub jobs: Vec<JobStatus>,
}

/// How far a job is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JobStatus {
    /// The id of the job.
    pub id: String,
    /// The operation that it runs.
    pub operation: &'static str,
    /// When it was asked for, as in 2026-01-31T12:00:00.000Z.
    pub started: String,
    /// Whether it is waiting, running or finished.
    pub state: JobState,
    /// What is being done; null before the job has reported it, and once it has finished.
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
    /// It begins when other jobs have finished.
    Waiting,
    /// It is being worked on.
    Running,
    /// It has a response.
    Done,
    /// It has no response, for the reason that `error` gives.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl JobState {
    /// Whether nothing will change any more.
    pub fn is_final(self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }

    /// The name as JSON has it.
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

/// What is being done, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ActivityStatus {
    /// The activity, such as `building KQKR to dtm`.
    pub activity: String,
    /// What is counted, in the plural: positions, games, moves.
    pub unit: &'static str,
    /// Number of units done.
    pub done: u64,
    /// Number of units in all; null if it is not known.
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

    /// Keeps a warning, if there are not too many.
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
