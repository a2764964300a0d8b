//! All placements of an endgame's men, one of each orbit of the board's symmetries.
//!
//! This is independent of the tables' numbering. Like men are distinguished, as in the published statistics; a
//! placement also has a mark whether it is the first of those that differ only by an exchange of like men.

use super::symmetry::{SYMMETRIES, Symmetry};
use errare_tables::Material;
use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square};

/// The men of an endgame besides the kings, like men side by side; the side named first is White.
pub fn men(material: Material) -> Vec<Piece> {
    let kinds = material.kinds().into_iter();
    let men = kinds.flat_map(|man| vec![Piece { color: man.color, role: man.role }; material.count(man)]);
    men.collect()
}

/// What is left of the symmetries when there are pawns: the wings may be exchanged.
const WITH_PAWNS: [Symmetry; 2] = [SYMMETRIES[0], SYMMETRIES[1]];

/// The symmetries of a board with these men on it.
pub fn symmetries(men: &[Piece]) -> &'static [Symmetry] {
    if men.iter().any(|man| man.role == Role::Pawn) { &WITH_PAWNS } else { &SYMMETRIES }
}

/// The symmetries that leave both kings where they are: the identity and perhaps one reflection.
pub fn stabiliser(kings: [Square; 2], men: &[Piece]) -> Vec<Symmetry> {
    symmetries(men).iter().copied().filter(|&symmetry| kings.map(symmetry) == kings).collect()
}

/// A placement of all men.
pub struct Placement<'a> {
    /// The men on their squares.
    pub board: &'a Board,
    /// The squares of the men besides the kings.
    pub squares: &'a [Square],
    men: &'a [Piece],
    stabiliser: &'a [Symmetry],
}

impl Placement<'_> {
    /// Whether the side that is not to move stands in no check; kings that touch give check too.
    pub fn is_legal(&self, turn: Color) -> bool {
        let king = self.board.king_of(turn.other()).expect("each side has a king");
        self.board.attacks_to(king, turn, self.board.occupied()).is_empty()
    }

    /// Whether no exchange of like men, with or without a symmetry, gives an earlier placement:
    /// just one of the placements that make up one position says yes.
    pub fn is_first_ordering(&self) -> bool {
        if self.men.is_sorted_by(|a, b| a != b) {
            return true;
        }
        let image_of = |symmetry: &Symmetry| {
            let mut image: Vec<Square> = self.squares.iter().map(|&square| symmetry(square)).collect();
            self.sort_like_men(&mut image);
            image
        };
        self.stabiliser.iter().map(image_of).min().as_deref() == Some(self.squares)
    }

    fn sort_like_men(&self, squares: &mut [Square]) {
        let mut start = 0;
        for like in self.men.chunk_by(|a, b| a == b) {
            squares[start..start + like.len()].sort_unstable();
            start += like.len();
        }
    }
}

/// Calls `visit` with every placement that has its kings there, one of each orbit.
pub fn for_each_placement(kings: [Square; 2], men: &[Piece], visit: &mut dyn FnMut(&Placement<'_>)) {
    let mut board = Board::empty();
    for (square, color) in kings.into_iter().zip([Color::White, Color::Black]) {
        board.set_piece_at(square, Piece { color, role: Role::King });
    }
    let stabiliser = stabiliser(kings, men);
    Placing { men, stabiliser: &stabiliser, visit }.place(&stabiliser, &mut board, &mut Vec::new());
}

struct Placing<'a> {
    men: &'a [Piece],
    stabiliser: &'a [Symmetry],
    visit: &'a mut dyn FnMut(&Placement<'_>),
}

impl Placing<'_> {
    /// Puts the men that are left on the board, each on the first square of its images under the
    /// symmetries that have left all others where they are.
    fn place(&mut self, free: &[Symmetry], board: &mut Board, squares: &mut Vec<Square>) {
        let Some(&man) = self.men.get(squares.len()) else {
            return (self.visit)(&Placement { board, squares, men: self.men, stabiliser: self.stabiliser });
        };
        let edges = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
        let barred = if man.role == Role::Pawn { edges } else { Bitboard::EMPTY };
        for square in !board.occupied() & !barred {
            if free.iter().any(|symmetry| symmetry(square) < square) {
                continue;
            }
            let kept: Vec<Symmetry> = free.iter().copied().filter(|symmetry| symmetry(square) == square).collect();
            board.set_piece_at(square, man);
            squares.push(square);
            self.place(&kept, board, squares);
            squares.pop();
            board.discard_piece_at(square);
        }
    }
}
