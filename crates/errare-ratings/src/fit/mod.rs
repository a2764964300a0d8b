//! Fits: the skill that explains what was played.

mod bootstrap;
mod conditions;
mod least_squares;
mod likelihood;
mod start;

pub use bootstrap::Bootstrap;
pub(crate) use bootstrap::central;
pub(crate) use likelihood::log_likelihood;

use crate::error::RatingsError;
use crate::lens::Lens;
use crate::projection::Projection;
use crate::sample::Sample;
use conditions::{Moments, Percentiles};
use errare_choice::{Formula, Skill};
use std::fmt;
use std::str::FromStr;

/// What makes a fit the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Section 6 of the paper: as many turns below each percentile as there should be.
    Percentile,
    /// The greatest probability of all that was played.
    Likelihood,
    /// Predicted mm and ad are the actual ones.
    Moments,
}

/// A name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no method: use percentile, likelihood or moments")]
pub struct MethodError(String);

impl Method {
    /// All three.
    pub const ALL: [Method; 3] = [Method::Percentile, Method::Likelihood, Method::Moments];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Method::Percentile => "percentile",
            Method::Likelihood => "likelihood",
            Method::Moments => "moments",
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
    /// Of this formula.
    pub formula: Formula,
    /// By this method.
    pub method: Method,
    /// s and c.
    pub skill: Skill,
    /// The covariance of s and c: the sandwich of the method's conditions, by game, or by turn where games are few.
    pub covariance: [[f64; 2]; 2],
    /// Whether an optimum was found inside the range of skills that are looked at.
    pub is_settled: bool,
    /// Predicted and actual mm and ad.
    pub projection: Projection,
    /// The logarithm of the probability of all that was played.
    pub log_likelihood: f64,
    /// (q, R_q) for the paper's grid of q.
    pub percentiles: Vec<(f64, f64)>,
    /// Q_fit: the sum of the squares of R_q - q.
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

/// How a fit is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitter {
    /// What players are thought to look at.
    pub lens: Lens,
    /// What makes a fit the best.
    pub method: Method,
    /// c, if it is not to be fitted.
    pub fixed_c: Option<f64>,
}

/// Where a search ended, in ln s and ln c.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Optimum {
    at: [f64; 2],
    is_settled: bool,
    /// For the next search nearby: an approximate inverse of the second derivatives.
    inverse: [[f64; 2]; 2],
}

/// What is looked at, in ln s and ln c. Beyond, skills are no longer told apart.
const LEAST: [f64; 2] = [-11.5, -4.0];
const MOST: [f64; 2] = [7.0, 4.0];

fn skill(at: [f64; 2]) -> Result<Skill, RatingsError> {
    Ok(Skill::new(at[0].exp(), at[1].exp())?)
}

impl Fitter {
    /// Both s and c are fitted.
    pub fn new(lens: Lens, method: Method) -> Fitter {
        Fitter { lens, method, fixed_c: None }
    }

    /// Fits a sample.
    pub fn fit(&self, sample: &Sample<'_>) -> Result<Fit, RatingsError> {
        Ok(self.fit_from_scratch(sample)?.0)
    }

    fn fit_from_scratch(&self, sample: &Sample<'_>) -> Result<(Fit, Optimum), RatingsError> {
        if sample.count() == 0 {
            return Err(RatingsError::NoTurns);
        }
        let start = Optimum { at: start::coarse(self, sample)?, is_settled: false, inverse: [[0.0; 2]; 2] };
        let optimum = self.search(sample, None, start)?;
        Ok((self.told(sample, optimum)?, optimum))
    }

    /// The optimum near another, with each game counted so often.
    fn search(&self, sample: &Sample<'_>, counts: Option<&[u32]>, from: Optimum) -> Result<Optimum, RatingsError> {
        match self.method {
            Method::Percentile => least_squares::search(self, &Percentiles, sample, counts, from),
            Method::Moments => least_squares::search(self, &Moments, sample, counts, from),
            Method::Likelihood => likelihood::search(self, sample, counts, from),
        }
    }

    fn told(&self, sample: &Sample<'_>, optimum: Optimum) -> Result<Fit, RatingsError> {
        let pieces = sample.in_independent_pieces();
        let by_logs = match self.method {
            Method::Percentile => least_squares::covariance(self, &Percentiles, &pieces, optimum.at)?,
            Method::Moments => least_squares::covariance(self, &Moments, &pieces, optimum.at)?,
            Method::Likelihood => likelihood::covariance(self, &pieces, optimum.at)?,
        };
        let skill = skill(optimum.at)?;
        let unit = [skill.s(), skill.c()];
        let mut covariance = by_logs;
        for (i, row) in covariance.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry *= unit[i] * unit[j];
            }
        }
        let percentiles = conditions::percentiles(self, sample, optimum.at)?;
        Ok(Fit {
            formula: self.lens.formula(),
            method: self.method,
            skill,
            covariance,
            is_settled: optimum.is_settled,
            projection: Projection::new(sample, &self.lens, skill)?,
            log_likelihood: log_likelihood(&self.lens, sample, skill)?,
            quality: percentiles.iter().map(|(q, found)| (found - q).powi(2)).sum(),
            percentiles,
        })
    }

    /// The parameters that are searched for: s, and c unless it is fixed.
    fn free(&self) -> usize {
        if self.fixed_c.is_some() { 1 } else { 2 }
    }

    /// Within what is looked at, and whether that changed it.
    fn bounded(&self, at: [f64; 2]) -> ([f64; 2], bool) {
        let mut inside = [at[0].clamp(LEAST[0], MOST[0]), at[1].clamp(LEAST[1], MOST[1])];
        let is_outside = inside != at;
        if let Some(c) = self.fixed_c {
            inside[1] = c.ln();
        }
        (inside, is_outside)
    }
}

/// Solves a symmetric system of as many of two unknowns as are free; 0 for the others, none if it has no solution.
fn solved(matrix: [[f64; 2]; 2], right: [f64; 2], free: usize) -> Option<[f64; 2]> {
    let inverse = inverted(matrix, free)?;
    Some([inverse[0][0] * right[0] + inverse[0][1] * right[1], inverse[1][0] * right[0] + inverse[1][1] * right[1]])
}

/// The inverse on the free parameters, 0 elsewhere.
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
