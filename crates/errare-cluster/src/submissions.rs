//! Records of the jobs that were submitted to Slurm.

use crate::error::ClusterError;
use crate::plan::Resources;
use crate::run_folder::RunFolder;
use crate::slurm::SlurmSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The jobs of a run that were submitted to Slurm, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submissions {
    /// How jobs are submitted.
    pub settings: SlurmSettings,
    /// The last submission of each job, by its name.
    pub jobs: BTreeMap<String, Submission>,
}

/// A job as it was submitted last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Slurm's number of the job, or of the job array.
    pub id: String,
    /// The place of the job in the job array; none for a job alone.
    pub task: Option<usize>,
    /// Number of times that the job was submitted.
    pub times: u32,
    /// The processors, the memory and the time that the job asked for.
    pub resources: Resources,
}

const FILE: &str = "slurm.json";

impl Submissions {
    /// Reads the submissions of a run; none if nothing was submitted.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &RunFolder) -> Result<Option<Submissions>, ClusterError> {
        folder.read(FILE)
    }

    /// Writes the submissions of a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<(), ClusterError> {
        folder.write(FILE, self)
    }

    /// Number of jobs that are tasks of the job array with this id.
    pub(crate) fn tasks_of(&self, id: &str) -> usize {
        self.jobs.values().filter(|submission| submission.id == id).count()
    }
}

impl Submission {
    /// The name by which Slurm knows the job: `17`, or `17_3` in an array.
    #[must_use]
    pub fn slurm_name(&self) -> String {
        self.task.map_or_else(|| self.id.clone(), |task| format!("{}_{task}", self.id))
    }
}
