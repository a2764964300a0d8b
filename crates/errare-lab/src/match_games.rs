//! Matches: many games of two agents from one position.

use crate::analysis::AnalysisRequest;
use crate::choose::{posteriors, unfinished};
use crate::error::LabError;
use crate::lab::Lab;
use crate::model::{ModelRequest, ModelSummary};
use crate::notation::fen_of;
use crate::numeric::Numeric;
use crate::operation::{Exposure, Operation};
use crate::pgn_output::PgnOutput;
use crate::side::Side;
use crate::text::Text;
use errare_endgame::{
    AgentSetting, AgentSpec, EndgameError, Ending, Hold, Match, MatchTally, Moments, MoveRule, Oracle, Played, Reason,
};
use errare_games::Game;
use errare_tables::{Material, Metric};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Chess, KnownOutcome, Position};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Asks two agents to play games from a position. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// The agent that plays White, as in player:20.
    pub white: Text<AgentSpec>,
    /// The agent that plays Black.
    pub black: Text<AgentSpec>,
    /// The position that all games start from, as a FEN.
    pub fen: String,
    /// Number of games.
    #[serde(default = "hundred")]
    pub games: u64,
    /// Random seed.
    #[serde(default)]
    pub seed: u64,
    /// Number of moves by each side without a capture or a pawn move after which games are drawn, or "none"; by default
    /// none, or 50 if the start is drawn.
    #[serde(default)]
    pub rule: Option<Numeric<MoveRule>>,
    /// Whether to play on after a conversion even under dtc.
    #[serde(default)]
    pub to_mate: bool,
    /// Number of moves by each side after which a game is broken off.
    #[serde(default = "many_moves")]
    pub most_moves: u32,
    /// The file to write the games to, in PGN.
    #[serde(default)]
    pub pgn: Option<PathBuf>,
    /// How fallible players choose.
    #[serde(default)]
    pub model: ModelRequest,
    /// How the players' competence is assessed.
    #[serde(default)]
    pub analysis: AnalysisRequest,
}

fn hundred() -> u64 {
    100
}

fn many_moves() -> u32 {
    Ending::MAX_MOVES
}

impl MatchRequest {
    /// A match of so many games between two agents, with defaults for the rest.
    #[must_use]
    pub fn new(white: AgentSpec, black: AgentSpec, fen: impl Into<String>, games: u64) -> MatchRequest {
        MatchRequest {
            white: Text(white),
            black: Text(black),
            fen: fen.into(),
            games,
            seed: 0,
            rule: None,
            to_mate: false,
            most_moves: many_moves(),
            pgn: None,
            model: ModelRequest::default(),
            analysis: AnalysisRequest::default(),
        }
    }
}

/// The statistics of a match.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchResponse {
    /// The position that all games started from.
    pub fen: String,
    /// The agent that played White.
    pub white: Text<AgentSpec>,
    /// The agent that played Black.
    pub black: Text<AgentSpec>,
    /// How fallible players choose.
    pub model: ModelSummary,
    /// The competences that players were assessed over, as least(step)greatest.
    pub grid: String,
    /// Random seed.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// Mean length of games: the winner's moves, of a drawn game the moves made.
    pub mean_moves: f64,
    /// Standard deviation of the length.
    pub sd_moves: f64,
    /// Length of the shortest game.
    pub min_moves: u32,
    /// Length of the longest game.
    pub max_moves: u32,
    /// Number of games by result.
    pub results: MatchResults,
    /// Number of games by why they ended.
    pub reasons: BTreeMap<EndReason, u64>,
    /// The apparent competence of the side that errs, or of White if both do.
    pub apparent_c: ApparentCompetence,
    /// The apparent competence of either side.
    pub apparent_c_by_side: ApparentBySide,
    /// How many games were won before a draw could be claimed by the fifty-move rule.
    pub fifty_moves: WonInTime,
    /// Who first gave the theoretical value away, if anybody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_concession: Option<FirstConcessions>,
    /// Number of games of each length.
    pub lengths: BTreeMap<u32, u64>,
}

/// Number of games by result.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchResults {
    /// Games won by White.
    #[serde(rename = "1-0")]
    pub white: u64,
    /// Games won by Black.
    #[serde(rename = "0-1")]
    pub black: u64,
    /// Games drawn.
    #[serde(rename = "1/2-1/2")]
    pub drawn: u64,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// It was broken off for its length.
    #[serde(rename = "broken off")]
    BrokenOff,
    /// The material changed.
    Conversion,
    /// Checkmate.
    Mate,
    /// The move rule, or fifty moves of a drawn position.
    #[serde(rename = "move rule")]
    MoveRule,
    /// Stalemate, or nothing left to mate with.
    #[serde(rename = "stalemate or bare kings")]
    Dead,
}

impl EndReason {
    /// The name as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EndReason::BrokenOff => "broken off",
            EndReason::Conversion => "conversion",
            EndReason::Mate => "mate",
            EndReason::MoveRule => "move rule",
            EndReason::Dead => "stalemate or bare kings",
        }
    }
}

impl From<Reason> for EndReason {
    fn from(reason: Reason) -> EndReason {
        match reason {
            Reason::Mate => EndReason::Mate,
            Reason::Dead => EndReason::Dead,
            Reason::Conversion => EndReason::Conversion,
            Reason::Rule => EndReason::MoveRule,
            Reason::Length => EndReason::BrokenOff,
        }
    }
}

/// The competence that an analyser, starting afresh with each game, expects at its end.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApparentCompetence {
    /// Whose competence.
    pub side: Side,
    /// Mean over the games.
    pub mean: f64,
    /// Standard deviation over the games.
    pub sd: f64,
    /// The least of a game.
    pub min: f64,
    /// The greatest of a game.
    pub max: f64,
}

