//! Which cells of a table a check goes through.

/// Which entries to check.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// All of them.
    Whole,
    /// So many, drawn by a seed.
    Sample {
        /// How many placements are drawn; those that are no positions are checked to be none.
        placements: u64,
        /// The seed.
        seed: u64,
    },
}

impl Extent {
    /// How many cells are looked at, of a table of so many.
    pub(crate) fn total(self, cells: u64) -> u64 {
        match self {
            Extent::Whole => cells,
            Extent::Sample { placements, .. } => placements,
        }
    }

    /// The n-th of them.
    pub(crate) fn cell(self, n: u64, cells: u64) -> u64 {
        match self {
            Extent::Whole => n,
            Extent::Sample { seed, .. } => draw(seed, n) % cells,
        }
    }
}

/// The n-th number of a seeded sequence (SplitMix64), so that draws need no shared state.
fn draw(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
