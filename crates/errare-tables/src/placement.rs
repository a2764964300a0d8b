//! One man of a position put on each of the 64 squares.

use crate::position::{FenError, from_setup};
use shakmaty::{Chess, EnPassantMode, Piece, Position, Square};

/// A square, and the position with the man put on it.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The square that the man is put on.
    pub square: Square,
    /// The position with the man on this square, or why there is none.
    pub position: Result<Chess, Misplaced>,
}

/// Why a man cannot stand on a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misplaced {
    /// Another man is on the square.
    #[error("another man is on this square")]
    Occupied(Piece),
    /// No legal position has the man there.
    #[error(transparent)]
    Illegal(#[from] FenError),
}

/// Puts a man of a position on each square in turn, a1 to h8 rank by rank, while all else stays. None if no man is on
/// the square.
///
/// On the man's own square that is the position as it is. Elsewhere no pawn has just moved, so that nothing can be
/// captured en passant.
///
/// ```
/// use errare_tables::{parse_fen, placements};
/// use shakmaty::Square;
/// let position = parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")?;
/// let found = placements(&position, Square::B2).ok_or("no man")?;
/// // Not where the kings are, nor where the rook would check the king of the side that is not to move.
/// assert_eq!(found.iter().filter(|placement| placement.position.is_ok()).count(), 62 - 14);
/// assert!(placements(&position, Square::H8).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn placements(position: &Chess, from: Square) -> Option<Vec<Placement>> {
    let man = position.board().piece_at(from)?;
    let mut without = position.to_setup(EnPassantMode::Legal);
    without.ep_square = None;
    without.board.discard_piece_at(from);
    let placed = |square: Square| {
        if square == from {
            return Ok(position.clone());
        }
        if let Some(other) = without.board.piece_at(square) {
            return Err(Misplaced::Occupied(other));
        }
        let mut setup = without.clone();
        setup.board.set_piece_at(square, man);
        Ok(from_setup(setup)?)
    };
    Some(Square::ALL.into_iter().map(|square| Placement { square, position: placed(square) }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::parse_fen;

    fn fault(fen: &str, man: Square, square: Square) -> Option<Misplaced> {
        let found = placements(&parse_fen(fen).expect("a position"), man).expect("a man");
        found.into_iter().find(|placement| placement.square == square)?.position.err()
    }

    #[test]
    fn every_reason_has_its_words() {
        let krkp = "8/8/8/8/8/2k5/p6R/K7 w - - 0 1";
        let occupied = fault(krkp, Square::H2, Square::A2);
        assert!(matches!(occupied, Some(Misplaced::Occupied(piece)) if piece.char() == 'p'), "{occupied:?}");
        let touch = fault(krkp, Square::A1, Square::B3);
        assert_eq!(touch, Some(Misplaced::Illegal(FenError::KingsTouch)));
        let check = fault(krkp, Square::H2, Square::H3);
        assert_eq!(check, Some(Misplaced::Illegal(FenError::KingCapture(shakmaty::Color::White))));
        let rank = fault(krkp, Square::A2, Square::H8);
        assert_eq!(rank, Some(Misplaced::Illegal(FenError::PawnRank)));
        assert_eq!(fault(krkp, Square::H2, Square::H8), None);
    }

    #[test]
    fn a_right_to_capture_en_passant_stays_only_where_nothing_moves() {
        let position = parse_fen("8/8/8/8/3Pp3/8/k7/3K4 b - d3 0 1").expect("a position");
        for placement in placements(&position, Square::A2).expect("a king") {
            if let Ok(found) = placement.position {
                assert_eq!(found.legal_ep_square().is_some(), placement.square == Square::A2);
            }
        }
    }
}
