//! Fits: the skill that best explains the moves played.

mod bootstrap;
mod conditions;
mod least_squares;
mod likelihood;
mod plan;
mod start;

pub(crate) use bootstrap::central;
pub use bootstrap::{Bootstrap, Draws};
pub(crate) use likelihood::log_likelihood;
pub use plan::{FitPlan, GroupFit, GroupFits, SkippedGroup};

use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::projection::Projection;
use crate::sample::Sample;
use conditions::{Moments, Percentiles};
use errare_choice::{Formula, Skill};
use errare_work::{Progress, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The criterion that makes a fit the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// As many turns lie below each percentile as should lie there: section 6 of Regan and Haworth (2011).
    #[default]
    Percentile,
    /// The moves played have the greatest probability.
    Likelihood,
    /// Expected mm and ad equal the actual ones.
    Moments,
}

/// A text that names no fitting method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid method `{0}`: expected percentile, likelihood or moments")]
pub struct MethodError(String);

impl Method {
    /// All methods.
    pub const ALL: [Method; 3] = [Method::Percentile, Method::Likelihood, Method::Moments];

    /// The name of the method, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Method::Percentile => "percentile",
            Method::Likelihood => "likelihood",
            Method::Moments => "moments",
        }
    }

    fn activity(self) -> &'static str {
        match self {
            Method::Percentile => "fitting by percentile",
            Method::Likelihood => "fitting by likelihood",
            Method::Moments => "fitting by moments",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Method, MethodError> {
        let wanted = text.trim().to_ascii_lowercase();
        Method::ALL.into_iter().find(|method| method.name() == wanted).ok_or_else(|| MethodError(text.to_owned()))
    }
}

/// A fitted skill.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The formula of the choice model.
    pub formula: Formula,
    /// The method of fitting.
    pub method: Method,
    /// The fitted s and c.
    pub skill: Skill,
    /// The covariance of s and c: the sandwich of the method's conditions, by game, or by turn where games are few.
    pub covariance: [[f64; 2]; 2],
    /// Whether an optimum was found inside the range of skills that is searched.
    pub is_settled: bool,
    /// The expected and the actual mm and ad.
    pub projection: Projection,
    /// The logarithm of the probability of all moves played.
    pub log_likelihood: f64,
    /// The pairs (q, R_q) for q from 0 to 1 in steps of 0.05.
    pub percentiles: Vec<(f64, f64)>,
    /// The quality Q_fit: the sum of the squares of R_q - q.
    pub quality: f64,
}

impl Fit {
    /// The standard error of s.
    pub fn se_s(&self) -> f64 {
        self.covariance[0][0].sqrt()
    }

    /// The standard error of c.
    pub fn se_c(&self) -> f64 {
        self.covariance[1][1].sqrt()
    }

    /// The standard error of a function of s and c with this gradient (the delta method).
    pub fn se_of(&self, gradient: [f64; 2]) -> f64 {
        let covariance = &self.covariance;
        let variance: f64 =
            (0..2).flat_map(|i| (0..2).map(move |j| gradient[i] * covariance[i][j] * gradient[j])).sum();
        variance.max(0.0).sqrt()
    }
}

/// The settings of fits: the model, the method, and whether c is fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitter {
    /// The model of how players choose.
    pub model: ChoiceModel,
    /// The criterion that makes a fit the best.
    pub method: Method,
    /// The fixed value of c; none if c is fitted too.
    pub fixed_c: Option<f64>,
}

/// The result of a search, in ln s and ln c.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Optimum {
    at: [f64; 2],
    is_settled: bool,
    /// An approximate inverse of the second derivatives, for the next search nearby.
    inverse: [[f64; 2]; 2],
}

/// The range that is searched, in ln s and ln c. Beyond it skills can no longer be distinguished.
const LEAST: [f64; 2] = [-11.5, -4.0];
const MOST: [f64; 2] = [7.0, 4.0];

fn skill(at: [f64; 2]) -> Result<Skill, RatingsError> {
    Ok(Skill::new(at[0].exp(), at[1].exp())?)
}

impl Fitter {
    /// Makes a fitter of both s and c.
    pub fn new(model: ChoiceModel, method: Method) -> Fitter {
        Fitter { model, method, fixed_c: None }
    }

    /// Finds the skill that best explains the moves of a sample.
    ///
    /// # Errors
    /// [`Refusal::NoTurns`] if the sample is empty, [`RatingsError::Cancelled`] if the work is cancelled, and
    /// [`RatingsError::Choice`] if losses give no probabilities.
    pub fn fit(&self, sample: &Sample, progress: &dyn Progress) -> Result<Fit, RatingsError> {
        Ok(self.fit_from_scratch(sample, progress)?.0)
    }

