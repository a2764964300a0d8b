//! The slices of a ply loop: what stands in each besides the men of its words, and the king moves
//! that join them.

use crate::symmetry::Symmetry;
use shakmaty::{ByColor, Color};

/// One king move out of a slice.
#[derive(Clone, Copy, Debug)]
pub struct KingMove {
    /// The square the king goes to, in the squares of the slice it leaves.
    pub target: u8,
    /// The slice it arrives in.
    pub slice: u32,
    /// Takes squares of the slice left to squares of the slice reached.
    pub symmetry: Symmetry,
    /// Takes them back.
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

    /// A slice without neighbours.
    pub fn single(occupied: u64) -> Slices {
        Slices { occupied: vec![occupied], moves: ByColor::new_with(|_| vec![Vec::new()]) }
    }

    pub fn count(&self) -> usize {
        self.occupied.len()
    }

    /// The squares that the men outside the words stand on.
    #[inline(always)]
    pub fn occupied(&self, slice: usize) -> u64 {
        self.occupied[slice]
    }

    #[inline(always)]
    pub fn moves(&self, slice: usize, color: Color) -> &[KingMove] {
        &self.moves.get(color)[slice]
    }
}
