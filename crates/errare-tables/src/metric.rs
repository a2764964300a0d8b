//! The metrics: what a depth counts.

use crate::material::Material;
use std::fmt;
use std::str::FromStr;

/// What a table's depths count the plies to. The winner minimises, the loser maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Mate.
    Dtm,
    /// Conversion: mate, capture or promotion that keeps the win.
    Dtc,
    /// The next zeroing move: mate, capture or pawn move that keeps the win.
    Dtz,
    /// As DTZ where the win can be had under a rule of so many moves; other wins are cursed.
    DtzRule(u16),
    /// The least number of plies that no phase needs to exceed.
    Dtr,
}

impl Metric {
    /// The metrics that every endgame can have, with the rule of chess.
    pub const ALL: [Metric; 5] = [Metric::Dtc, Metric::Dtm, Metric::Dtz, Metric::DtzRule(50), Metric::Dtr];

    /// The metric whose table answers for this one: without pawns conversions are zeroing moves.
    pub fn stored(self, material: Material) -> Metric {
        if self == Metric::Dtz && !material.has_pawns() { Metric::Dtc } else { self }
    }

    /// The plies a phase may last, for a metric that knows a move rule.
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

/// Why a text is no metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no metric: use dtm, dtc, dtz, dtr or dtz with a move rule from 1 to 9999, as dtz50")]
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
