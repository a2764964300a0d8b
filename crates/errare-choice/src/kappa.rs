//! The shift kappa of the preference function in Haworth (2003).

use std::fmt;
use std::str::FromStr;

/// The shift kappa of depths: a positive number, or the limit 0+ that Haworth (2003) uses from section 7 on.
///
/// ```
/// use errare_choice::Kappa;
/// assert_eq!("0+".parse(), Ok(Kappa::ZERO_PLUS));
/// assert_eq!("0.5".parse(), Kappa::new(0.5));
/// assert!(Kappa::new(0.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Kappa(f64);

/// A text or number that is not a valid kappa.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid kappa `{0}`: expected a positive number or `0+`")]
pub struct KappaError(String);

impl Kappa {
    /// The limit of kappa to 0 from above.
    pub const ZERO_PLUS: Kappa = Kappa(0.0);
    /// kappa = 1, as in Andrist and Haworth (2005): the move at hand counts as part of the line.
    pub const ONE: Kappa = Kappa(1.0);

    /// Makes a kappa of a positive finite number.
    ///
    /// # Errors
    /// If the number is 0, negative, infinite or not a number. The limit 0+ is [`Kappa::ZERO_PLUS`].
    pub fn new(kappa: f64) -> Result<Kappa, KappaError> {
        if kappa.is_finite() && kappa > 0.0 { Ok(Kappa(kappa)) } else { Err(KappaError(kappa.to_string())) }
    }

    /// The number kappa; 0 for the limit 0+.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Kappa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Kappa::ZERO_PLUS { f.pad("0+") } else { self.0.fmt(f) }
    }
}

impl FromStr for Kappa {
    type Err = KappaError;

    fn from_str(text: &str) -> Result<Kappa, KappaError> {
        match text.trim() {
            "0+" => Ok(Kappa::ZERO_PLUS),
            number => number
                .parse()
                .map_err(|_| KappaError(text.to_owned()))
                .and_then(|kappa| Kappa::new(kappa).map_err(|_| KappaError(text.to_owned()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        assert_eq!(Kappa::ZERO_PLUS.to_string(), "0+");
        assert_eq!(Kappa::ONE.to_string(), "1");
        for text in ["0", "-1", "inf", "nan", "", "one"] {
            assert_eq!(text.parse::<Kappa>(), Err(KappaError(text.to_owned())));
        }
    }
}
