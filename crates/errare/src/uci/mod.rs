//! `errare uci`: the practice partner as a chess engine.

mod advice;
mod background;
mod character;
mod control;
mod engine;
mod fallback;
mod game;
mod judging;
mod options;
mod partner;
mod search;
mod shelf;
mod telling;
mod thinker;
mod voice;

use crate::Verdict;
use crate::settings::Settings;
use anyhow::{Context, Result, anyhow};
use background::Background;
use clap::Args;
use engine::{Engine, Wish};
use errare_uci::client::OptionSetting;
use errare_uci::server::Lines;
use options::Choices;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use thinker::Thinker;
use voice::Voice;

/// Be a chess engine, for any program that speaks UCI
///
/// In endgames with tables it plays as one of the agents of `errare match`: a player of a competence that you choose, an
/// emulator, a predator that learns from your moves, the infallible player, Levy's search, a strategy. Tables that are
/// missing are built in the background if that is cheap: of up to 4 men always, of 5 men if it takes no more than half a
/// minute of work. Syzygy tables that you have are asked too (SyzygyPath).
///
/// Elsewhere a small search of its own, or another engine (Fallback Engine), advises: a player or emulator of competence
/// c makes a move that is delta pawns behind the best with a probability in proportion to (1 + delta)^-c, the others
/// make the best.
///
/// Options are set by the chess program, or here with --option for programs that cannot. `uci` lists them.
#[derive(Args, Debug)]
#[command(after_help = "\
To install it in a chess program, add an engine with the command `errare` and the argument `uci`. Where no arguments can \
be given, a script does:
  #!/bin/sh
  exec errare uci --option Competence=12 --option Agent=emulator

Examples:
  errare uci
  errare uci --option Competence=12 --option 'Hold Value=true'
  errare uci --option Agent=predator --option SyzygyPath=/tables/syzygy
  errare uci --option 'Fallback Engine=stockfish' --option 'Fallback Depth=8' --option Competence=5")]
pub struct Flags {
    /// Set an option beforehand, as in Competence=12; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<OptionSetting>,
}

/// Bytes.
const STACK: usize = 32 << 20;

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let mut choices = Choices::new(settings.lab.tables()?.library().folder().to_owned());
    for OptionSetting { name, value } in &flags.option {
        choices.set(name, Some(value)).map_err(|error| anyhow!("--option {name}={value}: {error}"))?;
    }
    let voice = Arc::new(Voice);
    let background = Background::new(Arc::clone(&voice), settings.lab.config().build_memory());
    let thinker = Thinker::new(Arc::clone(&voice), background, &choices);
    let (jobs, inbox) = mpsc::channel();
    // The search goes deep, and each ply holds its moves.
    thread::Builder::new().stack_size(STACK).spawn(move || thinker.work(&inbox)).context("cannot start a thread")?;
    let mut engine = Engine::new(voice, jobs, choices);
    // What cannot be read is over. The threads end with the process, wherever they are: tables are written to
    // temporary files, and the system lets go of their locks.
    for line in Lines::new(io::stdin().lock()).map_while(Result::ok) {
        if engine.hear(line) == Wish::Leave {
            break;
        }
    }
    Ok(Verdict::Clean)
}
