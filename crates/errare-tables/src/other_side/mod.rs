//! The side to move that a table does not store: its values follow from those of the stored side by one ply.
//!
//! Most moves in an endgame are *quiet*: they neither capture nor move a pawn, and lead to a cell of the same table with
//! the other side to move. The best of them usually gives the value of a position. What captures and pawn moves lead to is
//! *guessed*, by rules that are part of the table. Where the two do not give the value of a position, the table stores
//! the value itself, as an *exception*. So a table alone is enough to have the values of both sides.
//!
//! Values are compared by their *ranks*, which are bytes: [`rows`] finds the best moves of 64 positions at once, [`cell`] those
//! of one position.

pub mod cell;
pub mod guess;
pub mod rows;
mod slides;

use self::guess::{Guess, Guessed};
use crate::metric::Metric;
use crate::probe::{merit, through};
use crate::value::{Outcome, Value};
use crate::words::Bits;

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
    /// The ranks of positions that are decided by a capture or a pawn move.
    zeroing: ZeroingRanks,
}

/// The ranks of positions that are decided by a capture or a pawn move.
#[derive(Clone, Copy, Debug)]
struct ZeroingRanks {
    loss: u8,
    draw: u8,
    win: u8,
    /// The least rank that is a win.
    least_win: u8,
}

impl Ranks {
    /// Whether values in a metric can be ranked, since the value of a position is the best of its moves.
    pub fn are_for(metric: Metric) -> bool {
        match metric {
            Metric::Dtm | Metric::Dtc | Metric::Dtz => true,
            // The depth of a cursed win is that without a rule, and a phase of DTR depends on later ones.
            Metric::DtzRule(_) | Metric::Dtr => false,
        }
    }

    /// Ranks the values of a table; none if the values are too many for bytes, or cannot be ranked.
    pub fn new(values: &[Value], metric: Metric) -> Option<Ranks> {
        if !Ranks::are_for(metric) {
            return None;
        }
        let none = u8::try_from(values.len()).ok()?;
        let quiet = |&there: &Value| {
            through(Value { outcome: there.outcome.reversed(), ..there }, metric, there.is_mate(), false)
        };
        let mut ranked: Vec<Value> = values.iter().copied().chain(values.iter().map(quiet)).collect();
        ranked.sort_by_key(merit);
        ranked.dedup();
        u8::try_from(ranked.len()).ok()?;
        // What comes before a value has lower ranks.
        let least = |value: &Value| 1 + ranked.partition_point(|other| merit(other) < merit(value)) as u8;
        let rank = |value: &Value| if ranked.contains(value) { least(value) } else { NO_RANK };
        let zeroing = ZeroingRanks {
            loss: rank(&Value::new(Outcome::Loss, 1)),
            draw: rank(&Value::DRAW),
            win: rank(&Value::new(Outcome::Win, 1)),
            least_win: least(&Value::new(Outcome::Win, u16::MAX)),
        };
        let mut ranks = Ranks { of: [NO_RANK; 256], after: [NO_RANK; 256], symbols: [None; 256], none, zeroing };
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

    /// The rank of a position by its best quiet move and by what is guessed of its other moves.
    #[inline(always)]
    pub fn with_guess(&self, quiet: u8, guess: Guess) -> u8 {
        quiet.max(match guess {
            Guess::Loss => self.zeroing.loss,
            Guess::Draw => self.zeroing.draw,
            Guess::Win => self.zeroing.win,
            Guess::AsQuiet if quiet >= self.zeroing.least_win => self.zeroing.win,
            Guess::AsQuiet => NO_RANK,
        })
    }

    /// Raises the ranks of a word's best quiet moves by what is guessed of the other moves.
    #[inline(always)]
    pub fn add_guesses(&self, quiet: &[u8; 64], guessed: &Guessed) -> [u8; 64] {
        let mut best = *quiet;
        for (guess, bits) in guessed.each() {
            for bit in Bits(bits) {
                let (rank, quiet) = (&mut best[usize::from(bit & 63)], quiet[usize::from(bit & 63)]);
                *rank = (*rank).max(self.with_guess(quiet, guess));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(Ranks::new(&values, Metric::Dtr).is_none() && Ranks::new(&values, Metric::DtzRule(50)).is_none());
    }

    #[test]
    fn too_many_values_are_not_ranked() {
        let deep: Vec<Value> = (0..255).map(|plies| Value::new(Outcome::Win, plies)).collect();
        assert!(Ranks::new(&deep, Metric::Dtm).is_none());
        assert!(Ranks::new(&deep[..120], Metric::Dtm).is_some());
    }
}
