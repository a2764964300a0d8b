//! Drawing a position to practise: by lesson, by ending and depth, or by the chance of a player to manage it.

mod predictor;

use crate::analysis::AnalysisRequest;
use crate::course::{LessonStart, LessonTask, find_lesson};
use crate::depth::Outcome;
use crate::error::LabError;
use crate::lab::Lab;
use crate::markov::MAX_MOVES_FOR_CLIENTS;
use crate::model::{ModelRequest, ModelSummary};
use crate::notation::fen_of;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::posterior::CompetenceRequest;
use crate::predict::Belief;
use crate::side::Side;
use crate::start::{DEPTH, DrawnStart, MATERIAL};
use crate::text::{Endgame, Text};
use errare_endgame::{Hold, MarkovModel, Oracle};
use errare_tables::{DepthRange, Material, TableSource, WantedOutcome, tables_after};
use errare_work::{Progress, WorkFiles};
use predictor::{Predicted, Predictor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};
use std::path::Path;

/// Asks for a position to practise, and how likely a player manages it against best play. Missing tables are built first.
///
/// The position is that of a lesson, or one drawn from an endgame with the person to move: the same one with which a game of
/// `play` with the same seed starts. With a target for the chance the depth is chosen whose predicted chance is nearest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DrawRequest {
    /// The lesson that the position is for, by its id in the `course`; instead of an endgame. Other fields of the
    /// request override those of the lesson.
    pub lesson: Option<String>,
    /// The endgame; White is the side named first. By default KQKR.
    pub material: Option<Text<Endgame>>,
    /// The side that the person plays, and that is to move; by default White, or that of the lesson.
    pub human: Option<Side>,
    /// The depth in moves of the winner, both ends included, as in 20, "15..31" or "15.."; by default any, or that of the
    /// lesson.
    pub depth: Option<Numeric<DepthRange>>,
    /// The outcome: win, draw or loss for the person, white-wins or black-wins. By default any, or that of the lesson; with a
    /// target for the chance a win.
    pub outcome: Option<Text<WantedOutcome>>,
    /// The chance to manage the task that the position should have for the person, from 0 to 1. By default any.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub chance: Option<f64>,
    /// The competence of the person: a number, "inf", "-inf", a posterior, or a file with one. By default the prior of the
    /// analysis.
    pub competence: Option<CompetenceRequest>,
    /// Number of moves, by each side, within which to win, or for which to hold a draw.
    pub within: u32,
    /// Random seed.
    pub seed: u64,
    /// The model of how the person chooses.
    pub model: ModelRequest,
    /// The belief about a person for whom the request gives none.
    pub analysis: AnalysisRequest,
}

impl Default for DrawRequest {
    fn default() -> DrawRequest {
        DrawRequest {
            lesson: None,
            material: None,
            human: None,
            depth: None,
            outcome: None,
            chance: None,
            competence: None,
            within: 50,
            seed: 0,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}

/// A position to practise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DrawResponse {
    /// The position as a FEN.
    pub fen: String,
    /// The endgame; White is the side named first.
    pub material: String,
    /// The side that the person plays.
    pub human: Side,
    /// The task of the person.
    pub task: LessonTask,
    /// The outcome of perfect play for the person.
    pub outcome: Outcome,
    /// The depth in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// The chance that the person manages the task against best play: to win within the moves asked about, or not to lose
    /// a drawn position within them. Null if it cannot be predicted.
    pub chance: Option<f64>,
    /// The reason why the chance cannot be predicted; null if it can.
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
    /// The model of how the person chooses.
    pub model: ModelSummary,
    /// Random seed.
    pub seed: u64,
    /// The depths to choose from with their chances, if a chance was asked for; else empty.
    pub depths: Vec<DepthChance>,
}

/// The chance that the person manages the task from a depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DepthChance {
    /// The depth in moves of the winner; null for draws.
    pub depth: Option<u16>,
    /// The chance that the person manages the task from a position of this depth.
    pub chance: f64,
    /// Number of positions of this depth with the person to move, each counted once up to symmetry.
    pub positions: u64,
}

/// The values that people hold unless a request says otherwise: they do give up wins, as `play` assumes when it
/// assesses them.
const HOLD: Hold = Hold::Nothing;

impl Operation for DrawRequest {
    const NAME: &'static str = "draw";
    const ABOUT: &'static str = "Draw a position to practise, by lesson, depth or the chance to manage it";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = DrawResponse;

