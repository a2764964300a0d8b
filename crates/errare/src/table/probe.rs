//! `errare table probe`.

use crate::Verdict;
use crate::depth::{Depth, phase_note, phrase, sentence, side};
use crate::notation::{fen_of, san, uci};
use crate::output::{Format, Grid, Output, cell};
use crate::say;
use crate::settings::Settings;
use crate::sources::refuse_unasked;
use crate::workshop::Workshop;
use anyhow::Result;
use clap::Args;
use errare_tables::{
    Builder, Material, Metric, Outcome, Probe, Source, SourceSpec, TableError, Value, parse_fen, parse_fen_within,
    probe,
};
use serde::Serialize;
use shakmaty::{Chess, Position};

/// Tell the value of a position and of each of its moves
///
/// Moves come best first. The outcome of a move is seen from the side that makes it; its plies and
/// moves are those of the position after it. Moves are always the winner's moves still to be made,
/// and a draw has neither. Missing tables are built first. A move rule, as in dtz50, counts from a
/// zero count: the halfmove clock of the FEN is left aside.
///
/// With --source the values are those of tables that others made, and nothing is built. Syzygy tables
/// answer in dtz50, to seven men; some of their depths are rounded down by a ply, and those of a cursed win
/// count 100 plies more if it is a later phase that takes too long. Gaviota tables answer in dtm, to five men.
///
/// JSON: {"fen", "metric", "outcome", "plies", "moves", "successors": [{"uci", "san", "outcome",
/// "plies", "moves", "zeroing"}]}, outcomes being win, draw, loss, cursed-win or blessed-loss; for
/// dtr also "phase_plies", the plies to the end of the phase. CSV: a row for the position, its uci
/// and san empty, then one for each move.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table probe '8/8/8/8/2r5/8/2k5/K6Q w - - 0 1'
  errare table probe 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1 --metric dtc
  errare table probe '8/8/8/8/8/8/R7/KRbk4 w' --metric dtr --format json
  errare table probe '8/8/8/8/4k3/8/4P3/4K3 w' --source syzygy:/tables/syzygy")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// dtm, dtc, dtz, dtz50 (or another move rule) or dtr [default: dtm, or what the source knows]
    #[arg(long)]
    metric: Option<Metric>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere;
    /// several folders as in PATH
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { fen, metric, source, format } = flags;
    let fen = fen.join(" ");
    let (position, metric, found) = match source {
        Some(spec) => ask(&*spec.open()?, &fen, metric)?,
        None => look_up(&Workshop::new(settings), &fen, metric.unwrap_or(Metric::Dtm))?,
    };
    if let (Metric::DtzRule(rule), clock @ 1..) = (metric, position.halfmoves()) {
        say(&format!("note: the halfmove clock of {clock} is left aside, the {rule}-move rule counts from zero"));
    }
    let mut output = Output::stdout();
    match format {
        Format::Json => output.json(&Answer::new(&position, metric, &found))?,
        Format::Csv => output.csv(&Answer::new(&position, metric, &found).grid())?,
        Format::Table => {
            output.line(&fen_of(&position))?;
            output.line(&headline(&position, metric, &found.value))?;
            if !found.successors.is_empty() {
                output.line("")?;
                output.grid(&for_people(&position, metric, &found))?;
            }
        }
    }
    Ok(Verdict::Clean)
}

/// What our tables say, which are built if they are missing.
fn look_up(workshop: &Workshop, fen: &str, metric: Metric) -> Result<(Chess, Metric, Probe)> {
    let position = parse_fen(fen)?;
    let (material, _) = Material::of_board(position.board());
    refuse_unasked(workshop, material, metric)?;
    let found = workshop.mending(&|_| (), |builder| {
        ensure_all(builder, &position, metric)?;
        probe(&workshop.library, &position, metric)
    })?;
    Ok((position, metric, found))
}

/// What another source says.
fn ask(source: &dyn Source, fen: &str, metric: Option<Metric>) -> Result<(Chess, Metric, Probe)> {
    let position = parse_fen_within(fen, source.most_men())?;
    let metric = metric.unwrap_or(source.metric());
    let found = probe(source, &position, metric)?;
    if is_rounded(source, &position, metric)? {
        say("note: these tables round: a depth may be one ply more than is told");
    }
    Ok((position, metric, found))
}

