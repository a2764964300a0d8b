//! A solved Markov model as programs read it.

use super::MarkovChart;
use crate::model::ModelSummary;
use crate::numeric::{Lengths, Numeric, infinite};
use crate::side::Side;
use errare_choice::Competence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The Markov model of an endgame, solved.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarkovResponse {
    /// The endgame; White is the side named first.
    pub material: String,
    /// The side whose moves are modelled.
    pub side: Side,
    /// The model of how players choose.
    #[serde(flatten)]
    pub model: ModelSummary,
    /// The competence of the other side, if it errs too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Numeric<Competence>>,
    /// The solution for each competence, rising.
    pub results: Vec<MarkovOutlook>,
    /// The matrix for each competence, if matrices were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matrices: Vec<TransitionMatrix>,
    /// Charts as SVG, as far as they were asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub charts: BTreeMap<MarkovChart, String>,
    /// Notes that a reader should know, such as states that a sample did not meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The lengths and the ends of contests, for one competence.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarkovOutlook {
    /// The competence of the side that errs.
    pub competence: Numeric<Competence>,
    /// The expected number of moves to the end, by the depth of the win; null if it is infinite.
    pub lengths: Lengths,
    /// The standard deviation of that number, by the depth of the win; null if it is infinite.
    pub sd: Lengths,
    /// The chance to win within each number of moves asked about, by the depth of the win.
    pub win_within: BTreeMap<u32, Vec<f64>>,
    /// The condition number of the equations solved: digits of the matrix that may be lost in the lengths.
    #[serde(with = "infinite")]
    #[schemars(with = "Option<f64>")]
    pub condition: f64,
    /// The end of a contest that starts from a drawn position; absent if it may stay drawn for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<FromDraw>,
    /// The expected number of moves to the end, by the depth of the loss; null if it is infinite.
    pub lost_lengths: Lengths,
    /// Lengths and chances from the wins of endgames that may follow, if each has states of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<MarkovBlock>,
    /// The state of contests after each number of moves asked about.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub after: BTreeMap<u32, AfterContest>,
    /// The chances to win by number of moves, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<PassageChances>,
}

/// The lengths of contests and the chances to win, from the wins of an endgame that may follow the one asked about.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MarkovBlock {
    /// The endgame, with the men of the side that is White in the endgame asked about first.
    pub material: String,
    /// The expected number of moves to the end, by the depth of the win; null if it is infinite.
    pub lengths: Lengths,
    /// The standard deviation of that number, by the depth of the win; null if it is infinite.
    pub sd: Lengths,
    /// The chance to win within each number of moves asked about, by the depth of the win.
    pub win_within: BTreeMap<u32, Vec<f64>>,
}

/// The end of a contest that starts from a drawn position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FromDraw {
    /// The expected number of moves to the end; null if it is infinite.
    #[serde(with = "infinite")]
    #[schemars(with = "Option<f64>")]
    pub length: f64,
    /// The chance that the side to move wins.
    pub won: f64,
    /// The chance that the side to move loses.
    pub lost: f64,
    /// The chance that the contest ends drawn.
    pub drawn: f64,
}

/// The state of a contest after some number of moves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AfterContest {
    /// The depth that the contest started from.
    pub from_depth: u16,
    /// The expected depth, given that the win is kept; finished wins count as depth 0. Null if no win is left.
    pub expected_depth: Option<f64>,
    /// The probability of each state, from the quickest win.
    pub states: Vec<f64>,
}

/// The chances to win a contest, by number of moves from 0.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PassageChances {
    /// The depth that the contest started from.
    pub from_depth: u16,
    /// The chance to win after exactly each number of moves.
    pub exactly: Vec<f64>,
    /// The chance to win after at most each number of moves.
    pub at_most: Vec<f64>,
}

/// The transition matrix of one competence.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TransitionMatrix {
    /// The competence of the side that moves.
    pub competence: Numeric<Competence>,
    /// All entries of the matrix that are not 0.
    pub transitions: Vec<Transition>,
}

/// The probability of going from one state to another with one move.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Transition {
    /// The state before the move, such as "win 7".
    pub from: String,
    /// The state after the move.
    pub to: String,
    /// The probability of the transition.
    pub probability: f64,
}

impl MarkovResponse {
    /// Describes in words the endgame, the players and their model.
    #[must_use]
    pub fn headline(&self) -> String {
        let opponent = match &self.opponent {
            Some(c) => format!("an opponent of competence {c}"),
            None => "an infallible opponent".to_owned(),
        };
        format!("{}, {} against {opponent} ({})", self.material, self.side.name(), self.model.sentence())
    }
}
