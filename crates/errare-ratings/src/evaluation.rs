//! Evaluations, and what a difference between two is worth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an engine says of a move, seen by the one to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; given by the other side where negative or 0.
    Mate(i32),
}

/// How evaluations are turned into losses, in pawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scale {
    /// The constant of the correction: a small step at evaluation z counts dz / (1 + a |z|). 0 corrects nothing.
    ///
    /// The paper found that errors grow with the evaluation; its authors' later work has a near 1.
    pub a: f64,
    /// What a mate is worth; one further off is worth a little less.
    pub mate: f64,
    /// No loss is greater, after correction.
    pub cap: f64,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale { a: 1.0, mate: 100.0, cap: 10.0 }
    }
}

impl Scale {
    /// In pawns. Mates are beyond everything else.
    pub fn pawns(&self, evaluation: Evaluation) -> f64 {
        /// Between the worst mate and the best other evaluation.
        const ROOM: f64 = 1.0;
        let mate = |moves: u32| self.mate - ROOM * f64::from(moves.min(1000)) / 1001.0;
        match evaluation {
            Evaluation::Centipawns(value) => (f64::from(value) / 100.0).clamp(-self.mate + ROOM, self.mate - ROOM),
            Evaluation::Mate(moves) if moves > 0 => mate(moves.unsigned_abs()),
            Evaluation::Mate(moves) => -mate(moves.unsigned_abs()),
        }
    }

    /// The corrected evaluation: the integral of dz / (1 + a |z|) from 0.
    pub fn corrected(&self, pawns: f64) -> f64 {
        if self.a == 0.0 { pawns } else { ((self.a * pawns.abs()).ln_1p() / self.a).copysign(pawns) }
    }

    /// What is lost by the worse of two moves, given in pawns.
    pub fn loss(&self, best: f64, other: f64) -> f64 {
        (self.corrected(best) - self.corrected(other)).clamp(0.0, self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_the_papers_integral() {
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
}
