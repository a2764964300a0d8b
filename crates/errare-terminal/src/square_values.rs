//! The board with a value on each square.

use errare_lab::{Outcome, SquareFault, SquareValue, SquaresResponse};
use shakmaty::{Board, Piece};

/// The width of a square, in columns of the terminal.
const WIDTH: usize = 7;

/// Draws the board with the value on each square, the eighth rank first.
#[must_use]
pub fn square_values(found: &SquaresResponse, board: &Board) -> Vec<String> {
    let mut lines: Vec<String> = (1u8..=8)
        .zip(found.squares.chunks(8))
        .map(|(rank, squares)| {
            let cells = squares.iter().map(|there| {
                let text = symbol(there, board);
                if there.square == found.square {
                    format!("{:>WIDTH$}", format!("[{text}]"))
                } else {
                    format!("{text:>w$} ", w = WIDTH - 1)
                }
            });
            format!(" {rank} {}", cells.collect::<String>()).trim_end().to_owned()
        })
        .rev()
        .collect();
    let files = ('a'..='h').map(|file| format!("{file:>w$} ", w = WIDTH - 1)).collect::<String>();
    lines.push(format!("   {}", files.trim_end()));
    lines
}

/// The value of a square in a few characters: `+12`, `=`, `-5`, the man who is there, or `x` for no legal position.
fn symbol(there: &SquareValue, board: &Board) -> String {
    let Some(value) = there.value else {
        let piece = there.square.parse().ok().and_then(|square| board.piece_at(square));
        let is_occupied = there.fault == Some(SquareFault::Occupied);
        return piece.filter(|_| is_occupied).map_or('x', Piece::char).to_string();
    };
    let moves = value.moves.unwrap_or(0);
    match value.outcome {
        Outcome::Win => format!("+{moves}"),
        Outcome::CursedWin => format!("+{moves}*"),
        Outcome::Draw => "=".to_owned(),
        Outcome::BlessedLoss => format!("-{moves}*"),
        Outcome::Loss => format!("-{moves}"),
    }
}
