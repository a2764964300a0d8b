//! The collector of what a search finds: a count, and a sample that does not depend on the order in which positions
//! come.

use crate::extent::nth_draw;
use std::sync::atomic::{AtomicU64, Ordering};

/// The choice of positions to list among those found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// A random sample without repetition, in random order. Each position, up to symmetry, is as likely as any other;
    /// a smaller sample of the same seed is the beginning of a larger one.
    Sample {
        /// Number of positions to list, if as many are found.
        count: usize,
        /// Random seed.
        seed: u64,
    },
    /// All positions, the deepest first; none if there are more than the limit.
    All {
        /// The greatest number of positions to list.
        limit: usize,
    },
}

/// The state that all collectors of a search share.
pub struct Pool {
    listing: Listing,
    /// The place of the last position in the random order that can still be in the sample.
    bound: AtomicU64,
    /// Number of positions found so far, to stop listing when there are too many.
    found: AtomicU64,
}

impl Pool {
    pub fn new(listing: Listing) -> Pool {
        Pool { listing, bound: AtomicU64::new(u64::MAX), found: AtomicU64::new(0) }
    }

    pub fn collector<T>(&self) -> Collector<'_, T> {
        Collector { pool: self, items: Vec::new() }
    }
}

/// The items that one thread has collected so far.
pub struct Collector<'a, T> {
    pool: &'a Pool,
    /// Items with their places in the random order, or for a complete list with their cells.
    items: Vec<(u64, T)>,
}

impl<T> Collector<'_, T> {
    /// Adds the item of a cell. No cell may come twice.
    pub fn add(&mut self, cell: u64, item: impl FnOnce() -> T) {
        match self.pool.listing {
            Listing::Sample { seed, .. } => {
                // One number a cell, and another for each: SplitMix64 maps different cells to different numbers.
                let place = nth_draw(seed, cell);
                if place <= self.pool.bound.load(Ordering::Relaxed) {
                    self.items.push((place, item()));
                    self.prune();
                }
            }
            Listing::All { limit } => {
                if self.pool.found.fetch_add(1, Ordering::Relaxed) < limit as u64 {
                    self.items.push((cell, item()));
                }
            }
        }
    }

    /// Adds the items of another collector of the same pool.
    pub fn merge(mut self, other: Self) -> Self {
        self.items.extend(other.items);
        self.prune();
        self
    }

    /// Drops items that cannot be in the sample, once enough have gathered.
    fn prune(&mut self) {
        let Listing::Sample { count, .. } = self.pool.listing else { return };
        if self.items.len() < 2 * count.max(64) {
            return;
        }
        if count > 0 {
            let (_, last, _) = self.items.select_nth_unstable_by_key(count - 1, |(place, _)| *place);
            self.pool.bound.fetch_min(last.0, Ordering::Relaxed);
        }
        self.items.truncate(count);
    }

    /// The items of the sample in random order, or all items in the order of their cells; none if they are too many.
    pub fn finish(mut self) -> Vec<T> {
        self.items.sort_unstable_by_key(|(place, _)| *place);
        match self.pool.listing {
            Listing::Sample { count, .. } => self.items.truncate(count),
            Listing::All { limit } if self.pool.found.load(Ordering::Relaxed) > limit as u64 => self.items.clear(),
            Listing::All { .. } => {}
        }
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(listing: Listing, parts: &[&[u64]]) -> Vec<u64> {
        let pool = Pool::new(listing);
        let part = |cells: &&[u64]| {
            let mut collector = pool.collector();
            cells.iter().for_each(|&cell| collector.add(cell, || cell));
            collector
        };
        parts.iter().map(part).reduce(Collector::merge).map_or_else(Vec::new, Collector::finish)
    }

    #[test]
    fn samples_do_not_depend_on_the_order_and_smaller_ones_begin_larger_ones() {
        let cells: Vec<u64> = (0..1000).collect();
        let backwards: Vec<u64> = cells.iter().rev().copied().collect();
        let sample = |count, parts: &[&[u64]]| collected(Listing::Sample { count, seed: 3 }, parts);
        let ten = sample(10, &[&cells]);
        assert_eq!(ten.len(), 10);
        assert_eq!(ten, sample(10, &[&backwards[..700], &backwards[700..]]));
        assert_eq!(ten[..4], sample(4, &[&cells[300..], &cells[..300]]));
        assert_eq!(sample(2000, &[&cells]).len(), 1000);
        assert_eq!(sample(0, &[&cells]), [0; 0]);
        assert_ne!(ten, collected(Listing::Sample { count: 10, seed: 4 }, &[&cells]));
    }

    #[test]
    fn every_item_is_as_likely_as_any_other() {
        // Each of 20 cells is expected in 1,000 of 4,000 samples of 5; the standard deviation is 27.
        let cells: Vec<u64> = (0..20).collect();
        let mut hits = [0_u32; 20];
        for seed in 0..4000 {
            for cell in collected(Listing::Sample { count: 5, seed }, &[&cells]) {
                hits[cell as usize] += 1;
            }
        }
        assert!(hits.iter().all(|&hits| (880..=1120).contains(&hits)), "{hits:?}");
    }

    #[test]
    fn a_complete_list_is_in_order_or_not_given() {
        assert_eq!(collected(Listing::All { limit: 5 }, &[&[7, 3], &[5]]), [3, 5, 7]);
        assert_eq!(collected(Listing::All { limit: 2 }, &[&[7, 3], &[5]]), [0; 0]);
    }
}
