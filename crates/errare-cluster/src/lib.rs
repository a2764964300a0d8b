//! Work on many machines: a plan of jobs in a folder that all of them see, and how Slurm, xargs and Kubernetes run it.
//!
//! A [`RunPlan`] is a list of [`Job`]s, each after those that it needs. It lies in a [`RunFolder`], beside a [`Record`] of
//! each job that was begun. Every system runs the same command, `errare cluster work FOLDER NUMBER`, and only decides when
//! and where: [`Slurm`] submits jobs with dependencies, xargs is given the numbers of jobs in order, Kubernetes has a
//! [manifest](manifests) for each [level](RunPlan::levels) of the plan. What a job does is opaque to this crate.
//!
//! ```
//! use errare_cluster::{Job, RunPlan, Resources, schedule};
//!
//! let job = |name: &str, needs: &[usize], cpu_seconds| Job {
//!     name: name.into(),
//!     needs: needs.into(),
//!     resources: Resources { cpus: 1, memory_bytes: 1 << 30, minutes: 60 },
//!     cpu_seconds,
//!     array: false,
//!     work: serde_json::Value::Null,
//! };
//! let plan = RunPlan::new(vec![job("KQK", &[], 2.0), job("KRK", &[], 3.0), job("KQKR", &[0, 1], 40.0)])?;
//! assert_eq!(plan.levels(), [0..2, 2..3]);
//! // One node works 45 s. Two work 43 s: KQKR waits for KRK.
//! assert_eq!((schedule(&plan, 1), schedule(&plan, 2)), (45.0, 43.0));
//! # Ok::<(), errare_cluster::ClusterError>(())
//! ```

mod error;
mod kubernetes;
mod plan;
mod record;
mod run_folder;
mod schedule;
mod slurm;
mod state;
mod submissions;

pub use error::ClusterError;
pub use kubernetes::{KubernetesSettings, manifests};
pub use plan::{Job, Resources, RunPlan};
pub use record::{OutputFile, Record, RecordState};
pub use run_folder::{RunFolder, host_name, nap};
pub use schedule::{longest_chain, schedule};
pub use slurm::{Batch, Queue, Slurm, SlurmSettings};
pub use state::JobState;
pub use submissions::{Submission, Submissions};
