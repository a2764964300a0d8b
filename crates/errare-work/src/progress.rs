//! Progress of long work: what it reports, and how it learns whether to go on.

use crate::cancel::Cancelled;

/// Observes long work, and may stop it.
///
/// Methods are called from several threads at once. The work calls [`proceed`](Progress::proceed) in every loop, at
/// least once in a few milliseconds, and gives up with [`Cancelled`] when it is cancelled.
pub trait Progress: Send + Sync {
    /// Receives what is being done and how far it is.
    fn report(&self, status: &Status<'_>) {
        let _ = status;
    }

    /// Receives a warning that a user should see even if progress is hidden, such as a damaged file.
    fn warn(&self, warning: &str) {
        let _ = warning;
    }

    /// Whether the work should stop. Must be cheap.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Goes on, or stops the work by an error.
    ///
    /// # Errors
    /// [`Cancelled`] if the work should stop.
    fn proceed(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// Progress that nobody watches and nobody stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Progress of a part of other work: the part can be stopped and can warn, but its reports would hide those of the
/// whole.
pub struct Unreported<'a>(pub &'a dyn Progress);

impl Progress for Unreported<'_> {
    fn warn(&self, warning: &str) {
        self.0.warn(warning);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The status of a piece of work: the current activity, and how far it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Status<'a> {
    /// The activity, such as `building KQKR to dtm`. A new activity begins when this text changes.
    pub activity: &'a str,
    /// The noun for the things that are counted, in the plural: positions, games, moves.
    pub unit: &'static str,
    /// Number of units done.
    pub done: u64,
    /// Number of units in all, where that is known.
    pub total: Option<u64>,
    /// The step within the activity, such as `ply 17` or `storing`.
    pub step: Option<&'a str>,
    /// The plan that this activity is a part of.
    pub plan: Option<PlanStatus>,
}

/// How far a plan of several activities is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanStatus {
    /// The number of the current part, from 1.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
    /// Share of all the effort that is done, from 0 to 1.
    pub share: f64,
}

impl<'a> Status<'a> {
    /// Makes the status at the beginning of an activity that counts `unit`.
    #[must_use]
    pub fn new(activity: &'a str, unit: &'static str) -> Status<'a> {
        Status { activity, unit, done: 0, total: None, step: None, plan: None }
    }

    /// Returns this status with `done` of `total` units done.
    #[must_use]
    pub fn at(self, done: u64, total: u64) -> Status<'a> {
        Status { done, total: Some(total), ..self }
    }
}
