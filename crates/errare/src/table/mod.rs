//! `errare table`: endgame tables.

mod build;
mod compare;
mod find;
mod list;
mod probe;
mod sample;
mod squares;
mod stats;
mod verify;

pub use build::What;
pub use sample::Sample;

use crate::Exit;
use crate::settings::Settings;
use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Build(build::Flags),
    Probe(probe::Flags),
    Squares(squares::Flags),
    Stats(stats::Flags),
    Find(find::Flags),
    Verify(verify::Flags),
    Compare(compare::Flags),
    List(list::Flags),
}

impl Command {
    pub fn run(self, settings: &Settings) -> anyhow::Result<Exit> {
        match self {
            Command::Build(flags) => build::run(flags, settings),
            Command::Probe(flags) => probe::run(flags, settings),
            Command::Squares(flags) => squares::run(flags, settings),
            Command::Stats(flags) => stats::run(flags, settings),
            Command::Find(flags) => find::run(flags, settings),
            Command::Verify(flags) => verify::run(flags, settings),
            Command::Compare(flags) => compare::run(flags, settings),
            Command::List(flags) => list::run(flags, settings),
        }
    }
}
