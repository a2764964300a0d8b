//! All moves of a game, for a board that follows it.

use crate::notation::{fen_of, uci};
use errare_games::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Position;
use shakmaty::san::SanPlus;

/// All moves of a game with their positions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameBoard {
    /// The position before the first move.
    pub start: String,
    /// The moves, in their order.
    pub moves: Vec<BoardMove>,
}

/// A move with the position that it leads to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoardMove {
    /// Number of the move as people write it: "17." or "26...".
    pub move_number: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The position after the move.
    pub fen: String,
    /// Whether the move gives check.
    pub check: bool,
}

impl GameBoard {
    pub(super) fn new(game: &Game) -> GameBoard {
        let moves = game.positions().map(|(ply, mut position, played)| {
            let san = SanPlus::from_move_and_play_unchecked(&mut position, played.mv).to_string();
            BoardMove {
                move_number: game.move_number(ply).to_string(),
                san,
                uci: uci(played.mv),
                fen: fen_of(&position),
                check: position.is_check(),
            }
        });
        GameBoard { start: fen_of(game.start()), moves: moves.collect() }
    }
}
