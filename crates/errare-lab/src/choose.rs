//! Letting an agent choose a move.

use crate::analysis::{AnalysisRequest, GridSpec};
use crate::depth::Outcome;
use crate::error::LabError;
use crate::lab::Lab;
use crate::model::{ModelRequest, ModelSummary};
use crate::notation::{fen_of, san, uci};
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::people_like::PeopleLike;
use crate::posterior::{CompetenceRequest, INLINE, read_competence_file};
use crate::sweep::SweepResponse;
use crate::text::Text;
use errare_choice::{Competence, Posterior};
use errare_endgame::{
    AgentDraft, AgentInfo, AgentKind, AgentParameters, AgentSetting, AgentSpec, EloPlayer, EndgameError, Figure, Hold,
    Judgement, MoveRule, Opponent, Options, Oracle, Scope, Sweep, Sweeper, Task,
};
use errare_tables::{Material, Metric, TableSource};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Asks an agent for a move. Missing tables are built first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChooseRequest {
    /// The position as a FEN.
    pub fen: String,
    /// The agent, as in player:20 or predator:20,plies=4; by default player, or with a sweep predator. Parameters that
    /// the text leaves out may be given apart.
    #[serde(default)]
    pub agent: Option<Text<AgentDraft>>,
    /// The competence of a player or emulator: a number, "inf" or "-inf".
    #[serde(default)]
    pub competence: Option<Numeric<Competence>>,
    /// The competence of the predator's opponent: a number, "inf", "-inf", a posterior, or a file with one. By default the
    /// prior of the analysis.
    #[serde(default)]
    pub opponent: Option<CompetenceRequest>,
    /// The metric that the predator's opponent plays to, if it is not the predator's.
    #[serde(default)]
    pub opponent_metric: Option<Text<Metric>>,
    /// Number of plies that the agent looks ahead, an even number; by default 2.
    #[serde(default)]
    pub depth: Option<u16>,
    /// The moves that the predator considers: optimal, keeping (the theoretical value) or all; by default optimal.
    #[serde(default)]
    pub scope: Option<Text<Scope>>,
    /// The probability that the opponent makes each losing move, for agents that take it; by default 0.01.
    #[serde(default)]
    pub error: Option<f64>,
    /// Competences of opponents to compare moves against, as in 0:50 or 0:0.5:50; for the predator only.
    #[serde(default)]
    pub sweep: Option<Text<GridSpec>>,
    /// Whether the response holds a chart of the sweep.
    #[serde(default)]
    pub chart: bool,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// The move rule that strategies play under: a number of moves, or "none"; by default 50.
    #[serde(default)]
    pub rule: Numeric<MoveRule>,
    /// The model of how fallible players choose.
    #[serde(default)]
    pub model: ModelRequest,
    /// The belief about an opponent for whom the request gives none.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

/// The move that an agent chose, and the agent's comparison of the moves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseResponse {
    /// The position in which the agent chose, as a FEN.
    pub fen: String,
    /// The kind of the agent; a strategy with its text.
    pub agent: String,
    /// The agent with all its parameters, as requests take it.
    pub spec: String,
    /// For a strategy under a move rule, the moves that the side to move may still make before a draw can be claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mleft: Option<u32>,
    /// The competence of a player or emulator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub competence: Option<Numeric<Competence>>,
    /// The competence of the predator's opponent, or the file of its posterior.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// The model of how fallible players choose.
    pub model: ModelSummary,
    /// Random seed.
    pub seed: u64,
    /// The move that the agent chose.
    #[serde(rename = "move")]
    pub chosen: NamedMove,
    /// The people who typically play the endgame like an agent of that competence; null where too few games of people are
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub like: Option<PeopleLike>,
    /// The meaning of expectations, for an agent that compares moves by them.
    pub figure: Option<FigureName>,
    /// All legal moves, best first.
    pub candidates: Vec<JudgedMove>,
    /// The predator's expectations against a range of opponents, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepResponse>,
    /// A chart of the sweep as SVG, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
}

/// A move by its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamedMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
}

/// The quantity by which an agent compares moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FigureName {
    /// The expected depth after the opponent's reply, in moves of the winner.
    #[serde(rename = "expected depth")]
    ExpectedDepth,
    /// The chance that the opponent gives up the draw.
    #[serde(rename = "chance of giving up the draw")]
    DropsDraw,
    /// The competence that an onlooker would infer.
    #[serde(rename = "apparent competence")]
    ApparentCompetence,
}

