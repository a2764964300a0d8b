//! The move that cost most: what it cost, what was better, and why the choice was hard.

use crate::choose::NamedMove;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The person's costliest move, and the choice that it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurningPoint {
    /// Its place in `moves`, from 0.
    pub place: usize,
    /// The number of the move, as in 12. or 12... before Black's.
    pub number: String,
    /// The position before it.
    pub fen: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: NamedMove,
    /// The best moves.
    pub best: Vec<NamedMove>,
    /// What the move cost, in words.
    pub cost: String,
    /// Number of legal moves.
    pub legal: usize,
    /// Number of moves that kept the theoretical value.
    pub keeping: usize,
    /// Number of best moves.
    pub optimal: usize,
    /// The chance that a player like the person, by what is believed of them after the game, makes a move that keeps the
    /// value.
    pub keeping_chance: f64,
    /// The chance that such a player makes a best move.
    pub optimal_chance: f64,
    /// The opponent's reply, if it kept what the move had given away; else null.
    pub reply: Option<NamedMove>,
    /// Why the choice was hard, in one or two sentences.
    pub why: String,
}
