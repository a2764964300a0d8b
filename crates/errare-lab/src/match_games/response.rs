//! The response of a match: results, lengths and games.

use crate::model::ModelSummary;
use crate::numeric::Numeric;
use crate::side::Side;
use crate::text::Text;
use errare_endgame::{AgentSpec, EloDifference, MatchScore, Moments, Reason, ResultTally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The statistics of a match.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchResponse {
    /// The position that all games started from; null if there are several.
    pub fen: Option<String>,
    /// The agent that played White. Where both colours were played it has Black in every second game, and figures of
    /// White, but for results, are of this agent.
    pub white: Text<AgentSpec>,
    /// The agent that played Black, or where both colours were played, the agent that had Black in the first game.
    pub black: Text<AgentSpec>,
    /// The names of the agents in PGN: engines by their own names.
    pub names: PlayerNames,
    /// Whether each game was followed by another one with the colours exchanged.
    pub both_colours: bool,
    /// Whether the third occurrence of a position made a draw.
    pub repetition: bool,
    /// The model of how fallible players choose.
    pub model: ModelSummary,
    /// The competences that players were assessed over, as least(step)greatest.
    pub grid: String,
    /// Random seed.
    pub seed: u64,
    /// Number of games that were finished.
    pub games: u64,
    /// The games that broke because an engine failed. Broken games do not count.
    pub broken: Vec<BrokenMatchGame>,
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
    /// The score of the agent `white`, and the difference in Elo that it stands for; null if no pair of games with both
    /// colours was finished.
    pub score: Option<MatchScoreSummary>,
    /// Number of games by result, for each position.
    pub starts: Vec<StartResults>,
    /// Number of games by the reason why they ended.
    pub reasons: BTreeMap<EndReason, u64>,
    /// The apparent competence of the side that errs, or of White if both sides err.
    pub apparent_c: ApparentCompetence,
    /// The apparent competence of either side.
    pub apparent_c_by_side: ApparentBySide,
    /// Number of games won before a draw could be claimed by the fifty-move rule.
    pub fifty_moves: WonInTime,
    /// The first moves that gave the theoretical value away; null if no move did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_concession: Option<FirstConcessions>,
    /// Number of games of each length.
    pub lengths: BTreeMap<u32, u64>,
}

/// The names of two players.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerNames {
    /// The name of the agent `white`.
    pub white: String,
    /// The name of the agent `black`.
    pub black: String,
}

/// A game that broke because an engine failed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrokenMatchGame {
    /// The number of the game, from 1.
    pub game: u64,
    /// The position that the game started from.
    pub fen: String,
    /// The reason why the game broke.
    pub reason: String,
}

/// The results of the games from one position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StartResults {
    /// The position that games started from, as a FEN.
    pub fen: String,
    /// Number of games by result.
    pub results: MatchResults,
}

/// The score of a player, and the difference in Elo that it stands for.
///
/// The difference is 400 log10(s / (1 - s)) of the share of the points s, and its interval that of the ends of an interval
/// for s: Wilson's, for as many games as wins and losses alone would have to be to scatter as much as the games, or the
/// pairs of games with both colours, did.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchScoreSummary {
    /// Number of games won by the player.
    pub won: u64,
    /// Number of games drawn.
    pub drawn: u64,
    /// Number of games lost by the player.
    pub lost: u64,
    /// Number of pairs of games with both colours, by which the interval was found; null where one colour was played. A game
    /// whose partner broke is in no pair, and not in this score.
    pub pairs: Option<u64>,
    /// Share of the points that the player made, a draw counting one half: from 0 to 1.
    pub share: f64,
    /// The interval that holds the expected share with a probability of 95%.
    pub share_interval: [f64; 2],
    /// The difference in Elo, positive if the player is better; "inf" for all points, "-inf" for none.
    pub elo: Numeric<f64>,
    /// The interval that holds the difference with a probability of 95%.
    pub elo_interval: [Numeric<f64>; 2],
}