impl FigureName {
    /// The name of the figure as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FigureName::ExpectedDepth => "expected depth",
            FigureName::DropsDraw => "chance of giving up the draw",
            FigureName::ApparentCompetence => "apparent competence",
        }
    }

    fn of(figure: Figure) -> Result<FigureName, LabError> {
        match figure {
            Figure::Depth => Ok(FigureName::ExpectedDepth),
            Figure::DropsDraw => Ok(FigureName::DropsDraw),
            Figure::Apparent => Ok(FigureName::ApparentCompetence),
            _ => Err(LabError::Internal("a figure without a name")),
        }
    }
}

/// A move as an agent judges it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgedMove {
    /// The names of the move.
    #[serde(flatten)]
    pub name: NamedMove,
    /// The outcome for the side that makes the move.
    pub outcome: Outcome,
    /// The depth of the position after the move, in moves of the winner; null for a draw.
    pub depth: Option<u16>,
    /// The preference S_c for the state after the move, for an agent that has a finite competence.
    pub preference: Option<f64>,
    /// The logarithm of the preference.
    pub log_preference: Option<f64>,
    /// The probability that the agent makes the move.
    pub probability: f64,
    /// The figure by which the agent compares moves; null for moves that it did not consider.
    pub expectation: Option<f64>,
}

/// The values that players hold unless a request says otherwise.
const HOLD: Hold = Hold::Nothing;

/// Number of opponents that a client may ask to compare moves against.
const MAX_SWEEP_FOR_CLIENTS: u64 = 1001;

impl Operation for ChooseRequest {
    const NAME: &'static str = "choose";
    const ABOUT: &'static str = "Let an agent choose a move, and show how it compares the moves";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = ChooseResponse;

