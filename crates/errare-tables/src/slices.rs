//! The slices of a ply loop: the men in each besides those of its words, and the king moves
//! between slices.

use crate::symmetry::Symmetry;
use shakmaty::{ByColor, Color};

/// A king move out of a slice.
#[derive(Clone, Copy, Debug)]
pub struct KingMove {
    /// The square the king goes to, in the squares of the slice it leaves.
    pub target: u8,
    /// The slice that the move leads to.
    pub slice: u32,
    /// The symmetry that takes squares of the slice left to those of the slice reached.
    pub symmetry: Symmetry,
    /// The inverse of the symmetry.
    pub back: Symmetry,
}

/// Slices that are solved together.
///
/// Without pawns there is one for each pair of kings, and kings move between them. With pawns each
/// structure is solved on its own: a single slice, in whose words the kings are men like others.
#[derive(Debug)]
pub struct Slices {
    occupied: Vec<u64>,
    moves: ByColor<Vec<Vec<KingMove>>>,
}

impl Slices {
    pub fn new(occupied: Vec<u64>, moves: ByColor<Vec<Vec<KingMove>>>) -> Slices {
        Slices { occupied, moves }
    }

    /// Makes a single slice without neighbours.
    pub fn single(occupied: u64) -> Slices {
        Slices { occupied: vec![occupied], moves: ByColor::new_with(|_| vec![Vec::new()]) }
    }

    pub fn count(&self) -> usize {
        self.occupied.len()
    }

    /// The squares of the men of a slice that are not in its words.
    #[inline(always)]
    pub fn occupied(&self, slice: usize) -> u64 {
        self.occupied[slice]
    }

    #[inline(always)]
    pub fn moves(&self, slice: usize, color: Color) -> &[KingMove] {
        &self.moves.get(color)[slice]
    }
}
