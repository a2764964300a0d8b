//! Sets of plies for the places of a field, and sets of places.

use super::clock_choice::Clocks;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of plies for each place, which only grows. Pages without any plies are not kept in memory.
pub(super) struct ClockMasks(Vec<OnceLock<Box<[[AtomicU64; 2]]>>>);

/// Number of places of a page, which takes 16 kB.
const PAGE: usize = 1 << 10;

impl ClockMasks {
    pub fn new(places: usize) -> ClockMasks {
        ClockMasks((0..places.div_ceil(PAGE)).map(|_| OnceLock::new()).collect())
    }

    /// Number of bytes that the sets of a number of places take at most.
    pub fn bytes(places: u64) -> u64 {
        16 * places
    }

    /// The set of plies of a place.
    #[inline]
    pub fn get(&self, place: usize) -> Clocks {
        let Some(page) = self.0[place / PAGE].get() else { return 0 };
        let [low, high] = &page[place % PAGE];
        Clocks::from(low.load(Ordering::Relaxed)) | Clocks::from(high.load(Ordering::Relaxed)) << 64
    }

    /// Adds plies to the set of a place. Returns whether there are new ones among them.
    pub fn add(&self, place: usize, plies: Clocks) -> bool {
        if plies == 0 {
            return false;
        }
        let page = self.0[place / PAGE].get_or_init(|| (0..PAGE).map(|_| Default::default()).collect());
        let add = |cell: &AtomicU64, bits: u64| bits & !cell.fetch_or(bits, Ordering::Relaxed) != 0;
        let [low, high] = &page[place % PAGE];
        // Both halves, whether or not the first has new ones.
        add(low, plies as u64) | add(high, (plies >> 64) as u64)
    }
}

/// A set of places.
pub(super) struct PlaceSet(Vec<AtomicU64>);

impl PlaceSet {
    pub fn new(places: usize) -> PlaceSet {
        PlaceSet((0..places.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    pub fn insert(&self, place: usize) {
        self.0[place / 64].fetch_or(1 << (place % 64), Ordering::Relaxed);
    }

    /// Takes the places of a range out of the set, from the least to the greatest. The range has to begin at a multiple
    /// of 64.
    pub fn take(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        (range.start / 64..range.end.div_ceil(64)).flat_map(|word| {
            let mut bits = self.0[word].swap(0, Ordering::Relaxed);
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(word * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_added_in_both_halves() {
        let masks = ClockMasks::new(3000);
        assert!(!masks.add(2999, 0) && masks.add(2999, 1 | 1 << 100) && !masks.add(2999, 1 << 100));
        assert!(masks.add(2999, 1 << 100 | 2));
        assert_eq!((masks.get(2999), masks.get(5)), (3 | 1 << 100, 0));
    }

    #[test]
    fn places_are_taken_once() {
        let set = PlaceSet::new(300);
        [299, 0, 64, 127].into_iter().for_each(|place| set.insert(place));
        assert_eq!(set.take(0..128).collect::<Vec<_>>(), [0, 64, 127]);
        assert_eq!(set.take(128..300).collect::<Vec<_>>(), [299]);
        assert_eq!(set.take(0..300).count(), 0);
    }
}
