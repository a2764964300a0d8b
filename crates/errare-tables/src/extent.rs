//! The extent of a check: all cells of a table, or a sample.

use crate::address::Address;
use crate::census::{Census, Counting};
use crate::layout::Layout;
use crate::material::Material;
use crate::position::from_setup;
use shakmaty::{Chess, Position};

/// The entries of a table to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All entries of the table.
    Whole,
    /// A random sample of the entries.
    Sample {
        /// Number of placements to draw. Those that are not legal positions are checked to be illegal.
        placements: u64,
        /// Random seed.
        seed: u64,
    },
}

/// The greatest number of cells that are sorted: they take 128 MB.
const MOST_SORTED: u64 = 1 << 24;

impl Extent {
    /// The number of cells to check in a table with `cells` cells.
    pub(crate) fn total(self, cells: u64) -> u64 {
        match self {
            Extent::Whole => cells,
            Extent::Sample { placements, .. } => placements,
        }
    }

    /// The cells to check, as far as that is possible in the order of the table: in that order the blocks of a large table
    /// are unpacked about once, and not for every cell.
    pub(crate) fn in_order(self, cells: u64) -> impl Fn(u64) -> u64 + Sync {
        let total = self.total(cells);
        let is_sorted = matches!(self, Extent::Sample { .. }) && total <= MOST_SORTED;
        let mut sorted: Vec<u64> = (0..if is_sorted { total } else { 0 }).map(|n| self.cell(n, cells)).collect();
        sorted.sort_unstable();
        move |n| sorted.get(n as usize).copied().unwrap_or_else(|| self.cell(n, cells))
    }

    /// The n-th cell to check.
    pub(crate) fn cell(self, n: u64, cells: u64) -> u64 {
        match self {
            Extent::Whole => n,
            Extent::Sample { seed, .. } => nth_draw(seed, n) % cells,
        }
    }
}

/// The placements of an endgame that an extent covers.
#[derive(Debug)]
pub struct Cells {
    layout: Layout,
    extent: Extent,
}

impl Cells {
    /// The placements of an endgame; none for the bare kings.
    pub fn new(material: Material, extent: Extent) -> Option<Cells> {
        Some(Cells { layout: Layout::new(material)?, extent })
    }

    /// The number of placements, including broken ones and both sides to move.
    pub fn count(&self) -> u64 {
        self.extent.total(Address::count(&self.layout))
    }

    /// The number of the placement of a position in the whole endgame, whichever side is White; none if the position
    /// has other men than the endgame. Rights to capture en passant do not count.
    pub fn number(&self, position: &Chess) -> Option<u64> {
        let address = Address::of(&self.layout, position.board(), position.turn())?;
        Some(address.number(&self.layout))
    }

    /// The position of the n-th placement, the side named first as White; none if the placement is not legal, or if
    /// another cell stands for the same position.
    pub fn position(&self, n: u64) -> Option<Chess> {
        let address = Address::nth(&self.layout, self.extent.cell(n, Address::count(&self.layout)));
        let setup = address.setup(&self.layout);
        let whole = matches!(self.extent, Extent::Whole);
        if setup.board.occupied().count() != self.layout.material().men()
            || whole && !Census::new(&self.layout, Counting::Once).is_first(address.slice, address.word, address.bit)
        {
            return None;
        }
        from_setup(setup).ok()
    }
}

/// The n-th number of a seeded sequence (SplitMix64), so that draws need no shared state.
#[must_use]
pub fn nth_draw(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
