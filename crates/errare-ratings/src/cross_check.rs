//! Whether a calibration can be believed: each milepost rated by the others.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::fit::Method;
use crate::lens::Lens;
use crate::rating::{Rating, RatingTerms};
use crate::sample::Sample;
use crate::turns::Turns;

/// A milepost, and what a calibration made without it says of its players.
#[derive(Clone, Debug)]
pub struct CrossCheck {
    /// Their Elo.
    pub elo: f64,
    /// What the moves alone tell.
    pub rating: Rating,
}

impl CrossCheck {
    /// Whether the interval holds the Elo.
    pub fn is_held(&self) -> bool {
        let (low, high) = self.rating.interval;
        low <= self.elo && self.elo <= high
    }
}

impl Calibration {
    /// Leaves out one milepost at a time. None for one whose others make no calibration: three are needed, and a trend.
    pub fn cross_checks(turns: &Turns, lens: &Lens, method: Method) -> Result<Vec<CrossCheck>, RatingsError> {
        let mut checks = Vec::new();
        for left_out in Calibration::elos(turns) {
            let others = Calibration::among(turns, |elo| elo != left_out, lens.clone(), method, String::new());
            let others = match others {
                Err(RatingsError::Mileposts(_) | RatingsError::NoTrend) => continue,
                others => others?,
            };
            let sample = Sample::new(turns, |turn| turn.game().milepost == Some(left_out));
            let rating = others.rate(&sample, RatingTerms { least_turns: 1, draws: None })?;
            checks.push(CrossCheck { elo: f64::from(left_out), rating });
        }
        Ok(checks)
    }
}
