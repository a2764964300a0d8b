//! `errare table probe`.

use crate::Exit;
use crate::say;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{ProbeRequest, ProbeResponse, Sheet, Side, Text, depth_phrase, phase_note, value_sentence};
use errare_tables::{Metric, SourceSpec, Value, parse_fen_within};
use errare_terminal::{Format, Output};
use shakmaty::{Chess, Position};

/// More men than any tables have.
const ANY_MEN: usize = 32;

/// Look up the value of a position and of each of its moves
///
/// Moves come best first. The outcome of a move is seen from the side that makes it; its plies and
/// moves are those of the position after it. Moves are always the winner's moves still to be made,
/// and a draw has neither. Missing tables are built first. A move rule, as in dtz50, counts from a
/// zero count: the halfmove clock of the FEN is ignored.
///
/// With --source the values are those of tables that others made, and nothing is built. Syzygy tables
/// answer in dtz50, to seven men; some of their depths are rounded down by a ply, and those of a cursed win
/// count 100 plies more if it is a later phase that takes too long. Gaviota tables answer in dtm, to five men.
///
/// JSON: see `errare schema probe`. CSV: a row for the position, its uci and san empty, then one for each move; with
/// --also three more columns for each metric, such as dtc_outcome, dtc_plies and dtc_moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table probe '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1'
  errare table probe 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1 --metric dtc
  errare table probe 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1 --also dtc,dtz50,dtr
  errare table probe '8/8/8/8/8/8/R7/KRbk4 w' --metric dtr --format json
  errare table probe '8/8/8/8/4k3/8/4P3/4K3 w' --source syzygy:/tables/syzygy")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// Metric of the depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr [default: dtm, or what the source knows]
    #[arg(long)]
    metric: Option<Metric>,
    /// Further metrics to show the depths in, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    also: Vec<Metric>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere;
    /// several folders as in PATH
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let request = ProbeRequest {
        fen: flags.fen.join(" "),
        metric: flags.metric.map(Text),
        also: flags.also.into_iter().map(Text).collect(),
        source: flags.source.map(Text),
    };
    let found = settings.run(&request)?;
    found.notes.iter().for_each(|note| say(&format!("note: {note}")));
    Output::stdout().response(flags.format, &found, |output, found| {
        let (position, metric) = (parse_fen_within(&found.fen, ANY_MEN)?, found.metric.parse()?);
        output.lines([&found.fen, &headline(&position, metric, found)])?;
        if !found.successors.is_empty() {
            output.line("")?;
            output.table(&for_people(metric, found)?)?;
        }
        anyhow::Ok(())
    })?;
    Ok(Exit::Clean)
}

fn for_people(metric: Metric, found: &ProbeResponse) -> Result<Sheet> {
    let mut columns: Vec<String> = ["move", "outcome", "after the move"].map(Into::into).into();
    columns.extend(found.also.keys().cloned());
    let mut grid = Sheet::with_columns(columns);
    for mv in &found.successors {
        let value = mv.depth.value(mv.phase_plies.flatten());
        let there = Value { outcome: value.outcome.reversed(), ..value };
        let mut depth = depth_phrase(&there, metric) + &phase_note(&there, metric);
        if mv.zeroing && depth != "mate" && metric != Metric::Dtm {
            depth += if depth.is_empty() { "zeroing" } else { ", zeroing" };
        }
        let mut row = vec![mv.san.clone(), value.outcome.to_string(), depth];
        for (metric, depth) in &mv.also {
            let value = depth.value(None);
            row.push(depth_phrase(&Value { outcome: value.outcome.reversed(), ..value }, metric.parse()?));
        }
        grid.push(row);
    }
    Ok(grid)
}

fn headline(position: &Chess, metric: Metric, found: &ProbeResponse) -> String {
    if position.is_stalemate() {
        return format!("stalemate: draw, {} to move", Side::from(position.turn()).title());
    }
    let value = found.depth.value(found.phase_plies.flatten());
    value_sentence(&value, position.turn(), metric) + &phase_note(&value, metric)
}
