//! Progress of the parts of an analysis, reported as one.

use errare_work::{PlanStatus, Progress, Status};

/// Reports a part of the work under its own activity, and as a part of a plan.
pub(crate) struct Part<'a> {
    pub whole: &'a dyn Progress,
    pub activity: String,
    pub plan: Option<PlanStatus>,
}

impl Part<'_> {
    /// Makes the progress of part number `part` of `parts`, counted from 1 and all taken to be equally long.
    pub fn of_plan(whole: &dyn Progress, activity: String, part: usize, parts: usize) -> Part<'_> {
        let share = part.saturating_sub(1) as f64 / parts.max(1) as f64;
        Part { whole, activity, plan: (parts > 1).then_some(PlanStatus { part, parts, share }) }
    }
}

impl Progress for Part<'_> {
    fn report(&self, status: &Status<'_>) {
        self.whole.report(&Status { activity: &self.activity, plan: self.plan.or(status.plan), ..*status });
    }

    fn warn(&self, warning: &str) {
        self.whole.warn(warning);
    }

    fn is_cancelled(&self) -> bool {
        self.whole.is_cancelled()
    }
}

/// Passes on warnings and cancellation, but no reports, for work that several threads do at once.
pub(crate) struct Unreported<'a>(pub &'a dyn Progress);

impl Progress for Unreported<'_> {
    fn warn(&self, warning: &str) {
        self.0.warn(warning);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
