//! Records of turns as they are read, before anything is left out.

use crate::evaluation::Evaluation;
use crate::provenance::{Engine, GameRecord, PlayerSide};

/// A turn as it is read: the moves that could be played, their evaluations, and the move that was played.
#[derive(Clone, Debug)]
pub struct Record {
    /// The game of the turn.
    pub game: GameRecord,
    /// The engine that made the evaluations, as far as the record names it.
    pub engine: Engine,
    /// Number of plies made before, from the initial position.
    pub ply: u16,
    /// The side to move.
    pub side: PlayerSide,
    /// The position without its counters: placement, side, castling rights, en passant square.
    pub position: String,
    /// The place of the played move in `moves`.
    pub played: usize,
    /// The moves that were evaluated, best first, in UCI notation.
    pub moves: Vec<(String, Evaluation)>,
    /// The evaluations of the same moves, in the same order, at other depths.
    pub other_depths: Vec<(u16, Vec<Evaluation>)>,
}

impl Record {
    /// The number of the move, from 1.
    pub fn move_number(&self) -> u16 {
        self.ply / 2 + 1
    }
}
