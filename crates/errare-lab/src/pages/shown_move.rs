//! A move as people write it and as a diagram shows it.

use crate::notation::san;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Square};

/// A square by the numbers of its file and rank.
type Place = (u8, u8);

/// A move of a position that a file gives.
#[derive(Debug, PartialEq, Eq)]
pub struct ShownMove {
    /// The move in standard algebraic notation; the text of the file if it is not legal in the position.
    pub san: String,
    /// The squares where the move begins and ends, if the text is a move.
    pub squares: Option<(Place, Place)>,
}

impl ShownMove {
    /// Makes the move of a text in UCI notation, in a position without counters.
    pub fn new(position: &str, uci: &str) -> ShownMove {
        let read = uci.parse::<UciMove>().ok();
        let place = |square: Square| (square.file() as u8, square.rank() as u8);
        let squares = match &read {
            Some(UciMove::Normal { from, to, .. }) => Some((place(*from), place(*to))),
            _ => None,
        };
        let legal = read.and_then(|mv| {
            let fen: Fen = position.parse().ok()?;
            let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
            Some(san(&position, mv.to_move(&position).ok()?))
        });
        ShownMove { san: legal.unwrap_or_else(|| uci.to_owned()), squares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_shown_in_san_where_they_are_legal() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(ShownMove::new(start, "g1f3"), ShownMove { san: "Nf3".to_owned(), squares: Some(((6, 0), (5, 2))) });
        assert_eq!(ShownMove::new(start, "g1g5").san, "g1g5");
        assert_eq!(ShownMove::new("nonsense", "e2e4").san, "e2e4");
        assert_eq!(ShownMove::new(start, "<b>"), ShownMove { san: "<b>".to_owned(), squares: None });
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(ShownMove::new(castling, "e1g1").san, "O-O");
        let promotion = "8/P6k/8/8/8/8/8/K7 w - -";
        assert_eq!(ShownMove::new(promotion, "a7a8q").san, "a8=Q");
    }
}
