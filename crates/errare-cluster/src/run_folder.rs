//! The folder of a run, which all its machines see: the plan, records of jobs, scripts and logs.

use crate::error::ClusterError;
use crate::plan::{Job, RunPlan};
use crate::record::{Record, RecordState};
use errare_work::{Progress, Status, read_bounded, write_whole};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The version of the files of a run.
const VERSION: u32 = 1;

/// Most bytes of a file of a run that are read.
const MAX_BYTES: u64 = 1 << 30;

/// The time between looks at jobs that are waited for, and the shortest time in which a stop takes effect meanwhile.
const LOOK: Duration = Duration::from_millis(1000);
const NAP: Duration = Duration::from_millis(50);

/// Number of looks until files of a job that is done have to be visible: network file systems take up to a minute.
const LOOKS_FOR_FILES: u32 = 120;

/// What `plan.json` holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    version: u32,
    request: Value,
    plan: RunPlan,
}

/// A folder with a run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    request: Value,
    plan: RunPlan,
}

impl RunFolder {
    /// Makes a run that is not written anywhere yet.
    ///
    /// # Errors
    /// If the path cannot be made absolute, or cannot be given to a shell.
    pub fn new(path: &Path, request: Value, plan: RunPlan) -> Result<RunFolder, ClusterError> {
        let path = std::path::absolute(path).map_err(|source| ClusterError::Folder { path: path.into(), source })?;
        text(&path)?;
        Ok(RunFolder { path, request, plan })
    }

    /// Opens the run of a folder.
    ///
    /// # Errors
    /// If there is none, or its plan cannot be read.
    pub fn open(path: &Path) -> Result<RunFolder, ClusterError> {
        let file = path.join("plan.json");
        let found: PlanFile = read(&file)?.ok_or_else(|| ClusterError::NoRun(path.to_owned()))?;
        let damaged = |reason: String| ClusterError::Damaged { path: file.clone(), reason };
        if found.version != VERSION {
            return Err(damaged(format!("version {}, expected {VERSION}", found.version)));
        }
        found.plan.check().map_err(|error| damaged(error.to_string()))?;
        RunFolder::new(path, found.request, found.plan)
    }

    /// Opens the run of a folder if it was made by this request; none if the folder holds no run.
    ///
    /// # Errors
    /// If the folder holds a run that was asked for otherwise, or its plan cannot be read.
    pub fn open_same(path: &Path, request: &Value) -> Result<Option<RunFolder>, ClusterError> {
        match RunFolder::open(path) {
            Err(ClusterError::NoRun(_)) => Ok(None),
            Ok(found) if found.request != *request => Err(ClusterError::OtherRun(path.to_owned())),
            found => found.map(Some),
        }
    }

    /// Writes the plan, and makes the folders that jobs write to.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn create(&self) -> Result<(), ClusterError> {
        for folder in ["records", "logs"] {
            let path = self.path.join(folder);
            fs::create_dir_all(&path).map_err(|source| ClusterError::Folder { path, source })?;
        }
        let file = PlanFile { version: VERSION, request: self.request.clone(), plan: self.plan.clone() };
        self.write("plan.json", &file)
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan of the run.
    #[must_use]
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// The job of a number.
    ///
    /// # Errors
    /// If there is none.
    pub fn job(&self, number: usize) -> Result<&Job, ClusterError> {
        let jobs = self.plan.jobs();
        jobs.get(number).ok_or(ClusterError::NoSuchJob { number, last: jobs.len().saturating_sub(1) })
    }

