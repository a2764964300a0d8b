//! Contests: engines without tables play an endgame against the infallible player.

mod entrants;
mod games;
mod recorded_player;
mod score;

use crate::error::LabError;
use crate::game_conditions::GameConditions;
use crate::lab::Lab;
use crate::model::ModelSummary;
use crate::notation::fen_of;
use crate::numbers::counted;
use crate::operation::{Exposure, Operation};
use crate::pgn_output::PgnOutput;
use crate::text::Text;
use entrants::Entrant;
use errare_endgame::{EndgameError, Hold, Oracle, WonStart, draw_won_starts};
use errare_tables::{Material, Metric, TableSource, tables_after, tables_to_mate};
use errare_uci::client::{EngineEntry, Limit, OptionSetting};
use errare_work::{Progress, WorkFiles};
use games::{ContestGame, ContestGames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Asks engines without tables to play an endgame against the infallible player. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestRequest {
    /// The engines: files or commands, with arguments after spaces, and perhaps parameters after commas, as in
    /// stockfish,depth=4,option.Hash=64. They may begin with uci: as in a match.
    pub engines: Vec<Text<EngineEntry>>,
    /// The limits of searches: depth=N, nodes=N or movetime=Nms. Every engine without a limit of its own plays at each of
    /// them.
    #[serde(default = "depth_eight")]
    pub limits: Vec<Text<Limit>>,
    /// Options of all engines that do not set them themselves, such as `Hash=64`.
    #[serde(default)]
    pub options: Vec<Text<OptionSetting>>,
    /// The endgame that is played.
    pub material: Text<Material>,
    /// Number of positions, from 1 to 100,000.
    #[serde(default = "twenty")]
    pub positions: usize,
    /// The distribution of the positions.
    #[serde(default)]
    pub spread: StartSpread,
    /// The side that the engines play.
    #[serde(default)]
    pub side: ContestSide,
    /// Random seed for the positions and for moves among equals.
    #[serde(default)]
    pub seed: u64,
    /// The conditions under which games are conducted and assessed, and the tables that give the values of moves.
    #[serde(flatten)]
    pub conditions: GameConditions,
}

fn depth_eight() -> Vec<Text<Limit>> {
    vec![Text(Limit::Depth(8))]
}

fn twenty() -> usize {
    20
}

/// The distribution of positions over the wins of an endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StartSpread {
    /// Evenly over the depths that occur, so that short and long wins are equally likely.
    #[default]
    Depths,
    /// Evenly over all won positions.
    Positions,
}

impl From<StartSpread> for errare_endgame::StartSpread {
    fn from(spread: StartSpread) -> errare_endgame::StartSpread {
        match spread {
            StartSpread::Depths => errare_endgame::StartSpread::Depths,
            StartSpread::Positions => errare_endgame::StartSpread::Positions,
        }
    }
}

/// The side that engines play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContestSide {
    /// Engines play the stronger side, to win.
    Strong,
    /// Engines play the weaker side, to hold out.
    Weak,
    /// Engines play both sides, one after the other.
    #[default]
    Both,
}

impl ContestSide {
    /// The name of the side as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ContestSide::Strong => "strong",
            ContestSide::Weak => "weak",
            ContestSide::Both => "both",
        }
    }

    fn each(self) -> &'static [ContestSide] {
        match self {
            ContestSide::Strong => &[ContestSide::Strong],
            ContestSide::Weak => &[ContestSide::Weak],
            ContestSide::Both => &[ContestSide::Strong, ContestSide::Weak],
        }
    }
}

/// The results of a contest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestResponse {
    /// The endgame; White has the stronger side.
    pub material: String,
    /// The model of how fallible players choose.
    pub model: ModelSummary,
    /// The competences that engines were assessed over, as least(step)greatest.
    pub grid: String,
    /// Random seed.
    pub seed: u64,
    /// The distribution of the positions.
    pub spread: StartSpread,
    /// The positions that games started from.
    pub starts: Vec<ContestStart>,
    /// The results, by engine, limit and side.
    pub results: Vec<ContestResult>,
    /// The games that broke because an engine failed.
    pub broken: Vec<BrokenGame>,
}

/// A position that games started from: White, to move, wins.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestStart {
    /// The position as a FEN.
    pub fen: String,
    /// The depth of the win: number of moves to the goal of the metric.
    pub depth: u16,
}

/// The result of one engine at one limit on one side, or on both.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestResult {
    /// The name of the engine.
    pub engine: String,
    /// The limit of the engine's searches.
    pub limit: String,
    /// The side that the engine played.
    pub side: ContestSide,
    /// Number of games that were finished.
    pub games: u64,
    /// Number of games that broke because the engine failed.
    pub broken: u64,
    /// Number of games won by the stronger side, whoever played it; null for both sides together.
    pub won: Option<u64>,
    /// Mean number of moves of the stronger side in the games that it won.
    pub mean_moves: Option<f64>,
    /// Mean number of moves that these games would have taken between infallible players.
    pub mean_depth: Option<f64>,
    /// Number of moves of the engine.
    pub moves: u64,
    /// Number of optimal moves of the engine.
    pub optimal: u64,
    /// Number of moves of depth that the engine gave away where the value was kept.
    pub conceded: u64,
    /// Number of moves with which the engine gave up the theoretical value.
    pub let_go: u64,
    /// Number of moves that the model calls impossible; nothing is learned from them.
    pub impossible: u64,
    /// Expected competence.
    pub expected_c: f64,
    /// Standard deviation of the competence.
    pub sd_c: f64,
    /// The interval that holds nine tenths of the competence's probability, if the model is right.
    pub interval: [f64; 2],
    /// Standard error of the expected competence, by leaving out one position at a time; null for a single position.
    pub standard_error: Option<f64>,
}

