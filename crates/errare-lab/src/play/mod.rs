//! A game of a person against an agent, move by move.

mod pgn;
mod response;
mod summary;
mod turning_point;

pub use response::{
    DrawClock, LegalMove, PlayEndName, PlayEnding, PlayResponse, PlayReview, PlayedMove, PlayedSide, PlayerCompetence,
};
pub use turning_point::TurningPoint;

use crate::analysis::AnalysisRequest;
use crate::choose::posteriors;
use crate::error::LabError;
use crate::lab::Lab;
use crate::model::ModelRequest;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::side::Side;
use crate::start::{DEPTH, DrawnStart, MATERIAL};
use crate::text::{Endgame, Text};
use errare_choice::Competence;
use errare_endgame::{AgentSetting, AgentSpec, EndgameError, Finish, Hold, MoveRule, Oracle, PlayConditions};
use errare_tables::{DepthRange, Material, Metric, TableSource, WantedOutcome};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Asks for the state of a game of a person against an agent after some moves, and for the agent's reply if it is to
/// move. Missing tables are built first.
///
/// Nothing is kept between requests: the request holds all moves of the game, the agent's too, and the same request
/// always gets the same response. To take moves back is to send fewer. The start may be drawn from an endgame; later
/// requests are quicker with the `start` of the first response as their `fen`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlayRequest {
    /// The position that the game starts from, as a FEN; by default drawn from an endgame.
    pub fen: Option<String>,
    /// The endgame that the start is drawn from, the person to move; White is the side named first. By default KQKR.
    pub material: Option<Text<Endgame>>,
    /// The depth of the start to be drawn, in moves of the winner, both ends included, as in 20, "15..31" or "15..". By
    /// default any, but "15.." if no endgame is named.
    pub depth: Option<Numeric<DepthRange>>,
    /// The outcome of the start to be drawn: win, draw or loss for the person, white-wins or black-wins.
    pub outcome: Option<Text<WantedOutcome>>,
    /// The side that the person plays.
    pub human: Side,
    /// The agent that plays the other side, as in player:12 or predator; a bare number is a competence. By default
    /// player:12.
    pub opponent: Option<Text<AgentSpec>>,
    /// The moves made so far by both sides, in order, in UCI or standard algebraic notation.
    pub moves: Vec<String>,
    /// The action that the person takes instead of a move.
    pub finish: Option<PlayFinish>,
    /// Number of moves by each side without a capture or a pawn move after which a draw can be claimed, or "none"; by
    /// default 50.
    pub rule: Numeric<MoveRule>,
    /// Random seed for the start and, with the number of the ply, for the agent's moves.
    pub seed: u64,
    /// The model of how fallible players choose.
    pub model: ModelRequest,
    /// The conditions by which the person's competence is assessed, and the belief beforehand: perhaps the posterior of
    /// an earlier game.
    pub analysis: AnalysisRequest,
}

/// An action that a person may take instead of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayFinish {
    /// The person resigns.
    Resign,
    /// The person claims a draw by the move rule or by repetition.
    ClaimDraw,
}

impl From<PlayFinish> for Finish {
    fn from(finish: PlayFinish) -> Finish {
        match finish {
            PlayFinish::Resign => Finish::Resign,
            PlayFinish::ClaimDraw => Finish::ClaimDraw,
        }
    }
}

/// The values that players hold unless a request says otherwise: people do give up wins.
const HOLD: Hold = Hold::Nothing;

/// The competence of the default opponent, which can be beaten.
const OPPONENT: f64 = 12.0;

/// The greatest number of moves of a game.
const MAX_MOVES: usize = 20_000;

impl Operation for PlayRequest {
    const NAME: &'static str = "play";
    const ABOUT: &'static str = "Play a game against an agent: how it stands, and the agent's reply";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = PlayResponse;

    fn files(&self) -> WorkFiles {
        let opponent = self.opponent.as_ref().and_then(|opponent| opponent.posterior_file());
        let inputs = opponent.into_iter().chain(self.analysis.prior.file()).map(Path::to_owned).collect();
        WorkFiles { inputs, outputs: Vec::new() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<PlayResponse, LabError> {
        if self.moves.len() > MAX_MOVES {
            let count = self.moves.len();
            return Err(LabError::Request(format!("too many moves: expected at most {MAX_MOVES}, found {count}")));
        }
        let (tables, metric) = self.model.tables(lab)?;
        let opponent = self.opponent()?;
        lab.bound_agent(&opponent)?;
        let model = self.model.model(HOLD);
        let analysis = self.analysis.analysis(model.clone(), lab)?;
        let posteriors = posteriors([&opponent], &BTreeMap::new(), lab)?;
        let setting = AgentSetting { model, analysis, rule: self.rule.moves(), posteriors };
        // Refused before any table is built.
        opponent.build(&setting)?;
        let start = self.start(lab, &tables, metric, progress)?;
        let (material, _) = Material::of_board(start.board());
        let needed = AgentSpec::tables_to_play([&opponent, &opponent], material, metric, false);
        let (conditions, game, turning_point) =
            tables.with_tables(&needed, progress, || -> Result<_, EndgameError> {
                let conditions = PlayConditions {
                    oracle: Arc::new(Oracle::new(tables.source(), metric)),
                    start: start.clone(),
                    human: self.human.into(),
                    opponent: opponent.clone(),
                    setting: setting.clone(),
                    rule: self.rule.0,
                    seed: self.seed,
                };
                let game = conditions.replay(&self.moves, self.finish.map(Into::into), progress)?;
                let turning_point = errare_endgame::TurningPoint::of(&conditions, &game)?;
                Ok((conditions, game, turning_point))
            })?;
        PlayResponse::new(&conditions, &game, turning_point.as_ref(), self.model.summary(metric, HOLD))
    }
}

impl PlayRequest {
    fn opponent(&self) -> Result<AgentSpec, LabError> {
        match &self.opponent {
            Some(opponent) => Ok(opponent.0.clone()),
            None => Ok(AgentSpec::Player(Competence::new(OPPONENT).map_err(LabError::request)?)),
        }
    }

    /// Finds the position that the game starts from.
    fn start(
        &self,
        lab: &Lab,
        tables: &TableSource,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<Chess, LabError> {
        if let Some(fen) = &self.fen {
            if self.material.is_some() || self.depth.is_some() || self.outcome.is_some() {
                let reason =
                    "the start is given as a FEN: leave out the endgame, the depth and the outcome to draw one";
                return Err(LabError::request(reason));
            }
            return Ok(tables.position(fen)?);
        }
        DrawnStart::check(tables)?;
        let default = |text: &str| text.parse().map_err(LabError::request);
        let endgame = match self.material {
            Some(material) => material.0,
            None => default(MATERIAL)?,
        };
        let depth = match (self.depth, self.material, self.outcome) {
            (Some(depth), ..) => Some(depth.0),
            (None, None, None) => Some(DEPTH.parse().map_err(LabError::request)?),
            _ => None,
        };
        let outcome = self.outcome.map(|outcome| outcome.0);
        DrawnStart { endgame, human: self.human, depth, outcome, seed: self.seed }.draw(lab, metric, progress)
    }
}
