//! Evaluations as an array of jobs: each evaluates its share of the games, and the last one merges and checks.

use super::start::{ClusterRun, ClusterRunResponse, minutes};
use super::tables::{full, job_cpus};
use super::work::Work;
use crate::error::LabError;
use crate::evaluate::EvaluateRequest;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_cluster::{Job, Resources, RunPlan};
use errare_evaluate::Shard;
use errare_work::{Progress, WorkFiles, is_stdout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Asks for games to be evaluated by many machines: each job evaluates a share of them, with a cache and a turn file of its
/// own, and the last one merges the shares and checks that no turn is missing or double.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterEvaluateRequest {
    /// The evaluation request, with the file for the merged turns. It names neither a share nor a cache.
    pub evaluate: EvaluateRequest,
    /// Number of shares that the games are divided into.
    pub shards: u32,
    /// The run on many machines that does the evaluation.
    pub run: ClusterRun,
    /// Number of hours that each job asks for.
    #[serde(default = "day")]
    pub hours: f64,
}

fn day() -> f64 {
    24.0
}

/// Number of bytes of memory for each engine: its hash table, its net, and our own memory.
const BYTES_FOR_ENGINE: u64 = 512 << 20;

impl Operation for ClusterEvaluateRequest {
    const NAME: &'static str = "cluster-evaluate";
    const ABOUT: &'static str = "Evaluate games on many machines";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterRunResponse;

    fn files(&self) -> WorkFiles {
        self.evaluate.files()
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterRunResponse, LabError> {
        lab.outside_path(&self.run.folder)?;
        self.check()?;
        let cpus = match self.evaluate.workers {
            None => job_cpus(lab)?,
            Some(workers) => u16::try_from(workers).map_err(|_| LabError::request("too many workers"))?,
        };
        let whole = EvaluateRequest {
            files: self.evaluate.files.iter().map(|file| full(file)).collect::<Result<_, _>>()?,
            out: full(&self.evaluate.out)?,
            workers: Some(cpus.into()),
            ..self.evaluate.clone()
        };
        let memory_bytes = lab.config().memory.unwrap_or(BYTES_FOR_ENGINE * (u64::from(cpus) + 1));
        let resources = Resources { cpus, memory_bytes, minutes: minutes(self.hours)? };
        let work = json!({"evaluate": whole, "shards": self.shards, "resources": resources});
        let folder = full(&self.run.folder)?;
        let plan = || {
            let mut jobs = Vec::new();
            for number in 1..=self.shards {
                let work = Work::Shard(shard_request(&whole, &folder, number, self.shards)?);
                let name = format!("shard-{number:05}");
                jobs.push(job(name, Vec::new(), resources, true, &work)?);
            }
            let work = Work::Gather { whole: whole.clone(), shards: self.shards };
            let alone = Resources { cpus: 1, ..resources };
            jobs.push(job("merge".to_owned(), (0..jobs.len()).collect(), alone, false, &work)?);
            Ok(RunPlan::new(jobs)?)
        };
        let paths: Vec<PathBuf> = whole.files.iter().chain([&whole.out]).cloned().collect();
        self.run.start(work, &paths, plan, lab, progress)
    }
}

impl ClusterEvaluateRequest {
    fn check(&self) -> Result<(), LabError> {
        let EvaluateRequest { files, out, shard, cache, .. } = &self.evaluate;
        let refuse = |reason: &str| Err(LabError::request(reason));
        match () {
            () if files.is_empty() => refuse("no games to evaluate: name files of games"),
            () if !(1..=100_000).contains(&self.shards) => refuse("invalid number of shards: expected 1 to 100,000"),
            () if is_stdout(out) => refuse("merged turns of many machines go to a folder, not to standard output"),
            () if shard.0 != Shard::WHOLE => refuse("give a number of shards, not one of them"),
            () if cache.is_some() => refuse("each shard has a cache of its own: give none"),
            () => Ok(()),
        }
    }
}

fn job(name: String, needs: Vec<usize>, resources: Resources, array: bool, work: &Work) -> Result<Job, LabError> {
    Ok(Job { name, needs, resources, cpu_seconds: 0.0, array, work: work.to_json()? })
}

/// The folder of a share with a number.
pub(super) fn shard_folder(run: &Path, number: u32) -> PathBuf {
    run.join("shards").join(format!("{number:05}"))
}

fn shard_request(whole: &EvaluateRequest, run: &Path, number: u32, of: u32) -> Result<EvaluateRequest, LabError> {
    let out = shard_folder(run, number);
    let shard: Shard = format!("{number}/{of}").parse().map_err(LabError::request)?;
    let cache = Some(out.join("evaluations.sqlite"));
    Ok(EvaluateRequest { out, cache, shard: Text(shard), jsonl: false, ..whole.clone() })
}