    fn files(&self) -> WorkFiles {
        let competence = match &self.competence {
            Some(CompetenceRequest::File(path)) => Some(path.as_path()),
            _ => None,
        };
        let inputs = competence.into_iter().chain(self.analysis.prior.file()).map(Path::to_owned).collect();
        WorkFiles { inputs, outputs: Vec::new() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<DrawResponse, LabError> {
        lab.bound("moves to look ahead", self.within.into(), MAX_MOVES_FOR_CLIENTS)?;
        if let Some(chance) = self.chance.filter(|chance| !(0.0..=1.0).contains(chance)) {
            return Err(LabError::Request(format!("invalid chance {chance}: expected a number from 0 to 1")));
        }
        let model = self.model.model(HOLD);
        let (tables, metric) = self.model.tables(lab)?;
        let belief = Belief::read(self.competence.as_ref(), &self.analysis, &model, lab)?;
        let competences = belief.competences.clone();
        let check = || MarkovModel::check(metric, &model, &competences);
        let start = self.start(&tables)?;
        let mut predictor = Predictor::new(self, lab, &tables, metric, belief);
        let (position, human, depths) = match start {
            Start::Fixed(position, human) => (*position, human, Vec::new()),
            Start::Drawn(start) => {
                let (start, depths) = match self.chance {
                    Some(chance) => {
                        check()?;
                        predictor.choose_depth(chance, start, progress)?
                    }
                    None => (start, Vec::new()),
                };
                (start.draw(lab, metric, progress)?, start.human, depths)
            }
        };
        let (material, swapped) = Material::of_board(position.board());
        let needed = tables_after(material, &[metric]);
        let oracle = Oracle::new(tables.source(), metric);
        let state = tables.with_tables(&needed, progress, || oracle.state(&position))?;
        let predicted = match check() {
            Err(refusal) => Predicted { why: Some(refusal.to_string()), ..Predicted::default() },
            Ok(()) => predictor.predict(&position, state, progress)?,
        };
        Ok(DrawResponse {
            fen: fen_of(&position),
            material: material.oriented(swapped),
            human,
            task: LessonTask::of(state.into()),
            outcome: state.into(),
            depth: state.depth().map(|depth| depth.0),
            chance: predicted.chance,
            why: predicted.why,
            expected_moves: predicted.expected_moves,
            sample: predicted.sample,
            within: self.within,
            competence: predictor.in_words(),
            model: self.model.summary(metric, HOLD),
            seed: self.seed,
            depths,
        })
    }
}

/// The start of a draw: a fixed position, or the endgame to draw from.
enum Start {
    Fixed(Box<Chess>, Side),
    Drawn(DrawnStart),
}

impl DrawRequest {
    fn start(&self, tables: &TableSource) -> Result<Start, LabError> {
        let lesson = self.lesson.as_deref().map(find_lesson).transpose()?;
        let Some(lesson) = lesson else {
            let is_bare = self.material.is_none() && self.outcome.is_none() && self.chance.is_none();
            let depth = match self.depth {
                None if is_bare => Some(DEPTH.parse().map_err(LabError::request)?),
                depth => depth.map(|depth| depth.0),
            };
            let endgame = match self.material {
                Some(material) => material.0,
                None => MATERIAL.parse().map_err(LabError::request)?,
            };
            return self.drawn(tables, endgame, self.human.unwrap_or_default(), depth, self.outcome);
        };
        if self.material.is_some() || self.human.is_some() {
            return Err(LabError::request("the lesson says which endgame and which side: leave out both"));
        }
        let LessonStart { fen, material, depth, outcome } = lesson.start;
        match (fen, material) {
            (Some(fen), _) => {
                if self.depth.is_some() || self.outcome.is_some() || self.chance.is_some() {
                    let reason =
                        "the lesson starts from a fixed position: leave out the depth, the outcome and the chance";
                    return Err(LabError::request(reason));
                }
                Ok(Start::Fixed(Box::new(tables.position(&fen)?), lesson.human))
            }
            (None, Some(Text(endgame))) => {
                // A chance is looked for at any depth.
                let lesson_depth = if self.chance.is_some() { None } else { depth };
                let depth = self.depth.or(lesson_depth).map(|depth| depth.0);
                self.drawn(tables, endgame, lesson.human, depth, self.outcome.or(outcome))
            }
            (None, None) => Err(LabError::Internal("a lesson has no start")),
        }
    }

    fn drawn(
        &self,
        tables: &TableSource,
        endgame: Endgame,
        human: Side,
        depth: Option<DepthRange>,
        outcome: Option<Text<WantedOutcome>>,
    ) -> Result<Start, LabError> {
        DrawnStart::check(tables)?;
        let outcome = outcome.map(|outcome| outcome.0);
        Ok(Start::Drawn(DrawnStart { endgame, human, depth, outcome, seed: self.seed }))
    }
}
