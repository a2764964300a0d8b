//! Matches: many games of two agents, from one position or several.

mod engines;
mod response;
mod starts;

pub(crate) use engines::{EngineStart, engine_title};
pub(crate) use starts::read_lines;

pub use response::{
    ApparentBySide, ApparentCompetence, BrokenMatchGame, EndReason, FirstConcessions, MatchResponse, MatchResults,
    MatchScoreSummary, PlayerNames, StartResults, WonInTime,
};

use crate::choose::posteriors;
use crate::error::LabError;
use crate::game_conditions::GameConditions;
use crate::game_sheet::GameSheet;
use crate::lab::Lab;
use crate::notation::fen_of;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::pgn_output::PgnOutput;
use crate::side::Side;
use crate::text::Text;
use errare_endgame::{
    AgentSetting, AgentSpec, Analysis, EndgameError, Ending, EnginePools, Hold, Match, MatchGame, MatchStart,
    MatchTally, MoveRule, Oracle, ResultTally, Schedule,
};
use errare_tables::{Material, Metric, TableSource};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Chess, Position};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Asks two agents to play games from one position or several. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// The agent that plays White, as in player:20 or uci:stockfish,depth=4.
    pub white: Text<AgentSpec>,
    /// The agent that plays Black.
    pub black: Text<AgentSpec>,
    /// The position that games start from, as a FEN.
    #[serde(default)]
    pub fen: Option<String>,
    /// Further positions that games start from, as FENs.
    #[serde(default)]
    pub fens: Vec<String>,
    /// A file of further positions: a FEN on each line; lines that are empty or begin with # are skipped. `-` for stdin.
    #[serde(default)]
    pub fens_file: Option<PathBuf>,
    /// Number of games from each position, or of pairs of games if both colours are played; by default 100 from a single
    /// position, and 1 from each of several.
    #[serde(default)]
    pub games: Option<u64>,
    /// Whether each game is followed by another one with the colours exchanged.
    #[serde(default)]
    pub both_colours: bool,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// Number of moves by each side without a capture or a pawn move after which games are drawn, or "none"; by default
    /// none, or 50 if the start is drawn.
    #[serde(default)]
    pub rule: Option<Numeric<MoveRule>>,
    /// Whether the third occurrence of a position makes a draw.
    #[serde(default)]
    pub repetition: bool,
    /// Whether to play on after a conversion even under dtc.
    #[serde(default)]
    pub to_mate: bool,
    /// Number of moves by each side after which a game is broken off.
    #[serde(default = "many_moves")]
    pub most_moves: u32,
    /// The conditions under which games are conducted and assessed.
    #[serde(flatten)]
    pub conditions: GameConditions,
}

fn many_moves() -> u32 {
    Ending::MAX_MOVES
}

impl MatchRequest {
    /// Makes a request for a number of games between two agents, with defaults for the rest.
    #[must_use]
    pub fn new(white: AgentSpec, black: AgentSpec, fen: impl Into<String>, games: u64) -> MatchRequest {
        MatchRequest {
            white: Text(white),
            black: Text(black),
            fen: Some(fen.into()),
            fens: Vec::new(),
            fens_file: None,
            games: Some(games),
            both_colours: false,
            seed: 0,
            rule: None,
            repetition: false,
            to_mate: false,
            most_moves: many_moves(),
            conditions: GameConditions::default(),
        }
    }
}

/// The values that players hold unless a request says otherwise, as in Andrist and Haworth (2005).
const HOLD: Hold = Hold::Wins;

/// Number of games held in memory at once. It is even, so that the games of a pair are held together.
const BATCH: u64 = 512;

/// The greatest number of games that a client may ask for.
const MAX_GAMES_FOR_CLIENTS: u64 = 10_000;

/// The greatest number of games that a request may ask for.
const MAX_GAMES: u64 = 1_000_000_000;

/// The default number of games from a single position, and from each of several.
const GAMES: [u64; 2] = [100, 1];

impl Operation for MatchRequest {
    const NAME: &'static str = "match";
    const ABOUT: &'static str = "Let two agents play games from a position";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = MatchResponse;

