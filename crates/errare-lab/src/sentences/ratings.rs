//! Ratings and screenings in plain words.

use crate::ScreenResponse;

/// An Elo in whole points, marked by `*` if it lies beyond all mileposts of its calibration.
#[must_use]
pub fn elo_text(value: f64, is_outside_range: bool) -> String {
    format!("{value:.0}{}", if is_outside_range { "*" } else { "" })
}

/// Explains the mark of an Elo beyond the mileposts, given the Elos of the lowest and the highest of them.
#[must_use]
pub fn range_note((low, high): (f64, f64)) -> String {
    format!("* outside the range of the calibration, {low:.0} to {high:.0}: extrapolated, and worth little")
}

impl ScreenResponse {
    /// What has to be known beside the scores: a rating out of range, copies of games, weaknesses of the calibration.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let (low, high) = self.calibrated_range;
        let range = format!(
            "warning: a rating that the moves are compared with is outside the range of the calibration, {low:.0} to \
             {high:.0}: what is expected of it is extrapolated"
        );
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        self.outside_range.then_some(range).into_iter().chain(self.read.duplicates_sentence()).chain(warnings).collect()
    }
}
