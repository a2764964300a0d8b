//! Ratings and screenings in plain words.

use crate::numbers::grouped;
#[cfg(feature = "evaluate")]
use crate::{PlayerDetail, RateGamesResponse};
use crate::{RateResponse, ScreenResponse};
use errare_ratings::{Calibration, EndsOutside};

/// Formats an Elo in whole points, marked by `*` if it is outside the range of its calibration.
#[must_use]
pub fn elo_text(value: f64, is_outside_range: bool) -> String {
    format!("{value:.0}{}", if is_outside_range { "*" } else { "" })
}

/// Formats an interval of Elos in whole points, each end marked by `*` if it is outside the range of its calibration.
#[must_use]
pub fn interval_text((low, high): (f64, f64), outside: EndsOutside) -> String {
    format!("{} to {}", elo_text(low, outside.low), elo_text(high, outside.high))
}

/// Explains the mark of an Elo outside the range of its calibration, given the ends of the range.
#[must_use]
pub fn range_note((low, high): (f64, f64)) -> String {
    format!("* outside the range of the calibration, {low:.0} to {high:.0}: extrapolated, and worth little")
}

impl ScreenResponse {
    /// Remarks to be made beside the scores: a rating out of range, copies of games, weaknesses of the calibration.
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

impl RateResponse {
    /// Remarks to be made beside the rating: copies of games, weaknesses of the calibration.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        self.read.duplicates_sentence().into_iter().chain(warnings).collect()
    }

    /// Whether an Elo of the answer is outside the range of the calibration, so that it has a mark.
    fn has_marks(&self) -> bool {
        let ends = self.posterior.iter().map(|reading| reading.interval_outside_range);
        let mut ends = ends.chain([self.interval_outside_range]).chain(self.drawn_interval_outside_range);
        self.outside_range || self.posterior.iter().any(|reading| reading.outside_range) || ends.any(EndsOutside::any)
    }

    /// Sentences to be shown beside the table, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(drawn) = self.drawn_interval {
            let interval = interval_text(drawn, self.drawn_interval_outside_range.unwrap_or_default());
            notes.push(format!("By drawing games, the calibration taken as exact: {interval}"));
        }
        if let Some(last) = self.posterior.last() {
            let ((low, high), outside) = (last.interval, last.interval_outside_range);
            notes.push(format!(
                "Posterior, the calibration taken as exact: {} (sd {:.0}), 95% between {} and {}",
                elo_text(last.mean, last.outside_range),
                last.sd,
                elo_text(low, outside.low),
                elo_text(high, outside.high)
            ));
        }
        if self.control_games > 0 {
            notes.push(format!(
                "The opponents' moves in {} of the games were used as a control.",
                grouped(self.control_games as u64)
            ));
        }
        if self.has_marks() {
            notes.push(range_note(self.calibrated_range));
        }
        notes.extend(self.remarks());
        notes.push("An IPR says how well these moves were chosen, not how strong the player is.".to_owned());
        notes
    }
}

#[cfg(feature = "evaluate")]
impl RateGamesResponse {
    /// Sentences to be shown beside the numbers, a line each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut notes = vec![self.summary.clone()];
        if let Some(calibration) = &self.calibration {
            notes.push(format!("Calibrated on {}.", calibration.data));
            if self.rows.iter().any(|row| row.outside_range || row.interval_outside_range.any()) {
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

/// Sentences to be shown under the mileposts of a calibration, a line each.
#[must_use]
pub fn calibration_sentences(calibration: &Calibration) -> Vec<String> {
    let mut notes = Vec::new();
    if calibration.mileposts.iter().any(|found| calibration.is_outside_range(calibration.elo(found.reference_ad))) {
        notes.push(range_note(calibration.range()));
    }
    let (c, line) = (&calibration.skill_curve.c_line, &calibration.skill_curve.elo_line);
    notes.push(format!("c_fit = {:.4} {:+.6} Elo", c.intercept, c.slope));
    notes.push(format!(
        "Elo = {:.0} {:+.0} expected ad (mileposts scatter by {:.0}, {:.0} of it beyond what their samples explain)",
        line.intercept,
        line.slope,
        line.scatter,
        calibration.excess()
    ));
    let Some(joint) = &calibration.joint else { return notes };
    let (clusters, (low, high)) = (&joint.clusters, joint.range);
    let se = |elo: f64| joint.precision_at(elo).calibration_se;
    notes.push(format!(
        "Joint model of {} turns of {} games, {low:.0} to {high:.0}: it adds a standard error of {:.0} points to ratings at \
         {low:.0}, {:.0} in the middle, {:.0} at {high:.0}",
        grouped(joint.turns as u64),
        grouped(joint.games as u64),
        se(low),
        se(0.5 * (low + high)),
        se(high)
    ));
    notes.push(format!(
        "Scores vary {:.2} times as the model says, {:.2} times by sides of games; correlation of both sides {:.2}. Players \
         scatter about their Elo by {:.0} points (variance {:.0}, standard error {:.0}; counted as 0 unless it is twice that)",
        clusters.dispersion,
        clusters.side_dispersion,
        clusters.correlation,
        clusters.player_scatter,
        clusters.player_variance,
        clusters.player_variance_se
    ));
    notes.push(format!(
        "Factors that widen standard deviations in screening: {:.3} for mm, {:.3} for ad",
        joint.widening.mm, joint.widening.ad
    ));
    notes
}