/// A game that broke because an engine failed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrokenGame {
    /// The name of the engine.
    pub engine: String,
    /// The limit of the engine's searches.
    pub limit: String,
    /// The side that the engine played.
    pub side: ContestSide,
    /// The position that the game started from, as a FEN.
    pub fen: String,
    /// The reason why the game broke.
    pub reason: String,
}

/// The values that players hold unless a request says otherwise.
const HOLD: Hold = Hold::Nothing;

const MAX_POSITIONS: usize = 100_000;

impl Operation for ContestRequest {
    const NAME: &'static str = "contest";
    const ABOUT: &'static str = "Let engines without tables play an endgame against the infallible player";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ContestResponse;

    fn files(&self) -> WorkFiles {
        let inputs = self.conditions.analysis.prior.file().map(Path::to_owned).into_iter().collect();
        WorkFiles { inputs, outputs: self.conditions.pgn.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ContestResponse, LabError> {
        self.check()?;
        let (tables, metric) = self.conditions.model.tables(lab)?;
        let analysis = self.conditions.analysis.analysis(self.conditions.model.model(HOLD), lab)?;
        let entrants = self.entrants(lab, progress)?;
        let needed = match metric {
            Metric::Dtc => tables_after(*self.material, &[metric]),
            _ => tables_to_mate(*self.material, [metric]),
        };
        let starts = self.starts(&tables, metric, &needed, progress)?;
        let pgn = self.conditions.pgn.as_ref().map(|path| PgnOutput::create(lab, path)).transpose()?;
        let contest = ContestGames {
            entrants: &entrants,
            starts: &starts,
            sides: self.side.each(),
            analysis: &analysis,
            seed: self.seed,
        };
        let games = tables.with_tables(&needed, progress, || -> Result<_, EndgameError> {
            contest.play(&Arc::new(Oracle::new(tables.source(), metric)), self.conditions.pgn.is_some(), progress)
        })?;
        if let Some(pgn) = pgn {
            self.write(pgn, &contest, &games)?;
        }
        let response = ContestResponse {
            material: self.material.to_string(),
            model: self.conditions.model.summary(metric, HOLD),
            grid: self.conditions.analysis.grid.0.0.to_string(),
            seed: self.seed,
            spread: self.spread,
            starts: starts
                .iter()
                .map(|start| ContestStart { fen: fen_of(&start.position), depth: start.depth })
                .collect(),
            results: score::results(&contest, &games)?,
            broken: score::broken(&contest, &games),
        };
        entrants.iter().for_each(|entrant| entrant.pool.dismiss(progress));
        Ok(response)
    }
}

impl ContestRequest {
    fn check(&self) -> Result<(), LabError> {
        if self.engines.is_empty() || self.limits.is_empty() {
            let missing = if self.engines.is_empty() { "engine" } else { "limit" };
            return Err(LabError::request(format!("no {missing}: expected at least one")));
        }
        if !(1..=MAX_POSITIONS).contains(&self.positions) {
            let reason = format!("invalid number of positions {}: expected 1 to {MAX_POSITIONS}", self.positions);
            return Err(LabError::request(reason));
        }
        Ok(())
    }

    fn entrants(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<Entrant>, LabError> {
        self.engines.iter().try_for_each(|engine| lab.outside(engine).map(drop))?;
        let limits: Vec<Limit> = self.limits.iter().map(|limit| limit.0).collect();
        let engines: Vec<EngineEntry> = self.engines.iter().map(|engine| engine.0.clone()).collect();
        let options: Vec<OptionSetting> = self.options.iter().map(|option| option.0.clone()).collect();
        Entrant::all(&engines, &limits, &options, Duration::from_secs(self.conditions.patience_seconds), progress)
    }

    fn starts(
        &self,
        tables: &TableSource,
        metric: Metric,
        needed: &[(Material, Metric)],
        progress: &dyn Progress,
    ) -> Result<Vec<WonStart>, LabError> {
        let starts = tables.with_tables(needed, progress, || {
            let oracle = Oracle::new(tables.source(), metric);
            draw_won_starts(&oracle, *self.material, self.spread.into(), self.positions, self.seed, progress)
        })?;
        let refused = |found: String| {
            Err(LabError::request(format!("{found} of {} that the stronger side wins: ask for fewer", self.material)))
        };
        match starts.len() {
            found if found == self.positions => Ok(starts),
            0 => Err(LabError::request(format!("no position of {} is a win of the stronger side", self.material))),
            found => refused(format!("found only {}", counted(found, "position"))),
        }
    }

    fn write(&self, mut pgn: PgnOutput, contest: &ContestGames<'_>, games: &[ContestGame]) -> Result<(), LabError> {
        for (number, game) in games.iter().enumerate() {
            if let Ok((played, _)) = &game.result {
                pgn.write(&contest.pgn(game, played, *self.material, number)?, &[])?;
            }
        }
        pgn.finish()
    }
}
