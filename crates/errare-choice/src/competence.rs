//! The competence c of a fallible player.

use std::fmt;
use std::str::FromStr;

/// The competence c: any real number, or one of its two limits.
///
/// 0 is the random player; the greater c, the better the choices. At plus infinity the player takes one of the best,
/// at minus infinity one of the worst, by weight.
///
/// ```
/// use errare_choice::Competence;
/// assert_eq!("20".parse(), Competence::new(20.0));
/// assert_eq!("inf".parse(), Ok(Competence::INFALLIBLE));
/// assert!(Competence::new(f64::NAN).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Competence(f64);

/// Why something is no competence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no competence: use a number, inf or -inf")]
pub struct CompetenceError(String);

impl Competence {
    /// c = 0: every choice by its weight alone.
    pub const RANDOM: Competence = Competence(0.0);
    /// The limit of c to plus infinity.
    pub const INFALLIBLE: Competence = Competence(f64::INFINITY);
    /// The limit of c to minus infinity.
    pub const ANTI_INFALLIBLE: Competence = Competence(f64::NEG_INFINITY);

    /// Any number, the infinities included.
    pub fn new(c: f64) -> Result<Competence, CompetenceError> {
        // Adding zero makes -0 the 0 it equals, so that equal competences print alike.
        if c.is_nan() { Err(CompetenceError(c.to_string())) } else { Ok(Competence(c + 0.0)) }
    }

    /// c.
    pub fn value(self) -> f64 {
        self.0
    }

    /// c, unless it is one of the limits.
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
