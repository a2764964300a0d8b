//! Unpacked blocks of all open tables, shared between threads and bounded in size.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

type Slot = RwLock<Option<Box<[u8]>>>;

/// A budget of bytes for unpacked blocks; when it is spent the oldest go.
#[derive(Debug)]
pub struct BlockCache {
    budget: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    /// In the order of unpacking: whose block, which, and how large.
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

/// The unpacked blocks of one table.
#[derive(Debug)]
pub struct Blocks {
    slots: Arc<[Slot]>,
    cache: Arc<BlockCache>,
}

impl Blocks {
    pub fn new(count: usize, cache: Arc<BlockCache>) -> Blocks {
        Blocks { slots: (0..count).map(|_| Slot::default()).collect(), cache }
    }

    /// Reads a block, unpacking it if need be; `None` if there is none or it cannot be unpacked.
    pub fn with<T>(
        &self,
        block: usize,
        unpack: impl FnOnce() -> Option<Box<[u8]>>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Option<T> {
        let slot = self.slots.get(block)?;
        if let Some(bytes) = &*slot.read().unwrap_or_else(PoisonError::into_inner) {
            return Some(read(bytes));
        }
        let bytes = unpack()?;
        let (result, length) = (read(&bytes), bytes.len());
        let replaced = slot.write().unwrap_or_else(PoisonError::into_inner).replace(bytes);
        if replaced.is_none() {
            self.cache.admit(&self.slots, block, length);
        }
        Some(result)
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
                Some(vec![block as u8; 5].into_boxed_slice())
            };
            let first = blocks.with(block, unpack, |bytes| bytes[0]);
            assert_eq!(first, Some(block as u8));
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
        assert_eq!(blocks.with(0, || None, <[u8]>::len), None);
        assert_eq!(blocks.with(0, || Some(Box::new([1, 2])), <[u8]>::len), Some(2));
        assert_eq!(blocks.with(1, || Some(Box::new([])), <[u8]>::len), None);
    }
}
