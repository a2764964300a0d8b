//! Intrinsic performance ratings.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::fit::{Bootstrap, Fit, Fitter};
use crate::sample::Sample;
use errare_choice::Skill;

/// A rating by the moves alone.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The Intrinsic Performance Rating.
    pub elo: f64,
    /// Its standard error: that of the fit, that of the calibration line, and the mileposts' excess scatter about it.
    pub se: f64,
    /// The part of it that is due to the sample.
    pub se_sample: f64,
    /// The 95% interval, by Student's t: the calibration rests on few mileposts.
    pub interval: (f64, f64),
    /// The 95% interval by drawing games, of the sample's part alone.
    pub drawn_interval: Option<(f64, f64)>,
    /// The expected loss on the reference set.
    pub expected_ad: f64,
    /// What was fitted.
    pub fit: Fit,
}

/// How ratings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingTerms {
    /// Fewer turns are refused.
    pub least_turns: usize,
    /// How many samples of games are drawn, and by which seed; none for no draws.
    pub draws: Option<(usize, u64)>,
}

impl Default for RatingTerms {
    fn default() -> RatingTerms {
        RatingTerms { least_turns: 100, draws: None }
    }
}

impl Calibration {
    /// Rates whoever made the moves of a sample.
    pub fn rate(&self, sample: &Sample<'_>, terms: RatingTerms) -> Result<Rating, RatingsError> {
        self.check(sample.source())?;
        if sample.count() < terms.least_turns {
            return Err(RatingsError::TooFew { turns: sample.count(), least: terms.least_turns });
        }
        let fitter = Fitter::new(self.lens.clone(), self.method);
        let (fit, drawn) = match terms.draws {
            Some((draws, seed)) => fitter.bootstrap(sample, draws, seed).map(|(fit, drawn)| (fit, Some(drawn)))?,
            None => (fitter.fit(sample)?, None),
        };
        let expected_ad = self.reference.expected_ad(&self.lens, fit.skill)?;
        let elo = self.elo(expected_ad);
        let se_ad = fit.se_of(self.reference.gradient(&self.lens, fit.skill)?);
        let se_sample = (self.course.elo_line.slope * se_ad).abs();
        let se = se_sample.hypot(self.se_at(expected_ad));
        let drawn_interval = drawn.map(|drawn| self.drawn_interval(&drawn)).transpose()?.flatten();
        let half = self.half_interval(expected_ad, se_sample);
        let interval = (elo - half, elo + half);
        Ok(Rating { elo, se, se_sample, interval, drawn_interval, expected_ad, fit })
    }

    fn drawn_interval(&self, drawn: &Bootstrap) -> Result<Option<(f64, f64)>, RatingsError> {
        let elo = |&skill: &Skill| -> Result<f64, RatingsError> {
            Ok(self.elo(self.reference.expected_ad(&self.lens, skill)?))
        };
        let elos: Vec<f64> = drawn.skills.iter().map(elo).collect::<Result<_, _>>()?;
        Ok(crate::fit::central(0.95, elos))
    }
}
