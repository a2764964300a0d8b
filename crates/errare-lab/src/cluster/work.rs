//! One job of a run, done here.

use crate::build::BuildRequest;
use crate::config::LabConfig;
use crate::error::LabError;
#[cfg(feature = "evaluate")]
use crate::evaluate::{EvaluateRequest, EvaluateResponse};
use crate::lab::Lab;
use crate::operation::{Exposure, NO_JSON, Operation};
use crate::text::Text;
use errare_cluster::{ClusterError, Job, OutputFile, Record, RecordState, RunFolder, host_name};
use errare_tables::{Material, Metric};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Instant;

/// Asks for one job of a run to be done, once the jobs that it needs are done. A job that is done already is left
/// alone.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterWorkRequest {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The number of the job, from `offset` on.
    pub number: usize,
    /// The number that `number` is counted from.
    #[serde(default)]
    pub offset: usize,
}

/// The result of one job.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterWorkResponse {
    /// The name of the job.
    pub name: String,
    /// Whether the job had been done before this request.
    pub was_done: bool,
    /// Number of seconds that the job took.
    pub seconds: Option<f64>,
    /// The response of the operation that the job stands for.
    pub result: Value,
}

/// The work of a job, as the plan of a run has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Work {
    /// Builds one table.
    Table {
        /// The folder of tables.
        tables: PathBuf,
        /// The endgame of the table.
        material: Text<Material>,
        /// The metric of the table.
        metric: Text<Metric>,
        /// Number of bytes of memory that building may take.
        memory_bytes: u64,
    },
    /// Evaluates a share of games.
    #[cfg(feature = "evaluate")]
    Shard(EvaluateRequest),
    /// Merges and checks the shares.
    #[cfg(feature = "evaluate")]
    Gather {
        /// The evaluation as a whole.
        whole: EvaluateRequest,
        /// Number of shares.
        shards: u32,
    },
}

impl Work {
    pub fn to_json(&self) -> Result<Value, LabError> {
        serde_json::to_value(self).map_err(|_| LabError::Internal("a job cannot be written as JSON"))
    }

    fn of(job: &Job) -> Result<Work, LabError> {
        let wrong = |error| LabError::request(format!("the plan's job {} cannot be done here: {error}", job.name));
        serde_json::from_value(job.work.clone()).map_err(wrong)
    }

    /// Does the work; returns its result, and the files that it wrote.
    fn perform(
        &self,
        folder: &RunFolder,
        job: &Job,
        lab: &Lab,
        progress: &dyn Progress,
    ) -> Result<(Value, Vec<PathBuf>), LabError> {
        let json = |value: Result<Value, serde_json::Error>| value.map_err(|_| NO_JSON);
        // Only the shape of the folder is of use without shares to merge.
        let _ = (folder, lab);
        match self {
            Work::Table { tables, material, metric, memory_bytes } => {
                let node = Lab::new(LabConfig {
                    tables: Some(tables.clone()),
                    threads: Some(job.resources.cpus.into()),
                    memory: Some(*memory_bytes),
                    ..LabConfig::default()
                });
                let request =
                    BuildRequest { materials: vec![*material], metrics: vec![*metric], ..BuildRequest::default() };
                let built = node.run(&request, progress)?;
                let path = node.tables()?.library().path(**material, **metric);
                Ok((json(serde_json::to_value(built))?, vec![path]))
            }
            #[cfg(feature = "evaluate")]
            Work::Shard(request) => {
                let found = match lab.run(request, progress) {
                    // Where there are more shares than games, some have none; the last job checks that all games are there.
                    Err(LabError::Evaluate(errare_evaluate::EvaluateError::NoGames { broken })) => {
                        EvaluateResponse::without_games(broken, request)
                    }
                    found => found?,
                };
                let files =
                    if found.games == 0 { Vec::new() } else { errare_evaluate::turn_files(&request.out, false) };
                Ok((json(serde_json::to_value(found))?, files))
            }
            #[cfg(feature = "evaluate")]
            Work::Gather { whole, shards } => {
                let (summary, files) = super::gather::gather(folder, whole, *shards, lab, progress)?;
                Ok((json(serde_json::to_value(summary))?, files))
            }
        }
    }
}

impl Operation for ClusterWorkRequest {
    const NAME: &'static str = "cluster-work";
    const ABOUT: &'static str = "Do one job of a run on many machines";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterWorkResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterWorkResponse, LabError> {
        let outside = lab.outside_path(&self.folder)?;
        let folder = RunFolder::open(&self.folder)?;
        let number = self.offset.saturating_add(self.number);
        let job = folder.job(number)?;
        let before = folder.record(job)?;
        let name = job.name.clone();
        if let Some(record) = before.as_ref().filter(|record| record.is_done()) {
            return Ok(ClusterWorkResponse { name, was_done: true, seconds: None, result: record.result.clone() });
        }
        let begun = Instant::now();
        let mut record = Record {
            state: RecordState::Running,
            attempts: before.map_or(0, |record| record.attempts).saturating_add(1),
            host: host_name(),
            seconds: None,
            error: None,
            outputs: Vec::new(),
            result: Value::Null,
        };
        folder.write_record(job, &record)?;
        let done = folder
            .wait_for_needed(job, progress)
            .map_err(LabError::from)
            .and_then(|()| Work::of(job)?.perform(&folder, job, lab, progress));
        record.seconds = Some((begun.elapsed().as_secs_f64() * 1e3).round() / 1e3);
        match done {
            Ok((result, files)) => {
                for path in files {
                    let data = outside.metadata(&path);
                    let bytes = data.map_err(|source| LabError::Open { path: path.clone(), source })?.len();
                    record.outputs.push(OutputFile { path, bytes });
                }
                record = Record { state: RecordState::Done, result: result.clone(), ..record };
                folder.write_record(job, &record)?;
                Ok(ClusterWorkResponse { name, was_done: false, seconds: record.seconds, result })
            }
            Err(error) => {
                let is_stopped =
                    matches!(error, LabError::Cancelled(_) | LabError::Cluster(ClusterError::Cancelled(_)));
                let state = if is_stopped { RecordState::Stopped } else { RecordState::Failed };
                record = Record { state, error: (!is_stopped).then(|| error.to_string()), ..record };
                folder.write_record(job, &record)?;
                Err(error)
            }
        }
    }
}
