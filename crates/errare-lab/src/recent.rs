//! A cache of results for the next request, which keeps a bounded number of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A cache of the most recently used results.
///
/// Entries are so few that looking through them is quicker than hashing a request.
pub(crate) struct Recent<K, V> {
    limit: usize,
    /// The results with their keys, the most recently used last.
    kept: Mutex<Vec<(K, V)>>,
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    pub fn new(limit: usize) -> Recent<K, V> {
        Recent { limit, kept: Mutex::default() }
    }

    /// Returns the result that is kept under a key, else a new one. No other request waits while it is made.
    pub fn get_or_make<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some(value) = self.take(&key) {
            self.keep(key, value.clone());
            return Ok(value);
        }
        let value = make()?;
        self.keep(key, value.clone());
        Ok(value)
    }

    fn take(&self, key: &K) -> Option<V> {
        let mut kept = self.kept();
        let place = kept.iter().position(|(known, _)| known == key)?;
        Some(kept.remove(place).1)
    }

    fn keep(&self, key: K, value: V) {
        let mut kept = self.kept();
        // Another thread may have been quicker.
        kept.retain(|(known, _)| *known != key);
        if kept.len() >= self.limit {
            kept.remove(0);
        }
        kept.push((key, value));
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(K, V)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn the_least_recently_used_is_forgotten() {
        let recent = Recent::new(2);
        let get = |key: u8, value: u8| recent.get_or_make(key, || Ok::<u8, ()>(value)).expect("a value");
        assert_eq!((get(1, 10), get(2, 20), get(1, 11), get(3, 30)), (10, 20, 10, 30));
        assert_eq!((get(1, 12), get(2, 21)), (10, 21));
    }

    #[test]
    fn failures_are_not_kept() {
        let recent: Recent<u8, u8> = Recent::new(2);
        assert_eq!(recent.get_or_make(1, || Err("no")), Err("no"));
        assert_eq!(recent.get_or_make(1, || Ok::<u8, &str>(5)), Ok(5));
    }
}
