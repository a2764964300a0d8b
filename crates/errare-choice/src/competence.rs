//! The competence c of a fallible player.

use std::fmt;
use std::str::FromStr;

/// The competence c of a player: a real number, or one of its two limits.
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
#[error("invalid competence `{0}`: expected a number from -{max:e} to {max:e}, inf or -inf", max = Competence::MAX)]
pub struct CompetenceError(String);

impl Competence {
    /// The player of c = 0, who chooses by weights alone.
    pub const RANDOM: Competence = Competence(0.0);
    /// The infallible player: the limit of c to plus infinity.
    pub const INFALLIBLE: Competence = Competence(f64::INFINITY);
    /// The anti-infallible player: the limit of c to minus infinity.
    pub const ANTI_INFALLIBLE: Competence = Competence(f64::NEG_INFINITY);

    /// The greatest finite competence, and the least but for its sign. Logarithms of preferences are products of c, and
    /// those of much greater numbers would be infinite, so that different states seemed alike.
    pub const MAX: f64 = 1e100;

    /// Makes a competence of a number up to [`Competence::MAX`] in size, or of an infinity.
    ///
    /// # Errors
    /// If c is not a number, or finite and greater in size.
    pub fn new(c: f64) -> Result<Competence, CompetenceError> {
        if Competence::is_valid(c) { Ok(Competence::of_number(c)) } else { Err(CompetenceError(format!("{c:?}"))) }
    }

    /// Whether a number is a competence.
    pub(crate) fn is_valid(c: f64) -> bool {
        c.is_infinite() || c.abs() <= Competence::MAX
    }

    /// Makes a competence of a number that is known to be one, but for rounding.
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
        let refused = || CompetenceError(text.to_owned());
        let number: f64 = text.trim().parse().map_err(|_| refused())?;
        // Digits beyond the range of a number are read as an infinity, which has to be asked for by its name.
        if number.is_infinite() && text.contains(|letter: char| letter.is_ascii_digit()) {
            return Err(refused());
        }
        Competence::new(number).map_err(|_| refused())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        assert_eq!("-inf".parse(), Ok(Competence::ANTI_INFALLIBLE));
        assert_eq!("-0".parse::<Competence>().map(|c| c.to_string()), Ok("0".to_owned()));
        for text in ["", "nan", "twenty", "1,5", "1e308", "-1e308", "1.1e100", "1e999", "-1e999"] {
            assert!(text.parse::<Competence>().is_err(), "{text}");
        }
        let refused = Competence::new(f64::MAX).map_err(|error| error.to_string());
        let expected = "expected a number from -1e100 to 1e100, inf or -inf";
        assert!(refused.is_err_and(|words| words.ends_with(expected)));
        assert_eq!("1e100".parse(), Competence::new(Competence::MAX));
    }
}
