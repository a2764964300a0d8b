//! Whole games: from the first move or any position, by agents whose moves no table has until late.

mod advice;
mod response;

pub use advice::{AdviceSource, AdviceSourceError};
pub use response::{AdviceUsed, WholeGamesResponse};

use crate::choose::posteriors;
use crate::error::LabError;
use crate::game_sheet::GameSheet;
use crate::lab::Lab;
use crate::match_games::{EngineStart, engine_title, read_lines};
use crate::model::ModelRequest;
use crate::operation::{Exposure, Operation};
use crate::pgn_output::PgnOutput;
use crate::text::Text;
use advice::AdvicePlan;
use errare_endgame::{
    AgentSetting, AgentSpec, EndgameError, Hold, MatchGame, MatchTally, Oracle, Played, Schedule, game_seed,
};
use errare_engine::{Chances, GameSoFar, OpenPlayer, Seat, WholeGame, WholePlayed};
use errare_tables::{Material, Metric, TableSource};
use errare_uci::server::Start;
use errare_work::{Progress, Status, WorkFiles};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Chess, Color, Position};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Asks two agents to play whole games, from the first move or any position. Where at most four men are left tables decide how
/// they play, elsewhere an engine or our own search evaluates the moves that they choose from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WholeGamesRequest {
    /// The agent that plays White, as in elo:1800 or uci:stockfish,depth=4.
    pub white: Text<AgentSpec>,
    /// The agent that plays Black.
    pub black: Text<AgentSpec>,
    /// Positions that games start from, as FENs; none for the first position of chess.
    #[serde(default)]
    pub fens: Vec<String>,
    /// A file of further positions: a FEN on each line; lines that are empty or begin with # are skipped. `-` for stdin.
    #[serde(default)]
    pub fens_file: Option<PathBuf>,
    /// Number of games from each position, or of pairs of games if both colours are played.
    #[serde(default = "one")]
    pub games: u64,
    /// Whether each game is followed by another one with the colours exchanged.
    #[serde(default)]
    pub both_colours: bool,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// The source of evaluations for the moves that agents choose from: the lab's engine or our own search; null for
    /// the engine if there is one, else the search.
    #[serde(default)]
    pub advice: Option<Text<AdviceSource>>,
    /// Depth of the engine's evaluations; null for that of the calibration that comes with the program.
    #[serde(default)]
    pub depth: Option<u16>,
    /// Whether agents that play like people of an Elo begin games as people do.
    #[serde(default = "yes")]
    pub openings: bool,
    /// Number of pawns by which an agent must be behind at three turns in a row to resign; null to play to the end.
    #[serde(default = "nine_pawns")]
    pub resign: Option<f64>,
    /// Number of moves by each side after which a game is broken off, as a draw.
    #[serde(default = "many_moves")]
    pub most_moves: u32,
    /// Seconds that an engine may take for a move, before it counts as hanging.
    #[serde(default = "minute")]
    pub patience_seconds: u64,
    /// The file to write the games to, in PGN.
    #[serde(default)]
    pub pgn: Option<PathBuf>,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

fn nine_pawns() -> Option<f64> {
    Some(9.0)
}

fn many_moves() -> u32 {
    300
}

fn minute() -> u64 {
    60
}

/// The number of men up to which tables are built when a game reaches them: each takes seconds.
const TABLE_MEN: usize = 4;

/// The greatest number of games that a client may ask for: each takes about a minute of the engine.
const MAX_GAMES_FOR_CLIENTS: u64 = 10;

/// The greatest depth of evaluations that a client may ask for.
const MAX_DEPTH_FOR_CLIENTS: u64 = 16;

/// The greatest number of games that a request may ask for, all of which are held in memory.
const MAX_GAMES: u64 = 100_000;

impl WholeGamesRequest {
    /// Makes a request for a game between two agents from the first move, with defaults for the rest.
    #[must_use]
    pub fn new(white: AgentSpec, black: AgentSpec) -> WholeGamesRequest {
        WholeGamesRequest {
            white: Text(white),
            black: Text(black),
            fens: Vec::new(),
            fens_file: None,
            games: one(),
            both_colours: false,
            seed: 0,
            advice: None,
            depth: None,
            openings: yes(),
            resign: nine_pawns(),
            most_moves: many_moves(),
            patience_seconds: minute(),
            pgn: None,
        }
    }

    /// Whether a position has more men than our tables ever have, or castling: games from it can only be whole games.
    #[must_use]
    pub fn is_only_way_from(fen: &str) -> bool {
        position(fen).is_ok_and(|position| {
            position.board().occupied().count() > errare_tables::MAX_MEN || !position.castles().is_empty()
        })
    }

