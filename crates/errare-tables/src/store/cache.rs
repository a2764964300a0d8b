//! The cache of decompressed blocks of all open tables, shared between threads and bounded in size.

use crate::error::TableError;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

type Slot = RwLock<Option<Box<[u8]>>>;

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
    blocks: VecDeque<(Weak<[Slot]>, usize, usize)>,
}

impl BlockCache {
    pub fn new(budget: usize) -> BlockCache {
        BlockCache { budget, held: Mutex::default() }
    }

    fn admit(&self, slots: &Arc<[Slot]>, block: usize, bytes: usize) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.bytes += bytes;
        held.blocks.push_back((Arc::downgrade(slots), block, bytes));
        while held.bytes > self.budget {
            let Some((slots, block, bytes)) = held.blocks.pop_front() else { return };
            held.bytes -= bytes;
            if let Some(slots) = slots.upgrade() {
                *slots[block].write().unwrap_or_else(PoisonError::into_inner) = None;
            }
        }
    }
}

/// The decompressed blocks of one table.
#[derive(Debug)]
pub struct Blocks {
    slots: Arc<[Slot]>,
    cache: Arc<BlockCache>,
}

impl Blocks {
    pub fn new(count: usize, cache: Arc<BlockCache>) -> Blocks {
        Blocks { slots: (0..count).map(|_| Slot::default()).collect(), cache }
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
        let slot = self.slots.get(block).ok_or(TableError::Internal("a table has no block of that number"))?;
        if let Some(bytes) = &*slot.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(read(bytes));
        }
        let bytes = decompress()?;
        let (result, length) = (read(&bytes), bytes.len());
        let replaced = slot.write().unwrap_or_else(PoisonError::into_inner).replace(bytes);
        if replaced.is_none() {
            self.cache.admit(&self.slots, block, length);
        }
        Ok(result)
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
}
