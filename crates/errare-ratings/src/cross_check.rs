//! A check of calibrations: each milepost rated by the others.

use crate::calibration::Calibration;
use crate::error::{RatingsError, Refusal};
use crate::reliability::EndsOutside;
use crate::skill_curve::SkillCurve;
use errare_work::{Cancelled, Progress};

/// A milepost rated by a calibration that was made without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossCheck {
    /// The Elo of the milepost's players.
    pub elo: f64,
    /// The Elo that the other mileposts give the players.
    pub rated: f64,
    /// Whether `rated` is outside the range of the other mileposts, so that it is extrapolated.
    pub outside_range: bool,
    /// The standard error of `rated`.
    pub se: f64,
    /// The 95% interval of `rated`.
    pub interval: (f64, f64),
    /// Which ends of `interval` are outside the range of the other mileposts.
    pub interval_outside_range: EndsOutside,
}

impl CrossCheck {
    /// Whether the interval contains the milepost's Elo.
    pub fn is_held(&self) -> bool {
        self.interval.0 <= self.elo && self.elo <= self.interval.1
    }
}

impl Calibration {
    /// Rates each milepost by a calibration of the others.
    ///
    /// A milepost is passed over if the others make no calibration: that takes three of them, and a trend.
    ///
    /// # Errors
    /// [`Cancelled`] if the work is cancelled.
    pub fn cross_checks(&self, progress: &dyn Progress) -> Result<Vec<CrossCheck>, Cancelled> {
        let mut checks = Vec::new();
        for place in 0..self.mileposts.len() {
            progress.proceed()?;
            checks.extend(self.cross_check(place).ok());
        }
        Ok(checks)
    }

    fn cross_check(&self, place: usize) -> Result<CrossCheck, RatingsError> {
        // The reference set is only a yardstick: it does not matter that some of its positions are the milepost's own.
        let mut others = self.clone();
        let left_out = others.mileposts.remove(place);
        if others.mileposts.len() < 3 {
            return Err(Refusal::TooFewMileposts { mileposts: others.mileposts.len() }.into());
        }
        let known = others.mileposts.iter().map(|milepost| (milepost.elo, milepost.skill, milepost.reference_ad));
        others.skill_curve = SkillCurve::through(&known.collect::<Vec<_>>())?;
        let reference_ad = left_out.reference_ad;
        let rated = others.elo(reference_ad);
        let se_sample = (others.skill_curve.elo_line.slope * left_out.se_reference_ad).abs();
        let half = others.half_interval(reference_ad, se_sample);
        let se = se_sample.hypot(others.se_at(reference_ad));
        let outside_range = others.is_outside_range(rated);
        let interval = (rated - half, rated + half);
        let interval_outside_range = others.ends_outside_range(interval);
        Ok(CrossCheck { elo: left_out.elo, rated, outside_range, se, interval, interval_outside_range })
    }
}
