//! Evaluations of moves, and what a difference between two is worth.

use schemars::JsonSchema;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An engine's evaluation of a move, from the side of the player to move. The better of two evaluations is the greater.
///
/// As text it is `31` or, for a mate, `#-3`; in JSON a number or the text of a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Number of moves to mate; the other side mates where it is negative or 0.
    Mate(i32),
}

impl Ord for Evaluation {
    fn cmp(&self, other: &Evaluation) -> Ordering {
        let rank = |evaluation: Evaluation| match evaluation {
            Evaluation::Mate(moves) if moves > 0 => (2, -i64::from(moves)),
            Evaluation::Centipawns(value) => (1, i64::from(value)),
            Evaluation::Mate(moves) => (0, -i64::from(moves)),
        };
        rank(*self).cmp(&rank(*other))
    }
}

impl PartialOrd for Evaluation {
    fn partial_cmp(&self, other: &Evaluation) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Centipawns(value) => write!(f, "{value}"),
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// The error of a text that is not an evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid evaluation `{0}`: expected centipawns, or `#3` for mate")]
pub struct EvaluationError(String);

impl FromStr for Evaluation {
    type Err = EvaluationError;

    fn from_str(text: &str) -> Result<Evaluation, EvaluationError> {
        let read = match text.strip_prefix('#') {
            Some(moves) => moves.parse().map(Evaluation::Mate),
            None => text.parse().map(Evaluation::Centipawns),
        };
        read.map_err(|_| EvaluationError(text.to_owned()))
    }
}

impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Evaluation::Centipawns(value) => serializer.serialize_i32(*value),
            Evaluation::Mate(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Evaluation, D::Error> {
        deserializer.deserialize_any(EvaluationVisitor)
    }
}

struct EvaluationVisitor;

impl Visitor<'_> for EvaluationVisitor {
    type Value = Evaluation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("centipawns, or `#3` for mate")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Evaluation, E> {
        let value = i32::try_from(value).map_err(|_| E::custom(EvaluationError(value.to_string())))?;
        Ok(Evaluation::Centipawns(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Evaluation, E> {
        let value = i32::try_from(value).map_err(|_| E::custom(EvaluationError(value.to_string())))?;
        Ok(Evaluation::Centipawns(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Evaluation, E> {
        // Centipawns are numbers in JSON.
        let mate = text.parse().ok().filter(|evaluation| matches!(evaluation, Evaluation::Mate(_)));
        mate.ok_or_else(|| E::custom(EvaluationError(text.to_owned())))
    }
}

/// The scale by which evaluations become losses, in pawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scale {
    /// The constant of the correction: a small step at evaluation z counts dz / (1 + a |z|). 0 corrects nothing.
    ///
    /// Regan and Haworth (2011) found that errors grow with the evaluation; their later work has a near 1.
    pub a: f64,
    /// The value of a mate in pawns; a longer mate is worth a little less.
    pub mate: f64,
    /// The greatest loss in pawns, after correction.
    pub cap: f64,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale { a: 1.0, mate: 100.0, cap: 10.0 }
    }
}

impl Scale {
    /// Converts an evaluation to pawns. Mates are beyond everything else.
    pub fn pawns(&self, evaluation: Evaluation) -> f64 {
        /// The room between the worst mate and the best other evaluation.
        const ROOM: f64 = 1.0;
        let mate = |moves: u32| self.mate - ROOM * f64::from(moves.min(1000)) / 1001.0;
        match evaluation {
            Evaluation::Centipawns(value) => (f64::from(value) / 100.0).clamp(-self.mate + ROOM, self.mate - ROOM),
            Evaluation::Mate(moves) if moves > 0 => mate(moves.unsigned_abs()),
            Evaluation::Mate(moves) => -mate(moves.unsigned_abs()),
        }
    }

    /// Corrects an evaluation in pawns: the integral of dz / (1 + a |z|) from 0.
    pub fn corrected(&self, pawns: f64) -> f64 {
        if self.a == 0.0 { pawns } else { ((self.a * pawns.abs()).ln_1p() / self.a).copysign(pawns) }
    }

    /// The loss by the worse of two moves, from their evaluations in pawns.
    pub fn loss(&self, best: f64, other: f64) -> f64 {
        (self.corrected(best) - self.corrected(other)).clamp(0.0, self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_the_integral_of_the_paper() {
        // From -0.75 to +0.50, in small steps.
        let scale = Scale { a: 1.7, ..Scale::default() };
        let steps = 1_000_000;
        let width = 1.25 / f64::from(steps);
        let at = |step: i32| -0.75 + (f64::from(step) + 0.5) * width;
        let sum: f64 = (0..steps).map(|step| width / (1.0 + 1.7 * at(step).abs())).sum();
        assert!((scale.loss(0.5, -0.75) - sum).abs() < 1e-9);
        assert_eq!(Scale { a: 0.0, ..scale }.loss(0.5, -0.75), 1.25);
        assert_eq!(Scale { a: 0.0, ..scale }.loss(50.0, -0.75), 10.0);
    }

    #[test]
    fn mates_are_beyond_everything_and_in_order() {
        let scale = Scale::default();
        let order = [
            Evaluation::Mate(1),
            Evaluation::Mate(2),
            Evaluation::Mate(5000),
            Evaluation::Centipawns(i32::MAX),
            Evaluation::Centipawns(100),
            Evaluation::Centipawns(i32::MIN),
            Evaluation::Mate(-900),
            Evaluation::Mate(-1),
            Evaluation::Mate(0),
        ];
        for pair in order.windows(2) {
            assert!(scale.pawns(pair[0]) > scale.pawns(pair[1]), "{pair:?}");
        }
        assert_eq!(scale.pawns(Evaluation::Centipawns(-123)), -1.23);
    }

    #[test]
    fn the_better_evaluation_is_the_greater_and_reads_as_it_is_written() {
        let order = [
            Evaluation::Mate(1),
            Evaluation::Mate(7),
            Evaluation::Centipawns(20_000),
            Evaluation::Centipawns(15_000),
            Evaluation::Centipawns(-1),
            Evaluation::Mate(-9),
            Evaluation::Mate(-1),
            Evaluation::Mate(0),
        ];
        assert!(order.is_sorted_by(|one, other| one > other));
        for evaluation in order {
            assert_eq!(evaluation.to_string().parse(), Ok(evaluation));
        }
        for text in ["", "#", "mate", "3.5", "99999999999", "# 3"] {
            assert!(text.parse::<Evaluation>().is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Evaluation>("\"31\"").is_err());
        assert_eq!(serde_json::from_str::<Evaluation>("31").ok(), Some(Evaluation::Centipawns(31)));
    }
}
