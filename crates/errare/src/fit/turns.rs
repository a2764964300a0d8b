//! The flags of every command that reads turns.

use crate::output::grouped;
use anyhow::Result;
use clap::Args;
use errare_choice::{Curve, Formula, Relation};
use errare_ratings::{ChoiceModel, Engine, LeftOut, Players, Sample, Scale, Selection, TurnReader, TurnSet, Turns};
use errare_work::Progress;
use std::io;
use std::path::PathBuf;

/// The turn files, and what is left open in them.
#[derive(Args, Debug)]
pub struct TurnFlags {
    /// Turn files: .parquet, or lines of JSON, plain or .gz; `-` for lines of JSON on stdin
    #[arg(required = true, value_name = "TURNS")]
    pub files: Vec<PathBuf>,
    /// Engine and version, for turns that do not name them
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Depth of the evaluations, for turns that do not name it
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u16>,
    /// Net and options of the engine, for turns that do not name them
    #[arg(long, value_name = "TEXT")]
    pub settings: Option<String>,
    /// First move of a game that counts
    #[arg(long, default_value_t = 9, value_name = "MOVE", value_parser = clap::value_parser!(u16).range(1..))]
    pub first_move: u16,
    /// Leave out turns whose best move is further from 0 than this, in pawns, or `inf`
    #[arg(long, default_value_t = 3.0, value_name = "PAWNS", value_parser = not_negative)]
    pub most_eval: f64,
    /// Also count positions that occurred before in the same game
    #[arg(long)]
    pub keep_repeats: bool,
}

/// How evaluations become losses.
#[derive(Args, Clone, Copy, Debug)]
pub struct ScaleFlags {
    /// Constant of the scale correction: a step at evaluation z counts dz / (1 + a |z|); 0 for none
    #[arg(long = "a", default_value_t = 1.0, value_name = "A", value_parser = finite)]
    a: f64,
    /// Greatest loss, in pawns
    #[arg(long, default_value_t = 10.0, value_name = "PAWNS", value_parser = positive)]
    cap: f64,
}

impl ScaleFlags {
    pub fn scale(self) -> Scale {
        Scale { a: self.a, cap: self.cap, ..Scale::default() }
    }
}

/// The model of how players choose.
#[derive(Args, Debug)]
pub struct ModelFlags {
    /// Model: shares, powers or ratio
    #[arg(long, default_value = "powers")]
    model: Relation,
    /// Curve: invexp, ipa, ipb, secha or sechb
    #[arg(long, default_value = "invexp")]
    curve: Curve,
    /// Weights of the depths, where turns have several: the main depth first
    #[arg(long, value_name = "W,W,...", value_delimiter = ',')]
    weights: Vec<f64>,
}

impl ModelFlags {
    pub fn model(&self, turns: &Turns) -> Result<ChoiceModel> {
        let formula = Formula { relation: self.model, curve: self.curve };
        Ok(ChoiceModel::for_turns(formula, &self.weights, turns)?)
    }
}

impl TurnFlags {
    pub fn load(&self, scale: Scale, progress: &dyn Progress) -> Result<TurnSet> {
        let engine = Engine { name: self.engine.clone(), depth: self.depth, settings: self.settings.clone() };
        let selection =
            Selection { first_move: self.first_move, most_eval: self.most_eval, without_repeats: !self.keep_repeats };
        let mut reader = TurnReader::new(scale, selection, engine);
        for path in &self.files {
            if path.as_os_str() == "-" {
                reader.read("-", io::stdin(), progress)?;
            } else {
                reader.open(path, progress)?;
            }
        }
        Ok(reader.finish())
    }
}

/// The turns of the player whom a text names, with the player's full name.
pub fn of_player(set: &TurnSet, text: &str, progress: &dyn Progress) -> Result<(String, Sample)> {
    let name = Players::new(&set.turns, progress)?.find(text)?.to_owned();
    let sample = Sample::of_player(&set.turns, &name);
    Ok((name, sample))
}

/// Describes in a line what was read and what was left out.
pub fn summary(set: &TurnSet) -> String {
    let LeftOut { early, forced, decided, repeated } = set.left_out;
    let mut reasons = Vec::new();
    for (count, reason) in [(early, "too early"), (forced, "forced"), (decided, "decided"), (repeated, "repeated")] {
        if count > 0 {
            reasons.push(format!("{} {reason}", grouped(count)));
        }
    }
    let turns = grouped(set.turns.count() as u64);
    let left_out = if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join(", ")) };
    format!("{turns} turns of {} games, {}{left_out}", set.turns.games().len(), set.turns.engine())
}

fn number(text: &str, expected: &str, is_good: impl Fn(f64) -> bool) -> Result<f64, String> {
    let refused = || format!("invalid number `{text}`: expected {expected}");
    text.parse().ok().filter(|&value| is_good(value)).ok_or_else(refused)
}

pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, "0 or more", |value| value >= 0.0)
}

fn finite(text: &str) -> Result<f64, String> {
    number(text, "a finite number, 0 or more", |value| value >= 0.0 && value.is_finite())
}

pub fn positive(text: &str) -> Result<f64, String> {
    number(text, "a number above 0", |value| value > 0.0)
}
