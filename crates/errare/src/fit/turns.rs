//! The flags of every command that reads turns, and the reading.

use crate::output::grouped;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use errare_choice::{Curve, Formula, Relation};
use errare_ratings::{
    Calibration, Engine, LeftOut, Lens, Method, RatingsError, Scale, Selection, TurnFile, Turns, TurnsBuilder,
};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Which turns, and who evaluated them.
#[derive(Args, Debug)]
pub struct TurnFlags {
    /// Turns with evaluations: .parquet, or a line of JSON each, plain or .gz; `-` for such lines on stdin
    #[arg(required = true, value_name = "TURNS")]
    pub files: Vec<PathBuf>,
    /// Engine and version, where the turns do not say
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Depth of the evaluations, where the turns do not say
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u16>,
    /// Net and options of the engine, where the turns do not say
    #[arg(long, value_name = "TEXT")]
    pub settings: Option<String>,
    /// The first move of a game that counts
    #[arg(long, default_value_t = 9, value_name = "MOVE", value_parser = clap::value_parser!(u16).range(1..))]
    pub first_move: u16,
    /// Leave out turns whose best move is further from 0, in pawns, or `inf`
    #[arg(long, default_value_t = 3.0, value_name = "PAWNS", value_parser = not_negative)]
    pub most_eval: f64,
    /// Count positions that came up before in the same game too
    #[arg(long)]
    pub keep_repeats: bool,
}

/// How evaluations become losses.
#[derive(Args, Clone, Copy, Debug)]
pub struct ScaleFlags {
    /// The constant of the scale correction: a step at evaluation z counts dz / (1 + a |z|); 0 for none
    #[arg(long = "a", default_value_t = 1.0, value_name = "A", value_parser = finite)]
    a: f64,
    /// The greatest loss, in pawns
    #[arg(long, default_value_t = 10.0, value_name = "PAWNS", value_parser = positive)]
    cap: f64,
}

impl ScaleFlags {
    pub fn scale(self) -> Scale {
        Scale { a: self.a, cap: self.cap, ..Scale::default() }
    }
}

/// How players are thought to choose.
#[derive(Args, Debug)]
pub struct LensFlags {
    /// The model: shares, powers or ratio
    #[arg(long, default_value = "powers")]
    model: Relation,
    /// The curve: invexp, ipa, ipb, secha or sechb
    #[arg(long, default_value = "invexp")]
    curve: Curve,
    /// How much evaluations at each depth count, where turns have several: the main depth first
    #[arg(long, value_name = "W,W,...", value_delimiter = ',')]
    weights: Vec<f64>,
}

impl LensFlags {
    pub fn lens(&self, turns: &Turns) -> Result<Lens> {
        let formula = Formula { relation: self.model, curve: self.curve };
        Ok(if self.weights.is_empty() { Lens::new(formula) } else { Lens::weighted(formula, &self.weights, turns)? })
    }
}

/// What was read.
#[derive(Debug)]
pub struct Loaded {
    pub turns: Turns,
    pub left_out: LeftOut,
    /// Which files, in words.
    pub data: String,
}

impl TurnFlags {
    pub fn load(&self, scale: Scale) -> Result<Loaded> {
        let engine = Engine { name: self.engine.clone(), depth: self.depth, settings: self.settings.clone() };
        let selection =
            Selection { first_move: self.first_move, most_eval: self.most_eval, without_repeats: !self.keep_repeats };
        let mut builder = TurnsBuilder::new(scale, selection, engine);
        for path in &self.files {
            read(path, &mut builder).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        }
        let (turns, left_out) = builder.finish();
        let name =
            |path: &PathBuf| path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned());
        let names: Vec<String> = self.files.iter().map(name).collect();
        let data = format!("{}: {} turns of {} games", names.join(", "), turns.count(), turns.games().len());
        Ok(Loaded { turns, left_out, data })
    }
}

fn read(path: &Path, builder: &mut TurnsBuilder) -> Result<()> {
    let opened = if path.as_os_str() == "-" {
        TurnFile::new(io::stdin()).map_err(RatingsError::Open)
    } else {
        TurnFile::open(path)
    };
    let mut file = opened?;
    while let Some(record) = file.next() {
        builder.add(record?).map_err(|error| file.placed(error))?;
    }
    Ok(())
}

impl Loaded {
    /// What was read and what was left out, in words.
    pub fn words(&self) -> String {
        let LeftOut { early, forced, decided, repeated } = self.left_out;
        let mut reasons = Vec::new();
        for (count, reason) in [(early, "too early"), (forced, "forced"), (decided, "decided"), (repeated, "repeated")]
        {
            if count > 0 {
                reasons.push(format!("{} {reason}", grouped(count)));
            }
        }
        let turns = grouped(self.turns.count() as u64);
        let left_out = if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join(", ")) };
        format!("{turns} turns of {} games, {}{left_out}", self.turns.games().len(), self.turns.engine())
    }

    /// The calibration that the mileposts of these turns make.
    pub fn calibration(&self, lens: Lens, method: Method) -> Result<Calibration> {
        let engine = self.turns.engine();
        if engine.name.is_none() || engine.depth.is_none() {
            bail!("a calibration must name its engine and depth: give --engine and --depth, as the turns do not");
        }
        Ok(Calibration::new(&self.turns, lens, method, self.data.clone())?)
    }
}

/// An engine as JSON has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineShape {
    pub name: Option<String>,
    pub depth: Option<u16>,
    pub settings: Option<String>,
}

impl From<&Engine> for EngineShape {
    fn from(engine: &Engine) -> EngineShape {
        EngineShape { name: engine.name.clone(), depth: engine.depth, settings: engine.settings.clone() }
    }
}

impl From<EngineShape> for Engine {
    fn from(shape: EngineShape) -> Engine {
        Engine { name: shape.name, depth: shape.depth, settings: shape.settings }
    }
}

/// A scale as JSON has it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ScaleShape {
    pub a: f64,
    pub mate: f64,
    pub cap: f64,
}

impl From<Scale> for ScaleShape {
    fn from(scale: Scale) -> ScaleShape {
        ScaleShape { a: scale.a, mate: scale.mate, cap: scale.cap }
    }
}

impl From<ScaleShape> for Scale {
    fn from(shape: ScaleShape) -> Scale {
        Scale { a: shape.a, mate: shape.mate, cap: shape.cap }
    }
}

/// Which player is meant.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// Those whose name contains it, whatever the case.
    Part(&'a str),
    /// The one whose name it is.
    Whole(&'a str),
}

impl<'a> Wanted<'a> {
    pub fn is(self, name: &str) -> bool {
        match self {
            Wanted::Part(part) => is_meant(name, part),
            Wanted::Whole(whole) => name == whole,
        }
    }

    pub fn name(self) -> &'a str {
        match self {
            Wanted::Part(name) | Wanted::Whole(name) => name,
        }
    }
}

/// Whether a name is meant by what the user typed: it contains it, whatever the case.
pub fn is_meant(name: &str, wanted: &str) -> bool {
    name.to_lowercase().contains(&wanted.to_lowercase())
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value >= 0.0 { Ok(value) } else { Err(format!("{text} is not 0 or above")) })
}

fn finite(text: &str) -> Result<f64, String> {
    not_negative(text)
        .and_then(|value| if value.is_finite() { Ok(value) } else { Err(format!("{text} is not finite")) })
}

pub fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value > 0.0 { Ok(value) } else { Err(format!("{text} is not above 0")) })
}