    fn starts(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<Chess>, LabError> {
        let mut starts = Vec::new();
        for fen in &self.fens {
            progress.proceed()?;
            starts.push(position(fen)?);
        }
        if let Some(path) = &self.fens_file {
            read_lines(path, lab, progress, |fen| {
                starts.push(position(fen)?);
                Ok(())
            })?;
            if starts.is_empty() {
                return Err(LabError::request("no position to start from: the file has none"));
            }
        }
        if starts.is_empty() {
            starts.push(Chess::default());
        }
        Ok(starts)
    }

    fn schedule(&self, starts: usize, lab: &Lab) -> Result<Schedule, LabError> {
        if self.games == 0 {
            return Err(LabError::request("invalid number of games 0: expected at least 1"));
        }
        if self.resign.is_some_and(|pawns| !(1.0..=100.0).contains(&pawns)) {
            return Err(LabError::request("invalid number of pawns to resign at: expected 1 to 100"));
        }
        let schedule = Schedule { starts, games: self.games, both_colours: self.both_colours };
        let Some(total) = schedule.total().filter(|&total| total <= MAX_GAMES) else {
            return Err(LabError::request(format!("too many games: expected at most {MAX_GAMES} from all positions")));
        };
        lab.bound("games", total, MAX_GAMES_FOR_CLIENTS)?;
        lab.bound("moves of a game", self.most_moves.into(), many_moves().into())?;
        lab.bound("plies of depth", self.depth.unwrap_or(0).into(), MAX_DEPTH_FOR_CLIENTS)?;
        Ok(schedule)
    }
}

/// Reads a position that games can start from.
fn position(fen: &str) -> Result<Chess, LabError> {
    let game = GameSoFar::new(&Start::Fen(fen.to_owned()), &[]);
    let game = game.map_err(|error| LabError::request(error.to_string()))?;
    if game.position().legal_moves().is_empty() {
        return Err(LabError::request(format!("the game is over: no move is legal in {fen}")));
    }
    Ok(game.position().clone())
}

impl Operation for WholeGamesRequest {
    const NAME: &'static str = "whole-games";
    const ABOUT: &'static str = "Let two agents play whole games, from the first move or any position";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = WholeGamesResponse;

