//! Probing: a position's value and that of every move, best first.

use crate::error::TableError;
use crate::metric::Metric;
use crate::source::Source;
use crate::survey::Arrival;
use crate::value::{Outcome, Plies, Value};
use shakmaty::{Chess, Move, Position};

/// A legal move and the position it leads to.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The move.
    pub mv: Move,
    /// The value of the position after it, its outcome seen from the mover's side.
    pub value: Value,
    /// Whether the move ends the phase: a capture, a pawn move or mate.
    pub zeroing: bool,
    /// Whether the move changes the material.
    pub converting: bool,
    /// Whether the move leaves the other side without a move, and not in check.
    pub stalemate: bool,
    /// What the move makes of the position it is played in.
    pub through: Value,
}

impl Successor {
    /// The same without the move.
    pub fn arrival(&self) -> Arrival {
        Arrival { value: self.value, zeroing: self.zeroing, converting: self.converting, stalemate: self.stalemate }
    }
}

/// A position and its moves.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The value of the position.
    pub value: Value,
    /// All legal moves, best first by the metric.
    pub successors: Vec<Successor>,
}

/// Looks a position and all its successors up.
pub fn probe(source: &dyn Source, position: &Chess, metric: Metric) -> Result<Probe, TableError> {
    let value = source.value(position, metric)?;
    let mut successors = successors(source, position, metric)?;
    successors.sort_by_key(|successor| std::cmp::Reverse(merit(&successor.through)));
    Ok(Probe { value, successors })
}

/// All legal moves in the generator's order.
pub fn successors(source: &dyn Source, position: &Chess, metric: Metric) -> Result<Vec<Successor>, TableError> {
    let legal = position.legal_moves();
    let after = |mv: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        after
    };
    let positions: Vec<Chess> = legal.iter().map(after).collect();
    let successor = |((mv, after), there): ((Move, &Chess), Value)| {
        let value = Value { outcome: there.outcome.reversed(), ..there };
        // Mate leaves nothing to count and needs no flag of its own.
        let zeroing = mv.is_zeroing() || there.is_mate();
        let converting = mv.is_capture() || mv.is_promotion();
        let stalemate = there.outcome == Outcome::Draw && after.is_stalemate();
        let through = through(value, metric, zeroing, converting);
        Successor { mv, value, zeroing, converting, stalemate, through }
    };
    Ok(legal.into_iter().zip(&positions).zip(source.values(&positions, metric)?).map(successor).collect())
}

/// The depth a move gives the position it is played in, given the value after it.
pub(crate) fn through(after: Value, metric: Metric, zeroing: bool, converting: bool) -> Value {
    let Plies(depth) = after.plies;
    let Plies(phase) = after.phase;
    let (depth, phase) = match metric {
        _ if after.outcome == Outcome::Draw => (0, 0),
        Metric::Dtm => (depth + 1, depth + 1),
        Metric::Dtc if converting => (1, 1),
        Metric::Dtz | Metric::DtzRule(_) if zeroing => (1, 1),
        Metric::Dtc | Metric::Dtz | Metric::DtzRule(_) => (depth + 1, depth + 1),
        Metric::Dtr if zeroing => (depth.max(1), 1),
        // A quiet move adds a ply to the phase; the rule must allow that too.
        Metric::Dtr => (depth.max(phase + 1), phase + 1),
    };
    let outcome = match (after.outcome, metric.rule_plies()) {
        (Outcome::Win, Some(rule)) if depth > rule => Outcome::CursedWin,
        (Outcome::Loss, Some(rule)) if depth > rule => Outcome::BlessedLoss,
        (outcome, _) => outcome,
    };
    Value { outcome, plies: Plies(depth), phase: Plies(phase) }
}

/// Greater is better for the mover: win soon, lose late.
pub(crate) fn merit(value: &Value) -> (Outcome, i32, i32) {
    let (depth, phase) = (i32::from(value.plies.0), i32::from(value.phase.0));
    let sign = if value.outcome.is_win() { -1 } else { 1 };
    (value.outcome, sign * depth, sign * phase)
}
