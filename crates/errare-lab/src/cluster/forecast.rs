//! Forecasts of the time that a run takes on some numbers of nodes.

use super::tables::{job_cpus, plan_for_jobs};
use crate::build::BuildRequest;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_cluster::{Job, Resources, RunPlan, longest_chain, schedule};
use errare_tables::{Material, Planned, needed_first};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Asks for the work, the size and the wall-clock of a run on some numbers of nodes. Nothing is built, and existing
/// tables are ignored: the forecast is for a run from scratch.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterForecastRequest {
    /// The work of the run.
    pub work: ForecastWork,
    /// Numbers of nodes to forecast for.
    #[serde(default = "usual_nodes")]
    pub nodes: Vec<u32>,
    /// Number of processors of a node.
    #[serde(default = "usual_cores")]
    pub cores: u16,
    /// Number of bytes of memory of a node.
    #[serde(default = "usual_memory")]
    pub node_memory_bytes: u64,
}

fn usual_nodes() -> Vec<u32> {
    vec![1, 10, 100, 1000]
}

fn usual_cores() -> u16 {
    16
}

fn usual_memory() -> u64 {
    64 << 30
}

/// The work that a forecast is about.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ForecastWork {
    /// Tables are built, each by one job.
    Tables {
        /// The tables to build; tables that they need are built too.
        tables: BuildRequest,
        /// Number of bytes of an entry in a table's file.
        #[serde(default = "entry_bytes")]
        bytes_per_entry: f64,
        /// Tables that were measured, such as `KRNKNN=240,900000000` for 240 CPU-seconds and 900 MB: estimates of
        /// tables with as many men or more are multiplied by the factor by which those of the measured tables were off.
        #[serde(default)]
        measured: Vec<Text<MeasuredTable>>,
    },
    /// Games are evaluated.
    Games(ForecastGames),
}

/// Games to be evaluated, as far as a forecast needs them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForecastGames {
    /// Number of games.
    pub games: u64,
    /// Number of turns of a game that count, on average.
    #[serde(default = "usual_turns")]
    pub turns_per_game: f64,
    /// Number of CPU-seconds of the engine for a turn.
    #[serde(default = "usual_seconds")]
    pub cpu_seconds_per_turn: f64,
    /// Number of CPU-seconds for passing over a game of another share: every share reads all games of its files.
    #[serde(default = "usual_reading")]
    pub cpu_seconds_per_game_read: f64,
    /// Number of bytes of a turn in a turn file.
    #[serde(default = "usual_bytes")]
    pub bytes_per_turn: f64,
    /// Number of games in a file, and so in a run: a run merges the turns that its shares evaluated.
    #[serde(default = "usual_file")]
    pub games_per_file: u64,
    /// Number of shares that a file is divided into.
    #[serde(default = "usual_shards")]
    pub shards: u32,
}

/// The default number of bytes of an entry, as measured on 17 five-man endgames without pawns, to DTZ.
fn entry_bytes() -> f64 {
    0.13
}

/// The default number of turns of a game that count, as measured on 87 over-the-board games.
fn usual_turns() -> f64 {
    70.0
}

/// The default number of CPU-seconds for a turn, as measured with Stockfish 15.1 at depth 10, all moves.
fn usual_seconds() -> f64 {
    0.65
}

/// The default number of CPU-seconds for passing over a game, as measured on 12,009 games, three walks through them.
fn usual_reading() -> f64 {
    8e-5
}

/// The default number of bytes of a turn, as measured on 6,051 turns in Parquet.
fn usual_bytes() -> f64 {
    110.0
}

fn usual_file() -> u64 {
    1_000_000
}

fn usual_shards() -> u32 {
    1000
}

/// A table whose work and size were measured, written `KRNKNN=240,900000000`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredTable {
    /// The endgame of the table.
    pub material: Material,
    /// Number of CPU-seconds of solving and storing.
    pub cpu_seconds: f64,
    /// Number of bytes of the file.
    pub bytes: u64,
}

/// The error of a text that is not a measured table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid measured table `{0}`: expected an endgame, CPU-seconds and bytes, such as KRNKNN=240,900000000")]
pub struct MeasuredTableError(String);

impl FromStr for MeasuredTable {
    type Err = MeasuredTableError;

