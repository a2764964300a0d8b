//! Where values come from.

use crate::error::TableError;
use crate::library::Library;
use crate::material::{MAX_MEN, Material};
use crate::metric::Metric;
use crate::probe::{merit, through};
use crate::store::Table;
use crate::value::{Outcome, Value, WinnerMoves};
use shakmaty::{ByColor, Chess, Color, Move, Position};
use std::sync::Arc;

/// Something that knows the values of positions.
pub trait Source: Send + Sync {
    /// The value of a position in a metric.
    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError>;

    /// The values of several positions, such as those after each move of one.
    fn values(&self, positions: &[Chess], metric: Metric) -> Result<Vec<Value>, TableError> {
        positions.iter().map(|position| self.value(position, metric)).collect()
    }

    /// The value, and whether its depth is exact.
    fn reading(&self, position: &Chess, metric: Metric) -> Result<Reading, TableError> {
        Ok(Reading { value: self.value(position, metric)?, is_rounded: false })
    }

    /// What to ask for where nothing else is asked for.
    fn metric(&self) -> Metric {
        Metric::Dtm
    }

    /// The most moves that the wins of either side take, White being the side named first; none if that is not known
    /// without going through the whole endgame. See [`deepest`](crate::deepest()).
    fn known_deepest(&self, _material: Material, _metric: Metric) -> Result<Option<ByColor<WinnerMoves>>, TableError> {
        Ok(None)
    }

    /// The most men, kings included, that any of its tables may have.
    fn most_men(&self) -> usize {
        MAX_MEN
    }
}

/// A value as a source has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The value.
    pub value: Value,
    /// Whether the depth may be one ply more than the value says.
    pub is_rounded: bool,
}

impl Source for Library {
    fn known_deepest(&self, material: Material, metric: Metric) -> Result<Option<ByColor<WinnerMoves>>, TableError> {
        let table = self.open(material, metric)?;
        let counts = &table.header().counts;
        let most = |winner: Color| {
            let won = Value { plies: counts.get(winner).max_win, ..Value::new(Outcome::Win, 0) };
            let lost = Value { plies: counts.get(winner.other()).max_loss, ..Value::new(Outcome::Loss, 0) };
            won.winner_moves(metric).max(lost.winner_moves(metric)).unwrap_or(WinnerMoves(0))
        };
        Ok(Some(ByColor { white: most(Color::White), black: most(Color::Black) }))
    }

    fn value(&self, position: &Chess, metric: Metric) -> Result<Value, TableError> {
        self.look_up(position, metric, &mut None)
    }

    fn values(&self, positions: &[Chess], metric: Metric) -> Result<Vec<Value>, TableError> {
        let mut at_hand = None;
        positions.iter().map(|position| self.look_up(position, metric, &mut at_hand)).collect()
    }
}

impl Library {
    /// The value of a position, by the table at hand if that is the right one.
    fn look_up(&self, position: &Chess, metric: Metric, at_hand: &mut Option<Arc<Table>>) -> Result<Value, TableError> {
        let (material, swapped) = Material::of_board(position.board());
        if material.men() == 2 {
            return Ok(Value::DRAW);
        }
        let table = match at_hand {
            Some(table) if table.material() == material => table,
            _ => at_hand.insert(self.open(material, metric)?),
        };
        let missing = || TableError::Missing { material, metric, path: self.path(material, metric) };
        let value = table.value_oriented(position.board(), position.turn(), swapped)?.ok_or_else(missing)?;
        if position.legal_ep_square().is_some() { with_en_passant(self, position, metric, value) } else { Ok(value) }
    }
}

/// The value of a position in which a pawn may be taken en passant, given its value without that
/// right, which is all that tables hold.
fn with_en_passant(source: &dyn Source, position: &Chess, metric: Metric, without: Value) -> Result<Value, TableError> {
    let (captures, others): (Vec<Move>, Vec<Move>) =
        position.legal_moves().into_iter().partition(|mv| mv.is_en_passant());
    // Whoever has no other move is neither mated nor stalemated: he takes.
    let mut best = (!others.is_empty()).then_some(without);
    for mv in captures {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let there = source.value(&after, metric)?;
        let value = through(Value { outcome: there.outcome.reversed(), ..there }, metric, true, true);
        best = best.into_iter().chain([value]).max_by_key(merit);
    }
    let best = best.unwrap_or(without);
    match (metric, best.outcome) {
        // The plain depth of what the rule spoils.
        (Metric::DtzRule(_), Outcome::CursedWin | Outcome::BlessedLoss) => {
            let plain = source.value(position, Metric::Dtz)?;
            Ok(Value { outcome: best.outcome, ..plain })
        }
        // A loser who may take has no shorter a phase for it.
        (Metric::Dtr, Outcome::Loss) if without.outcome == Outcome::Loss => {
            Ok(Value { phase: best.phase.max(without.phase), ..best })
        }
        _ => Ok(best),
    }
}
