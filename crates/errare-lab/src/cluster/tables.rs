//! Tables as a graph of jobs: each job builds one table, after the tables that it needs.

use super::start::{ClusterRun, ClusterRunResponse, minutes};
use super::work::Work;
use crate::build::BuildRequest;
use crate::config::LabConfig;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_cluster::{Job, Resources, RunPlan};
use errare_tables::{Planned, needed_first};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Asks for tables to be built by many machines, each table by one job, in a folder of tables that all of them see.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterTablesRequest {
    /// The tables to build. Tables that they need are built too, unless they exist.
    pub tables: BuildRequest,
    /// The run on many machines that builds the tables.
    pub run: ClusterRun,
    /// Number of hours that each job asks for; by default three times the estimate.
    #[serde(default)]
    pub hours: Option<f64>,
}

impl Operation for ClusterTablesRequest {
    const NAME: &'static str = "cluster-tables";
    const ABOUT: &'static str = "Build tables on many machines";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterRunResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterRunResponse, LabError> {
        lab.outside_path(&self.run.folder)?;
        let folder = full(lab.tables()?.library().folder())?;
        let cpus = job_cpus(lab)?;
        let limit = lab.config().memory;
        let work = json!({"tables": self.tables, "folder": folder, "cpus": cpus, "memory": limit, "hours": self.hours});
        let asked_minutes = self.hours.map(minutes).transpose()?;
        let plan = || {
            let planned = plan_for_jobs(&self.tables, &folder, cpus, limit, progress)?;
            let needed = needed_first(&planned);
            let jobs = planned.iter().zip(needed).map(|(table, needs)| {
                let minutes = asked_minutes.unwrap_or_else(|| usual_minutes(table, cpus));
                table_job(table, needs, &folder, Resources { cpus, memory_bytes: asked_memory(table), minutes })
            });
            Ok(RunPlan::new(jobs.collect::<Result<_, _>>()?)?)
        };
        self.run.start(work, std::slice::from_ref(&folder), plan, lab, progress)
    }
}

/// Plans the tables that have to be built in a folder, by jobs of a number of processors and at most some memory each.
pub(super) fn plan_for_jobs(
    tables: &BuildRequest,
    folder: &Path,
    cpus: u16,
    memory: Option<u64>,
    progress: &dyn Progress,
) -> Result<Vec<Planned>, LabError> {
    let wanted = tables.wanted()?;
    let node = Lab::new(LabConfig {
        tables: Some(folder.to_owned()),
        threads: Some(cpus.into()),
        // What this machine has does not bound what a node has.
        memory: Some(memory.unwrap_or(u64::MAX)),
        ..LabConfig::default()
    });
    node.install(progress, || Ok(node.tables()?.plan(&wanted)?))
}

fn table_job(table: &Planned, needs: Vec<usize>, folder: &Path, resources: Resources) -> Result<Job, LabError> {
    let work = Work::Table {
        tables: folder.to_owned(),
        material: Text(table.material),
        metric: Text(table.metric),
        memory_bytes: table.memory,
    };
    let name = format!("{}.{}", table.material, table.metric);
    Ok(Job { name, needs, resources, cpu_seconds: table.effort, array: false, work: work.to_json()? })
}

/// The memory that a job asks for: a quarter more than the plan, and what the program itself takes.
fn asked_memory(table: &Planned) -> u64 {
    table.memory.saturating_add(table.memory / 4).saturating_add(256 << 20)
}

/// The minutes that a job asks for by default, since estimates are good to a factor of two on one kind of machine.
fn usual_minutes(table: &Planned, cpus: u16) -> u64 {
    10 + (3.0 * table.effort / f64::from(cpus) / 60.0).ceil() as u64
}

/// Number of processors of each job: the number of the lab's threads if it was set, else one.
pub(super) fn job_cpus(lab: &Lab) -> Result<u16, LabError> {
    let cpus = lab.config().threads.unwrap_or(1);
    u16::try_from(cpus).map_err(|_| LabError::request(format!("invalid number of processors {cpus} of a job")))
}

/// Makes a path absolute, as other machines need it.
pub(super) fn full(path: &Path) -> Result<PathBuf, LabError> {
    std::path::absolute(path).map_err(|source| LabError::Open { path: path.to_owned(), source })
}
