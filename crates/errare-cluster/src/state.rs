//! How far a job is, by its own record and by what Slurm knows.

use crate::record::{Record, RecordState};
use crate::slurm::Queue;
use crate::submissions::Submission;

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// The job was neither begun nor submitted.
    Planned,
    /// The job was submitted, and waits for others or for a node.
    Waiting,
    /// The job is in work.
    Running,
    /// The job was stopped by a signal, and is not submitted.
    Stopped,
    /// The job failed, by its own account or by Slurm's.
    Failed,
    /// The job has no complete result, and nobody works on it: Slurm does not know it or calls it completed, or its
    /// files are missing.
    Lost,
    /// The job is done, and the files that it wrote are there.
    Done,
}

impl JobState {
    /// Tells how far a job is: by its record, and if it was submitted to Slurm by the queue.
    #[must_use]
    pub fn of(record: Option<&Record>, slurm: Option<(&Submission, &Queue)>) -> JobState {
        if record.is_some_and(Record::is_done) {
            return JobState::Done;
        }
        let by_record = match record.map(|record| record.state) {
            None => JobState::Planned,
            Some(RecordState::Running) => JobState::Running,
            Some(RecordState::Stopped) => JobState::Stopped,
            Some(RecordState::Failed) => JobState::Failed,
            // Its files are gone, or damaged.
            Some(RecordState::Done) => JobState::Lost,
        };
        let Some((submission, queue)) = slurm else { return by_record };
        match queue.state(submission) {
            Some("PENDING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" | "RESV_DEL_HOLD") => {
                JobState::Waiting
            }
            Some("CONFIGURING" | "RUNNING" | "COMPLETING" | "SIGNALING" | "STAGE_OUT" | "STOPPED" | "SUSPENDED") => {
                JobState::Running
            }
            Some("COMPLETED") => JobState::Lost,
            Some(_) => JobState::Failed,
            None if by_record == JobState::Failed => JobState::Failed,
            None => JobState::Lost,
        }
    }

    /// Whether nobody works on the job and nobody will.
    #[must_use]
    pub fn needs_submission(self) -> bool {
        matches!(self, JobState::Planned | JobState::Stopped | JobState::Failed | JobState::Lost)
    }

    /// The name of the state in JSON and in sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            JobState::Planned => "planned",
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Stopped => "stopped",
            JobState::Failed => "failed",
            JobState::Lost => "lost",
            JobState::Done => "done",
        }
    }
}
