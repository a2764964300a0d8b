//! Comparing one of our tables with another source, position by position.

use crate::address::Address;
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::extent::Extent;
use crate::legality::legal;
use crate::position::from_setup;
use crate::source::{Reading, Source};
use crate::store::Table;
use crate::value::{Outcome, Plies, Value};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::Chess;
use std::sync::atomic::{AtomicU64, Ordering};

/// The result of a comparison. Every position is counted once, up to the symmetries of the board.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Number of positions with the same value in our table and in the other source. Cursed wins agree if the depths
    /// are equal, or if the other source's depth is greater by the length of the move rule: see
    /// [`Syzygy`](crate::Syzygy).
    pub agreeing: u64,
    /// Number of positions whose depths differ by the one ply that the other source's rounding leaves open.
    pub rounded: u64,
    /// Number of cursed wins and blessed losses whose depths lie between the two ways of counting: the winner can
    /// choose between a phase that takes too long and a later one that does. Our tables count to the next zeroing move.
    pub between: u64,
    /// Number of positions with different values.
    pub disagreeing: u64,
    /// The first positions with different values, in the table's order.
    pub differences: Vec<Difference>,
}

impl Comparison {
    /// The number of positions compared.
    pub fn compared(&self) -> u64 {
        self.agreeing + self.rounded + self.between + self.disagreeing
    }

    fn then(mut self, later: Comparison, limit: usize) -> Comparison {
        self.agreeing += later.agreeing;
        self.rounded += later.rounded;
        self.between += later.between;
        self.disagreeing += later.disagreeing;
        self.differences.extend(later.differences);
        self.differences.truncate(limit);
        self
    }
}

/// A position with different values in two sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position as a FEN.
    pub fen: String,
    /// The value in our table.
    pub ours: Value,
    /// The value in the other source.
    pub theirs: Value,
}

/// Compares entries of a table with the values of another source, in the table's metric. At most `limit` differences
/// are listed.
///
/// # Errors
/// If a table of either side is missing or damaged, or the work is cancelled.
pub fn compare(
    table: &Table,
    source: &dyn Source,
    extent: Extent,
    limit: usize,
    progress: &dyn Progress,
) -> Result<Comparison, TableError> {
    const BATCH: u64 = 1024;
    let activity = format!("comparing {}", table.material());
    let cells = Address::count(table.layout());
    let (total, nth_cell) = (extent.total(cells), extent.in_order(cells));
    let census = Census::new(table.layout(), Counting::Once);
    let done = AtomicU64::new(0);
    let batch = |batch: u64| {
        progress.proceed()?;
        let mut found = Comparison::default();
        let range = batch * BATCH..total.min((batch + 1) * BATCH);
        let count = range.end - range.start;
        for n in range {
            let Some((address, position)) = position_at(table, &census, nth_cell(n))? else { continue };
            let ours = table.value_at(address)?;
            let theirs = source.reading(&position, table.metric())?;
            match judge(ours, theirs, table.metric().rule_plies()) {
                Agreement::Agrees => found.agreeing += 1,
                Agreement::Rounded => found.rounded += 1,
                Agreement::Between => found.between += 1,
                Agreement::Disagrees => {
                    found.disagreeing += 1;
                    if found.differences.len() < limit {
                        let fen = address.fen(table.layout())?;
                        found.differences.push(Difference { fen, ours, theirs: theirs.value });
                    }
                }
            }
        }
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        progress.report(&Status::new(&activity, "placements").at(done, total));
        Ok(found)
    };
    let batches = (0..total.div_ceil(BATCH)).into_par_iter();
    batches.map(batch).try_reduce(Comparison::default, |a, b| Ok(a.then(b, limit)))
}

/// The position of a cell; `None` if the placement is not legal, or if another cell stands for the same position. No
/// table has the positions in which a pawn can be captured en passant.
fn position_at(table: &Table, census: &Census<'_>, cell: u64) -> Result<Option<(Address, Chess)>, TableError> {
    let layout = table.layout();
    let address = Address::nth(layout, cell);
    let Address { turn, slice, word, bit } = address;
    if legal(layout, slice, turn, word) >> bit & 1 == 0 || !census.is_first(slice, word, bit) {
        return Ok(None);
    }
    let illegal = |_| TableError::Internal("a table holds a position that is not legal");
    let position = from_setup(address.setup(layout)).map_err(illegal)?;
    Ok(Some((address, position)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Agreement {
    Agrees,
    Rounded,
    Between,
    Disagrees,
}

fn judge(ours: Value, theirs: Reading, rule: Option<u16>) -> Agreement {
    let Reading { value, is_rounded } = theirs;
    if ours.outcome != value.outcome {
        return Agreement::Disagrees;
    }
    let (Plies(ours), Plies(theirs)) = (ours.plies, value.plies);
    let most = match (value.outcome, rule) {
        (Outcome::CursedWin | Outcome::BlessedLoss, Some(rule)) => ours.saturating_add(rule),
        _ => ours,
    };
    let meant = theirs.saturating_add(u16::from(is_rounded));
    if theirs == ours || theirs == most {
        Agreement::Agrees
    } else if meant == ours || meant == most {
        Agreement::Rounded
    } else if (ours..most).contains(&theirs) {
        Agreement::Between
    } else {
        Agreement::Disagrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(ours: (Outcome, u16), theirs: (Outcome, u16), is_rounded: bool) -> Agreement {
        let value = |(outcome, plies)| Value::new(outcome, plies);
        judge(value(ours), Reading { value: value(theirs), is_rounded }, Some(100))
    }

    #[test]
    fn only_the_ply_left_open_is_forgiven() {
        let win = |plies| (Outcome::Win, plies);
        assert_eq!(judged(win(7), win(7), false), Agreement::Agrees);
        assert_eq!(judged(win(7), win(6), true), Agreement::Rounded);
        assert_eq!(judged(win(7), win(6), false), Agreement::Disagrees);
        assert_eq!(judged(win(7), win(8), true), Agreement::Disagrees);
        assert_eq!(judged(win(7), win(5), true), Agreement::Disagrees);
        assert_eq!(judged(win(107), win(7), true), Agreement::Disagrees);
        assert_eq!(judged(win(7), (Outcome::CursedWin, 7), true), Agreement::Disagrees);
        assert_eq!(judged((Outcome::Draw, 0), (Outcome::Loss, 0), true), Agreement::Disagrees);
    }

    #[test]
    fn a_cursed_win_may_count_the_rule_too() {
        let cursed = |plies| (Outcome::CursedWin, plies);
        for (theirs, exact, rounded) in [
            (18, Agreement::Disagrees, Agreement::Disagrees),
            (19, Agreement::Disagrees, Agreement::Rounded),
            (20, Agreement::Agrees, Agreement::Agrees),
            (109, Agreement::Between, Agreement::Between),
            (119, Agreement::Between, Agreement::Rounded),
            (120, Agreement::Agrees, Agreement::Agrees),
            (121, Agreement::Disagrees, Agreement::Disagrees),
        ] {
            assert_eq!(judged(cursed(20), cursed(theirs), false), exact, "{theirs}");
            assert_eq!(judged(cursed(20), cursed(theirs), true), rounded, "{theirs}");
        }
    }
}
