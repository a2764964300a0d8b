//! Rating the players of games by an engine's evaluations of their moves.

mod players;
mod response;
mod sort;

pub use sort::{PlayerSort, PlayerSortError};

pub use response::{CalibrationUsed, EngineUsed, PlayerDetail, RateGamesResponse, RatedPlayerRow, TraceBasis};

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::ratings::{TurnsRequest, no_calibration};
use errare_evaluate::{GameEvaluation, GameSource, Lines, Rules, Summary, Whose, player_names};
use errare_ratings::{Calibration, Engine, RatingOptions, Scale, Selection, TurnReader, TurnSet};
use errare_work::{Progress, WorkFiles};
use players::RatedGames;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Asks for ratings of the players of games. The lab's engine evaluates moves that are not known yet; evaluations that
/// are done when the work stops are kept, so that the same request continues there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RateGamesRequest {
    /// Files of games in PGN.
    pub files: Vec<PathBuf>,
    /// Games in PGN, as text.
    pub pgn: Option<String>,
    /// Only this player, with every move: the exact name, or a part of it that no other player's name contains, regardless
    /// of case. Null for all players.
    pub player: Option<String>,
    /// Whether the moves of the opponents of `player` are evaluated too, to be compared with their own ratings: that takes
    /// twice as long.
    pub opponents: bool,
    /// Whether all moves are rated together, as those of one player.
    pub pooled: bool,
    /// Depth of search, in plies as the engine counts them.
    pub depth: u16,
    /// First move of a game that counts.
    pub first_move: u16,
    /// Leave out turns whose best move is further from 0 than this, in pawns; null to leave out none.
    pub max_eval: Option<f64>,
    /// Also count positions that occurred before in the same game.
    pub keep_repeats: bool,
    /// Rate no player with fewer turns.
    pub min_turns: usize,
    /// The rating to compare the moves with; null for the rating of each game.
    pub claimed: Option<f64>,
    /// The order of the rows.
    #[serde(default)]
    pub sort: PlayerSort,
    /// The calibration file, made by `calibrate`; null for the calibration of the lab, or one that comes with the
    /// program, if it suits the engine and the depth.
    pub calibration: Option<PathBuf>,
    /// Number of engines at work at once; by default as many as the lab has threads, but one for clients.
    pub workers: Option<usize>,
}

impl Default for RateGamesRequest {
    fn default() -> RateGamesRequest {
        let Selection { first_move, most_eval, .. } = Selection::default();
        RateGamesRequest {
            files: Vec::new(),
            pgn: None,
            player: None,
            opponents: false,
            pooled: false,
            depth: 10,
            first_move,
            max_eval: Some(most_eval),
            keep_repeats: false,
            min_turns: RatingOptions::default().min_turns,
            claimed: None,
            sort: PlayerSort::default(),
            calibration: None,
            workers: None,
        }
    }
}

/// The greatest depth of search that a client may ask for: every ply takes half as long again.
const MAX_DEPTH_FOR_CLIENTS: u64 = 16;

/// The time that the engine may take for a position before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(600);

/// The name of games that are given as text.
const TEXT_NAME: &str = "games";

impl RateGamesRequest {
    /// Makes a request to rate all players of games in PGN, with defaults for the rest.
    #[must_use]
    pub fn of_pgn(pgn: impl Into<String>) -> RateGamesRequest {
        RateGamesRequest { pgn: Some(pgn.into()), ..RateGamesRequest::default() }
    }

    /// Makes a request to rate all players of files of games, with defaults for the rest.
    #[must_use]
    pub fn of_files(files: impl IntoIterator<Item = PathBuf>) -> RateGamesRequest {
        RateGamesRequest { files: files.into_iter().collect(), ..RateGamesRequest::default() }
    }
}

impl Operation for RateGamesRequest {
    const NAME: &'static str = "rate-games";
    const ABOUT: &'static str = "Rate the players of games by their moves, evaluated by the lab's engine";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = RateGamesResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: self.files.iter().chain(&self.calibration).cloned().collect(), outputs: Vec::new() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<RateGamesResponse, LabError> {
        self.check(lab)?;
        let games = self.sources(lab)?;
        // What is wrong with the request is said before what takes long, and before an engine is looked for.
        let player = self.player_name(&games, progress)?;
        let given =
            self.calibration.as_deref().map(|path| lab.outside_path(path)?.calibration(path).map_err(LabError::from));
        let given = given.transpose()?;
        let evaluation = GameEvaluation {
            rules: Rules { selection: Selection { most_eval: f64::INFINITY, ..self.selection()? }, ..Rules::default() },
            whose: player.clone().map(|player| Whose { player, opponents: self.opponents }),
            engine: lab.engine_spec()?,
            depth: self.depth,
            lines: Lines::All,
            patience: PATIENCE,
            workers: self.workers(lab)?,
            cache: lab.config().evaluation_cache()?,
            games,
        };
        let evaluated = evaluation.run(progress)?;
        let engine = engine_of(&evaluated.summary(0));
        let (calibration, missing) = match given {
            Some(given) => (Some((given, false)), None),
            None => match lab.suitable_calibration(&engine)? {
                Some(found) => (Some(found), None),
                None => (None, Some(no_calibration(&engine))),
            },
        };
        let scale = calibration.as_ref().map_or_else(Scale::default, |(found, _)| found.scale);
        let mut reader = TurnReader::new(scale, self.selection()?, Engine::default());
        let written = evaluated.each_turn("reading evaluations", |row| Ok(reader.add_row(row)?), progress)?;
        evaluation.games.iter().for_each(|source| reader.add_name(source.name()));
        let set = reader.finish();
        // Without turns nobody knows who made them.
        if let Some((calibration, _)) = calibration.as_ref().filter(|_| set.turns.count() > 0) {
            calibration.check(&set.turns)?;
        }
        let rated = RatedGames { request: self, set: &set, calibration: calibration.as_ref().map(|(found, _)| found) };
        let rows = rated.rows(player.as_deref(), progress)?;
        let detail = player.as_deref().map(|player| rated.detail(player, progress)).transpose()?;
        let program = evaluation.engine.config().program().display().to_string();
        let facts = Facts { summary: evaluated.summary(written), program, set: &set, calibration, missing };
        Ok(RateGamesResponse::new(self, facts, rows, detail))
    }
}

