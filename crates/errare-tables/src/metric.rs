//! The metrics of tables: what a depth counts.

use crate::material::Material;
use errare_work::did_you_mean;
use std::fmt;
use std::str::FromStr;

/// The metric of a table: the event to which its depths count plies. The winner minimises, the loser maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Depth to mate.
    Dtm,
    /// Depth to conversion: mate, or a capture or promotion that keeps the win.
    Dtc,
    /// Depth to the next zeroing move: mate, or a capture or pawn move that keeps the win.
    Dtz,
    /// DTZ under a rule of this many moves, such as the 50-move rule; wins that the rule prevents are cursed.
    DtzRule(u16),
    /// Depth by the rule: the least number of plies that no phase needs to exceed.
    Dtr,
}

impl Metric {
    /// All metrics, with the 50-move rule as the only move rule.
    pub const ALL: [Metric; 5] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::DtzRule(50), Metric::Dtr];

    /// The metric of the table file for this metric: DTZ without pawns is DTC, since all zeroing moves are conversions.
    pub fn stored(self, material: Material) -> Metric {
        if self == Metric::Dtz && !material.has_pawns() { Metric::Dtc } else { self }
    }

    /// The number of plies that a phase may last under the metric's move rule; none without a rule.
    pub fn rule_plies(self) -> Option<u16> {
        match self {
            Metric::DtzRule(moves) => Some(moves.saturating_mul(2)),
            _ => None,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Metric::Dtm => f.pad("dtm"),
            Metric::Dtc => f.pad("dtc"),
            Metric::Dtz => f.pad("dtz"),
            Metric::DtzRule(moves) => f.pad(&format!("dtz{moves}")),
            Metric::Dtr => f.pad("dtr"),
        }
    }
}

/// A text that is not a valid metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid metric `{0}`: expected dtm, dtc, dtz, dtr, or dtz with a move rule from 1 to 9999 as in dtz50{near}",
    near = did_you_mean(.0, Metric::ALL.map(|metric| metric.to_string()))
)]
pub struct MetricError(String);

impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(text: &str) -> Result<Metric, MetricError> {
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "dtm" => Ok(Metric::Dtm),
            "dtc" => Ok(Metric::Dtc),
            "dtz" => Ok(Metric::Dtz),
            "dtr" => Ok(Metric::Dtr),
            other => other
                .strip_prefix("dtz")
                .filter(|moves| moves.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|moves| moves.parse().ok())
                .filter(|moves| (1..=9999).contains(moves))
                .map(Metric::DtzRule)
                .ok_or_else(|| MetricError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metric_that_was_meant_is_suggested() {
        let refused = |text: &str| text.parse::<Metric>().map_err(|error| error.to_string()).err().unwrap_or_default();
        assert!(refused("dmt").ends_with("as in dtz50; did you mean dtm?"), "{}", refused("dmt"));
        assert!(refused("dtz5O").ends_with("; did you mean dtz50?"), "{}", refused("dtz5O"));
        assert!(refused("dtx").ends_with("as in dtz50"), "several are as near: {}", refused("dtx"));
    }
}