/// The apparent competence of either side.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApparentBySide {
    /// White's.
    pub white: ApparentCompetence,
    /// Black's.
    pub black: ApparentCompetence,
}

/// How many games were won before a draw could be claimed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WonInTime {
    /// The moves of the rule.
    pub moves: u16,
    /// Games won before a draw could be claimed.
    pub won: u64,
    /// All other games.
    pub not_won: u64,
}

/// The first moves that gave the theoretical value away.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FirstConcessions {
    /// Games in which the value was given away.
    pub games: u64,
    /// Games in which White was the first to do so.
    pub white: u64,
    /// Games in which Black was the first to do so.
    pub black: u64,
    /// Mean number of the move, among the moves of who made it.
    pub mean_moves: f64,
    /// Its standard deviation.
    pub sd_moves: f64,
}

/// What players hold if nothing is said, as in Andrist and Haworth (2005).
const HOLD: Hold = Hold::Wins;

/// Games held in memory at once.
const BATCH: u64 = 512;

impl Operation for MatchRequest {
    const NAME: &'static str = "match";
    const ABOUT: &'static str = "Let two agents play games from a position";
    // An agent or a prior may be a file.
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = MatchResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<MatchResponse, LabError> {
        if self.games == 0 {
            return Err(LabError::request("invalid number of games 0: expected at least 1"));
        }
        let (tables, metric) = self.model.tables(lab)?;
        let start = unfinished(&tables, &self.fen)?;
        let model = self.model.model(HOLD);
        let analysis = self.analysis.analysis(model.clone())?;
        let setting = AgentSetting {
            model,
            analysis: analysis.clone(),
            rule: self.rule.map_or(MoveRule::FIFTY, |rule| rule.0).moves(),
            posteriors: posteriors([&*self.white, &*self.black], &BTreeMap::new())?,
        };
        // Refused before any table is built.
        self.white.build(&setting)?;
        self.black.build(&setting)?;
        let at_conversion = metric == Metric::Dtc && !self.to_mate;
        let (material, _) = Material::of_board(start.board());
        let needed = AgentSpec::tables_to_play([&self.white, &self.black], material, metric, at_conversion);
        let mut pgn = self.pgn.as_ref().map(|path| PgnOutput::create(path, &[])).transpose()?;
        let mut tally = MatchTally::default();
        let mut first = 0;
        while first < self.games {
            let last = self.games.min(first + BATCH);
            // A damaged table costs the games of a batch and no more.
            let played = tables.with_tables(&needed, progress, || -> Result<_, EndgameError> {
                let oracle = Arc::new(Oracle::new(tables.source(), metric));
                let usual = Ending::usual(metric, oracle.state(&start)?);
                let games = Match {
                    oracle,
                    agents: ByColor { white: self.white.0.clone(), black: self.black.0.clone() },
                    setting: setting.clone(),
                    analysis: analysis.clone(),
                    start: start.clone(),
                    ending: Ending {
                        at_conversion,
                        rule: self.rule.map_or(usual.rule, |rule| rule.moves().map(u32::from)),
                        most_moves: self.most_moves,
                    },
                    seed: self.seed,
                    keep_moves: self.pgn.is_some(),
                };
                games.play_all(first..last, self.games, progress)
            })?;
            for (number, game) in (first..last).zip(&played) {
                tally.add(game);
                if let Some(pgn) = &mut pgn {
                    pgn.write(&self.game(&start, number, game)?, &[])?;
                }
            }
            first = last;
        }
        if let Some(pgn) = pgn {
            pgn.finish()?;
        }
        Ok(self.response(&start, metric, &tally))
    }
}

impl MatchRequest {
    /// A game as PGN has it.
    fn game(&self, start: &Chess, number: u64, played: &Played) -> Result<Game, LabError> {
        let mut game = Game::new(start.clone());
        game.set_tag("Event", &format!("errare match, seed {}", self.seed));
        game.set_tag("Round", &(number + 1).to_string());
        game.set_tag("White", &self.white.to_string());
        game.set_tag("Black", &self.black.to_string());
        for &mv in &played.moves {
            game.push(mv).map_err(|_| LabError::Internal("an agent made an illegal move"))?;
        }
        game.result = Some(shakmaty::Outcome::Known(match played.winner {
            Some(winner) => KnownOutcome::Decisive { winner },
            None => KnownOutcome::Draw,
        }));
        Ok(game)
    }

    fn response(&self, start: &Chess, metric: Metric, tally: &MatchTally) -> MatchResponse {
        let by_side = ApparentBySide {
            white: ApparentCompetence::new(Side::White, &tally.apparent.white),
            black: ApparentCompetence::new(Side::Black, &tally.apparent.black),
        };
        let black_errs = self.white.is_infallible() && !self.black.is_infallible();
        let concessions = tally.concessions.white + tally.concessions.black;
        MatchResponse {
            fen: fen_of(start),
            white: self.white.clone(),
            black: self.black.clone(),
            model: self.model.summary(metric, HOLD),
            grid: self.analysis.grid.0.0.to_string(),
            seed: self.seed,
            games: tally.games(),
            mean_moves: tally.moves.mean,
            sd_moves: tally.moves.sd(),
            min_moves: tally.lengths.keys().next().copied().unwrap_or(0),
            max_moves: tally.lengths.keys().next_back().copied().unwrap_or(0),
            results: MatchResults { white: tally.won.white, black: tally.won.black, drawn: tally.drawn },
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
        }
    }
}

impl ApparentCompetence {
    fn new(side: Side, moments: &Moments) -> ApparentCompetence {
        ApparentCompetence { side, mean: moments.mean, sd: moments.sd(), min: moments.min, max: moments.max }
    }
}