/// The evaluated turns and the calibration that a response is made from.
struct Facts<'a> {
    summary: Summary,
    program: String,
    set: &'a TurnSet,
    /// The calibration, with whether it comes with the program.
    calibration: Option<(Calibration, bool)>,
    /// The reason why there is no calibration, with what to do.
    missing: Option<String>,
}

impl RateGamesRequest {
    fn check(&self, lab: &Lab) -> Result<(), LabError> {
        lab.bound("plies of depth", self.depth.into(), MAX_DEPTH_FOR_CLIENTS)?;
        if self.depth == 0 {
            return Err(LabError::request("invalid depth 0: expected 1 or more"));
        }
        if self.pooled && self.player.is_some() {
            return Err(LabError::request("all players together, or one of them: not both"));
        }
        if self.opponents && self.player.is_none() {
            return Err(LabError::request("the opponents of whom? Without a player everybody's moves are evaluated"));
        }
        crate::ratings::check_claim(self.claimed)?;
        self.selection().map(drop)
    }

    fn selection(&self) -> Result<Selection, LabError> {
        let RateGamesRequest { first_move, max_eval, keep_repeats, .. } = *self;
        // The rules of turns that come from files.
        TurnsRequest { first_move, max_eval, keep_repeats, ..TurnsRequest::new([""]) }.selection()
    }

    fn sources(&self, lab: &Lab) -> Result<Vec<GameSource>, LabError> {
        let mut games = Vec::new();
        for path in &self.files {
            lab.outside_path(path)?;
            games.push(GameSource::File(path.clone()));
        }
        let text = self.pgn.as_deref().map(|pgn| GameSource::Text { name: TEXT_NAME.to_owned(), pgn: Arc::from(pgn) });
        games.extend(text);
        if games.is_empty() {
            return Err(LabError::request("no games: expected files, or games as text"));
        }
        Ok(games)
    }

    /// Finds the full name of the player who is asked for.
    fn player_name(&self, games: &[GameSource], progress: &dyn Progress) -> Result<Option<String>, LabError> {
        let Some(text) = self.player.as_deref() else { return Ok(None) };
        let names = player_names(games, progress)?;
        Ok(Some(errare_ratings::find_player(names.iter().map(String::as_str), text)?.to_owned()))
    }

    fn workers(&self, lab: &Lab) -> Result<NonZeroUsize, LabError> {
        let threads = lab.config().threads.unwrap_or_else(rayon::current_num_threads);
        // A server has to answer others meanwhile.
        let spare = if lab.is_for_clients() { threads.saturating_sub(1).max(1) } else { threads };
        let workers = self.workers.unwrap_or(spare);
        lab.bound("engines at work", workers as u64, threads as u64)?;
        NonZeroUsize::new(workers).ok_or_else(|| LabError::request("invalid workers 0: expected 1 or more"))
    }
}

fn engine_of(summary: &Summary) -> Engine {
    Engine { name: Some(summary.engine.clone()), depth: Some(summary.depth), settings: Some(summary.settings.clone()) }
}

impl Lab {
    /// Finds the calibration of the lab's configuration, or else one that comes with the program, if it suits an
    /// engine; also whether it comes with the program.
    fn suitable_calibration(&self, engine: &Engine) -> Result<Option<(Calibration, bool)>, LabError> {
        let own = self.config().calibration.as_deref().map(own_calibration).transpose()?;
        let own = own.filter(|found| found.engine == *engine).map(|found| (found, false));
        Ok(own.or_else(|| Calibration::shipped_for(engine).map(|found| (found, true))))
    }
}

#[allow(clippy::disallowed_methods, reason = "the lab's own calibration, which no request names")]
fn own_calibration(path: &Path) -> Result<Calibration, LabError> {
    Ok(Calibration::read(path)?)
}
