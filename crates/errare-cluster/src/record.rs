//! What is known of a job that was begun.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A job's own account of itself, written by whoever works on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// How far it is.
    pub state: RecordState,
    /// How often it was begun.
    pub attempts: u32,
    /// The machine that began it last.
    pub host: String,
    /// Seconds that the last attempt took; none while it runs.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Why the last attempt failed.
    #[serde(default)]
    pub error: Option<String>,
    /// The files that it wrote.
    #[serde(default)]
    pub outputs: Vec<OutputFile>,
    /// What came of it, as the program understands it.
    #[serde(default)]
    pub result: Value,
}

/// How far a job is by its own account. One that was killed still seems to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordState {
    /// Begun.
    Running,
    /// Stopped by a signal, to go on later.
    Stopped,
    /// Failed.
    Failed,
    /// Done.
    Done,
}

/// A file that a job wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// The file.
    pub path: PathBuf,
    /// Its length.
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