/// Whether the depth of the position or of one after it is not exact.
fn is_rounded(source: &dyn Source, position: &Chess, metric: Metric) -> Result<bool, TableError> {
    let mut rounded = source.reading(position, metric)?.is_rounded;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(mv);
        rounded |= source.reading(&after, metric)?.is_rounded;
    }
    Ok(rounded)
}

/// The tables of the position and of everything a move leads to; after a double step also of what
/// taking en passant leads to, for that is looked up one ply further.
fn ensure_all(builder: &Builder<'_>, position: &Chess, metric: Metric) -> Result<(), TableError> {
    let mut needed = vec![Material::of_board(position.board()).0];
    let mut add = |position: &Chess| {
        let (material, _) = Material::of_board(position.board());
        if !needed.contains(&material) {
            needed.push(material);
        }
    };
    for after in successors(position, |_| true) {
        add(&after);
        successors(&after, |mv| mv.is_en_passant()).for_each(|taken| add(&taken));
    }
    // Two bare kings need no table.
    needed
        .into_iter()
        .filter(|material| material.men() > 2)
        .try_for_each(|material| builder.ensure(material, metric).map(drop))
}

/// The positions that some of the legal moves lead to.
fn successors(position: &Chess, wanted: fn(&shakmaty::Move) -> bool) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().filter(wanted).map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    })
}

#[derive(Debug, Serialize)]
struct Answer {
    fen: String,
    metric: String,
    #[serde(flatten)]
    depth: Depth,
    successors: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase_plies: Option<Option<u16>>,
}

#[derive(Debug, Serialize)]
struct Move {
    uci: String,
    san: String,
    #[serde(flatten)]
    depth: Depth,
    zeroing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase_plies: Option<Option<u16>>,
}

impl Answer {
    fn new(position: &Chess, metric: Metric, found: &Probe) -> Answer {
        let phase =
            |value: &Value| (metric == Metric::Dtr).then(|| (value.outcome != Outcome::Draw).then_some(value.phase.0));
        let successors = found.successors.iter().map(|successor| Move {
            uci: uci(successor.mv),
            san: san(position, successor.mv),
            depth: Depth::after_move(&successor.value, metric),
            zeroing: successor.zeroing,
            phase_plies: phase(&successor.value),
        });
        Answer {
            fen: fen_of(position),
            metric: metric.to_string(),
            depth: Depth::of(&found.value, metric),
            successors: successors.collect(),
            phase_plies: phase(&found.value),
        }
    }

    fn grid(&self) -> Grid {
        let mut grid =
            Grid::new(&["fen", "metric", "uci", "san", "outcome", "plies", "moves", "zeroing", "phase_plies"]);
        let mut push = |uci: &str, san: &str, depth: &Depth, zeroing: Option<bool>, phase: Option<Option<u16>>| {
            grid.push([
                self.fen.clone(),
                self.metric.clone(),
                uci.to_owned(),
                san.to_owned(),
                depth.outcome.to_owned(),
                cell(depth.plies),
                cell(depth.moves),
                cell(zeroing),
                cell(phase.flatten()),
            ]);
        };
        push("", "", &self.depth, None, self.phase_plies);
        for mv in &self.successors {
            push(&mv.uci, &mv.san, &mv.depth, Some(mv.zeroing), mv.phase_plies);
        }
        grid
    }
}

fn for_people(position: &Chess, metric: Metric, found: &Probe) -> Grid {
    let mut grid = Grid::new(&["move", "outcome", "after the move"]);
    for successor in &found.successors {
        let there = Value { outcome: successor.value.outcome.reversed(), ..successor.value };
        let mut depth = phrase(&there, metric) + &phase_note(&there, metric);
        if successor.zeroing && depth != "mate" && metric != Metric::Dtm {
            depth += if depth.is_empty() { "zeroing" } else { ", zeroing" };
        }
        let san = san(position, successor.mv);
        grid.push([san, successor.value.outcome.to_string(), depth]);
    }
    grid
}

fn headline(position: &Chess, metric: Metric, value: &Value) -> String {
    if position.is_stalemate() {
        return format!("stalemate: draw, {} to move", side(position.turn()));
    }
    sentence(value, position.turn(), metric) + &phase_note(value, metric)
}
