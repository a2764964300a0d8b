//! The side to move that a small table does not store, found for all cells at once when it is asked for often.

use super::read::Table;
use super::slice_reader::SliceReader;
use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use shakmaty::Color;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of positions that are looked up one by one first: as long as finding all of them takes, or less.
const ONE_BY_ONE: u32 = 4096;
/// The greatest number of men of a small table: its other side takes some megabytes.
const MAX_MEN: usize = 4;

/// The symbols of the side that is not stored, found once they are needed.
#[derive(Debug, Default)]
pub struct Expansion {
    symbols: OnceLock<Box<[u8]>>,
    asked: AtomicU32,
}

impl Expansion {
    /// The symbol at an address of the other side; none if positions of the table are looked up one by one, still or always.
    ///
    /// # Errors
    /// If a block of the table is damaged.
    #[inline]
    pub fn symbol(&self, table: &Table, address: Address) -> Result<Option<u8>, TableError> {
        let layout = table.layout();
        let at = start(layout, address.slice) + address.word * 64 + usize::from(address.bit);
        if let Some(symbols) = self.symbols.get() {
            return Ok(symbols.get(at).copied());
        }
        if !is_small(layout) || self.asked.fetch_add(1, Ordering::Relaxed) < ONE_BY_ONE {
            return Ok(None);
        }
        Ok(self.all(table)?.get(at).copied())
    }

    /// The symbols of a slice of the other side; none if the table is not small.
    ///
    /// # Errors
    /// If a block of the table is damaged.
    pub fn slice(&self, table: &Table, slice: usize) -> Result<Option<&[u8]>, TableError> {
        let layout = table.layout();
        if !is_small(layout) {
            return Ok(None);
        }
        Ok(self.all(table)?.get(start(layout, slice)..start(layout, slice + 1)))
    }

    fn all(&self, table: &Table) -> Result<&[u8], TableError> {
        if let Some(symbols) = self.symbols.get() {
            return Ok(symbols);
        }
        let no_side = TableError::Internal("a table that stores both sides to move has no other side");
        let turn = table.one_side().map(|(stored, _): (Color, _)| stored.other()).ok_or(no_side)?;
        let (layout, reader) = (table.layout(), SliceReader::new(table));
        let (mut all, mut symbols) = (Vec::with_capacity(start(layout, layout.slices())), Vec::new());
        for slice in 0..layout.slices() {
            reader.derive(turn, slice, &mut symbols)?;
            // Values that have ranks are so few that their symbols are bytes.
            all.extend(symbols.iter().map(|&symbol| symbol as u8));
        }
        Ok(self.symbols.get_or_init(|| all.into_boxed_slice()))
    }
}

fn is_small(layout: &Layout) -> bool {
    layout.material().men() <= MAX_MEN
}

/// The place of a slice's first symbol.
fn start(layout: &Layout, slice: usize) -> usize {
    slice * layout.words() * 64
}
