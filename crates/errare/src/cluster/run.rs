//! `errare cluster slurm|xargs|kubernetes tables|evaluate`.

use crate::Exit;
#[cfg(feature = "evaluate")]
use crate::evaluate;
use crate::settings::Settings;
use crate::table::What;
use anyhow::Result;
use clap::{Args, Subcommand};
#[cfg(feature = "evaluate")]
use errare_lab::ClusterEvaluateRequest;
use errare_lab::{ClusterRun, ClusterSystem, ClusterTablesRequest};
use errare_terminal::{Format, cluster_run};
use std::path::PathBuf;

/// What is run, by a system with flags of its own.
#[derive(Debug, Subcommand)]
pub enum Work<S: Args> {
    Tables(Box<Tables<S>>),
    #[cfg(feature = "evaluate")]
    Evaluate(Box<Evaluate<S>>),
}

/// Build tables, each by one job after the tables that it needs
///
/// All machines have to see the folder of the tables (--tables) and of the run (--run) under these names. --threads and
/// --memory are those of each job: by default one processor, and as much memory as the plan finds it to need. A table that
/// is there is not built again. The files are those that one machine would have written.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster slurm tables KRNKNN KBBKNN --metric dtz --run /shared/six --tables /shared/tables
  errare cluster slurm tables --men 5 --metric dtz --run /shared/five --sbatch '--partition=long --account=chess'
  errare cluster slurm tables KQKR --metric dtc --run r --dry-run")]
pub struct Tables<S: Args> {
    #[command(flatten)]
    what: What,
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    system: S,
    /// Hours that each job asks for [default: three times what it should take]
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// How the plan is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Evaluate games, a share of them by each job
///
/// Each job has a cache and a turn file of its own in the folder of the run (--run). The last one merges the turn files
/// into DIR/turns.parquet (--out), which is byte for byte what one machine would have written, and checks it against the
/// games: no turn may be missing, double or foreign. --workers and --memory are those of each job.
#[cfg(feature = "evaluate")]
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster slurm evaluate 2024/*.pgn.zst --engine stockfish --shards 1000 --out turns --run /shared/run
  errare cluster xargs evaluate games.pgn --engine stockfish --shards 8 --workers 1 --out turns --run r")]
pub struct Evaluate<S: Args> {
    #[command(flatten)]
    evaluate: evaluate::Flags,
    /// Number of shares of the games, each a job
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    system: S,
    /// Hours that each job asks for
    #[arg(long, value_name = "H", default_value_t = 24.0)]
    hours: f64,
}

// The run.
#[derive(Args, Debug)]
struct Run {
    /// Folder of the run: its plan, records and logs. The same command again goes on with it
    #[arg(long = "run", value_name = "DIR")]
    folder: PathBuf,
    /// Show what would be done; write and submit nothing
    #[arg(long)]
    dry_run: bool,
    /// How often a job is begun, and submitted, before it is given up
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    tries: u32,
    /// The program errare as the machines find it [default: this one; on Kubernetes errare]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Run {
    fn of(self, system: ClusterSystem) -> ClusterRun {
        let this = || match &system {
            ClusterSystem::Kubernetes { .. } => None,
            _ => std::env::current_exe().ok(),
        };
        let program = self.program.or_else(this);
        ClusterRun { folder: self.folder, dry_run: self.dry_run, tries: self.tries, program, system }
    }
}

// What only Slurm needs.
#[derive(Args, Debug)]
pub struct Slurm {
    /// Further options of sbatch, separated by spaces
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    sbatch: String,
}

// What only xargs needs: nothing.
#[derive(Args, Debug)]
pub struct Xargs {}

// What only Kubernetes needs.
#[derive(Args, Debug)]
pub struct Kubernetes {
    /// Image that has errare, and the engine if games are evaluated
    #[arg(long)]
    image: String,
    /// Claim of the volume on which the run, its games and its tables lie
    #[arg(long, value_name = "NAME")]
    claim: String,
    /// Where the volume is mounted, here and in the pods
    #[arg(long, value_name = "DIR")]
    mount: PathBuf,
    /// Number of pods at once
    #[arg(long, default_value_t = 100, value_name = "N")]
    parallelism: usize,
}

impl From<Slurm> for ClusterSystem {
    fn from(flags: Slurm) -> ClusterSystem {
        ClusterSystem::Slurm { options: flags.sbatch.split_whitespace().map(str::to_owned).collect() }
    }
}

impl From<Xargs> for ClusterSystem {
    fn from(Xargs {}: Xargs) -> ClusterSystem {
        ClusterSystem::Xargs
    }
}

impl From<Kubernetes> for ClusterSystem {
    fn from(Kubernetes { image, claim, mount, parallelism }: Kubernetes) -> ClusterSystem {
        ClusterSystem::Kubernetes { image, claim, mount, parallelism }
    }
}

impl<S: Args + Into<ClusterSystem>> Work<S> {
    pub fn start(self, settings: &Settings) -> Result<Exit> {
        let (found, system, format) = match self {
            Work::Tables(flags) => {
                let Tables { what, run, system, hours, format } = *flags;
                let request = ClusterTablesRequest { tables: what.request(), run: run.of(system.into()), hours };
                (settings.run(&request)?, request.run.system, format)
            }
            #[cfg(feature = "evaluate")]
            Work::Evaluate(flags) => {
                let Evaluate { evaluate, shards, run, system, hours } = *flags;
                let format = evaluate.format();
                let (evaluate, run) = (evaluate.request(), run.of(system.into()));
                let request = ClusterEvaluateRequest { evaluate, shards, run, hours };
                (settings.run(&request)?, request.run.system, format)
            }
        };
        cluster_run(&found, &system, format)?;
        Ok(Exit::Clean)
    }
}
