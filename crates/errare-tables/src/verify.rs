//! Verifying a table against the rules of chess: every entry follows from its successors, whose moves are made by
//! shakmaty, which shares no code with the solver.

use crate::address::Address;
use crate::error::TableError;
use crate::extent::Extent;
use crate::legality::legal;
use crate::library::Library;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::probe::{merit, successors};
use crate::source::Source;
use crate::store::Table;
use crate::value::{Outcome, Plies, Value};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position, Setup};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// An entry that differs from the value that follows from its successors.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The position as a FEN.
    pub fen: String,
    /// The value in the table; `None` if the placement is illegal according to the table.
    pub stored: Option<Value>,
    /// The value that follows from the successors; `None` if the placement is illegal.
    pub expected: Option<Value>,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Number of legal positions whose entries were recomputed.
    pub checked: u64,
    /// The first disagreement found, in the table's order.
    pub disagreement: Option<Disagreement>,
}

/// Recomputes entries of a table from their successors.
///
/// # Errors
/// If a table that the moves lead to is missing or damaged, or the work is cancelled.
pub fn verify(
    library: &Library,
    table: &Table,
    extent: Extent,
    progress: &dyn Progress,
) -> Result<Verification, TableError> {
    const BATCH: u64 = 1024;
    let activity = format!("verifying {} to {}", table.material(), table.metric());
    let cells = Address::count(table.layout());
    let (total, nth_cell) = (extent.total(cells), extent.in_order(cells));
    let (checked, done, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let batches = (0..total.div_ceil(BATCH)).into_par_iter();
    let first = batches
        .map(|batch| -> Result<Option<(u64, Disagreement)>, TableError> {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            progress.proceed()?;
            let range = batch * BATCH..total.min((batch + 1) * BATCH);
            let count = range.end - range.start;
            for index in range {
                let cell = nth_cell(index);
                match check(library, table, Address::nth(table.layout(), cell))? {
                    Checked::Position => _ = checked.fetch_add(1, Ordering::Relaxed),
                    Checked::Broken => {}
                    Checked::Wrong(disagreement) => {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(Some((cell, disagreement)));
                    }
                }
            }
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            progress.report(&Status::new(&activity, "placements").at(done, total));
            Ok(None)
        })
        .try_reduce(
            || None,
            |a: Option<(u64, Disagreement)>, b| {
                Ok(match (a, b) {
                    (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
                    (a, b) => a.or(b),
                })
            },
        )?;
    Ok(Verification { checked: checked.into_inner(), disagreement: first.map(|(_, found)| found) })
}

enum Checked {
    Position,
    Broken,
    Wrong(Disagreement),
}

fn check(library: &Library, table: &Table, address: Address) -> Result<Checked, TableError> {
    let layout = table.layout();
    let ours = legal(layout, address.slice, address.turn, address.word) >> address.bit & 1 != 0;
    let setup = address.setup(layout);
    let all_there = setup.board.occupied().count() == table.material().men();
    let theirs = if all_there { from_setup(setup.clone()).ok() } else { None };
    // A placement that is not a position need not have a FEN.
    let fen = |setup: Setup| {
        Fen::try_from_setup(setup).map_or_else(|_| String::from("(overlapping men)"), |fen| fen.to_string())
    };
    let stored = if ours { Some(table.value_at(address)?) } else { None };
    let expected = match &theirs {
        Some(position) => Some(expected(library, table.metric(), position, stored)?),
        None => None,
    };
    Ok(match (stored, expected) {
        (None, None) => Checked::Broken,
        (Some(stored), Some(expected)) if stored == expected => Checked::Position,
        (stored, expected) => {
            let setup = theirs.map_or(setup, |position| position.to_setup(EnPassantMode::Legal));
            Checked::Wrong(Disagreement { fen: fen(setup), stored, expected })
        }
    })
}

/// The value of a position that follows from its successors.
fn expected(library: &Library, metric: Metric, position: &Chess, stored: Option<Value>) -> Result<Value, TableError> {
    if position.is_checkmate() {
        return Ok(Value::new(Outcome::Loss, 0));
    }
    let moves = successors(library, position, metric)?;
    // Without a move, and not mated, the side to move is stalemated.
    let best = moves.iter().map(|successor| successor.through).max_by_key(merit).unwrap_or(Value::DRAW);
    match metric {
        // The depth of a cursed win or blessed loss is in the table without a move rule.
        Metric::DtzRule(_) if matches!(best.outcome, Outcome::CursedWin | Outcome::BlessedLoss) => {
            let plain = library.value(position, Metric::Dtz)?;
            Ok(Value { outcome: best.outcome, ..plain })
        }
        Metric::Dtr => {
            // A successor with a smaller DTR may have a shorter phase if it is allowed ours, which no
            // table holds. The phase is then known only within bounds.
            let Some(stored) = stored.filter(|stored| stored.plies == best.plies) else { return Ok(best) };
            let (least, most) = phase_bounds(&moves, best);
            Ok(if (least..=most).contains(&stored.phase) { Value { phase: stored.phase, ..best } } else { best })
        }
        _ => Ok(best),
    }
}

/// The bounds of the phase of a DTR entry. They are equal where only successors of the same depth, or zeroing moves,
/// decide it, and 0 without a move.
fn phase_bounds(moves: &[crate::probe::Successor], best: Value) -> (Plies, Plies) {
    let usable = |dr: Plies| dr <= best.plies;
    let phases =
        moves.iter().filter(|successor| successor.value.outcome == best.outcome && usable(successor.value.plies));
    let upper = |successor: &crate::probe::Successor| successor.through.phase;
    let lower = |successor: &crate::probe::Successor| {
        let exact = successor.zeroing || successor.value.plies == best.plies;
        if exact { successor.through.phase } else { Plies(1) }
    };
    if best.outcome.is_win() {
        (phases.clone().map(lower).min().unwrap_or_default(), phases.map(upper).min().unwrap_or_default())
    } else {
        (phases.clone().map(lower).max().unwrap_or_default(), phases.map(upper).max().unwrap_or_default())
    }
}
