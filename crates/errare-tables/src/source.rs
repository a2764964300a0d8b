//! Sources of values: our own tables, and those of other makers.

use crate::error::TableError;
use crate::library::Library;
use crate::material::{MAX_MEN, Material};
use crate::metric::Metric;
use crate::probe::{merit, through};
use crate::store::Table;
use crate::value::{Outcome, Value, WinnerMoves};
use shakmaty::{ByColor, Chess, Color, Move, Position};
use std::sync::Arc;

/// A source of values of positions.
pub trait Source: Send + Sync {
    /// Looks up the value of a position in a metric.
    ///
    /// # Errors
    /// If a table is missing or damaged, or if the source does not have this metric or so many men.
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError>;

    /// Looks up the values of several positions, such as those after each move of one.
    ///
    /// # Errors
    /// As [`value`](Source::value).
    fn values(&self, positions: &[Chess], metric: Metric) -> Result<Vec<Value>, TableError> {
        positions.iter().map(|position| self.value(position, metric)).collect()
    }

    /// Looks up the value of a position, and whether its depth is exact.
    ///
    /// # Errors
    /// As [`value`](Source::value).
    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        Ok(Reading { value: self.value(position, metric)?, is_rounded: false })
    }

    /// The metric to use where none is asked for.
    fn metric(&self) -> Metric {
        Metric::Dtm
    }

    /// The greatest depth of each side's wins, White being the side named first; none if that is not known without
    /// looking up the whole endgame. See [`deepest`](crate::deepest()).
    ///
    /// # Errors
    /// If a table is missing or damaged.
    fn known_deepest(&self, _material: Material, _metric: Metric) -> Result<Option<ByColor<WinnerMoves>>, TableError> {
        Ok(None)
    }

    /// The greatest number of men, kings included, that the source may have tables for.
    fn max_men(&self) -> usize {
        MAX_MEN
    }
}

/// A value as a source has it, which may be rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The value as the source has it.
    pub value: Value,
    /// Whether the true depth may be one ply more than that of the value.
    pub is_rounded: bool,
}

impl Source for Library {
    fn known_deepest(&self, material: Material, metric: Metric) -> Result<Option<ByColor<WinnerMoves>>, TableError> {
        let table = self.open(material, metric)?;
        let counts = &table.header().counts;
        let most = |winner: Color| {
            let won = Value { plies: counts.get(winner).max_win, ..Value::new(Outcome::Win, 0) };
            let lost = Value { plies: counts.get(winner.other()).max_loss, ..Value::new(Outcome::Loss, 0) };
            won.winner_moves(metric).max(lost.winner_moves(metric)).ok_or(TableError::NO_DEPTH)
        };
        Ok(Some(ByColor { white: most(Color::White)?, black: most(Color::Black)? }))
    }

    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        self.look_up(position, metric, &mut None)
    }

    fn values(&self, positions: &[Chess], metric: Metric) -> Result<Vec<Value>, TableError> {
        let mut last = None;
        positions.iter().map(|position| self.look_up(position, metric, &mut last)).collect()
    }
}

impl Library {
    /// Looks up the value of a position, in the last table used if that is the table of its endgame and metric.
    fn look_up(&self, position: &Chess, metric: Metric, last: &mut Option<Arc<Table>>) -> Result<Value, TableError> {
        let (material, swapped) = Material::of_board(position.board());
        if material.men() == 2 {
            return Ok(Value::DRAW);
        }
        let table = match last {
            Some(table) if table.material() == material => table,
            _ => last.insert(self.open(material, metric)?),
        };
        let value = table.value_oriented(position.board(), position.turn(), swapped)?;
        if position.legal_ep_square().is_some() { with_en_passant(self, position, metric, value) } else { Ok(value) }
    }
}

/// The value of a position in which a pawn may be captured en passant, given its value without that
/// right, which is all that tables hold.
fn with_en_passant(source: &dyn Source, position: &Chess, metric: Metric, without: Value) -> Result<Value, TableError> {
    let (captures, others): (Vec<Move>, Vec<Move>) =
        position.legal_moves().into_iter().partition(|mv| mv.is_en_passant());
    // A side without any other move is neither mated nor stalemated: it must capture.
    let mut best = (!others.is_empty()).then_some(without);
    for mv in captures {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let there = source.value(&after, metric)?;
        let value = through(Value { outcome: there.outcome.reversed(), ..there }, metric, true, true);
        best = best.into_iter().chain([value]).max_by_key(merit);
    }
    let best = best.ok_or(TableError::Internal("a position with an en passant square has no legal move"))?;
    match (metric, best.outcome) {
        // The depth of a cursed win or blessed loss is that without a move rule.
        (Metric::DtzRule(_), Outcome::CursedWin | Outcome::BlessedLoss) => {
            let plain = source.value(position, Metric::Dtz)?;
            Ok(Value { outcome: best.outcome, ..plain })
        }
        // The right to capture does not shorten the loser's phase.
        (Metric::Dtr, Outcome::Loss) if without.outcome == Outcome::Loss => {
            Ok(Value { phase: best.phase.max(without.phase), ..best })
        }
        _ => Ok(best),
    }
}
