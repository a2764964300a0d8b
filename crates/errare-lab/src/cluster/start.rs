//! Planning a run, and handing it over to Slurm, xargs or Kubernetes.

use super::resume::submit_open;
use crate::error::LabError;
use crate::lab::Lab;
use errare_cluster::{
    KubernetesSettings, RunFolder, RunPlan, Slurm, SlurmSettings, Submissions, longest_chain, manifests,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A run on many machines: its folder, and the system that runs it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClusterRun {
    /// The folder of the run, which all machines see under this name. If the folder holds the same run already, that
    /// run is continued.
    pub folder: PathBuf,
    /// The system that runs the jobs.
    pub system: ClusterSystem,
    /// Whether to show only what would be done, without writing or submitting anything.
    #[serde(default)]
    pub dry_run: bool,
    /// Number of times that a job is begun, and submitted, before it is given up.
    #[serde(default = "five")]
    pub tries: u32,
    /// The program `errare` as the machines find it; by default `errare` in their `PATH`.
    #[serde(default)]
    pub program: Option<PathBuf>,
}

fn five() -> u32 {
    5
}

/// The system that runs the jobs of a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ClusterSystem {
    /// Slurm runs the jobs, by `sbatch`.
    Slurm {
        /// Further options of `sbatch`, such as `--partition=long`.
        #[serde(default)]
        options: Vec<String>,
    },
    /// The program xargs runs the jobs: it is given the numbers of the jobs that are not done.
    Xargs,
    /// Kubernetes runs the jobs, by a manifest for each level of the plan, to be applied one after the other.
    Kubernetes {
        /// The image that has errare, and the engine if games are evaluated.
        image: String,
        /// The claim of the volume on which the run, its games and its tables lie.
        claim: String,
        /// The path at which the volume is mounted, here and in the pods.
        mount: PathBuf,
        /// Number of pods that run at once.
        #[serde(default = "hundred")]
        parallelism: usize,
    },
}

fn hundred() -> usize {
    100
}

/// A run as it was planned and started.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterRunResponse {
    /// The folder of the run, in full.
    pub folder: PathBuf,
    /// The jobs of the run, by number.
    pub jobs: Vec<ClusterJob>,
    /// The numbers of the jobs that are not done.
    pub open: Vec<usize>,
    /// Estimated number of CPU-seconds of all jobs; 0 where it is not known.
    pub cpu_seconds: f64,
    /// Estimated number of seconds of the longest chain of jobs each of which needs the one before.
    pub longest_chain_seconds: f64,
    /// Scripts and manifests that were written, or would be.
    pub files: Vec<ClusterFile>,
    /// Number of jobs that were submitted.
    pub submitted: usize,
    /// Whether nothing was written or submitted.
    pub dry_run: bool,
}

/// A job of a run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterJob {
    /// The number of the job, from 0.
    pub number: usize,
    /// The name of the job.
    pub name: String,
    /// The level of the job: jobs of level 0 need no others, those of each later level only jobs of earlier levels.
    pub level: usize,
    /// The numbers of the jobs that this job needs.
    pub needs: Vec<usize>,
    /// Number of processors that the job asks for.
    pub cpus: u16,
    /// Number of bytes of memory that the job asks for.
    pub memory_bytes: u64,
    /// Number of minutes that the job asks for.
    pub minutes: u64,
    /// Estimated number of CPU-seconds; 0 where it is not known.
    pub cpu_seconds: f64,
}

/// A file that is written for a run, or would be.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterFile {
    /// The name of the file in the folder of the run.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

impl ClusterRun {
    fn program(&self) -> PathBuf {
        self.program.clone().unwrap_or_else(|| "errare".into())
    }