    fn from_str(text: &str) -> Result<MeasuredTable, MeasuredTableError> {
        let read = || {
            let (material, rest) = text.split_once('=')?;
            let (seconds, bytes) = rest.split_once(',')?;
            let cpu_seconds = seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)?;
            let bytes = bytes.parse().ok().filter(|&bytes: &u64| bytes > 0)?;
            Some(MeasuredTable { material: material.parse().ok()?, cpu_seconds, bytes })
        };
        read().ok_or_else(|| MeasuredTableError(text.to_owned()))
    }
}

impl fmt::Display for MeasuredTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={},{}", self.material, self.cpu_seconds, self.bytes)
    }
}

/// A forecast of a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterForecastResponse {
    /// Number of jobs.
    pub jobs: u64,
    /// Number of hours of one processor that all jobs take together.
    pub core_hours: f64,
    /// Number of bytes of all files together.
    pub bytes: f64,
    /// Number of hours of the longest chain of jobs each of which needs the one before: no number of nodes takes less.
    pub longest_chain_hours: f64,
    /// The greatest number of bytes of memory that a job asks for.
    pub job_memory_bytes: u64,
    /// Number of jobs that run on a node at once, by its processors and its memory.
    pub jobs_per_node: u32,
    /// The factor by which estimates of work were multiplied, for measured tables.
    pub work_factor: f64,
    /// The factor by which estimates of size were multiplied, for measured tables.
    pub size_factor: f64,
    /// The wall-clock on each number of nodes.
    pub on_nodes: Vec<ForecastOnNodes>,
}

/// The wall-clock of a run on some number of nodes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ForecastOnNodes {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of hours of wall-clock.
    pub hours: f64,
    /// Share of the time in which a node's place for a job has work.
    pub busy: f64,
}

impl Operation for ClusterForecastRequest {
    const NAME: &'static str = "cluster-forecast";
    const ABOUT: &'static str = "Forecast how long a run on many machines takes";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ClusterForecastResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ClusterForecastResponse, LabError> {
        let cpus = job_cpus(lab)?;
        if self.cores < cpus || self.nodes.contains(&0) {
            return Err(LabError::request("invalid nodes: expected at least one, with the processors of one job"));
        }
        match &self.work {
            ForecastWork::Tables { tables, bytes_per_entry, measured } => {
                let nowhere = tempfile::tempdir().map_err(|source| LabError::Open { path: "tables".into(), source })?;
                let planned = plan_for_jobs(tables, nowhere.path(), cpus, lab.config().memory, progress)?;
                let factors = Factors::of(&planned, measured, *bytes_per_entry)?;
                let jobs = planned.iter().zip(needed_first(&planned)).map(|(table, needs)| {
                    let resources = Resources { cpus, memory_bytes: table.memory, minutes: 0 };
                    let name = format!("{}.{}", table.material, table.metric);
                    let cpu_seconds = table.effort * factors.work_of(table);
                    Job { name, needs, resources, cpu_seconds, array: false, work: Value::Null }
                });
                let plan = RunPlan::new(jobs.collect())?;
                let bytes = planned.iter().map(|table| factors.bytes_of(table, *bytes_per_entry)).sum();
                let memory = planned.iter().map(|table| table.memory).max().unwrap_or(0);
                let found = self.response(&plan, bytes, memory, cpus)?;
                Ok(ClusterForecastResponse { work_factor: factors.work, size_factor: factors.size, ..found })
            }
            ForecastWork::Games(games) => {
                games.check()?;
                let plan = games.plan(cpus)?;
                let bytes = games.games as f64 * games.turns_per_game * games.bytes_per_turn;
                self.response(&plan, bytes, 1 << 30, cpus)
            }
        }
    }
}

impl ClusterForecastRequest {
    fn response(
        &self,
        plan: &RunPlan,
        bytes: f64,
        memory: u64,
        cpus: u16,
    ) -> Result<ClusterForecastResponse, LabError> {
        let by_memory = self.node_memory_bytes.checked_div(memory).unwrap_or(u64::MAX);
        let per_node = by_memory.min(u64::from(self.cores / cpus)) as u32;
        if per_node == 0 {
            return Err(LabError::request(format!(
                "a job takes {memory} bytes of memory, a node has {}: give nodes more memory",
                self.node_memory_bytes
            )));
        }
        let core_seconds: f64 = plan.jobs().iter().map(|job| job.cpu_seconds).sum();
        let on = |&nodes: &u32| {
            let places = nodes as usize * per_node as usize;
            let seconds = schedule(plan, places);
            let busy = core_seconds / f64::from(cpus) / (seconds * places as f64).max(f64::MIN_POSITIVE);
            ForecastOnNodes { nodes, hours: seconds / 3600.0, busy }
        };
        Ok(ClusterForecastResponse {
            jobs: plan.jobs().len() as u64,
            core_hours: core_seconds / 3600.0,
            bytes,
            longest_chain_hours: longest_chain(plan) / 3600.0,
            job_memory_bytes: memory,
            jobs_per_node: per_node,
            work_factor: 1.0,
            size_factor: 1.0,
            on_nodes: self.nodes.iter().map(on).collect(),
        })
    }
}

