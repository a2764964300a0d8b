//! The reliability of a calibration: where its range ends, and whether its mileposts are enough.

use crate::calibration::Calibration;
use crate::student::half_width;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Number of games that a milepost needs for its error to be counted by games.
pub(crate) const ENOUGH_GAMES: usize = 10;

/// Why the ratings by a calibration mean little.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Weakness {
    /// A milepost rests on fewer than ten games.
    FewGames {
        /// The Elo of the milepost with the fewest games.
        elo: f64,
        /// Number of games of that milepost.
        games: usize,
    },
    /// The joint model rests on too few games: the calibration's error is a good part of every rating's error.
    WideCalibration {
        /// The Elo in the middle of the calibration's range.
        elo: f64,
        /// The standard error that the calibration adds to ratings near this Elo.
        se: f64,
    },
    /// The 95% interval of the slope from expected loss to Elo contains 0: chance alone could have made the slope.
    UncertainTrend {
        /// Number of mileposts.
        mileposts: usize,
    },
}

/// Which ends of an interval of Elos lie outside the range of the calibration, so that they are extrapolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndsOutside {
    /// Whether the lower end is outside the range.
    pub low: bool,
    /// Whether the upper end is outside the range.
    pub high: bool,
}

impl EndsOutside {
    /// Compares both ends of an interval with a range of Elos.
    #[must_use]
    pub fn new((low, high): (f64, f64), (lowest, highest): (f64, f64)) -> EndsOutside {
        let is_outside = |elo: f64| !(lowest..=highest).contains(&elo);
        EndsOutside { low: is_outside(low), high: is_outside(high) }
    }

    /// Whether at least one end is outside the range.
    #[must_use]
    pub fn any(self) -> bool {
        self.low || self.high
    }
}

/// The standard error of the calibration from which on it is not small beside that of a few hundred turns.
const MAX_CALIBRATION_SE: f64 = 75.0;

impl fmt::Display for Weakness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Weakness::FewGames { elo, games } => {
                write!(
                    f,
                    "weak calibration: the milepost {elo} has {games} games, and at least {ENOUGH_GAMES} are needed"
                )
            }
            Weakness::WideCalibration { elo, se } => write!(
                f,
                "weak calibration: it adds a standard error of {se:.0} points to ratings near {elo:.0}; more games of players \
                 of known Elo make that less"
            ),
            Weakness::UncertainTrend { mileposts } => write!(
                f,
                "weak calibration: its {mileposts} mileposts do not show beyond chance that players of higher Elo lose \
                 less (the 95% interval of the slope contains 0)"
            ),
        }
    }
}

impl Calibration {
    /// The range of Elos of the calibration: those of the joint model's turns, or else from the lowest to the highest
    /// milepost.
    pub fn range(&self) -> (f64, f64) {
        if let Some(joint) = &self.joint {
            return joint.range;
        }
        let elos = self.mileposts.iter().map(|milepost| milepost.elo);
        elos.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), elo| (low.min(elo), high.max(elo)))
    }

    /// Whether an Elo is outside the range of the calibration, so that it rests on extrapolation.
    pub fn is_outside_range(&self, elo: f64) -> bool {
        let (low, high) = self.range();
        !(low..=high).contains(&elo)
    }

    /// Compares both ends of an interval of Elos with the range of the calibration.
    pub fn ends_outside_range(&self, interval: (f64, f64)) -> EndsOutside {
        EndsOutside::new(interval, self.range())
    }

    /// Lists why ratings by this calibration mean little; nothing if it is good enough.
    pub fn weaknesses(&self) -> Vec<Weakness> {
        if let Some(joint) = &self.joint {
            let (low, high) = joint.range;
            let middle = 0.5 * (low + high);
            let se = joint.precision_at(middle).calibration_se;
            return if se > MAX_CALIBRATION_SE {
                vec![Weakness::WideCalibration { elo: middle, se }]
            } else {
                Vec::new()
            };
        }
        let mut found = Vec::new();
        if let Some(least) = self.mileposts.iter().min_by_key(|milepost| milepost.games)
            && least.games < ENOUGH_GAMES
        {
            found.push(Weakness::FewGames { elo: least.elo, games: least.games });
        }
        let line = &self.skill_curve.elo_line;
        let freedom = line.points.saturating_sub(2).max(1) as f64;
        if line.slope.abs() * line.spread_x.sqrt() <= half_width(freedom) * line.scatter {
            found.push(Weakness::UncertainTrend { mileposts: line.points });
        }
        found
    }
}