impl MatchScoreSummary {
    /// Summarises a score; none if it has no games.
    pub(crate) fn new(score: &MatchScore, both_colours: bool) -> Option<MatchScoreSummary> {
        let (low, high) = score.interval()?;
        let EloDifference { elo, low: elo_low, high: elo_high } = score.elo()?;
        Some(MatchScoreSummary {
            won: score.won,
            drawn: score.drawn,
            lost: score.lost,
            pairs: both_colours.then_some(score.units),
            share: score.share()?,
            share_interval: [low, high],
            elo: Numeric(elo),
            elo_interval: [Numeric(elo_low), Numeric(elo_high)],
        })
    }
}

/// Number of games by result.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MatchResults {
    /// Number of games won by White.
    #[serde(rename = "1-0")]
    pub white: u64,
    /// Number of games won by Black.
    #[serde(rename = "0-1")]
    pub black: u64,
    /// Number of games drawn.
    #[serde(rename = "1/2-1/2")]
    pub drawn: u64,
}

impl From<ResultTally> for MatchResults {
    fn from(tally: ResultTally) -> MatchResults {
        MatchResults { white: tally.won.white, black: tally.won.black, drawn: tally.drawn }
    }
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// The game was broken off for its length.
    #[serde(rename = "broken off")]
    BrokenOff,
    /// The material changed, which ended the game.
    Conversion,
    /// The game ended with checkmate.
    Mate,
    /// The game was drawn by the move rule, or after fifty moves in a drawn position.
    #[serde(rename = "move rule")]
    MoveRule,
    /// A position occurred for the third time.
    Repetition,
    /// The game was drawn by stalemate, or nothing was left to mate with.
    #[serde(rename = "stalemate or bare kings")]
    Dead,
    /// A player resigned.
    Resigned,
}

impl EndReason {
    /// The name of the reason as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EndReason::BrokenOff => "broken off",
            EndReason::Conversion => "conversion",
            EndReason::Mate => "mate",
            EndReason::MoveRule => "move rule",
            EndReason::Repetition => "repetition",
            EndReason::Dead => "stalemate or bare kings",
            EndReason::Resigned => "resigned",
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
            Reason::Repetition => EndReason::Repetition,
            Reason::Length => EndReason::BrokenOff,
            Reason::Resigned => EndReason::Resigned,
        }
    }
}

/// The competence that an analyser, which starts afresh with each game, expects at the game's end.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApparentCompetence {
    /// The side or agent that is assessed.
    pub side: Side,
    /// Mean of the competence over the games.
    pub mean: f64,
    /// Standard deviation of the competence over the games.
    pub sd: f64,
    /// The least competence of any game.
    pub min: f64,
    /// The greatest competence of any game.
    pub max: f64,
}

/// The apparent competence of either side.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApparentBySide {
    /// Apparent competence of White.
    pub white: ApparentCompetence,
    /// Apparent competence of Black.
    pub black: ApparentCompetence,
}

/// Number of games won before a draw could be claimed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WonInTime {
    /// The number of moves of the rule.
    pub moves: u16,
    /// Number of games won before a draw could be claimed.
    pub won: u64,
    /// Number of all other games.
    pub not_won: u64,
}

/// The first moves that gave the theoretical value away.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FirstConcessions {
    /// Number of games in which the value was given away.
    pub games: u64,
    /// Number of games in which White was the first to give it away.
    pub white: u64,
    /// Number of games in which Black was the first to give it away.
    pub black: u64,
    /// Mean number of the move that gave the value away, counted among the moves of its side.
    pub mean_moves: f64,
    /// Standard deviation of that number.
    pub sd_moves: f64,
}

impl ApparentCompetence {
    pub(super) fn new(side: Side, moments: &Moments) -> ApparentCompetence {
        ApparentCompetence { side, mean: moments.mean, sd: moments.sd(), min: moments.min, max: moments.max }
    }
}
