//! `errare uci`: the practice partner as a chess engine.

use crate::Exit;
use crate::settings::Settings;
use anyhow::{Result, anyhow};
use clap::Args;
use errare_engine::Engine;
use errare_uci::client::OptionSetting;
use std::io::{self, BufReader};

/// Be a chess engine, for any program that speaks UCI
///
/// In endgames with tables it plays as one of the agents that `errare match --help` lists, by default as a player of the
/// competence that you choose. Tables that are missing are built in the background if that is cheap: of up to 4 men
/// always, of 5 men if it takes no more than half a minute of work. Syzygy tables that you have are asked too
/// (SyzygyPath).
///
/// Elsewhere a small search of its own, or another engine (Fallback Engine), advises: a player or emulator of competence
/// c makes a move that is delta pawns behind the best with a probability in proportion to (1 + delta)^-c, the others
/// make the best. With UCI_LimitStrength or the agent elo it plays like people of UCI_Elo, from the first move on.
///
/// Options are set by the chess program, or here with --option for programs that cannot. `uci` lists them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare uci
  errare uci --option Competence=12 --option 'Hold Value=true'
  errare uci --option Agent=predator --option SyzygyPath=/tables/syzygy
  errare uci --option UCI_LimitStrength=true --option UCI_Elo=1800 --option 'Fallback Engine=stockfish'
  errare uci --option 'Fallback Engine=stockfish' --option 'Fallback Depth=8' --option Competence=5

To install it in a chess program, add an engine with the command `errare` and the argument `uci`. For a program that \
takes no arguments, write a script:
  #!/bin/sh
  exec errare uci --option Competence=12 --option Agent=emulator")]
pub struct Flags {
    /// Set an option beforehand, as in Competence=12; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<OptionSetting>,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let mut engine = Engine::new(settings.lab.tables()?.clone());
    for OptionSetting { name, value } in &flags.option {
        engine.set_option(name, value).map_err(|error| anyhow!("--option {name}={value}: {error}"))?;
    }
    engine.run(BufReader::new(io::stdin()), io::stdout())?;
    Ok(Exit::Clean)
}
