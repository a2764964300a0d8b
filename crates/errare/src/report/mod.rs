//! `errare report`: pages to look at and to hand on.

pub mod html;
mod paper;
mod pictures;
pub mod player;
pub mod ratings;

use crate::Verdict;
use crate::settings::Settings;
use anyhow::Result;
use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Ratings(ratings::Flags),
    Player(player::Flags),
}

impl Command {
    pub fn run(self, _settings: &Settings) -> Result<Verdict> {
        match self {
            Command::Ratings(flags) => ratings::run(flags),
            Command::Player(flags) => player::run(flags),
        }
    }
}