    fn files(&self) -> WorkFiles {
        let posteriors = [&*self.white, &*self.black].into_iter().filter_map(AgentSpec::posterior_file);
        let inputs = posteriors.map(Path::to_owned).chain(self.fens_file.clone());
        WorkFiles { inputs: inputs.collect(), outputs: self.pgn.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<WholeGamesResponse, LabError> {
        let specs = [&*self.white, &*self.black];
        specs.into_iter().try_for_each(|agent| lab.bound_agent(agent))?;
        let pgn = self.pgn.as_ref().map(|path| PgnOutput::create(lab, path)).transpose()?;
        let starts = self.starts(lab, progress)?;
        let schedule = self.schedule(starts.len(), lab)?;
        let usual = ModelRequest::default();
        let (tables, metric) = usual.tables(lab)?;
        let model = usual.model(Hold::Nothing);
        let setting = AgentSetting {
            analysis: crate::AnalysisRequest::default().analysis(model.clone(), lab)?,
            model,
            rule: Some(50),
            posteriors: posteriors(specs, &BTreeMap::new(), lab)?,
        };
        let mut engines = EngineStart { patience: Duration::from_secs(self.patience_seconds), pools: BTreeMap::new() };
        let seats = ByColor {
            white: self.seat(&self.white, &setting, &mut engines, lab, progress)?,
            black: self.seat(&self.black, &setting, &mut engines, lab, progress)?,
        };
        let plan = AdvicePlan::new(self, &seats, lab, progress)?;
        let games = Games { request: self, starts, schedule, seats, plan, tables, metric, setting };
        let response = games.play(pgn, progress)?;
        engines.pools.values().for_each(|pool| pool.dismiss(progress));
        Ok(response)
    }
}

impl WholeGamesRequest {
    /// Prepares the seat of an agent: an engine is started, any other agent is checked to be possible.
    fn seat(
        &self,
        spec: &AgentSpec,
        setting: &AgentSetting,
        engines: &mut EngineStart,
        lab: &Lab,
        progress: &dyn Progress,
    ) -> Result<Seat, LabError> {
        match spec {
            AgentSpec::Engine { entry, limit } => {
                Ok(Seat::Engine(engines.start(&spec.to_string(), entry, lab, progress)?, *limit))
            }
            _ => {
                spec.build(setting)?;
                OpenPlayer::of(spec).map(Seat::Advised).ok_or(LabError::Internal("an agent that cannot play"))
            }
        }
    }
}

/// The games of a request.
struct Games<'a> {
    request: &'a WholeGamesRequest,
    starts: Vec<Chess>,
    schedule: Schedule,
    seats: ByColor<Seat>,
    plan: AdvicePlan,
    tables: TableSource,
    metric: Metric,
    setting: AgentSetting,
}

impl Games<'_> {
    fn play(&self, pgn: Option<PgnOutput>, progress: &dyn Progress) -> Result<WholeGamesResponse, LabError> {
        let total = self.schedule.total().unwrap_or(MAX_GAMES);
        let done = AtomicU64::new(0);
        progress.report(&Status::new("playing", "games").at(0, total));
        let one = |number: u64| {
            let game = self.game(number, progress)?;
            if let Err(reason) = &game.result {
                progress.warn(&format!("game {} is broken: {reason}", number + 1));
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(&Status::new("playing", "games").at(done, total));
            Ok(game)
        };
        let played: Vec<MatchGame> = (0..total).into_par_iter().map(one).collect::<Result<_, LabError>>()?;
        let mut tally = MatchTally::new(self.schedule);
        played.iter().for_each(|game| tally.add(game));
        if let Some(mut pgn) = pgn {
            for game in played.iter().filter(|game| game.result.is_ok()) {
                pgn.write(&self.sheet(game)?, &[])?;
            }
            pgn.finish()?;
        }
        WholeGamesResponse::new(self, &tally, &played)
    }

    /// Plays the game with a number; the number and the seed determine every random choice.
    fn game(&self, number: u64, progress: &dyn Progress) -> Result<MatchGame, LabError> {
        let slot = self.schedule.slot(number);
        let (mut white, mut black) = (Color::White, Color::Black);
        if slot.is_exchanged {
            (white, black) = (black, white);
        }
        let colours = ByColor { white, black };
        let tables = |turn: Color, position: &Chess, progress: &dyn Progress| {
            self.by_tables(self.spec(*colours.get(turn)), position, progress)
        };
        let game = WholeGame {
            start: self.starts[slot.start].clone(),
            seats: colours.map(|colour| self.seats.get(colour)),
            tables: &tables,
            openings: self.request.openings,
            resigns: self.request.resign.map(|pawns| (100.0 * pawns).round() as i32),
            max_moves: self.request.most_moves,
        };
        let seed = game_seed(self.request.seed, number);
        let result = match self.plan.with_adviser(progress, |adviser| game.play(adviser, seed, progress)) {
            Ok(played) => Ok(as_played(played, &game.start)),
            Err(EndgameError::Outside(error)) => Err(error.to_string()),
            Err(error) => return Err(error.into()),
        };
        Ok(MatchGame { number, slot, result })
    }

    fn spec(&self, colour: Color) -> &AgentSpec {
        colour.fold_wb(&*self.request.white, &*self.request.black)
    }

    /// The probabilities of an agent's moves by tables; none where no tables are built. An agent that learns begins
    /// anew with every move.
    fn by_tables(
        &self,
        spec: &AgentSpec,
        position: &Chess,
        progress: &dyn Progress,
    ) -> Result<Option<Chances>, EndgameError> {
        if position.board().occupied().count() > TABLE_MEN || !position.castles().is_empty() {
            return Ok(None);
        }
        let (material, _) = Material::of_board(position.board());
        let needed = spec.tables_to_choose(material, self.metric);
        self.tables.with_tables(&needed, progress, || {
            let oracle = Oracle::new(self.tables.source(), self.metric);
            let options = oracle.options(position)?;
            let judgement = spec.build(&self.setting)?.judge(&oracle, &options, progress)?;
            let moves = options.candidates.iter().map(|candidate| candidate.choice().mv);
            Ok(Some(moves.zip(judgement.probabilities).collect()))
        })
    }

    /// The name of an agent in PGN.
    fn name(&self, colour: Color) -> String {
        match (self.spec(colour), self.seats.get(colour)) {
            (AgentSpec::Engine { entry, limit }, Seat::Engine(pool, _)) => engine_title(pool, entry, *limit),
            (spec, _) => spec.to_string(),
        }
    }

    /// Converts a finished game to PGN, with the Elos that agents have.
    fn sheet(&self, game: &MatchGame) -> Result<errare_games::Game, LabError> {
        let played = game.result.as_ref().map_err(|_| LabError::Internal("a broken game is written"))?;
        let (white, black) =
            if game.slot.is_exchanged { (Color::Black, Color::White) } else { (Color::White, Color::Black) };
        let sheet = GameSheet {
            start: &self.starts[game.slot.start],
            event: &format!("errare match, seed {}", self.request.seed),
            round: game.number + 1,
            white: &self.name(white),
            black: &self.name(black),
        };
        let mut found = sheet.game(played)?;
        for (tag, colour) in [("WhiteElo", white), ("BlackElo", black)] {
            if let AgentSpec::Elo(elo) = self.spec(colour) {
                found.set_tag(tag, &elo.to_string());
            }
        }
        Ok(found)
    }
}

/// Converts a whole game to the form that matches count. Nothing in it is assessed.
fn as_played(game: WholePlayed, start: &Chess) -> Played {
    let plies = game.moves.len() as u32;
    let (first, second) = (plies.div_ceil(2), plies / 2);
    let made = match start.turn() {
        Color::White => ByColor { white: first, black: second },
        Color::Black => ByColor { white: second, black: first },
    };
    Played {
        moves: game.moves,
        claimable: false,
        winner: game.winner,
        reason: game.reason,
        made,
        apparent: ByColor::default(),
        first_concession: None,
    }
}
