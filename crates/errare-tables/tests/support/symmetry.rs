//! The symmetries of a board without pawns, and the king pairs that symmetries leave distinct.

use shakmaty::{Square, attacks};

/// A symmetry of the board, of which there are eight.
pub type Symmetry = fn(Square) -> Square;

/// All eight.
pub const SYMMETRIES: [Symmetry; 8] = [
    |square| square,
    Square::flip_horizontal,
    Square::flip_vertical,
    Square::flip_diagonal,
    Square::flip_anti_diagonal,
    Square::rotate_90,
    Square::rotate_180,
    Square::rotate_270,
];

/// White king and Black king, not touching, the first pair of each orbit.
pub fn king_pairs(symmetries: &[Symmetry]) -> Vec<[Square; 2]> {
    let pairs = Square::ALL.into_iter().flat_map(|white| Square::ALL.map(|black| [white, black]));
    let touch = |[white, black]: [Square; 2]| white == black || attacks::king_attacks(white).contains(black);
    let is_first = |pair: [Square; 2]| symmetries.iter().all(|&symmetry| pair.map(symmetry) >= pair);
    pairs.filter(|&pair| !touch(pair) && is_first(pair)).collect()
}
