//! A position in few bytes: a search of a whole endgame keeps millions of them.

use crate::error::EndgameError;
use errare_tables::MAX_MEN;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Piece, Position, PositionError, Setup, Square};

/// A position without its clock.
pub(super) enum PackedPosition {
    /// The men of a position on their squares, with nothing to be captured en passant.
    Men { men: [Option<(Square, Piece)>; MAX_MEN], turn: Color },
    /// A position in which a pawn may be captured en passant, which is rare.
    EnPassant(Box<Chess>),
}

impl PackedPosition {
    pub fn new(position: &Chess) -> PackedPosition {
        if position.legal_ep_square().is_some() {
            return PackedPosition::EnPassant(Box::new(position.clone()));
        }
        let mut men = [None; MAX_MEN];
        men.iter_mut().zip(position.board().iter()).for_each(|(man, found)| *man = Some(found));
        PackedPosition::Men { men, turn: position.turn() }
    }

    /// The position, with its clock at zero.
    ///
    /// # Errors
    /// [`EndgameError::Internal`] if it is not a position, which cannot be.
    pub fn unpack(&self) -> Result<Chess, EndgameError> {
        let (men, turn) = match self {
            PackedPosition::Men { men, turn } => (men, *turn),
            PackedPosition::EnPassant(position) => return Ok((**position).clone()),
        };
        let mut board = Board::empty();
        men.iter().flatten().for_each(|&(square, piece)| board.set_piece_at(square, piece));
        let setup = Setup { board, turn, ..Setup::empty() };
        // The position that was asked about need not be one that a game can come to.
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .map_err(|_| EndgameError::Internal("a packed position is not one"))
    }
}
