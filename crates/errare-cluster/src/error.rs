//! Why work on many machines failed.

use errare_work::{Cancelled, WriteError};
use std::path::PathBuf;

/// Why a run could not be planned, submitted, read or worked on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A job needs another that does not come before it.
    #[error("job {name} needs job number {needed}, which does not come before it")]
    Order {
        /// Name of the job that needs a later one.
        name: String,
        /// Number of the job that does not come before it.
        needed: usize,
    },
    /// Two jobs have the same name.
    #[error("two jobs are called {0}")]
    SameName(String),
    /// The name of a job cannot be that of a file.
    #[error("invalid name of a job `{0}`: expected letters, digits, `.`, `-` and `_`")]
    Name(String),
    /// A run has no jobs.
    #[error("nothing to do: all of it is there already")]
    NoJobs,
    /// The folder holds a run that was asked for otherwise.
    #[error("{} holds another run: name another folder, or go on with that one by `errare cluster resume`", .0.display())]
    OtherRun(PathBuf),
    /// The folder holds no run.
    #[error("{} holds no run: there is no plan.json", .0.display())]
    NoRun(PathBuf),
    /// A run has no job of a number.
    #[error("invalid number of a job {number}: expected 0 to {last}")]
    NoSuchJob {
        /// Number of a job that was asked for.
        number: usize,
        /// Number of the last job of the run.
        last: usize,
    },
    /// A file of a run cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// File that cannot be read.
        path: PathBuf,
        /// Why the file cannot be read.
        source: std::io::Error,
    },
    /// A file of a run is not what it should be.
    #[error("{} is damaged, or of another version of errare: {reason}", path.display())]
    Damaged {
        /// File that is damaged.
        path: PathBuf,
        /// The fault of the file.
        reason: String,
    },
    /// A folder of a run cannot be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// Folder that cannot be made.
        path: PathBuf,
        /// Why the folder cannot be made.
        source: std::io::Error,
    },
    /// A file of a run cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A path of a run cannot be given to a shell or a scheduler.
    #[error("invalid path {}: expected UTF-8 without line breaks", .0.display())]
    Path(PathBuf),
    /// A program of Slurm cannot be started.
    #[error("cannot start {program}: {source}; is this a machine from which jobs are submitted?")]
    NoProgram {
        /// Program that cannot be started, such as `sbatch`.
        program: &'static str,
        /// Why the program cannot be started.
        source: std::io::Error,
    },
    /// A program of Slurm failed.
    #[error("{program} failed: {reason}")]
    Program {
        /// Program that failed, such as `sbatch`.
        program: &'static str,
        /// The text that the program wrote on stderr.
        reason: String,
    },
    /// A job that another one needs failed.
    #[error("{needed}, which it needs, failed: {reason}")]
    NeededFailed {
        /// Name of the job that is needed.
        needed: String,
        /// Why the needed job failed.
        reason: String,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
