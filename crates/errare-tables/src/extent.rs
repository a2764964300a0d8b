//! Which cells of a table a check goes through.

use crate::address::Address;
use crate::census::{Census, Counting};
use crate::layout::Layout;
use crate::material::Material;
use crate::position::from_setup;
use shakmaty::{Chess, Setup};

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

/// The placements of an endgame that an extent covers, for those who go through them themselves.
#[derive(Debug)]
pub struct Cells {
    layout: Layout,
    extent: Extent,
}

impl Cells {
    /// Those of an endgame; none for the bare kings.
    pub fn new(material: Material, extent: Extent) -> Option<Cells> {
        Some(Cells { layout: Layout::new(material)?, extent })
    }

    /// How many there are, both sides to move and broken placements among them.
    pub fn count(&self) -> u64 {
        self.extent.total(Address::count(&self.layout))
    }

    /// The position of the n-th, the side named first as White; none if it is broken, or if another cell stands for
    /// the same position.
    pub fn position(&self, n: u64) -> Option<Chess> {
        let address = Address::nth(&self.layout, self.extent.cell(n, Address::count(&self.layout)));
        let board = address.board(&self.layout);
        let whole = matches!(self.extent, Extent::Whole);
        if board.occupied().count() != self.layout.material().men()
            || whole && !Census::new(&self.layout, Counting::Once).is_first(address.slice, address.word, address.bit)
        {
            return None;
        }
        let mut setup = Setup::empty();
        setup.board = board;
        setup.turn = address.turn;
        from_setup(setup).ok()
    }
}

/// The n-th number of a seeded sequence (SplitMix64), so that draws need no shared state.
fn draw(seed: u64, n: u64) -> u64 {
    let mut z = seed.wrapping_add((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
