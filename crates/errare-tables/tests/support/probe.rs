//! Putting a position to a table.

use errare_tables::{Table, Value};
use shakmaty::{Board, Color};

/// What a table says of a legal position of its endgame.
pub fn probe(table: &Table, board: &Board, turn: Color) -> Value {
    match table.value(board, turn) {
        Ok(Some(value)) => value,
        other => panic!("{} of {}, {}: {other:?}", table.metric(), table.material(), fen(board, turn)),
    }
}

/// A position for a message.
pub fn fen(board: &Board, turn: Color) -> String {
    format!("{} {} - - 0 1", board, turn.char())
}