    fn files(&self) -> WorkFiles {
        // A request without a valid agent is refused when it is performed.
        let opponent = self.agent().ok().and_then(|(agent, _)| agent.posterior_file().map(Path::to_owned));
        let prior = self.analysis.prior.file().map(Path::to_owned);
        WorkFiles { inputs: opponent.into_iter().chain(prior).collect(), outputs: Vec::new() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ChooseResponse, LabError> {
        let (spec, inline) = self.agent()?;
        if self.sweep.is_some() && spec.kind() != AgentKind::Predator {
            return Err(LabError::request("a sweep works with the predator only: leave out the agent"));
        }
        let (tables, metric) = self.model.tables(lab)?;
        let position = unfinished(&tables, &self.fen)?;
        let model = self.model.model(HOLD);
        lab.bound_agent(&spec)?;
        if let Some(Text(GridSpec(grid))) = self.sweep {
            lab.bound("points of the sweep", grid.count() as u64, MAX_SWEEP_FOR_CLIENTS)?;
        }
        let mut posteriors = posteriors([&spec], &inline, lab)?;
        posteriors.extend(inline);
        let analysis = self.analysis.analysis(model.clone(), lab)?;
        let setting = AgentSetting { model: model.clone(), analysis, rule: self.rule.moves(), posteriors };
        // Refused before any table is built.
        spec.build(&setting)?;
        let needed = spec.tables_to_choose(Material::of_board(position.board()).0, metric);
        let (options, judgement, sweep) = tables.with_tables(&needed, progress, || -> Result<_, EndgameError> {
            let oracle = Arc::new(Oracle::new(tables.source(), metric));
            let options = oracle.options(&position)?;
            let judgement = spec.build(&setting)?.judge(&oracle, &options, progress)?;
            let sweep = self.sweep(&spec, &oracle, &options, progress)?;
            Ok((options, judgement, sweep))
        })?;
        let mut response = self.response(&spec, metric, &options, &judgement)?;
        response.sweep = sweep.as_ref().map(|sweep| SweepResponse::new(sweep, &options));
        if self.chart {
            response.chart = response.sweep_svg();
        }
        Ok(response)
    }
}

impl ChooseRequest {
    /// Returns the agent with all its parameters, and the posterior of the request if it has one.
    fn agent(&self) -> Result<(AgentSpec, BTreeMap<PathBuf, Posterior>), LabError> {
        let kind = if self.sweep.is_some() { AgentKind::Predator } else { AgentKind::Player };
        let draft = self.agent.clone().map_or_else(|| AgentDraft::new(kind), |agent| agent.0);
        let mut inline = BTreeMap::new();
        let opponent = match &self.opponent {
            None => None,
            Some(CompetenceRequest::Competence(competence)) => Some(Opponent::Competence(competence.0)),
            Some(CompetenceRequest::File(path)) => Some(Opponent::Posterior(path.clone())),
            Some(CompetenceRequest::Posterior(stored)) => {
                inline.insert(PathBuf::from(INLINE), stored.posterior(INLINE)?);
                Some(Opponent::Posterior(INLINE.into()))
            }
        };
        let given = AgentParameters {
            competence: self.competence.map(|competence| competence.0),
            opponent,
            metric: self.opponent_metric.map(|metric| metric.0),
            plies: self.depth,
            scope: self.scope.map(|scope| scope.0),
            probability: self.error,
            ..AgentParameters::default()
        };
        let spec = draft.fill(&given).and_then(AgentDraft::finish).map_err(LabError::request)?;
        Ok((spec, inline))
    }

    fn sweep(
        &self,
        spec: &AgentSpec,
        oracle: &Arc<Oracle>,
        options: &Options,
        progress: &dyn Progress,
    ) -> Result<Option<Sweep>, EndgameError> {
        let (Some(Text(GridSpec(grid))), &AgentSpec::Predator { plies, scope, .. }) = (self.sweep, spec) else {
            return Ok(None);
        };
        let sweeper = Sweeper { oracle: Arc::clone(oracle), model: self.model.model(HOLD), plies, scope };
        sweeper.sweep(options, &grid.points().collect::<Vec<f64>>(), progress).map(Some)
    }

    fn response(
        &self,
        spec: &AgentSpec,
        metric: Metric,
        options: &Options,
        judgement: &Judgement,
    ) -> Result<ChooseResponse, LabError> {
        let competence = match *spec {
            AgentSpec::Player(competence) => Some(competence),
            AgentSpec::Elo(elo) => Some(EloPlayer::new(elo)?.competence(options)?),
            AgentSpec::Emulator(c) => Some(Competence::new(c).map_err(LabError::request)?),
            _ => None,
        };
        let finite = competence.and_then(Competence::finite);
        let preference = self.model.model(HOLD).preference(options.states)?;
        let mut places: Vec<usize> = (0..options.candidates.len()).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(options.candidates[place].state()));
        let candidates = places.into_iter().map(|place| {
            let state = options.candidates[place].state();
            let log_preference = finite.map(|c| preference.log_preference(state, c));
            JudgedMove {
                name: named(options, place),
                outcome: state.into(),
                depth: state.depth().map(|depth| depth.0),
                preference: log_preference.map(f64::exp).filter(|preference| preference.is_finite()),
                log_preference: log_preference.filter(|log| log.is_finite()),
                probability: judgement.probabilities[place],
                expectation: judgement.figures[place],
            }
        });
        let model = self.model.summary(metric, HOLD);
        let (material, _) = Material::of_board(options.position.board());
        let like = finite.and_then(|c| PeopleLike::of(&model, material, Task::of(options.state), c));
        let text = spec.to_string();
        let strategy = spec.kind() == AgentKind::Strategy;
        let name = AgentInfo::of(spec.kind()).name;
        Ok(ChooseResponse {
            fen: fen_of(&options.position),
            agent: if strategy { text.clone() } else { name.to_owned() },
            spec: text,
            mleft: if strategy { self.rule.moves_left(&options.position) } else { None },
            competence: competence.map(Numeric),
            opponent: match spec {
                AgentSpec::Predator { opponent: Some(opponent), .. } => Some(opponent.to_string()),
                _ => None,
            },
            model,
            like,
            seed: self.seed,
            chosen: named(options, judgement.pick_by_seed(self.seed)?),
            figure: judgement.figure.map(FigureName::of).transpose()?,
            candidates: candidates.collect(),
            sweep: None,
            chart: None,
        })
    }
}

/// Reads a position in which there is a move to choose.
pub(crate) fn unfinished(tables: &TableSource, fen: &str) -> Result<Chess, LabError> {
    let position = tables.position(fen)?;
    if position.legal_moves().is_empty() {
        let side = position.turn().fold_wb("White", "Black");
        return Err(LabError::Request(format!("the game is over: {side} has no legal move")));
    }
    Ok(position)
}

/// Reads the posteriors of the files that agents name, except those that are known already.
pub(crate) fn posteriors<'a>(
    agents: impl IntoIterator<Item = &'a AgentSpec>,
    known: &BTreeMap<PathBuf, Posterior>,
    lab: &Lab,
) -> Result<BTreeMap<PathBuf, Posterior>, LabError> {
    let files = agents.into_iter().filter_map(AgentSpec::posterior_file).filter(|path| !known.contains_key(*path));
    files.map(|path| Ok((path.to_owned(), read_competence_file(path, lab)?))).collect()
}

pub(crate) fn named(options: &Options, place: usize) -> NamedMove {
    let mv = options.candidates[place].choice().mv;
    NamedMove { uci: uci(mv), san: san(&options.position, mv) }
}
