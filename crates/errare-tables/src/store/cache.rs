//! The cache of decompressed blocks of all open tables, shared between threads and bounded in size.

use crate::error::TableError;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

/// The blocks of a table that are decompressed. There is one lock for all blocks, so that a reader of many cells takes
/// it once.
type Slots = RwLock<Box<[Option<Box<[u8]>>]>>;

/// A budget of bytes for decompressed blocks. When it is exceeded the oldest blocks are removed.
#[derive(Debug)]
pub struct BlockCache {
    budget: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    /// The blocks in the order of decompression: slots of the table, number of the block, size in bytes.
    blocks: VecDeque<(Weak<Slots>, usize, usize)>,
}

impl BlockCache {
    pub fn new(budget: usize) -> BlockCache {
        BlockCache { budget, held: Mutex::default() }
    }

    fn admit(&self, slots: &Arc<Slots>, block: usize, bytes: usize) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes += bytes;
        held.blocks.push_back((Arc::downgrade(slots), block, bytes));
        while held.bytes > self.budget {
            let Some((slots, block, bytes)) = held.blocks.pop_front() else { return };
            held.bytes -= bytes;
            if let Some(slots) = slots.upgrade() {
                slots.write().unwrap_or_else(PoisonError::into_inner)[block] = None;
            }
        }
    }
}

/// The place of a cell: its block, and its byte in that block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub block: u32,
    pub byte: u32,
}

/// The decompressed blocks of one table.
#[derive(Debug)]
pub struct Blocks {
    slots: Arc<Slots>,
    cache: Arc<BlockCache>,
}

impl Blocks {
    pub fn new(count: usize, cache: Arc<BlockCache>) -> Blocks {
        Blocks { slots: Arc::new(RwLock::new(vec![None; count].into_boxed_slice())), cache }
    }

    /// Reads a block, decompressing it first if it is not cached.
    ///
    /// # Errors
    /// If no block has that number, or it cannot be decompressed.
    pub fn with<T>(
        &self,
        block: usize,
        decompress: impl FnOnce() -> Result<Box<[u8]>, TableError>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableError> {
        match self.slots.read().unwrap_or_else(PoisonError::into_inner).get(block) {
            Some(Some(bytes)) => return Ok(read(bytes)),
            Some(None) => {}
            None => return Err(TableError::Internal("a table has no block of that number")),
        }
        let bytes = decompress()?;
        let (result, length) = (read(&bytes), bytes.len());
        let replaced = self.slots.write().unwrap_or_else(PoisonError::into_inner)[block].replace(bytes);
        if replaced.is_none() {
            self.cache.admit(&self.slots, block, length);
        }
        Ok(result)
    }

    /// Reads the bytes at several places, decompressing their blocks first if they are not cached.
    ///
    /// # Errors
    /// As [`Blocks::with`], or if a block has no such byte.
    pub fn each(
        &self,
        places: &[Place],
        decompress: impl Fn(usize) -> Result<Box<[u8]>, TableError>,
        into: &mut [u8],
    ) -> Result<(), TableError> {
        {
            let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
            let byte = |place: &Place| {
                let block = slots.get(place.block as usize).and_then(Option::as_deref);
                block.and_then(|bytes| bytes.get(place.byte as usize)).copied()
            };
            // The reads do not depend on each other, so that the processor waits for many of them at once.
            let mut cached = 0;
            for (into, place) in into.iter_mut().zip(places) {
                let Some(byte) = byte(place) else { break };
                *into = byte;
                cached += 1;
            }
            if cached == places.len() {
                return Ok(());
            }
        }
        for (into, &Place { block, byte }) in into.iter_mut().zip(places) {
            let read = |bytes: &[u8]| bytes.get(byte as usize).copied();
            let found = self.with(block as usize, || decompress(block as usize), read)?;
            *into = found.ok_or(TableError::Internal("a block has no byte of that number"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_block_goes_when_the_budget_is_spent() {
        let blocks = Blocks::new(3, Arc::new(BlockCache::new(10)));
        let unpacked = |block| {
            let mut fresh = false;
            let unpack = || {
                fresh = true;
                Ok(vec![block as u8; 5].into_boxed_slice())
            };
            let first = blocks.with(block, unpack, |bytes| bytes[0]);
            assert_eq!(first.ok(), Some(block as u8));
            fresh
        };
        assert!(unpacked(0) && unpacked(1));
        assert!(!unpacked(0) && !unpacked(1));
        assert!(unpacked(2));
        assert!(!unpacked(1) && unpacked(0));
    }

    #[test]
    fn what_cannot_be_unpacked_is_not_kept() {
        let blocks = Blocks::new(1, Arc::new(BlockCache::new(10)));
        let damaged = || Err(TableError::Internal("a damaged block"));
        assert!(blocks.with(0, damaged, <[u8]>::len).is_err());
        assert_eq!(blocks.with(0, || Ok(Box::new([1, 2])), <[u8]>::len).ok(), Some(2));
        assert!(matches!(blocks.with(1, || Ok(Box::new([])), <[u8]>::len), Err(TableError::Internal(_))));
    }

    #[test]
    fn bytes_of_many_blocks_are_found_cached_or_not() {
        // The budget is too small for all of them.
        let blocks = Blocks::new(3, Arc::new(BlockCache::new(10)));
        let unpack = |block| Ok(vec![block as u8; 5].into_boxed_slice());
        for places in [[(0, 1), (1, 4)], [(0, 0), (1, 0)], [(2, 2), (0, 3)]] {
            let mut found = [0; 2];
            let places = places.map(|(block, byte)| Place { block, byte });
            blocks.each(&places, unpack, &mut found).expect("blocks");
            assert_eq!(found, places.map(|place| place.block as u8));
        }
        assert!(blocks.each(&[Place { block: 0, byte: 5 }], unpack, &mut [0]).is_err());
    }
}
