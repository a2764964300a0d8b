//! The competence c of a fallible player.

use std::fmt;
use std::str::FromStr;

/// The competence c of a player: any real number, or one of its two limits.
///
/// 0 is the random player; the greater c, the better the choices. At plus infinity the player takes one of the best,
/// at minus infinity one of the worst, in proportion to their weights.
///
/// ```
/// use errare_choice::Competence;
/// assert_eq!("20".parse(), Competence::new(20.0));
/// assert_eq!("inf".parse(), Ok(Competence::INFALLIBLE));
/// assert!(Competence::new(f64::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Competence(f64);

/// A text or number that is not a valid competence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid competence `{0}`: expected a number, inf or -inf")]
pub struct CompetenceError(String);

impl Competence {
    /// The player of c = 0, who chooses by weights alone.
    pub const RANDOM: Competence = Competence(0.0);
    /// The infallible player: the limit of c to plus infinity.
    pub const INFALLIBLE: Competence = Competence(f64::INFINITY);
    /// The anti-infallible player: the limit of c to minus infinity.
    pub const ANTI_INFALLIBLE: Competence = Competence(f64::NEG_INFINITY);

    /// Makes a competence of any number, the infinities included.
    ///
    /// # Errors
    /// If c is not a number.
    pub fn new(c: f64) -> Result<Competence, CompetenceError> {
        if c.is_nan() { Err(CompetenceError(c.to_string())) } else { Ok(Competence::of_number(c)) }
    }

    /// Makes a competence of a number that is known not to be NaN.
    pub(crate) fn of_number(c: f64) -> Competence {
        debug_assert!(!c.is_nan(), "a competence must be a number");
        // Adding zero makes -0 the 0 it equals, so that equal competences print alike.
        Competence(c + 0.0)
    }

    /// The number c; infinite at the limits.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The number c; none at the limits.
    pub fn finite(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }
}

/// A whole number is always a competence.
impl From<i32> for Competence {
    fn from(c: i32) -> Competence {
        Competence(f64::from(c))
    }
}

impl fmt::Display for Competence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Competence {
    type Err = CompetenceError;

    fn from_str(text: &str) -> Result<Competence, CompetenceError> {
        let number: f64 = text.trim().parse().map_err(|_| CompetenceError(text.to_owned()))?;
        Competence::new(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        assert_eq!("-inf".parse(), Ok(Competence::ANTI_INFALLIBLE));
        assert_eq!("-0".parse::<Competence>().map(|c| c.to_string()), Ok("0".to_owned()));
        for text in ["", "nan", "twenty", "1,5"] {
            assert!(text.parse::<Competence>().is_err(), "{text}");
        }
    }
}
