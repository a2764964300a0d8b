//! Intrinsic performance ratings.

use crate::calibration::Calibration;
use crate::error::{RatingsError, Refusal};
use crate::fit::{Bootstrap, Draws, Fit, Fitter};
use crate::sample::Sample;
use errare_choice::Skill;
use errare_work::Progress;

/// A rating by the moves alone.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The Intrinsic Performance Rating.
    pub elo: f64,
    /// Whether `elo` is beyond all mileposts of the calibration, so that it is extrapolated.
    pub outside_range: bool,
    /// The standard error of `elo`: of the fit, of the calibration line, and of the mileposts' excess scatter about it.
    pub se: f64,
    /// The part of the standard error that is due to the sample.
    pub se_sample: f64,
    /// The 95% interval, by Student's t: the calibration rests on few mileposts.
    pub interval: (f64, f64),
    /// The 95% interval by drawing games, of the sample's part alone.
    pub drawn_interval: Option<(f64, f64)>,
    /// The expected loss of the fitted skill on the calibration's reference set.
    pub reference_ad: f64,
    /// The fit of the sample.
    pub fit: Fit,
}

/// How ratings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingOptions {
    /// Samples with fewer turns are refused.
    pub min_turns: usize,
    /// The samples of games to draw for a second interval; none for no draws.
    pub draws: Option<Draws>,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { min_turns: 100, draws: None }
    }
}

impl Calibration {
    /// Rates whoever made the moves of a sample.
    ///
    /// # Errors
    /// A [`Refusal`] if the turns are too few or were evaluated otherwise than the mileposts;
    /// [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn rate(
        &self,
        sample: &Sample,
        options: RatingOptions,
        progress: &dyn Progress,
    ) -> Result<Rating, RatingsError> {
        self.check(sample.source())?;
        if sample.count() < options.min_turns {
            return Err(Refusal::TooFewTurns { turns: sample.count(), min: options.min_turns }.into());
        }
        let fitter = Fitter::new(self.model.clone(), self.method);
        let (fit, drawn) = fitter.fit_and_draw(sample, options.draws, progress)?;
        let reference_ad = self.reference.expected_ad(&self.model, fit.skill)?;
        let elo = self.elo(reference_ad);
        let se_reference_ad = fit.se_of(self.reference.gradient(&self.model, fit.skill)?);
        let se_sample = (self.skill_curve.elo_line.slope * se_reference_ad).abs();
        let se = se_sample.hypot(self.se_at(reference_ad));
        let drawn_interval = drawn.map(|drawn| self.drawn_interval(&drawn, progress)).transpose()?.flatten();
        let half = self.half_interval(reference_ad, se_sample);
        let interval = (elo - half, elo + half);
        let outside_range = self.is_outside_range(elo);
        Ok(Rating { elo, outside_range, se, se_sample, interval, drawn_interval, reference_ad, fit })
    }

    fn drawn_interval(&self, drawn: &Bootstrap, progress: &dyn Progress) -> Result<Option<(f64, f64)>, RatingsError> {
        let elo = |&skill: &Skill| -> Result<f64, RatingsError> {
            progress.proceed()?;
            Ok(self.elo(self.reference.expected_ad(&self.model, skill)?))
        };
        let elos: Vec<f64> = drawn.skills.iter().map(elo).collect::<Result<_, _>>()?;
        Ok(crate::fit::central(0.95, elos))
    }
}
