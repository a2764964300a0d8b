//! `errare cluster`.

mod forecast;
mod run;
mod watch;

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run tables or evaluations on Slurm
    ///
    /// Jobs are submitted by sbatch, each after those that it needs. A job whose node fails or that is preempted is queued
    /// again by Slurm, one that fails by itself; both go on where they were. --dry-run shows the script and the calls of
    /// sbatch, and needs no Slurm.
    #[command(after_help = "\
Examples:
  errare cluster slurm tables KRNKNN --metric dtc --run /shared/krnknn --dry-run
  errare cluster slurm evaluate games.pgn --engine stockfish --shards 100 --out turns --run /shared/games")]
    Slurm {
        #[command(subcommand)]
        work: run::Work<run::Slurm>,
    },
    /// Run tables or evaluations by xargs
    ///
    /// The numbers of the jobs that are not done go to stdout, for xargs -n 1 errare cluster work DIR. Each waits for the
    /// jobs that it needs.
    #[command(after_help = "\
Examples:
  errare cluster xargs tables --men 4 --run r4 | xargs -P 8 -n 1 errare cluster work r4
  errare cluster xargs evaluate games.pgn --engine stockfish --shards 8 --out turns --run r | xargs -P 8 -n 1 errare cluster work r")]
    Xargs {
        #[command(subcommand)]
        work: run::Work<run::Xargs>,
    },
    /// Run tables or evaluations on Kubernetes
    ///
    /// DIR/kubernetes gets a manifest of an indexed Job for each level of the plan, to be applied one after the other.
    #[command(after_help = "\
Examples:
  errare cluster kubernetes tables --men 5 --metric dtz --image errare:1 --claim chess --mount /data --run /data/five")]
    Kubernetes {
        #[command(subcommand)]
        work: run::Work<run::Kubernetes>,
    },
    Status(watch::Status),
    Resume(watch::Resume),
    Work(watch::Work),
    /// Forecast work, size and wall-clock of a run on numbers of nodes
    #[command(after_help = "\
Examples:
  errare cluster forecast tables --men 6 --no-pawns --metric dtz
  errare cluster forecast games 1000000000")]
    Forecast {
        #[command(subcommand)]
        work: forecast::Work,
    },
}

impl Command {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        match self {
            Command::Slurm { work } => work.start(settings),
            Command::Xargs { work } => work.start(settings),
            Command::Kubernetes { work } => work.start(settings),
            Command::Status(flags) => flags.run(settings),
            Command::Resume(flags) => flags.run(settings),
            Command::Work(flags) => flags.run(settings),
            Command::Forecast { work } => work.run(settings),
        }
    }
}