    /// Starts the run of a request, or continues it. `work` is the part of the request that determines what is done,
    /// `paths` are the files and folders that all machines have to see beside that of the run.
    pub(super) fn start(
        &self,
        work: Value,
        paths: &[PathBuf],
        plan: impl FnOnce() -> Result<RunPlan, LabError>,
        lab: &Lab,
        progress: &dyn Progress,
    ) -> Result<ClusterRunResponse, LabError> {
        let outside = lab.outside_path(&self.folder)?;
        if self.tries == 0 {
            return Err(LabError::request("invalid tries 0: expected 1 or more"));
        }
        let folder = match RunFolder::open_same(&self.folder, &work)? {
            Some(found) => found,
            None => {
                let folder = RunFolder::new(&self.folder, work, plan()?)?;
                if !self.dry_run {
                    folder.create()?;
                }
                folder
            }
        };
        let done = folder.done(progress)?;
        let open: Vec<usize> = (0..done.len()).filter(|&number| !done[number]).collect();
        let mut submitted = 0;
        let files = match &self.system {
            ClusterSystem::Slurm { options } => {
                let settings = SlurmSettings { program: self.program(), options: options.clone(), tries: self.tries };
                let slurm = Slurm { folder: &folder, settings: &settings };
                let script = ClusterFile { name: "job.sh".to_owned(), text: slurm.script()? };
                if self.dry_run {
                    vec![script, ClusterFile { name: "submit.sh".to_owned(), text: slurm.preview(&open)? }]
                } else {
                    let before = Submissions::read(&folder)?.unwrap_or_default();
                    let mut submissions = Submissions { settings: settings.clone(), ..before };
                    submitted = submit_open(&folder, &mut submissions, progress)?.submitted;
                    vec![script]
                }
            }
            ClusterSystem::Xargs => {
                if !self.dry_run {
                    folder.forgive(&open, progress)?;
                }
                Vec::new()
            }
            ClusterSystem::Kubernetes { image, claim, mount, parallelism } => {
                let settings = KubernetesSettings {
                    image: image.clone(),
                    program: self.program().to_string_lossy().into_owned(),
                    claim: claim.clone(),
                    mount: mount.clone(),
                    parallelism: *parallelism,
                    tries: self.tries,
                };
                let all = paths.iter().map(PathBuf::as_path).chain([folder.path()]);
                if let Some(path) = all.into_iter().find(|path| !path.starts_with(mount)) {
                    let (path, mount) = (path.display(), mount.display());
                    return Err(LabError::request(format!("{path} does not lie on the volume at {mount}")));
                }
                let mut files = Vec::new();
                for (name, manifest) in manifests(&folder, &settings)? {
                    progress.proceed()?;
                    let text = serde_json::to_string_pretty(&manifest)
                        .map_err(|_| LabError::Internal("a manifest cannot be written as JSON"))?;
                    files.push(ClusterFile { name: format!("kubernetes/{name}"), text: text + "\n" });
                }
                if !self.dry_run {
                    folder.forgive(&open, progress)?;
                    let paths: Vec<_> =
                        files.iter().map(|file| (folder.path().join(&file.name), file.text.clone())).collect();
                    outside.write_in_folder(&folder.path().join("kubernetes"), &paths)?;
                }
                files
            }
        };
        let plan = folder.plan();
        Ok(ClusterRunResponse {
            folder: folder.path().to_owned(),
            jobs: jobs(plan),
            open,
            cpu_seconds: plan.jobs().iter().map(|job| job.cpu_seconds).sum(),
            longest_chain_seconds: longest_chain(plan),
            files,
            submitted,
            dry_run: self.dry_run,
        })
    }
}

/// Converts hours to minutes.
///
/// # Errors
/// If it is not a number of hours that a job may take.
pub(super) fn minutes(hours: f64) -> Result<u64, LabError> {
    if hours > 0.0 && hours <= 8760.0 {
        Ok((hours * 60.0).ceil() as u64)
    } else {
        Err(LabError::request(format!("invalid hours {hours}: expected more than 0, at most 8760")))
    }
}

fn jobs(plan: &RunPlan) -> Vec<ClusterJob> {
    let levels = plan.levels();
    let of_level = levels.iter().enumerate().flat_map(|(level, numbers)| numbers.clone().map(move |_| level));
    let each = plan.jobs().iter().enumerate().zip(of_level);
    each.map(|((number, job), level)| ClusterJob {
        number,
        name: job.name.clone(),
        level,
        needs: job.needs.clone(),
        cpus: job.resources.cpus,
        memory_bytes: job.resources.memory_bytes,
        minutes: job.resources.minutes,
        cpu_seconds: job.cpu_seconds,
    })
    .collect()
}