    fn fit_from_scratch(&self, sample: &Sample, progress: &dyn Progress) -> Result<(Fit, Optimum), RatingsError> {
        if sample.count() == 0 {
            return Err(Refusal::NoTurns.into());
        }
        let at = start::coarse(self, sample, progress)?;
        let start = Optimum { at, is_settled: false, inverse: [[0.0; 2]; 2] };
        let mut optimum = self.search(sample, None, start, progress)?;
        // Percentiles have kinks, at which slopes mislead.
        if self.method == Method::Percentile && optimum.is_settled {
            optimum.at = least_squares::around_kinks(self, &Percentiles, sample, optimum.at, progress)?;
        }
        Ok((self.at_optimum(sample, optimum, progress)?, optimum))
    }

    /// The progress of a search after so many steps.
    fn status(&self, steps: usize) -> Status<'static> {
        Status { done: steps as u64, ..Status::new(self.method.activity(), "steps") }
    }

    /// Finds the optimum near another, with each game counted as often as `counts` says.
    fn search(
        &self,
        sample: &Sample,
        counts: Option<&[u32]>,
        from: Optimum,
        progress: &dyn Progress,
    ) -> Result<Optimum, RatingsError> {
        match self.method {
            Method::Percentile => least_squares::search(self, &Percentiles, sample, counts, from, progress),
            Method::Moments => least_squares::search(self, &Moments, sample, counts, from, progress),
            Method::Likelihood => likelihood::search(self, sample, counts, from, progress),
        }
    }

    /// Describes the fit at an optimum.
    fn at_optimum(&self, sample: &Sample, optimum: Optimum, progress: &dyn Progress) -> Result<Fit, RatingsError> {
        let pieces = sample.in_independent_pieces();
        let by_logs = match self.method {
            Method::Percentile => least_squares::covariance(self, &Percentiles, &pieces, optimum.at, progress)?,
            Method::Moments => least_squares::covariance(self, &Moments, &pieces, optimum.at, progress)?,
            Method::Likelihood => likelihood::covariance(self, &pieces, optimum.at, progress)?,
        };
        let skill = skill(optimum.at)?;
        let unit = [skill.s(), skill.c()];
        let mut covariance = by_logs;
        for (i, row) in covariance.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry *= unit[i] * unit[j];
            }
        }
        let percentiles = conditions::percentiles(self, sample, optimum.at, progress)?;
        Ok(Fit {
            formula: self.model.formula(),
            method: self.method,
            skill,
            covariance,
            is_settled: optimum.is_settled,
            projection: Projection::new(sample, &self.model, skill, progress)?,
            log_likelihood: log_likelihood(&self.model, sample, skill, progress)?,
            quality: percentiles.iter().map(|(q, found)| (found - q).powi(2)).sum(),
            percentiles,
        })
    }

    /// Number of parameters that are searched for: s, and c unless it is fixed.
    fn free(&self) -> usize {
        if self.fixed_c.is_some() { 1 } else { 2 }
    }

    /// Clamps a place to the range that is searched, and returns whether that changed it.
    fn bounded(&self, at: [f64; 2]) -> ([f64; 2], bool) {
        let mut inside = [at[0].clamp(LEAST[0], MOST[0]), at[1].clamp(LEAST[1], MOST[1])];
        let is_outside = inside != at;
        if let Some(c) = self.fixed_c {
            inside[1] = c.ln();
        }
        (inside, is_outside)
    }
}

/// Solves a symmetric system of as many of two unknowns as are free; the solution is 0 for the other unknowns, and none
/// if there is no solution.
fn solved(matrix: [[f64; 2]; 2], right: [f64; 2], free: usize) -> Option<[f64; 2]> {
    let inverse = inverted(matrix, free)?;
    Some([inverse[0][0] * right[0] + inverse[0][1] * right[1], inverse[1][0] * right[0] + inverse[1][1] * right[1]])
}

/// Inverts a matrix on the free parameters; 0 elsewhere, none if it has no inverse.
fn inverted(matrix: [[f64; 2]; 2], free: usize) -> Option<[[f64; 2]; 2]> {
    if free == 1 {
        return (matrix[0][0] != 0.0).then(|| [[1.0 / matrix[0][0], 0.0], [0.0, 0.0]]);
    }
    let [[a, b], [c, d]] = matrix;
    let determinant = a * d - b * c;
    let is_regular = determinant.is_finite() && determinant.abs() > 1e-14 * (a * d).abs().max(f64::MIN_POSITIVE);
    is_regular.then(|| [[d / determinant, -b / determinant], [-c / determinant, a / determinant]])
}

fn product(one: [[f64; 2]; 2], two: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let entry = |i: usize, j: usize| one[i][0] * two[0][j] + one[i][1] * two[1][j];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}
