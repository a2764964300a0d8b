//! `errare line`.

use crate::idle_flag::refuse;
use crate::rules::RuleFlags;
use crate::settings::Settings;
use crate::{Exit, say};
use anyhow::Result;
use clap::Args;
use errare_endgame::Strategy;
use errare_lab::{LineRequest, Numeric, Text};
use errare_tables::{Metric, SourceSpec};
use errare_terminal::{Format, Output, wrapped};
use std::path::PathBuf;

/// Play a line between two strategies, or mark given moves
///
/// Strategies are written as in Haworth (2000). SZ, SC, SM, SR: the least DTZ, DTC, DTM, DTR for the side that wins, the
/// greatest for the side that loses; SZ50: DTZ under a rule; SRP: least DTR, then the shortest way through this phase.
/// SMC, SZCM: one after the other. SZ': moves after which the phase can still be ended in time. SC*, SM*: if the phase
/// cannot be ended in time SZ, else SZ' and then the strategy. SR1 to SR4: goals by DTR. SA1, SA2: mate if there is
/// time for it, else conversion, else SZCM or SR3ZCM*.
///
/// The halfmove clock of the FEN counts towards the rule; a line ends with mate, or when a draw can be claimed.
///
/// Marks: ' the only move the strategy allows, " the only one that keeps the value, ° the only legal one, [...] other
/// moves that the strategy allows, -n worse by n moves, v changes the value. With --moves the moves given are marked.
///
/// JSON: see `errare schema line`. CSV: the moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare line '8/8/2k5/8/4n3/3Q2n1/8/4K3 w - - 0 1' --white SMC --black SCM
  errare line 'k7/6R1/2K5/8/2B5/8/8/7r w - - 0 1' --white SC --black SC --pgn croskill.pgn
  errare line '8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38' --white SM --black SR --all
  errare line '4k3/5R2/3K4/3B4/8/8/8/3r4 w - - 0 1' --white SC --black SC --moves 'Rg7 Rd2'")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The strategy of White
    #[arg(long, value_name = "STRATEGY")]
    white: Strategy,
    /// The strategy of Black
    #[arg(long, value_name = "STRATEGY")]
    black: Strategy,
    /// Choose the first by the order of squares among the moves that a strategy allows: the default
    #[arg(long, conflicts_with_all = ["all", "seed", "moves"])]
    first: bool,
    /// Choose by chance among the moves that a strategy allows, with this random seed
    #[arg(long, conflicts_with_all = ["all", "moves"])]
    seed: Option<u64>,
    /// Play all lines, but no more than --most
    #[arg(long, conflicts_with = "moves")]
    all: bool,
    /// The greatest number of lines [default: 100]
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// Mark these moves instead: SAN, with or without numbers
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// The greatest number of plies of a line [default: 2000]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Metrics of the depths at the beginning of each phase [default: dtz, dtc and those of the strategies]
    #[arg(long, value_delimiter = ',')]
    metric: Vec<Metric>,
    /// Write the lines as games to a PGN file; `-` for stdout, instead of the lines
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    rule: RuleFlags,
    /// Tables to ask instead of ours: tables:DIR for ours elsewhere
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The width of movetext.
const COLUMNS: usize = 100;

/// The greatest number of lines if nothing else is asked for.
const USUAL_MOST: usize = 100;

/// The greatest number of plies of a line if nothing else is asked for.
const USUAL_PLIES: usize = 2000;

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    refuse(flags.most.is_some() && !flags.all, "--most", "without --all, as there is one line")?;
    refuse(flags.plies.is_some() && flags.moves.is_some(), "--plies", "with --moves, which are all marked")?;
    let request = LineRequest {
        fen: flags.fen.join(" "),
        white: Text(flags.white),
        black: Text(flags.black),
        seed: flags.seed,
        all: flags.all,
        most: flags.most.unwrap_or(USUAL_MOST),
        moves: flags.moves,
        plies: flags.plies.unwrap_or(USUAL_PLIES),
        metrics: flags.metric.iter().map(|&metric| Text(metric)).collect(),
        rule: Numeric(flags.rule.rule()),
        source: flags.source.map(Text),
        pgn: flags.pgn,
    };
    let found = settings.run(&request)?;
    found.notes.iter().for_each(|note| say(&format!("note: {note}")));
    Output::beside(request.pgn.as_deref()).response(flags.format, &found, |output, found| {
        let paragraphs = found.movetext(&flags.metric, |moves| wrapped(moves, COLUMNS))?;
        anyhow::Ok(output.lines(paragraphs)?)
    })?;
    Ok(Exit::Clean)
}
