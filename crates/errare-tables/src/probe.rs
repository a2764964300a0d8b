//! Probing: the value of a position and of each of its moves, best first.

use crate::error::TableError;
use crate::metric::Metric;
use crate::source::Source;
use crate::stalemate::is_stalemate;
use crate::survey::Arrival;
use crate::value::{Outcome, Plies, Value};
use shakmaty::{Chess, Move, Position};

/// A legal move and the position it leads to.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The move that is played.
    pub mv: Move,
    /// The value of the position after the move, its outcome seen from the mover's side.
    pub value: Value,
    /// Whether the move ends the phase: a capture, a pawn move or mate.
    pub zeroing: bool,
    /// Whether the move changes the material.
    pub converting: bool,
    /// Whether the move stalemates the other side.
    pub stalemate: bool,
    /// The value of the position before the move if this move is played.
    pub through: Value,
}

impl Successor {
    /// Describes the position after the move, without the move itself.
    pub fn arrival(&self) -> Arrival {
        Arrival { value: self.value, zeroing: self.zeroing, converting: self.converting, stalemate: self.stalemate }
    }

    /// The value by which the metric ranks the move among the others; see [`Arrival::ranked`].
    pub fn ranked(&self, metric: Metric) -> Value {
        self.arrival().ranked(metric)
    }
}

impl Arrival {
    /// The value by which the metric ranks a move that leads here among the other moves of a position.
    ///
    /// This is the value of the position before the move if the move is played, except under DTR. There moves are ranked
    /// by the depth of the position they lead to (Haworth 2000, section 6.1), and then by the plies to the end of the
    /// phase. A move that lowers DTR may make this phase longer, and its DTR through the move is then no less than
    /// that of moves which make no progress; a winner who ranked by it could go round in circles.
    pub fn ranked(&self, metric: Metric) -> Value {
        let through = through(self.value, metric, self.zeroing, self.converting);
        if metric == Metric::Dtr { Value { plies: self.value.plies, ..through } } else { through }
    }
}

/// The values of a position and of its moves.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The value of the position.
    pub value: Value,
    /// All legal moves, best first by the metric.
    pub successors: Vec<Successor>,
    /// Whether the depth of the position or of one after it may be one ply more than its value says.
    pub is_rounded: bool,
}

/// Looks up a position and all its successors.
///
/// # Errors
/// If a table is missing or damaged, or if the source does not have this metric or so many men.
pub fn probe(source: &dyn Source, position: &Chess, metric: Metric) -> Result<Probe, TableError> {
    let reading = source.reading(position, metric)?;
    let mut is_rounded = reading.is_rounded;
    let mut successors = successors_by(position, metric, |positions| {
        let value = |after: &Chess| {
            let reading = source.reading(after, metric)?;
            is_rounded |= reading.is_rounded;
            Ok(reading.value)
        };
        positions.iter().map(value).collect()
    })?;
    successors.sort_by_key(|successor| std::cmp::Reverse(merit(&successor.ranked(metric))));
    Ok(Probe { value: reading.value, successors, is_rounded })
}

/// Looks up the successors of a position, for all legal moves in the generator's order.
///
/// # Errors
/// As [`probe`](probe()).
pub fn successors(source: &dyn Source, position: &Chess, metric: Metric) -> Result<Vec<Successor>, TableError> {
    successors_by(position, metric, |positions| source.values(positions, metric))
}

/// Describes the successors of a position, given a source of the values after each move.
fn successors_by(
    position: &Chess,
    metric: Metric,
    values: impl FnOnce(&[Chess]) -> Result<Vec<Value>, TableError>,
) -> Result<Vec<Successor>, TableError> {
    let legal = position.legal_moves();
    let after = |mv: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        after
    };
    let positions: Vec<Chess> = legal.iter().map(after).collect();
    let successor = |((&mv, after), there): ((&Move, &Chess), Value)| {
        let value = Value { outcome: there.outcome.reversed(), ..there };
        // Mate ends the phase like a zeroing move.
        let zeroing = mv.is_zeroing() || there.is_mate();
        let converting = mv.is_capture() || mv.is_promotion();
        let stalemate = there.outcome == Outcome::Draw && is_stalemate(after);
        let through = through(value, metric, zeroing, converting);
        Successor { mv, value, zeroing, converting, stalemate, through }
    };
    Ok(legal.iter().zip(&positions).zip(values(&positions)?).map(successor).collect())
}

/// The value that a move gives the position it is played in, given the value after the move.
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
        // A quiet move adds a ply to the phase, which the depth must cover too.
        Metric::Dtr => (depth.max(phase + 1), phase + 1),
    };
    let outcome = match (after.outcome, metric.rule_plies()) {
        (Outcome::Win, Some(rule)) if depth > rule => Outcome::CursedWin,
        (Outcome::Loss, Some(rule)) if depth > rule => Outcome::BlessedLoss,
        (outcome, _) => outcome,
    };
    Value { outcome, plies: Plies(depth), phase: Plies(phase) }
}

/// A key by which values can be compared: greater is better for the mover, who wins soon and loses late.
pub(crate) fn merit(value: &Value) -> (Outcome, i32, i32) {
    let (depth, phase) = (i32::from(value.plies.0), i32::from(value.phase.0));
    let sign = if value.outcome.is_win() { -1 } else { 1 };
    (value.outcome, sign * depth, sign * phase)
}
