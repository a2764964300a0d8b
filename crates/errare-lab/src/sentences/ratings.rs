//! Ratings and screenings in plain words.

use crate::ScreenResponse;
#[cfg(feature = "evaluate")]
use crate::{PlayerDetail, RateGamesResponse};

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

#[cfg(feature = "evaluate")]
impl RateGamesResponse {
    /// What is to be said beside the numbers, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut notes = vec![self.summary.clone()];
        if let Some(calibration) = &self.calibration {
            notes.push(format!("Calibrated on {}.", calibration.data));
            if self.rows.iter().any(|row| row.outside_range) {
                notes.push(range_note(calibration.range));
            }
        }
        notes.extend(self.no_calibration.clone());
        let unrated = self.rows.iter().filter(|row| row.ipr.is_none()).count();
        if self.calibration.is_some() && unrated > 0 {
            let whose = if unrated == 1 { "1 player has".to_owned() } else { format!("{unrated} players have") };
            notes.push(format!("{whose} fewer than the {} turns that a rating takes (--min-turns).", self.min_turns));
        }
        // What so many turns can tell is said once: of the player who was asked for, or of the one at the top.
        notes.extend(self.rows.first().filter(|row| row.ipr.is_some()).and_then(|row| row.note.clone()));
        if let Some(PlayerDetail { study: Some(study), .. }) = &self.player {
            notes.extend(study.screening.as_ref().map(|screening| screening.note.clone()));
            notes.push(study.words.caution.clone());
        } else {
            notes.extend(self.cautions.clone());
        }
        notes.extend(self.read.duplicates_sentence());
        notes.extend(self.warnings.iter().map(|warning| format!("warning: {warning}")));
        notes
    }
}
