//! Intrinsic performance ratings.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::fit::{Bootstrap, Fit, Fitter, log_likelihood};
use crate::sample::Sample;
use errare_choice::{Grid, Posterior, Prior, Skill};

/// A rating by the moves alone.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The Intrinsic Performance Rating.
    pub elo: f64,
    /// Its standard error: that of the fit and that of the calibration.
    pub se: f64,
    /// The part of it that is due to the sample.
    pub se_sample: f64,
    /// The 95% interval.
    pub interval: (f64, f64),
    /// The 95% interval by drawing games, of the sample's part alone.
    pub drawn_interval: Option<(f64, f64)>,
    /// The expected loss on the reference set.
    pub expected_ad: f64,
    /// What was fitted.
    pub fit: Fit,
}

/// Half of a 95% interval in standard errors.
const WIDTH: f64 = 1.959_964;

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
        let se_sample = (self.elo_line.slope * se_ad).abs();
        let se = se_sample.hypot(self.elo_line.se_at(expected_ad));
        let drawn_interval = drawn.map(|drawn| self.drawn_interval(&drawn)).transpose()?.flatten();
        let interval = (elo - WIDTH * se, elo + WIDTH * se);
        Ok(Rating { elo, se, se_sample, interval, drawn_interval, expected_ad, fit })
    }

    fn drawn_interval(&self, drawn: &Bootstrap) -> Result<Option<(f64, f64)>, RatingsError> {
        let elo = |&skill: &Skill| -> Result<f64, RatingsError> {
            Ok(self.elo(self.reference.expected_ad(&self.lens, skill)?))
        };
        let elos: Vec<f64> = drawn.skills.iter().map(elo).collect::<Result<_, _>>()?;
        Ok(crate::fit::central(0.95, elos))
    }

    /// The Bayesian reading: how probable each Elo of a grid is, for players on the calibration line.
    ///
    /// Points that no player on the line has are impossible.
    pub fn posterior(&self, sample: &Sample<'_>, grid: Grid, prior: Prior) -> Result<Posterior, RatingsError> {
        self.check(sample.source())?;
        let mut posterior = Posterior::new(grid, prior)?;
        let likelihood = |elo: f64| match self.skill(elo) {
            Ok(skill) => log_likelihood(&self.lens, sample, skill),
            Err(RatingsError::Beyond(_)) => Ok(f64::NEG_INFINITY),
            Err(error) => Err(error),
        };
        let likelihoods: Vec<f64> = grid.points().map(likelihood).collect::<Result<_, _>>()?;
        // Where nothing is possible the prior is all there is.
        let _ = posterior.observe(&likelihoods)?;
        Ok(posterior)
    }
}
