//! The symbols of the side that is not stored which a table found last.
//!
//! Each symbol takes a ply of search. In a game the same position is asked for several times: first as one that a move
//! would lead to, then as the position on the board, and again when the game comes back to it.

use crate::error::TableError;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Each table remembers two to the power of this many symbols, in half a megabyte.
const BITS: u32 = 16;
/// Number of symbols that are found before any is remembered: most tables are asked for few.
const FORGOTTEN: u32 = 4096;

/// A memory of symbols by the numbers of their cells. A symbol stays until another takes its place.
#[derive(Debug, Default)]
pub struct RecentSymbols {
    /// The number of a cell plus one, and in the lowest byte its symbol; 0 where there is none.
    places: OnceLock<Box<[AtomicU64]>>,
    found: AtomicU32,
}

impl RecentSymbols {
    /// The symbol of the cell with this number: remembered, or else found.
    ///
    /// # Errors
    /// As `find`.
    #[inline]
    pub fn get_or_find(&self, cell: u64, find: impl FnOnce() -> Result<u8, TableError>) -> Result<u8, TableError> {
        let Some(place) = self.place(cell) else { return find() };
        let remembered = place.load(Ordering::Relaxed);
        if remembered >> 8 == cell + 1 {
            return Ok(remembered as u8);
        }
        let symbol = find()?;
        place.store((cell + 1) << 8 | u64::from(symbol), Ordering::Relaxed);
        Ok(symbol)
    }

    #[inline]
    fn place(&self, cell: u64) -> Option<&AtomicU64> {
        let places = match self.places.get() {
            Some(places) => places,
            None if self.found.fetch_add(1, Ordering::Relaxed) < FORGOTTEN => return None,
            None => self.places.get_or_init(|| (0..1 << BITS).map(|_| AtomicU64::new(0)).collect()),
        };
        // Neighbouring cells go far apart: by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4).
        places.get((cell.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - BITS)) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_found_again_only_if_another_took_its_place() {
        let recent = RecentSymbols::default();
        let mut found = Vec::new();
        let mut get = |cell: u64| {
            let symbol = recent.get_or_find(cell, || {
                found.push(cell);
                Ok(cell as u8)
            });
            assert_eq!(symbol.ok(), Some(cell as u8));
        };
        (0..u64::from(FORGOTTEN)).for_each(&mut get);
        (0..100_000).chain(0..100_000).for_each(&mut get);
        (0..1000).for_each(|_| get(1 << 40));
        assert_eq!(found.last(), Some(&(1 << 40)));
        // There are more cells than places, so most cells are found a second time, but not all.
        let again = found.len() - FORGOTTEN as usize - 100_001;
        assert!((50_000..100_000).contains(&again), "{again}");
    }

    #[test]
    fn what_cannot_be_found_is_not_remembered() {
        let recent = RecentSymbols::default();
        for _ in 0..2 * FORGOTTEN {
            assert!(recent.get_or_find(7, || Err(TableError::NO_PLACE)).is_err());
        }
        assert_eq!(recent.get_or_find(7, || Ok(3)).ok(), Some(3));
        assert_eq!(recent.get_or_find(7, || Err(TableError::NO_PLACE)).ok(), Some(3));
    }
}
