//! The curves g of Regan and Haworth (2011): how attractive a loss is, relative to no loss.

use crate::skill::Skill;
use std::fmt;
use std::str::FromStr;

/// A family of curves g with g(0) = 1 and falling (Regan and Haworth (2011), section 4).
///
/// In the formulas x stands for (delta / s)^c, where delta is the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// Inverse exponential: exp(-x).
    InvExp,
    /// Inverse polynomial a: 1 / (1 + x).
    Ipa,
    /// Inverse polynomial b: 1 / (1 + delta / s)^c.
    Ipb,
    /// Hyperbolic secant a: 2 / (e^x + e^-x).
    SechA,
    /// Hyperbolic secant b: 4 / (e^x + 2 + e^-x).
    SechB,
}

/// A text that is not the name of a curve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid curve `{0}`: expected invexp, ipa, ipb, secha or sechb")]
pub struct CurveError(String);

impl Curve {
    /// All five curves.
    pub const ALL: [Curve; 5] = [Curve::InvExp, Curve::Ipa, Curve::Ipb, Curve::SechA, Curve::SechB];

    /// The name of the curve, as in Regan and Haworth (2011).
    pub fn name(self) -> &'static str {
        match self {
            Curve::InvExp => "invexp",
            Curve::Ipa => "ipa",
            Curve::Ipb => "ipb",
            Curve::SechA => "secha",
            Curve::SechB => "sechb",
        }
    }

    /// The curve with the parameters of a player.
    pub(crate) fn of(self, skill: Skill) -> SkilledCurve {
        SkilledCurve { curve: self, s: skill.s(), log_s: skill.s().ln(), c: skill.c() }
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Curve {
    type Err = CurveError;

    fn from_str(text: &str) -> Result<Curve, CurveError> {
        let wanted = text.trim().to_ascii_lowercase();
        Curve::ALL.into_iter().find(|curve| curve.name() == wanted).ok_or_else(|| CurveError(text.to_owned()))
    }
}

/// The aversion to a loss, -ln g, and how it changes with the skill.
///
/// Derivatives are by the logarithms of s and c, which have no unit and do not overflow; those by s and c are 1/s and
/// 1/c times as great.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Aversion {
    /// The aversion itself: 0 for no loss, and rising.
    pub value: f64,
    /// The derivative of the aversion by ln s.
    pub by_log_s: f64,
    /// The derivative of the aversion by ln c.
    pub by_log_c: f64,
}

impl Aversion {
    /// The greatest aversion: beyond it all losses are alike, so that no difference of two aversions is infinite.
    const MAX: f64 = 1e300;
}

/// A curve with the parameters of a player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SkilledCurve {
    curve: Curve,
    s: f64,
    log_s: f64,
    c: f64,
}

impl SkilledCurve {
    pub fn aversion(&self, delta: f64) -> Aversion {
        if delta <= 0.0 {
            return Aversion::default();
        }
        let found = if self.curve == Curve::Ipb { self.ipb(delta) } else { self.of_x(delta) };
        if found.value < Aversion::MAX { found } else { Aversion { value: Aversion::MAX, ..Aversion::default() } }
    }

    fn ipb(&self, delta: f64) -> Aversion {
        let ratio = delta / self.s;
        let log = ratio.ln_1p();
        let value = self.c * log;
        Aversion { value, by_log_s: -self.c * (1.0 - 1.0 / (1.0 + ratio)), by_log_c: value }
    }

    /// The aversion of a curve that depends on the loss only through x.
    fn of_x(&self, delta: f64) -> Aversion {
        let log_ratio = delta.ln() - self.log_s;
        let x = (self.c * log_ratio).exp();
        let (value, slope) = match self.curve {
            Curve::InvExp => (x, 1.0),
            Curve::Ipa => (x.ln_1p(), 1.0 / (1.0 + x)),
            Curve::SechA => (log_cosh(x), x.tanh()),
            Curve::SechB => (2.0 * log_cosh(x / 2.0), (x / 2.0).tanh()),
            Curve::Ipb => return self.ipb(delta),
        };
        // Where x overflows, x / (1 + x) is 1 all the same.
        let growth = if x.is_finite() { slope * x } else { 1.0 };
        Aversion { value, by_log_s: -self.c * growth, by_log_c: self.c * growth * log_ratio }
    }
}