/// The factors by which measured tables differ from their estimates.
struct Factors {
    work: f64,
    size: f64,
    /// The fewest men of a measured table: smaller ones were measured when the estimates were made.
    men: usize,
}

impl Factors {
    fn of(planned: &[Planned], measured: &[Text<MeasuredTable>], entry: f64) -> Result<Factors, LabError> {
        if !(entry > 0.0 && entry <= 4.0) {
            return Err(LabError::request("invalid bytes of an entry: expected more than 0, at most 4"));
        }
        let (mut seconds, mut bytes, mut men) = ((0.0, 0.0), (0.0, 0.0), usize::MAX);
        for Text(measured) in measured {
            let table = planned.iter().find(|table| table.material == measured.material).ok_or_else(|| {
                LabError::request(format!("{} was measured, but is not among the tables", measured.material))
            })?;
            seconds = (seconds.0 + measured.cpu_seconds, seconds.1 + table.effort);
            bytes = (bytes.0 + measured.bytes as f64, bytes.1 + table.entries as f64 * entry);
            men = men.min(measured.material.men());
        }
        let ratio = |(measured, estimated): (f64, f64)| if estimated > 0.0 { measured / estimated } else { 1.0 };
        Ok(Factors { work: ratio(seconds), size: ratio(bytes), men })
    }

    fn work_of(&self, table: &Planned) -> f64 {
        if table.material.men() >= self.men { self.work } else { 1.0 }
    }

    fn bytes_of(&self, table: &Planned, entry: f64) -> f64 {
        table.entries as f64 * entry * if table.material.men() >= self.men { self.size } else { 1.0 }
    }
}

/// The greatest number of jobs that a forecast lists one by one.
const MAX_JOBS: u64 = 2_000_000;

impl ForecastGames {
    fn check(&self) -> Result<(), LabError> {
        let numbers =
            [self.turns_per_game, self.cpu_seconds_per_turn, self.cpu_seconds_per_game_read, self.bytes_per_turn];
        let is_plain = numbers.iter().all(|number| (0.0..1e9).contains(number));
        if self.games == 0 || self.games_per_file == 0 || self.shards == 0 || !is_plain {
            return Err(LabError::request("invalid numbers: expected games, games of a file and shards from 1 on"));
        }
        let jobs = self.files().saturating_mul(u64::from(self.shards) + 1);
        if jobs > MAX_JOBS {
            return Err(LabError::request(format!("{jobs} jobs are too many: expected at most {MAX_JOBS}")));
        }
        Ok(())
    }

    fn files(&self) -> u64 {
        self.games.div_ceil(self.games_per_file)
    }

    /// Plans one run for every file: its shares, and a job that merges and checks them.
    fn plan(&self, cpus: u16) -> Result<RunPlan, LabError> {
        let resources = Resources { cpus, memory_bytes: 1 << 30, minutes: 0 };
        let job = |name: String, needs: Vec<usize>, cpu_seconds: f64| Job {
            name,
            needs,
            resources,
            cpu_seconds,
            array: false,
            work: Value::Null,
        };
        let mut jobs = Vec::new();
        let games = self.games as f64 / self.files() as f64;
        // Three walks through the games for each share; two to merge and check.
        let reading = games * self.cpu_seconds_per_game_read;
        let shard = games / f64::from(self.shards) * self.turns_per_game * self.cpu_seconds_per_turn + 3.0 * reading;
        for file in 0..self.files() {
            let first = jobs.len();
            jobs.extend((0..self.shards).map(|number| job(format!("{file}-{number}"), Vec::new(), shard)));
            jobs.push(job(format!("{file}-merge"), (first..jobs.len()).collect(), 2.0 * reading));
        }
        Ok(RunPlan::new(jobs)?)
    }
}