    fn files(&self) -> WorkFiles {
        let posteriors = [&*self.white, &*self.black].into_iter().filter_map(AgentSpec::posterior_file);
        let posteriors = posteriors.chain(self.conditions.analysis.prior.file());
        let inputs = posteriors.map(Path::to_owned).chain(self.fens_file.clone());
        WorkFiles { inputs: inputs.collect(), outputs: self.conditions.pgn.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<MatchResponse, LabError> {
        lab.bound("moves of a game", self.most_moves.into(), Ending::MAX_MOVES.into())?;
        [&self.white, &self.black].into_iter().try_for_each(|agent| lab.bound_agent(agent))?;
        let pgn = self.conditions.pgn.as_ref().map(|path| PgnOutput::create(lab, path)).transpose()?;
        let (tables, metric) = self.conditions.model.tables(lab)?;
        let starts = starts::read(self, &tables, lab, progress)?;
        let schedule = self.schedule(starts.len())?;
        lab.bound("games", schedule.total().unwrap_or(MAX_GAMES), MAX_GAMES_FOR_CLIENTS)?;
        let model = self.conditions.model.model(HOLD);
        let analysis = self.conditions.analysis.analysis(model.clone(), lab)?;
        let setting = AgentSetting {
            model,
            analysis: analysis.clone(),
            rule: self.rule.map_or(MoveRule::FIFTY, |rule| rule.0).moves(),
            posteriors: posteriors([&*self.white, &*self.black], &BTreeMap::new(), lab)?,
        };
        // Refused before any table is built.
        let engines = self.engines(lab, &setting, progress)?;
        let games = Games { request: self, tables: &tables, metric, starts, schedule, setting, analysis, engines };
        let response = games.play(pgn, progress)?;
        games.engines.values().for_each(|pool| pool.dismiss(progress));
        Ok(response)
    }
}

impl MatchRequest {
    fn schedule(&self, starts: usize) -> Result<Schedule, LabError> {
        let games = self.games.unwrap_or(GAMES[usize::from(starts > 1)]);
        if games == 0 {
            return Err(LabError::request("invalid number of games 0: expected at least 1"));
        }
        let schedule = Schedule { starts, games, both_colours: self.both_colours };
        match schedule.total() {
            Some(total) if total <= MAX_GAMES => Ok(schedule),
            _ => Err(LabError::request(format!("too many games: expected at most {MAX_GAMES} from all positions"))),
        }
    }

    /// Starts the agents that are engines, and checks that the other agents can be made.
    fn engines(&self, lab: &Lab, setting: &AgentSetting, progress: &dyn Progress) -> Result<EnginePools, LabError> {
        let patience = Duration::from_secs(self.conditions.patience_seconds);
        let mut engines = EngineStart { patience, pools: EnginePools::new() };
        for spec in [&*self.white, &*self.black] {
            match spec {
                AgentSpec::Engine { entry, .. } => drop(engines.start(&spec.to_string(), entry, lab, progress)?),
                _ => drop(spec.build(setting)?),
            }
        }
        Ok(engines.pools)
    }
}

/// The games of a request.
struct Games<'a> {
    request: &'a MatchRequest,
    tables: &'a TableSource,
    metric: Metric,
    starts: Vec<Chess>,
    schedule: Schedule,
    setting: AgentSetting,
    analysis: Analysis,
    engines: EnginePools,
}

impl Games<'_> {
    fn play(&self, mut pgn: Option<PgnOutput>, progress: &dyn Progress) -> Result<MatchResponse, LabError> {
        let needed = self.needed();
        let mut tally = MatchTally::new(self.schedule);
        let mut broken = Vec::new();
        let total = self.schedule.total().unwrap_or(MAX_GAMES);
        let mut first = 0;
        while first < total {
            let last = total.min(first + BATCH);
            // A damaged table costs the games of a batch and no more.
            let played = self.tables.with_tables(&needed, progress, || -> Result<_, EndgameError> {
                self.contest()?.play_all(first..last, progress)
            })?;
            for game in &played {
                tally.add(game);
                if let Some(pgn) = pgn.as_mut().filter(|_| game.result.is_ok()) {
                    pgn.write(&self.sheet(game)?, &[])?;
                }
                broken.extend(self.broken(game));
            }
            first = last;
        }
        let response = self.response(&tally, broken)?;
        if let Some(pgn) = pgn {
            pgn.finish()?;
        }
        Ok(response)
    }

    /// Whether a change of material ends a game.
    fn at_conversion(&self) -> bool {
        self.metric == Metric::Dtc && !self.request.to_mate
    }

    /// The tables that the games may need.
    fn needed(&self) -> Vec<(Material, Metric)> {
        let mut materials: Vec<Material> = Vec::new();
        for start in &self.starts {
            let (material, _) = Material::of_board(start.board());
            if !materials.contains(&material) {
                materials.push(material);
            }
        }
        let agents = [&*self.request.white, &*self.request.black];
        let tables = |material| AgentSpec::tables_to_play(agents, material, self.metric, self.at_conversion());
        let mut needed = Vec::new();
        for table in materials.into_iter().flat_map(tables) {
            if !needed.contains(&table) {
                needed.push(table);
            }
        }
        needed
    }