/// Computes ln cosh x for x >= 0, accurately near 0 and for any size.
fn log_cosh(x: f64) -> f64 {
    if x < 1.0 {
        let half = (x / 2.0).sinh();
        (2.0 * half * half).ln_1p()
    } else {
        x - std::f64::consts::LN_2 + (-2.0 * x).exp().ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The curve g as printed in Regan and Haworth (2011).
    fn printed(curve: Curve, s: f64, c: f64, delta: f64) -> f64 {
        let x = (delta / s).powf(c);
        match curve {
            Curve::InvExp => (-x).exp(),
            Curve::Ipa => 1.0 / (1.0 + x),
            Curve::Ipb => 1.0 / (1.0 + delta / s).powf(c),
            Curve::SechA => 2.0 / (x.exp() + (-x).exp()),
            Curve::SechB => 4.0 / (x.exp() + 2.0 + (-x).exp()),
        }
    }

    #[test]
    fn aversions_are_logarithms_of_the_printed_curves() -> Result<(), Box<dyn std::error::Error>> {
        for curve in Curve::ALL {
            for (s, c) in [(0.1, 0.5), (0.05, 1.0), (2.0, 3.0)] {
                let skill = Skill::new(s, c)?;
                assert_eq!(curve.of(skill).aversion(0.0), Aversion::default());
                for delta in [0.001, 0.03, 0.5, 2.0, 4.0] {
                    let expected = printed(curve, s, c, delta);
                    let found = (-curve.of(skill).aversion(delta).value).exp();
                    assert!((found / expected - 1.0).abs() < 1e-12, "{curve} {s} {c} {delta}: {found} {expected}");
                }
            }
            assert_eq!(curve.name().parse(), Ok(curve));
        }
        assert!("tanh".parse::<Curve>().is_err());
        Ok(())
    }

    #[test]
    fn derivatives_are_those_of_the_values() -> Result<(), Box<dyn std::error::Error>> {
        for curve in Curve::ALL {
            for (s, c) in [(0.1, 0.5), (0.3, 1.7)] {
                for delta in [0.01, 0.3, 3.0] {
                    let value = |s: f64, c: f64| Skill::new(s, c).map(|skill| curve.of(skill).aversion(delta).value);
                    let h = 1e-6;
                    let by_s = (value(s + h * s, c)? - value(s - h * s, c)?) / (2.0 * h);
                    let by_c = (value(s, c + h * c)? - value(s, c - h * c)?) / (2.0 * h);
                    let found = curve.of(Skill::new(s, c)?).aversion(delta);
                    assert!((found.by_log_s - by_s).abs() < 1e-7 * by_s.abs().max(1.0), "{curve}: {found:?} {by_s}");
                    assert!((found.by_log_c - by_c).abs() < 1e-7 * by_c.abs().max(1.0), "{curve}: {found:?} {by_c}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn nothing_is_infinite() -> Result<(), Box<dyn std::error::Error>> {
        for curve in Curve::ALL {
            for (s, c) in [(1e-300, 50.0), (1e-12, 0.5), (0.1, 1e6), (1e6, 1e6)] {
                for delta in [1e-300, 1e-6, 0.1, 1e6, f64::INFINITY] {
                    let found = curve.of(Skill::new(s, c)?).aversion(delta);
                    assert!(found.value.is_finite() && found.value >= 0.0, "{curve} {s} {c} {delta}: {found:?}");
                    assert!(!found.by_log_s.is_nan() && !found.by_log_c.is_nan(), "{curve} {s} {c} {delta}: {found:?}");
                }
            }
        }
        // Small x: half of its square, which 1 - cosh would lose.
        assert!((log_cosh(1e-9) / 5e-19 - 1.0).abs() < 1e-12);
        Ok(())
    }
}
