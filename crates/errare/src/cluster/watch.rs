//! `errare cluster status`, `resume` and `work`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{ClusterResumeRequest, ClusterStatusRequest, ClusterWorkRequest, ToSheet};
use errare_terminal::{Format, Output, Report, cluster_status};
use std::path::PathBuf;

/// Show how far a run is
///
/// A job is done when its own record says so and what it wrote is there. Else it is what squeue says, if it was submitted to
/// Slurm; lost, if Slurm does not know it any more. The list leaves out jobs that are done; JSON and CSV have all.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster status /shared/six
  errare cluster status /shared/six --format csv

Exit status: 1 if jobs failed, were stopped or are lost.")]
pub struct Status {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Status {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        let found = settings.run(&ClusterStatusRequest { folder: self.folder })?;
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&found)?,
            Format::Csv => output.csv(&found.to_sheet())?,
            Format::Table => cluster_status(&mut output, &found)?,
        }
        Ok(if found.has_trouble() { Exit::Finding } else { Exit::Clean })
    }
}

/// Submit again what failed, was stopped or is lost, of a run on Slurm
///
/// What ran out of time asks for twice as much, what ran out of memory for half as much again. With --watch it looks again
/// and again until all is done, or given up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster resume /shared/six
  errare cluster resume /shared/six --watch --every 300

Exit status: 1 if jobs were given up.")]
pub struct Resume {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Stay until all is done or given up
    #[arg(long)]
    watch: bool,
    /// Seconds between looks
    #[arg(long, default_value_t = 30, value_name = "SECONDS", requires = "watch")]
    every: u64,
    /// How often a job is submitted before it is given up [default: as the run was started with]
    #[arg(long, value_name = "N")]
    tries: Option<u32>,
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    format: Report,
}

impl Resume {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        let Resume { folder, watch, every, tries, format } = self;
        let found = settings.run(&ClusterResumeRequest { folder, watch, every_seconds: every, tries })?;
        let mut output = Output::stdout();
        match format {
            Report::Json => output.json(&found)?,
            Report::Table => output.lines(found.sentences())?,
        }
        Ok(if found.given_up.is_empty() { Exit::Clean } else { Exit::Finding })
    }
}

/// Do one job of a run, as schedulers call it
///
/// It waits until the jobs are done that this one needs. A job that is done is left alone; one that was interrupted goes on.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster work /shared/six 0
  errare cluster xargs tables --men 4 --run r4 | xargs -P 8 -n 1 errare cluster work r4")]
pub struct Work {
    /// Folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of the job
    #[arg(value_name = "NUMBER")]
    number: usize,
    /// Count NUMBER from this one, as tasks of arrays are
    #[arg(long, default_value_t = 0, value_name = "N", hide_default_value = true)]
    offset: usize,
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    format: Report,
}

impl Work {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        let Work { folder, number, offset, format } = self;
        let found = settings.run(&ClusterWorkRequest { folder, number, offset })?;
        match format {
            Report::Json => Output::stdout().json(&found)?,
            Report::Table => Output::stdout().line(&found.sentence())?,
        }
        Ok(Exit::Clean)
    }
}
