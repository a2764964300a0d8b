//! The response of whole games: results, lengths, and the source of evaluations.

use super::Games;
use crate::error::LabError;
use crate::match_games::{BrokenMatchGame, EndReason, MatchResults, MatchScoreSummary, PlayerNames};
use crate::notation::fen_of;
use crate::text::Text;
use errare_endgame::{AgentSpec, MatchGame, MatchTally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::collections::BTreeMap;

/// The statistics of whole games.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WholeGamesResponse {
    /// The position that all games started from; null if there are several.
    pub fen: Option<String>,
    /// Number of positions that games started from.
    pub positions: usize,
    /// The agent that played White, or where both colours were played, the agent that had White in the first game.
    pub white: Text<AgentSpec>,
    /// The agent that played Black, or where both colours were played, the agent that had Black in the first game.
    pub black: Text<AgentSpec>,
    /// The names of the agents in PGN: engines by their own names.
    pub names: PlayerNames,
    /// Whether each game was followed by another one with the colours exchanged.
    pub both_colours: bool,
    /// Random seed.
    pub seed: u64,
    /// The source of evaluations for the moves that agents chose from; null if both are engines.
    pub advice: Option<AdviceUsed>,
    /// Number of games that were finished.
    pub games: u64,
    /// The games that broke because an engine failed. Broken games do not count.
    pub broken: Vec<BrokenMatchGame>,
    /// Number of games by result.
    pub results: MatchResults,
    /// The score of the agent `white`, and the difference in Elo that it stands for; null if no pair of games with both
    /// colours was finished.
    pub score: Option<MatchScoreSummary>,
    /// Mean length of games: the winner's moves, of a drawn game the moves made.
    pub mean_moves: f64,
    /// Standard deviation of the length.
    pub sd_moves: f64,
    /// Length of the shortest game.
    pub min_moves: u32,
    /// Length of the longest game.
    pub max_moves: u32,
    /// Number of games by the reason why they ended.
    pub reasons: BTreeMap<EndReason, u64>,
    /// Number of games of each length.
    pub lengths: BTreeMap<u32, u64>,
}

/// The source of evaluations of moves where no table has the position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AdviceUsed {
    /// The name that the engine gives itself; null for our own search.
    pub engine: Option<String>,
    /// Depth of the evaluations.
    pub depth: u32,
    /// Notes on what makes the strength of people of an Elo approximate.
    pub caveats: Vec<String>,
}

impl WholeGamesResponse {
    pub(super) fn new(
        games: &Games<'_>,
        tally: &MatchTally,
        played: &[MatchGame],
    ) -> Result<WholeGamesResponse, LabError> {
        let request = games.request;
        let broken = |game: &MatchGame| {
            let reason = game.result.as_ref().err()?.clone();
            Some(BrokenMatchGame { game: game.number + 1, fen: fen_of(&games.starts[game.slot.start]), reason })
        };
        let broken: Vec<BrokenMatchGame> = played.iter().filter_map(broken).collect();
        if let (0, Some(last)) = (tally.games(), broken.last()) {
            return Err(LabError::NoGame { reason: last.reason.clone() });
        }
        Ok(WholeGamesResponse {
            fen: (games.starts.len() == 1).then(|| fen_of(&games.starts[0])),
            positions: games.starts.len(),
            white: request.white.clone(),
            black: request.black.clone(),
            names: PlayerNames { white: games.name(Color::White), black: games.name(Color::Black) },
            both_colours: request.both_colours,
            seed: request.seed,
            advice: games.plan.used(&games.seats),
            games: tally.games(),
            broken,
            results: tally.results.into(),
            score: MatchScoreSummary::new(&tally.score, request.both_colours),
            mean_moves: tally.moves.mean,
            sd_moves: tally.moves.sd(),
            min_moves: tally.lengths.keys().next().copied().unwrap_or(0),
            max_moves: tally.lengths.keys().next_back().copied().unwrap_or(0),
            reasons: tally.reasons.iter().map(|(&reason, &count)| (reason.into(), count)).collect(),
            lengths: tally.lengths.clone(),
        })
    }
}
