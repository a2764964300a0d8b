//! From a position on the board to its place in a table and back.

use crate::kings::Kings;
use crate::layout::{Layout, MAX_FIXED};
use crate::material::{Man, Material};
use shakmaty::{Board, Color, Piece, Role, Square};

/// The place of a position: side to move, slice of the kings, word of the fixed men, bit of the
/// axis man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub turn: Color,
    pub slice: usize,
    pub word: usize,
    pub bit: u8,
}

impl Address {
    /// Finds a position of the layout's material, in either colouring.
    ///
    /// `None` if the men are others, or the kings touch.
    pub fn of(layout: &Layout, kings: &Kings, board: &Board, turn: Color) -> Option<Address> {
        let (material, swapped) = Material::of_board(board);
        if material != layout.material() {
            return None;
        }
        Address::oriented(layout, kings, board, turn, swapped)
    }

    /// As [`Address::of`] with the colouring given: `swapped` makes Black the first-named side.
    pub fn oriented(layout: &Layout, kings: &Kings, board: &Board, turn: Color, swapped: bool) -> Option<Address> {
        let colored = |color: Color| if swapped { color.other() } else { color };
        let king = |color| board.king_of(colored(color)).map(|square| square as u8);
        let (slice, symmetry) = kings.find(king(Color::White)?, king(Color::Black)?)?;
        let squares_of = |man: Man| {
            let men = board.by_color(colored(man.color)) & board.by_role(man.role);
            men.into_iter().map(|square| symmetry.square(square as u8))
        };
        let mut fixed = [0; MAX_FIXED];
        let mut taken = 0_u64;
        // The axis man is whichever of its twins is left over.
        for (i, &man) in layout.fixed().iter().enumerate() {
            let square = squares_of(man).find(|square| taken >> square & 1 == 0)?;
            taken |= 1 << square;
            fixed[i] = square;
        }
        let bit = squares_of(layout.axis()).find(|square| taken >> square & 1 == 0)?;
        Some(Address { turn: colored(turn), slice, word: layout.word(&fixed), bit })
    }

    /// The position's men on a board, the first-named side as White.
    pub fn board(&self, layout: &Layout, kings: &Kings) -> Board {
        let pair = kings.pair(self.slice);
        let mut board = Board::empty();
        let mut put = |square: u8, color, role| {
            board.set_piece_at(Square::new(square.into()), Piece { color, role });
        };
        put(pair.white, Color::White, Role::King);
        put(pair.black, Color::Black, Role::King);
        let squares = layout.squares(self.word);
        for (man, &square) in layout.fixed().iter().zip(&squares) {
            put(square, man.color, man.role);
        }
        put(self.bit, layout.axis().color, layout.axis().role);
        board
    }

    /// The same position with the colours exchanged, for material that is its own swap.
    pub fn mirrored(&self, layout: &Layout, kings: &Kings) -> Option<Address> {
        Address::oriented(layout, kings, &self.board(layout, kings), self.turn, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell of a slice that holds all its men is found again from its board, however the
    /// board is turned.
    #[test]
    fn boards_lead_back_to_their_address() {
        let kings = Kings::shared();
        for text in ["KQKR", "KBBKN", "KBBK", "KRKR"] {
            let layout = text.parse().ok().and_then(Layout::new).expect("an endgame with men");
            for slice in (0..kings.slices()).step_by(29).filter(|&slice| !kings.pair(slice).on_diagonal) {
                for word in (0..layout.words()).step_by(5) {
                    for bit in 0..64 {
                        let address = Address { turn: Color::Black, slice, word, bit };
                        let mut board = address.board(&layout, kings);
                        if board.occupied().count() != layout.material().men() {
                            continue;
                        }
                        for _ in 0..4 {
                            board.rotate_90();
                            let found = Address::of(&layout, kings, &board, Color::Black).expect("the same men");
                            // A twin may have taken the axis man's part.
                            assert_eq!(found.board(&layout, kings), address.board(&layout, kings), "{text}");
                        }
                        board.swap_colors();
                        let found = Address::oriented(&layout, kings, &board, Color::White, true);
                        assert_eq!(found.map(|found| (found.turn, found.slice)), Some((Color::Black, slice)));
                    }
                }
            }
        }
    }

    #[test]
    fn other_men_have_no_address() {
        let layout = "KQKR".parse().ok().and_then(Layout::new).expect("an endgame with men");
        assert_eq!(Address::of(&layout, Kings::shared(), &Board::new(), Color::White), None);
    }
}
