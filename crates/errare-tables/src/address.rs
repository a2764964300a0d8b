//! The addresses of positions in a table.

use crate::error::TableError;
use crate::layout::{Layout, MAX_FIXED, Outer};
use crate::material::{Man, Material};
use crate::structures::Structure;
use crate::symmetry::Symmetry;
use crate::words::Bits;
use shakmaty::fen::Fen;
use shakmaty::{Board, Color, Piece, Role, Setup, Square};

/// The address of a position in a table: side to move, slice of the kings or of the pawns, word of the fixed
/// men, bit of the axis man.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub turn: Color,
    pub slice: usize,
    pub word: usize,
    pub bit: u8,
}

impl Address {
    /// Finds the address of a position of the layout's material, in either colouring.
    ///
    /// `None` if the material is another, or if the placement is not a position: the kings touch, or a pawn stands
    /// on the first or last rank.
    pub fn of(layout: &Layout, board: &Board, turn: Color) -> Option<Address> {
        let (material, swapped) = Material::of_board(board);
        if material != layout.material() {
            return None;
        }
        Address::oriented(layout, board, turn, swapped)
    }

    /// As [`Address::of`] with a known colouring: `swapped` makes Black the first-named side.
    pub fn oriented(layout: &Layout, board: &Board, turn: Color, swapped: bool) -> Option<Address> {
        let colored = |color: Color| if swapped { color.other() } else { color };
        let (slice, symmetry) = match layout.outer() {
            Outer::Kings(kings) => {
                let king = |color| board.king_of(colored(color)).map(|square| square as u8);
                kings.find(king(Color::White)?, king(Color::Black)?)?
            }
            Outer::Pawns(structures) => {
                let pawns = |color| (board.by_color(color) & board.by_role(Role::Pawn)).0;
                let pawns = Structure { white: pawns(Color::White), black: pawns(Color::Black) };
                // Pawns of the other colour move the other way.
                let (pawns, turned) =
                    if swapped { (pawns.swapped(), Symmetry::RANKS) } else { (pawns, Symmetry::IDENTITY) };
                let (slice, mirrored) = structures.find(pawns)?;
                (slice, turned.and(mirrored))
            }
        };
        let squares_of = |man: Man| {
            let men = board.by_color(colored(man.color)) & board.by_role(man.role);
            men.into_iter().map(|square| symmetry.square(square as u8))
        };
        let mut fixed = [0; MAX_FIXED];
        let mut taken = 0_u64;
        // Of several like men the axis is the one that is left over.
        for (i, &man) in layout.fixed().iter().enumerate() {
            let square = squares_of(man).find(|square| taken >> square & 1 == 0)?;
            taken |= 1 << square;
            fixed[i] = square;
        }
        let bit = squares_of(layout.axis()).find(|square| taken >> square & 1 == 0)?;
        Some(Address { turn: colored(turn), slice, word: layout.word(&fixed), bit })
    }

    /// The number of addresses of a table, including broken placements and both sides to move.
    pub fn count(layout: &Layout) -> u64 {
        layout.slices() as u64 * layout.words() as u64 * 64 * 2
    }

    /// The n-th address of a table.
    pub fn nth(layout: &Layout, n: u64) -> Address {
        let words = layout.words() as u64;
        let (place, turn) = (n / 2, if n & 1 == 0 { Color::White } else { Color::Black });
        let (slice, word) = (place / 64 / words, place / 64 % words);
        Address { turn, slice: slice as usize, word: word as usize, bit: (place % 64) as u8 }
    }

    /// The number of the address: see [`Address::nth`].
    pub fn number(&self, layout: &Layout) -> u64 {
        let word = self.slice as u64 * layout.words() as u64 + self.word as u64;
        2 * (64 * word + u64::from(self.bit)) + self.turn.fold_wb(0, 1)
    }

    /// The placement with its side to move, the first-named side as White. It need not be a legal position.
    pub fn setup(&self, layout: &Layout) -> Setup {
        let mut setup = Setup::empty();
        setup.board = self.board(layout);
        setup.turn = self.turn;
        setup
    }

    /// The placement as a FEN, for a position known to be legal.
    ///
    /// # Errors
    /// [`TableError::Internal`] if the position is not legal.
    pub fn fen(&self, layout: &Layout) -> Result<String, TableError> {
        let fen = Fen::try_from_setup(self.setup(layout));
        fen.map(|fen| fen.to_string()).map_err(|_| TableError::Internal("a legal position has no FEN"))
    }

    /// The men of the placement on a board, the first-named side as White. Men that share a square hide each other.
    pub fn board(&self, layout: &Layout) -> Board {
        let around = layout.around(self.slice);
        let mut board = Board::empty();
        let mut put = |square: u8, color, role| {
            board.set_piece_at(Square::new(square.into()), Piece { color, role });
        };
        for color in Color::ALL {
            if let Some(pair) = around.kings {
                put(pair.of(color), color, Role::King);
            }
            Bits(around.pawns.of(color)).for_each(|square| put(square, color, Role::Pawn));
        }
        let squares = layout.squares(self.word);
        for (man, &square) in layout.fixed().iter().zip(&squares) {
            put(square, man.color, man.role);
        }
        put(self.bit, layout.axis().color, layout.axis().role);
        board
    }

    /// The address of the position with colours exchanged, in a table of symmetric material.
    pub fn mirrored(&self, layout: &Layout) -> Option<Address> {
        Address::oriented(layout, &self.board(layout), self.turn, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cell of a slice that holds all its men is found again from its board, however the
    /// board is turned.
    #[test]
    fn boards_lead_back_to_their_address() {
        for text in ["KQKR", "KBBKN", "KBBK", "KRKR", "KPK", "KPKP", "KPPK", "KRKP", "KNNKP"] {
            let layout = text.parse().ok().and_then(Layout::new).expect("an endgame with men");
            let slices = (0..layout.slices()).step_by(29).filter(|&slice| layout.own_image(slice).is_none());
            for slice in slices {
                for word in (0..layout.words()).step_by(1 + layout.words() / 997) {
                    for bit in 0..64 {
                        let address = Address { turn: Color::Black, slice, word, bit };
                        let mut board = address.board(&layout);
                        let kings = Color::ALL.map(|color| board.king_of(color));
                        let touch = matches!(kings, [Some(a), Some(b)] if a.distance(b) < 2);
                        if board.occupied().count() != layout.material().men() || touch {
                            continue;
                        }
                        for _ in 0..4 {
                            if layout.material().has_pawns() {
                                board.flip_horizontal();
                            } else {
                                board.rotate_90();
                            }
                            let found = Address::of(&layout, &board, Color::Black).expect("the same men");
                            // A twin may have taken the axis man's part.
                            assert_eq!(found.board(&layout), address.board(&layout), "{text}");
                        }
                        board.swap_colors();
                        board.flip_vertical();
                        let found = Address::oriented(&layout, &board, Color::White, true);
                        assert_eq!(found.map(|found| (found.turn, found.slice)), Some((Color::Black, slice)));
                    }
                }
            }
        }
    }

    #[test]
    fn other_men_have_no_address() {
        let layout = "KQKR".parse().ok().and_then(Layout::new).expect("an endgame with men");
        assert_eq!(Address::of(&layout, &Board::new(), Color::White), None);
    }
}
