//! Drawing a position to practise: by lesson, by ending and depth, or by the chance of a player to manage it.

use crate::analysis::AnalysisRequest;
use crate::course::{LessonTask, find_lesson};
use crate::depth::Outcome;
use crate::error::LabError;
use crate::lab::Lab;
use crate::markov::MAX_MOVES_FOR_CLIENTS;
use crate::model::{ModelRequest, ModelSummary};
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::posterior::CompetenceRequest;
use crate::side::Side;
use crate::text::{Endgame, Text};
use errare_endgame::Hold;
use errare_tables::{DepthRange, WantedOutcome};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for a position to practise, and how likely a player manages it against best play. Missing tables are built first.
///
/// The position is that of a lesson, or one drawn from an endgame with the person to move: the same one with which a game of
/// `play` with the same seed starts. With a target for the chance the depth is chosen whose predicted chance is nearest.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRequest {
    /// The lesson that the position is for, by its id in the `course`; instead of an endgame. What the request says besides
    /// goes before what the lesson says.
    #[serde(default)]
    pub lesson: Option<String>,
    /// The endgame; White is the side named first. By default KQKR.
    #[serde(default)]
    pub material: Option<Text<Endgame>>,
    /// The side that the person plays, and that is to move; by default White, or that of the lesson.
    #[serde(default)]
    pub human: Option<Side>,
    /// The depth in moves of the winner, both ends included, as in 20, "15..31" or "15.."; by default any, or that of the
    /// lesson.
    #[serde(default)]
    pub depth: Option<Numeric<DepthRange>>,
    /// The outcome: win, draw or loss for the person, white-wins or black-wins. By default any, or that of the lesson; with a
    /// target for the chance a win.
    #[serde(default)]
    pub outcome: Option<Text<WantedOutcome>>,
    /// The chance to manage the task that the position should have for the person, from 0 to 1. By default any.
    #[serde(default)]
    pub chance: Option<f64>,
    /// The competence of the person: a number, "inf", "-inf", a posterior, or a file with one. By default the prior of the
    /// analysis.
    #[serde(default)]
    pub competence: Option<CompetenceRequest>,
    /// Number of moves, by each side, within which to win, or for which to hold a draw.
    #[serde(default = "fifty")]
    pub within: u32,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// How the person chooses.
    #[serde(default)]
    pub model: ModelRequest,
    /// The belief about a person of whom nothing is said.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

fn fifty() -> u32 {
    50
}

/// A position to practise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DrawResponse {
    /// The position.
    pub fen: String,
    /// The endgame; White is the side named first.
    pub material: String,
    /// The side that the person plays.
    pub human: Side,
    /// What the person is to achieve.
    pub task: LessonTask,
    /// The outcome of perfect play for the person.
    pub outcome: Outcome,
    /// The depth in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// The chance that the person manages the task against best play: to win within the moves asked about, or not to lose
    /// a drawn position within them. Null if it cannot be predicted.
    pub chance: Option<f64>,
    /// Why the chance cannot be predicted; null if it can.
    pub why: Option<String>,
    /// The expected number of moves of the person until the position is won or lost; null if that is not known, infinite,
    /// or the position is drawn.
    pub expected_moves: Option<f64>,
    /// Number of positions that the prediction is estimated from, where the endgame is too large to go through all of
    /// them at once; null if it is from all, or if there is none.
    pub sample: Option<u64>,
    /// The number of moves asked about.
    pub within: u32,
    /// The competence of the person, in words where it is not certain.
    pub competence: String,
    /// How the person chooses.
    pub model: ModelSummary,
    /// Random seed.
    pub seed: u64,
    /// The depths to choose from with their chances, if a chance was asked for; else empty.
    pub depths: Vec<DepthChance>,
}

/// The chance of a player from a depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DepthChance {
    /// The depth in moves of the winner; null for draws.
    pub depth: Option<u16>,
    /// The chance that the person manages the task from a position of this depth.
    pub chance: f64,
    /// Number of such positions with the person to move, each counted once up to symmetry.
    pub positions: u64,
}