    /// The record of a job; none if it was never begun.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, job: &Job) -> Result<Option<Record>, ClusterError> {
        read(&self.path.join(record_name(job)))
    }

    /// Writes the record of a job.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_record(&self, job: &Job, record: &Record) -> Result<(), ClusterError> {
        self.write(&record_name(job), record)
    }

    /// Which jobs are done, by number.
    ///
    /// # Errors
    /// If a record cannot be read, or the work is cancelled.
    pub fn done(&self, progress: &dyn Progress) -> Result<Vec<bool>, ClusterError> {
        let each = self.plan.jobs().iter().map(|job| {
            progress.proceed()?;
            Ok(self.record(job)?.is_some_and(|record| record.is_done()))
        });
        each.collect()
    }

    /// Makes failed jobs seem stopped, so that those which need them wait for their next attempt.
    ///
    /// # Errors
    /// If a record cannot be read or written, or the work is cancelled.
    pub fn forgive(&self, numbers: &[usize], progress: &dyn Progress) -> Result<(), ClusterError> {
        for &number in numbers {
            progress.proceed()?;
            let job = self.job(number)?;
            if let Some(record) = self.record(job)?.filter(|record| record.state == RecordState::Failed) {
                self.write_record(job, &Record { state: RecordState::Stopped, ..record })?;
            }
        }
        Ok(())
    }

    /// Waits until all jobs are done that a job needs. Slurm begins none earlier; xargs does.
    ///
    /// # Errors
    /// If one of them failed, a record cannot be read, or the work is cancelled.
    pub fn wait_for_needed(&self, job: &Job, progress: &dyn Progress) -> Result<(), ClusterError> {
        let mut missing: Vec<&Job> = job.needs.iter().map(|&needed| self.job(needed)).collect::<Result<_, _>>()?;
        let mut looks_without_files = 0;
        loop {
            let mut still = Vec::new();
            let mut is_without_files = false;
            for needed in missing {
                progress.proceed()?;
                match self.record(needed)? {
                    Some(record) if record.is_done() => {}
                    Some(Record { state: RecordState::Failed, error, .. }) => {
                        let reason = error.unwrap_or_default();
                        return Err(ClusterError::NeededFailed { needed: needed.name.clone(), reason });
                    }
                    Some(Record { state: RecordState::Done, .. }) if looks_without_files >= LOOKS_FOR_FILES => {
                        let reason = "what it wrote is gone; do it again".to_owned();
                        return Err(ClusterError::NeededFailed { needed: needed.name.clone(), reason });
                    }
                    record => {
                        is_without_files |= record.is_some_and(|record| record.state == RecordState::Done);
                        still.push(needed);
                    }
                }
            }
            missing = still;
            looks_without_files += u32::from(is_without_files);
            let Some(first) = missing.first() else { return Ok(()) };
            let activity = format!("{} waits for {}", job.name, first.name);
            let done = job.needs.len().saturating_sub(missing.len());
            progress.report(&Status::new(&activity, "jobs").at(done as u64, job.needs.len() as u64));
            nap(LOOK, progress)?;
        }
    }

    /// Reads a file of the run; none if there is no such file.
    pub(crate) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, ClusterError> {
        read(&self.path.join(name))
    }

    /// Writes a file of the run.
    pub(crate) fn write<T: Serialize>(&self, name: &str, contents: &T) -> Result<(), ClusterError> {
        let path = self.path.join(name);
        let damaged =
            |error: serde_json::Error| ClusterError::Damaged { path: path.clone(), reason: error.to_string() };
        let text = serde_json::to_string_pretty(contents).map_err(damaged)?;
        Ok(write_whole(&path, text + "\n")?)
    }
}

/// Sleeps, unless the work is cancelled.
///
/// # Errors
/// If the work is cancelled.
pub fn nap(time: Duration, progress: &dyn Progress) -> Result<(), ClusterError> {
    let mut left = time;
    while !left.is_zero() {
        progress.proceed()?;
        thread::sleep(left.min(NAP));
        left = left.saturating_sub(NAP);
    }
    Ok(())
}

/// The name of this machine: that of the node of Slurm, or of the system.
#[must_use]
pub fn host_name() -> String {
    let node = std::env::var("SLURMD_NODENAME").or_else(|_| std::env::var("HOSTNAME")).ok();
    let system = || fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned());
    node.filter(|name| !name.is_empty()).or_else(system).unwrap_or_else(|| "unknown".to_owned())
}

/// A path as text in a script.
pub(crate) fn text(path: &Path) -> Result<&str, ClusterError> {
    let plain = path.to_str().filter(|text| !text.contains(['\n', '\r']));
    plain.ok_or_else(|| ClusterError::Path(path.to_owned()))
}

fn record_name(job: &Job) -> String {
    format!("records/{}.json", job.name)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ClusterError> {
    let bytes = match read_bounded(path, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|source| ClusterError::Read { path: path.to_owned(), source })?,
    };
    let damaged = |error: serde_json::Error| ClusterError::Damaged { path: path.to_owned(), reason: error.to_string() };
    serde_json::from_slice(&bytes).map(Some).map_err(damaged)
}
