//! The models of Regan and Haworth (2011): how the probability of a choice is related to that of the best.

use crate::omega::omega;
use std::fmt;
use std::str::FromStr;

/// A model r(p_i, p_0) = g(delta_i) that relates the probability of a choice to that of the best.
///
/// The models are those of Regan and Haworth (2011), section 3. With the *surprise* u_i = -ln p_i and the aversion
/// a_i = -ln g, each of them says that u_i = phi(z + a_i) for one increasing function phi and one level z, at which the
/// probabilities sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// p_i = p_0 g: phi(x) = x.
    Shares,
    /// p_i = p_0^(1/g): phi(x) = e^x.
    Powers,
    /// p_i log(1/p_0) = g p_0 log(1/p_i): phi is the inverse of u + ln u.
    Ratio,
}

/// A text that is not the name of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid model `{0}`: expected shares, powers or ratio")]
pub struct RelationError(String);

impl Relation {
    /// All three models.
    pub const ALL: [Relation; 3] = [Relation::Shares, Relation::Powers, Relation::Ratio];

    /// The name of the model.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Shares => "shares",
            Relation::Powers => "powers",
            Relation::Ratio => "ratio",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Relation {
    type Err = RelationError;

    fn from_str(text: &str) -> Result<Relation, RelationError> {
        let wanted = text.trim().to_ascii_lowercase();
        Relation::ALL
            .into_iter()
            .find(|relation| relation.name() == wanted)
            .ok_or_else(|| RelationError(text.to_owned()))
    }
}

/// The function phi of powers or ratio, relative to the second best choice: its surprise y is never far from 1, whereas
/// that of the best may underflow.
pub(crate) trait Link {
    /// The part of a choice's surprise that does not depend on y, given the gap from the second best's aversion.
    fn prepare(gap: f64) -> f64;

    /// The surprise u_i, given y and the prepared part.
    fn surprise(y: f64, prepared: f64) -> f64;

    /// The derivative phi' where phi is u.
    fn slope(u: f64) -> f64;

    /// The logarithm of the best choice's surprise, given the gap of its aversion below the second best's.
    fn log_best(y: f64, gap: f64) -> f64;
}

/// The link of [`Relation::Powers`].
pub(crate) struct Powers;

impl Link for Powers {
    fn prepare(gap: f64) -> f64 {
        gap.exp()
    }

    fn surprise(y: f64, prepared: f64) -> f64 {
        y * prepared
    }

    fn slope(u: f64) -> f64 {
        u
    }

    fn log_best(y: f64, gap: f64) -> f64 {
        y.ln() - gap
    }
}

/// The link of [`Relation::Ratio`].
pub(crate) struct Ratio;

impl Link for Ratio {
    fn prepare(gap: f64) -> f64 {
        gap
    }

    fn surprise(y: f64, prepared: f64) -> f64 {
        // omega(y + ln y) is y.
        if prepared == 0.0 { y } else { omega(y + y.ln() + prepared) }
    }

    fn slope(u: f64) -> f64 {
        u / (1.0 + u)
    }

    fn log_best(y: f64, gap: f64) -> f64 {
        let x = y + y.ln() - gap;
        x - omega(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for relation in Relation::ALL {
            assert_eq!(relation.name().parse(), Ok(relation));
        }
        assert!("share".parse::<Relation>().is_err());
    }
}
