//! What the calibration's own error does to z-scores.

use super::Claim;
use crate::output::grouped;
use anyhow::Result;
use errare_ratings::{Calibration, RatingsError, Sample, Scores, Widening};
use serde::Serialize;

/// z-scores as they would be if players of the claimed rating were a standard error off the calibration line.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Doubt {
    /// The standard error of the calibration, in Elo, on average over the turns.
    pub elo: f64,
    /// If they were better than the line says, and if they were worse.
    pub z_mm: (f64, f64),
    pub z_ad: (f64, f64),
}

impl Doubt {
    pub fn new(calibration: &Calibration, sample: &Sample<'_>, claim: &Claim, widening: Widening) -> Result<Doubt> {
        let elos: Vec<f64> = sample.iter().filter_map(|turn| claim.of(turn)).collect();
        let elo = elos.iter().map(|&elo| calibration.se_of(elo)).sum::<f64>() / elos.len().max(1) as f64;
        let shifted = |by: f64| -> Result<Scores, RatingsError> {
            let found = calibration.screen(sample, |turn| claim.of(turn).map(|elo| elo + by), widening);
            Ok(found?.overall)
        };
        // Where the line ends there is nobody to compare with: then the claim as it is.
        let or_as_claimed = |by: f64| match shifted(by) {
            Err(RatingsError::Beyond(_)) => shifted(0.0),
            found => found,
        };
        let (better, worse) = (or_as_claimed(elo)?, or_as_claimed(-elo)?);
        Ok(Doubt { elo, z_mm: (better.z_mm, worse.z_mm), z_ad: (better.z_ad, worse.z_ad) })
    }

    pub fn words(&self) -> String {
        format!(
            "The calibration may itself be off by {} points (one standard error): if it is, z is between {:+.2} and {:+.2} \
             (mm), {:+.2} and {:+.2} (ad).",
            grouped(self.elo.round() as u64),
            self.z_mm.0,
            self.z_mm.1,
            self.z_ad.0,
            self.z_ad.1
        )
    }
}
