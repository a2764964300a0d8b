//! The input that requests for ratings share: turn files, the scale of losses, the model, and the conditions of a
//! calibration.

use crate::error::LabError;
use crate::text::Text;
use errare_choice::{Curve, Formula, Relation};
use errare_ratings::{ChoiceModel, Draws, Engine, Method, Scale, Selection, Turns, turn_file_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::PathBuf;

/// The turn files of a request, and the rules on which of their turns count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnsRequest {
    /// Turn files: .parquet, or lines of JSON, plain, .gz or .zst; folders with a turns.parquet, as `evaluate` writes them;
    /// `-` for lines of JSON on stdin.
    pub files: Vec<PathBuf>,
    /// Engine and version, for turns that do not name them.
    #[serde(default)]
    pub engine: Option<String>,
    /// Depth of the evaluations in plies, for turns that do not name it.
    #[serde(default)]
    pub depth: Option<u16>,
    /// Net and options of the engine, for turns that do not name them.
    #[serde(default)]
    pub settings: Option<String>,
    /// First move of a game that counts.
    #[serde(default = "default_first_move")]
    pub first_move: u16,
    /// Leave out turns whose best move is further from 0 than this, in pawns; null to leave out none.
    #[serde(default = "default_max_eval")]
    pub max_eval: Option<f64>,
    /// Also count positions that occurred before in the same game.
    #[serde(default)]
    pub keep_repeats: bool,
}

fn default_first_move() -> u16 {
    Selection::default().first_move
}

fn default_max_eval() -> Option<f64> {
    Some(Selection::default().most_eval)
}

impl TurnsRequest {
    /// Makes a request for these files, with the default selection of turns.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> TurnsRequest {
        TurnsRequest {
            files: files.into_iter().map(Into::into).collect(),
            engine: None,
            depth: None,
            settings: None,
            first_move: default_first_move(),
            max_eval: default_max_eval(),
            keep_repeats: false,
        }
    }

    /// The files that are read: the turn file of each folder that was named.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        self.files.iter().map(|path| turn_file_of(path)).collect()
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine { name: self.engine.clone(), depth: self.depth, settings: self.settings.clone() }
    }

    pub(crate) fn selection(&self) -> Result<Selection, LabError> {
        if self.files.is_empty() {
            return Err(LabError::request("no turn files: expected at least one"));
        }
        check("first move", self.first_move, "1 or more", self.first_move >= 1)?;
        let most_eval = self.max_eval.unwrap_or(f64::INFINITY);
        check("greatest evaluation", most_eval, "0 or more", most_eval >= 0.0)?;
        Ok(Selection { first_move: self.first_move, most_eval, without_repeats: !self.keep_repeats })
    }
}

/// The scale by which evaluations become losses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ScaleRequest {
    /// The constant of the scale correction: a step at evaluation z counts dz / (1 + a |z|); 0 for none.
    pub a: f64,
    /// The greatest loss, in pawns.
    pub cap: f64,
}

impl Default for ScaleRequest {
    fn default() -> ScaleRequest {
        let Scale { a, cap, .. } = Scale::default();
        ScaleRequest { a, cap }
    }
}

impl ScaleRequest {
    pub(crate) fn scale(self) -> Result<Scale, LabError> {
        let ScaleRequest { a, cap } = self;
        check("constant a", a, "a number from 0 to 1000", (0.0..=1000.0).contains(&a))?;
        check("greatest loss", cap, "a number above 0, at most 10000", cap > 0.0 && cap <= 10_000.0)?;
        Ok(Scale { a, cap, ..Scale::default() })
    }
}

/// The model of how players choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChoiceModelRequest {
    /// The relation of a move's probability to that of the best move: shares, powers or ratio.
    pub relation: Text<Relation>,
    /// The curve: invexp, ipa, ipb, secha or sechb.
    pub curve: Text<Curve>,
    /// Weights of the depths, where turns have several, the main depth first; empty if only the main depth counts.
    pub weights: Vec<f64>,
}

impl Default for ChoiceModelRequest {
    fn default() -> ChoiceModelRequest {
        let Formula { relation, curve } = Formula::PAPER;
        ChoiceModelRequest { relation: Text(relation), curve: Text(curve), weights: Vec::new() }
    }
}

impl ChoiceModelRequest {
    pub(crate) fn model(&self, turns: &Turns) -> Result<ChoiceModel, LabError> {
        let formula = Formula { relation: *self.relation, curve: *self.curve };
        Ok(ChoiceModel::for_turns(formula, &self.weights, turns)?)
    }
}

/// The turns that a calibration is made from, with the conditions for making it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalibrationInput {
    /// The turns of players of known rating: with their Elo, and with a "milepost" for the table of mileposts.
    pub turns: TurnsRequest,
    /// The scale by which evaluations become losses.
    #[serde(default)]
    pub scale: ScaleRequest,
    /// The model of how players choose.
    #[serde(default)]
    pub model: ChoiceModelRequest,
    /// The method of fitting.
    #[serde(default)]
    pub method: Method,
}

/// The greatest number of draws of a bootstrap.
const MAX_DRAWS: u32 = 1_000_000;

/// Makes the draws of a bootstrap; none for a count of 0.
pub(crate) fn draws(count: u32, seed: u64) -> Result<Option<Draws>, LabError> {
    check("number of draws", count, &format!("at most {MAX_DRAWS}"), count <= MAX_DRAWS)?;
    Ok((count > 0).then_some(Draws { count: count as usize, seed }))
}

/// Refuses a rating that no player can have, such as one of 0.
pub(crate) fn check_claim(claimed: Option<f64>) -> Result<(), LabError> {
    claimed.map_or(Ok(()), |elo| check_positive("rating", elo))
}

/// Refuses a number that is not above 0.
pub(crate) fn check_positive(name: &str, value: f64) -> Result<(), LabError> {
    check(name, value, "a number above 0", value > 0.0)
}

fn check(name: &str, value: impl Display, expected: &str, is_good: bool) -> Result<(), LabError> {
    if is_good { Ok(()) } else { Err(LabError::Request(format!("invalid {name} `{value}`: expected {expected}"))) }
}
