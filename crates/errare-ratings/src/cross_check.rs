//! Whether a calibration can be believed: each milepost rated by the others.

use crate::calibration::Calibration;
use crate::course::Course;
use crate::error::RatingsError;

/// A milepost, and what a calibration without it makes of its players' moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossCheck {
    /// Their Elo.
    pub elo: f64,
    /// What the others make it.
    pub rated: f64,
    /// Its standard error.
    pub se: f64,
    /// Its 95% interval.
    pub interval: (f64, f64),
}

impl CrossCheck {
    /// Whether the interval holds the Elo.
    pub fn is_held(&self) -> bool {
        self.interval.0 <= self.elo && self.elo <= self.interval.1
    }
}

impl Calibration {
    /// Leaves out one milepost at a time. There is none for a milepost whose others make no calibration: three are
    /// needed, and a trend.
    pub fn cross_checks(&self) -> Vec<CrossCheck> {
        (0..self.mileposts.len()).filter_map(|place| self.cross_check(place).ok()).collect()
    }

    fn cross_check(&self, place: usize) -> Result<CrossCheck, RatingsError> {
        // The reference set is a yardstick alone: that some of its positions are the milepost's own tells nothing.
        let mut others = self.clone();
        let left_out = others.mileposts.remove(place);
        if others.mileposts.len() < 3 {
            return Err(RatingsError::Mileposts(others.mileposts.len()));
        }
        let known = others.mileposts.iter().map(|milepost| (milepost.elo, milepost.skill, milepost.expected_ad));
        others.course = Course::through(&known.collect::<Vec<_>>())?;
        let expected_ad = left_out.expected_ad;
        let rated = others.elo(expected_ad);
        let se_sample = (others.course.elo_line.slope * left_out.se_ad).abs();
        let half = others.half_interval(expected_ad, se_sample);
        let se = se_sample.hypot(others.se_at(expected_ad));
        Ok(CrossCheck { elo: left_out.elo, rated, se, interval: (rated - half, rated + half) })
    }
}
