//! Working memory kept by each thread of the pool, and work on a pool of its own.

use crate::error::TableError;
use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

/// One value for each thread, made once. (Rayon's `map_init` makes one for every piece of work that it
/// splits off.)
pub struct PerThread<T> {
    slots: Vec<Mutex<T>>,
}

impl<T> PerThread<T> {
    pub fn new(make: impl Fn() -> T) -> PerThread<T> {
        PerThread { slots: (0..rayon::current_num_threads().max(1)).map(|_| Mutex::new(make())).collect() }
    }

    /// Lends the calling thread its value. A thread outside the pool uses the value of the first thread.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let slot = &self.slots[rayon::current_thread_index().unwrap_or(0) % self.slots.len()];
        work(&mut slot.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Does work on other threads while the calling thread waits and does nothing else. A thread of a pool takes up any
/// work of the pool while it waits for its own, so the work gets a pool of its own, of as many threads.
///
/// # Errors
/// If the threads cannot be started.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, TableError> {
    if rayon::current_thread_index().is_none() {
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).build();
    let pool = pool.map_err(|error| TableError::Threads(error.to_string()))?;
    let done = thread::scope(|scope| {
        let outside = thread::Builder::new().spawn_scoped(scope, || pool.install(work));
        outside.map(thread::ScopedJoinHandle::join)
    });
    let done = done.map_err(|error| TableError::Threads(error.to_string()))?;
    Ok(done.unwrap_or_else(|panic| panic::resume_unwind(panic)))
}
