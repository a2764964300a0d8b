//! The pawn moves of a structure, and the structures they lead to.

use crate::attacks::pawn_attacks;
use crate::structures::Structure;
use crate::words::Bits;
use shakmaty::Color;

/// A pawn move as far as the structure determines it: pieces may block it, or be captured by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PawnMove {
    /// A single or double step: the squares passed and reached must be empty.
    Push { to: u8, empty: u64, after: Structure, is_double: bool },
    /// A step to the last rank.
    Promotion { to: u8, after: Structure },
    /// A capture of a pawn.
    TakesPawn { after: Structure },
    /// A capture of a piece on this square, if there is one.
    TakesPiece { to: u8, after: Structure },
    /// A capture of a piece on the last rank: the pawn leaves the structure too.
    TakesAndPromotes { to: u8, after: Structure },
}

/// The square in front of a pawn.
pub fn ahead(color: Color, square: u8) -> u8 {
    color.fold_wb(square.wrapping_add(8), square.wrapping_sub(8))
}

fn is_last_rank(square: u8) -> bool {
    !(8..56).contains(&square)
}

fn is_first_step(color: Color, from: u8) -> bool {
    from >> 3 == color.fold_wb(1, 6)
}

/// Lists all pawn moves of a side.
pub fn pawn_moves(structure: Structure, color: Color) -> Vec<PawnMove> {
    let occupied = structure.occupied();
    let mut found = Vec::new();
    for from in Bits(structure.of(color)) {
        let lifted = structure.without(color, from);
        let to = ahead(color, from);
        if occupied >> to & 1 == 0 {
            if is_last_rank(to) {
                found.push(PawnMove::Promotion { to, after: lifted });
            } else {
                found.push(PawnMove::Push { to, empty: 1 << to, after: lifted.with(color, to), is_double: false });
                let further = ahead(color, to);
                if is_first_step(color, from) && occupied >> further & 1 == 0 {
                    let empty = 1 << to | 1 << further;
                    found.push(PawnMove::Push {
                        to: further,
                        empty,
                        after: lifted.with(color, further),
                        is_double: true,
                    });
                }
            }
        }
        for to in Bits(pawn_attacks(color, 1 << from)) {
            if structure.of(color.other()) >> to & 1 != 0 {
                found.push(PawnMove::TakesPawn { after: lifted.with(color, to).without(color.other(), to) });
            } else if structure.of(color) >> to & 1 == 0 {
                found.push(if is_last_rank(to) {
                    PawnMove::TakesAndPromotes { to, after: lifted }
                } else {
                    PawnMove::TakesPiece { to, after: lifted.with(color, to) }
                });
            }
        }
    }
    found
}
