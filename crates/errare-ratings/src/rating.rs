//! Intrinsic performance ratings.

use crate::calibration::Calibration;
use crate::error::{RatingsError, Refusal};
use crate::fit::{Bootstrap, Draws, Fit, Fitter};
use crate::joint::{Estimate, JointFit};
use crate::reliability::EndsOutside;
use crate::sample::Sample;
use errare_choice::Skill;
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A rating of a player by the moves alone.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The Intrinsic Performance Rating, in Elo.
    pub elo: f64,
    /// Whether `elo` is outside the range of the calibration, so that it is extrapolated.
    pub outside_range: bool,
    /// The standard error of `elo`: by mileposts, of the fit, of the calibration line, and of the mileposts' excess
    /// scatter about it; by the joint model, of the moves, of the calibration and of players about their Elo.
    pub se: f64,
    /// The part of the standard error that is due to the sample.
    pub se_sample: f64,
    /// The 95% interval of `elo`: by the joint model's posterior, widened by the other errors, or by Student's t where
    /// the calibration rests on few mileposts.
    pub interval: (f64, f64),
    /// Which ends of `interval` are outside the range of the calibration.
    pub interval_outside_range: EndsOutside,
    /// The 95% interval of `elo` by drawing games, for the sample's part alone; none without draws.
    pub drawn_interval: Option<(f64, f64)>,
    /// The expected loss of the fitted skill on the calibration's reference set.
    pub reference_ad: f64,
    /// The fit of the sample.
    pub fit: Fit,
    /// The way in which the rating was made.
    pub estimator: Estimator,
    /// Number of games in which the opponents' moves were used as a control: they show how hard the games were.
    pub control_games: usize,
}

/// The way from skill to a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Estimator {
    /// The mean Elo by the joint model, controlled by the opponents' moves in the same games. A calibration without a
    /// joint model is used as by `Mileposts`.
    #[default]
    Joint,
    /// The Elo at the expected loss of s and c, which are fitted to the sample by the calibration's method, on the line
    /// through mileposts.
    Mileposts,
}

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Estimator::Joint => "joint",
            Estimator::Mileposts => "mileposts",
        })
    }
}

/// A text that names no estimator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid estimator `{0}`: expected joint or mileposts")]
pub struct EstimatorError(String);

impl FromStr for Estimator {
    type Err = EstimatorError;

    fn from_str(text: &str) -> Result<Estimator, EstimatorError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "joint" => Ok(Estimator::Joint),
            "mileposts" => Ok(Estimator::Mileposts),
            _ => Err(EstimatorError(text.to_owned())),
        }
    }
}

/// The options of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingOptions {
    /// The least number of turns: samples with fewer are refused.
    pub min_turns: usize,
    /// The samples of games to draw for a second interval; none for no draws.
    pub draws: Option<Draws>,
    /// The way from skill to a rating.
    pub estimator: Estimator,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { min_turns: 100, draws: None, estimator: Estimator::default() }
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
        match &self.joint {
            Some(joint) if options.estimator == Estimator::Joint => self.rate_jointly(joint, sample, options, progress),
            _ => self.rate_by_mileposts(sample, options, progress),
        }
    }

    /// Rates a sample by the joint model. The skill in the result is fitted by the method of the mileposts.
    fn rate_jointly(
        &self,
        joint: &JointFit,
        sample: &Sample,
        options: RatingOptions,
        progress: &dyn Progress,
    ) -> Result<Rating, RatingsError> {
        let assessment = joint.assess(sample, true, progress)?;
        let drawn_interval = options.draws.map(|draws| joint.drawn_interval(sample, draws, progress)).transpose()?;
        let fit = Fitter::new(self.model.clone(), self.method).fit(sample, progress)?;
        let Estimate { elo, se, se_sample, interval } = joint.estimate(&assessment);
        Ok(Rating {
            elo,
            outside_range: self.is_outside_range(elo),
            se,
            se_sample,
            interval,
            interval_outside_range: self.ends_outside_range(interval),
            drawn_interval: drawn_interval.flatten(),
            reference_ad: self.reference.expected_ad(&self.model, fit.skill)?,
            fit,
            estimator: Estimator::Joint,
            control_games: assessment.control.games,
        })
    }

    fn rate_by_mileposts(
        &self,
        sample: &Sample,
        options: RatingOptions,
        progress: &dyn Progress,
    ) -> Result<Rating, RatingsError> {
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
        let (estimator, control_games) = (Estimator::Mileposts, 0);
        Ok(Rating {
            elo,
            outside_range,
            se,
            se_sample,
            interval,
            interval_outside_range: self.ends_outside_range(interval),
            drawn_interval,
            reference_ad,
            fit,
            estimator,
            control_games,
        })
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
