//! Stopping work from outside.

use crate::progress::Progress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The error of work that was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A token that stops all work it was given to. Clones share one state.
///
/// As a [`Progress`] of its own it shows nothing and only answers whether to go on.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Makes a token that lets work go on.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops the work. Safe to call from any thread, any number of times.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Progress for Cancel {
    fn is_cancelled(&self) -> bool {
        Cancel::is_cancelled(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_cancelled_together() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        assert_eq!(other.proceed(), Ok(()));
        cancel.cancel();
        assert_eq!(other.proceed(), Err(Cancelled));
    }
}