    fn contest(&self) -> Result<Match, EndgameError> {
        let request = self.request;
        let oracle = Arc::new(Oracle::new(self.tables.source(), self.metric));
        let start = |position: &Chess| {
            let usual = Ending::usual(self.metric, oracle.state(position)?);
            let ending = Ending {
                at_conversion: self.at_conversion(),
                repetition: request.repetition,
                rule: request.rule.map_or(usual.rule, |rule| rule.moves().map(u32::from)),
                max_moves: request.most_moves,
            };
            Ok(MatchStart { position: position.clone(), ending })
        };
        Ok(Match {
            starts: self.starts.iter().map(start).collect::<Result<_, EndgameError>>()?,
            oracle,
            agents: ByColor { white: request.white.0.clone(), black: request.black.0.clone() },
            engines: self.engines.clone(),
            setting: self.setting.clone(),
            analysis: self.analysis.clone(),
            schedule: self.schedule,
            seed: request.seed,
            keep_moves: request.conditions.pgn.is_some(),
        })
    }

    /// The name of an agent in PGN.
    fn name(&self, spec: &AgentSpec) -> String {
        match (spec, self.engines.get(&spec.to_string())) {
            (AgentSpec::Engine { entry, limit }, Some(pool)) => engine_title(pool, entry, *limit),
            _ => spec.to_string(),
        }
    }

    /// Converts a finished game to PGN.
    fn sheet(&self, game: &MatchGame) -> Result<errare_games::Game, LabError> {
        let (mut white, mut black) = (self.name(&self.request.white), self.name(&self.request.black));
        if game.slot.is_exchanged {
            std::mem::swap(&mut white, &mut black);
        }
        let played = game.result.as_ref().map_err(|_| LabError::Internal("a broken game is written"))?;
        let sheet = GameSheet {
            start: &self.starts[game.slot.start],
            event: &format!("errare match, seed {}", self.request.seed),
            round: game.number + 1,
            white: &white,
            black: &black,
        };
        sheet.game(played)
    }

    fn broken(&self, game: &MatchGame) -> Option<BrokenMatchGame> {
        let reason = game.result.as_ref().err()?.clone();
        Some(BrokenMatchGame { game: game.number + 1, fen: fen_of(&self.starts[game.slot.start]), reason })
    }

    fn response(&self, tally: &MatchTally, broken: Vec<BrokenMatchGame>) -> Result<MatchResponse, LabError> {
        let request = self.request;
        if let (0, Some(last)) = (tally.games(), broken.last()) {
            return Err(LabError::NoGame { reason: last.reason.clone() });
        }
        // Without any complete pair there is still a game.
        let score = MatchScoreSummary::new(&tally.score, request.both_colours);
        let by_side = ApparentBySide {
            white: ApparentCompetence::new(Side::White, &tally.apparent.white),
            black: ApparentCompetence::new(Side::Black, &tally.apparent.black),
        };
        let black_errs = request.white.is_infallible() && !request.black.is_infallible();
        let concessions = tally.concessions.white + tally.concessions.black;
        let results =
            |(start, &results): (&Chess, &ResultTally)| StartResults { fen: fen_of(start), results: results.into() };
        Ok(MatchResponse {
            fen: (self.starts.len() == 1).then(|| fen_of(&self.starts[0])),
            white: request.white.clone(),
            black: request.black.clone(),
            names: PlayerNames { white: self.name(&request.white), black: self.name(&request.black) },
            both_colours: request.both_colours,
            repetition: request.repetition,
            model: request.conditions.model.summary(self.metric, HOLD),
            grid: request.conditions.analysis.grid.0.0.to_string(),
            seed: request.seed,
            games: tally.games(),
            broken,
            mean_moves: tally.moves.mean,
            sd_moves: tally.moves.sd(),
            min_moves: tally.lengths.keys().next().copied().unwrap_or(0),
            max_moves: tally.lengths.keys().next_back().copied().unwrap_or(0),
            results: tally.results.into(),
            score,
            starts: self.starts.iter().zip(&tally.by_start).map(results).collect(),
            reasons: tally.reasons.iter().map(|(&reason, &games)| (reason.into(), games)).collect(),
            apparent_c: if black_errs { by_side.black.clone() } else { by_side.white.clone() },
            apparent_c_by_side: by_side,
            fifty_moves: WonInTime { moves: 50, won: tally.won_in_time, not_won: tally.games() - tally.won_in_time },
            first_concession: (concessions > 0).then(|| FirstConcessions {
                games: concessions,
                white: tally.concessions.white,
                black: tally.concessions.black,
                mean_moves: tally.concession_moves.mean,
                sd_moves: tally.concession_moves.sd(),
            }),
            lengths: tally.lengths.clone(),
        })
    }
}
