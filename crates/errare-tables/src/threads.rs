//! Working memory kept by each thread of the pool.

use std::sync::{Mutex, PoisonError};

/// One value for each thread, made once. (Rayon's `map_init` makes one for every piece of work that it
/// splits off.)
pub struct PerThread<T> {
    slots: Vec<Mutex<T>>,
}

impl<T> PerThread<T> {
    pub fn new(make: impl Fn() -> T) -> PerThread<T> {
        PerThread { slots: (0..rayon::current_num_threads().max(1)).map(|_| Mutex::new(make())).collect() }
    }

    /// Lends the calling thread its value. A thread outside the pool uses that of the first.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let slot = &self.slots[rayon::current_thread_index().unwrap_or(0) % self.slots.len()];
        work(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
