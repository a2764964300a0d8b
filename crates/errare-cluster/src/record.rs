//! Records of jobs that were begun.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A job's own account of itself, written by whoever works on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// How far the job is.
    pub state: RecordState,
    /// Number of times that the job was begun.
    pub attempts: u32,
    /// The machine that began the job last.
    pub host: String,
    /// Seconds that the last attempt took; none while it runs.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Why the last attempt failed.
    #[serde(default)]
    pub error: Option<String>,
    /// The files that the job wrote.
    #[serde(default)]
    pub outputs: Vec<OutputFile>,
    /// What came of the job, as the program understands it.
    #[serde(default)]
    pub result: Value,
}

/// How far a job is by its own account. A job that was killed still seems to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordState {
    /// The job was begun.
    Running,
    /// The job was stopped by a signal, to go on later.
    Stopped,
    /// The job failed.
    Failed,
    /// The job is done.
    Done,
}

/// A file that a job wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Length of the file in bytes.
    pub bytes: u64,
}

impl Record {
    /// Whether the job is done, and what it wrote is still there.
    ///
    /// On file systems over a network a file of another machine may become visible after its record.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let is_there = |output: &OutputFile| output.path.metadata().is_ok_and(|data| data.len() == output.bytes);
        self.state == RecordState::Done && self.outputs.iter().all(is_there)
    }
}
