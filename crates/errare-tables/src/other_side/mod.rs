//! The side to move that a table does not store: its values follow from those of the stored side by one ply.
//!
//! Most moves in an endgame are *quiet*: they neither capture nor move a pawn, and lead to a cell of the same table with
//! the other side to move. The best of them usually gives the value of a position. Where it does not, because a capture or
//! a pawn move is better or there is no quiet move, the table stores the value itself, as an *exception*. So a table
//! alone is enough to have the values of both sides.
//!
//! Values are compared by their *ranks*, which are bytes: [`rows`] finds the best moves of 64 positions at once, [`cell`] those
//! of one position.

pub mod cell;
pub mod rows;
mod slides;

use crate::metric::Metric;
use crate::probe::{merit, through};
use crate::value::Value;

/// The rank of no value at all, which is below all others.
pub const NO_RANK: u8 = 0;

/// The values of a table, ranked: a greater rank is better for the side to move.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The rank of each symbol.
    of: [u8; 256],
    /// The rank that a quiet move gives to a position, by the symbol of the position after the move.
    after: [u8; 256],
    /// The symbol of each rank; none for ranks that no position of the table has.
    symbols: [Option<u8>; 256],
    /// The symbol of a cell that is not an exception.
    none: u8,
    /// The best rank.
    best: u8,
}

impl Ranks {
    /// Ranks the values of a table; none if they are too many for bytes, or if the metric does not make the value of a
    /// position the best of its moves.
    pub fn new(values: &[Value], metric: Metric) -> Option<Ranks> {
        match metric {
            Metric::Dtm | Metric::Dtc | Metric::Dtz => {}
            // The depth of a cursed win is that without a rule, and a phase of DTR depends on later ones.
            Metric::DtzRule(_) | Metric::Dtr => return None,
        }
        let none = u8::try_from(values.len()).ok()?;
        let quiet = |&there: &Value| {
            through(Value { outcome: there.outcome.reversed(), ..there }, metric, there.is_mate(), false)
        };
        let mut ranked: Vec<Value> = values.iter().copied().chain(values.iter().map(quiet)).collect();
        ranked.sort_by_key(merit);
        ranked.dedup();
        let best = u8::try_from(ranked.len()).ok()?;
        let mut ranks = Ranks { of: [NO_RANK; 256], after: [NO_RANK; 256], symbols: [None; 256], none, best };
        // Every value is among those that were sorted; what comes before it has lower ranks.
        let rank = |value: &Value| 1 + ranked.partition_point(|other| merit(other) < merit(value)) as u8;
        for (symbol, value) in values.iter().enumerate() {
            ranks.of[symbol] = rank(value);
            ranks.after[symbol] = rank(&quiet(value));
            ranks.symbols[usize::from(rank(value))] = Some(symbol as u8);
        }
        Some(ranks)
    }

    /// The symbol of a cell that is not an exception.
    pub fn none(&self) -> u8 {
        self.none
    }

    /// The rank of a symbol; [`NO_RANK`] for the symbol of a cell that is not an exception.
    #[inline(always)]
    pub fn of(&self, symbol: u8) -> u8 {
        self.of[usize::from(symbol)]
    }

    /// The rank of a position whose best move is a quiet one, by the symbol of the position after it.
    #[inline(always)]
    pub fn after(&self, symbol: u8) -> u8 {
        self.after[usize::from(symbol)]
    }

    /// The symbol of a rank; none for ranks that no position of the table has.
    #[inline(always)]
    pub fn symbol(&self, rank: u8) -> Option<u8> {
        self.symbols[usize::from(rank)]
    }

    /// The best rank that a position can have.
    pub fn best(&self) -> u8 {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Outcome;

    #[test]
    fn a_greater_rank_is_better_for_the_mover() {
        let value = |outcome, plies| Value::new(outcome, plies);
        let values = [
            Value::DRAW,
            value(Outcome::Loss, 0),
            value(Outcome::Loss, 6),
            value(Outcome::Win, 1),
            value(Outcome::Win, 7),
        ];
        let ranks = Ranks::new(&values, Metric::Dtz).expect("few values");
        let order: Vec<u8> = [1, 2, 0, 4, 3].map(|symbol| ranks.of(symbol)).to_vec();
        assert!(order.is_sorted_by(|a, b| a < b) && order[0] > NO_RANK, "{order:?}");
        assert_eq!(ranks.of(ranks.none()), NO_RANK);
        // A quiet move to a loss in six plies wins in seven; one that mates wins in one.
        assert_eq!(ranks.symbol(ranks.after(2)), Some(4));
        assert_eq!(ranks.symbol(ranks.after(1)), Some(3));
        // No position of the table is lost in eight.
        assert_eq!(ranks.symbol(ranks.after(4)), None);
        assert_eq!(ranks.best(), ranks.of(3));
        assert!(Ranks::new(&values, Metric::Dtr).is_none() && Ranks::new(&values, Metric::DtzRule(50)).is_none());
    }

    #[test]
    fn too_many_values_are_not_ranked() {
        let deep: Vec<Value> = (0..255).map(|plies| Value::new(Outcome::Win, plies)).collect();
        assert!(Ranks::new(&deep, Metric::Dtm).is_none());
        assert!(Ranks::new(&deep[..120], Metric::Dtm).is_some());
    }
}
