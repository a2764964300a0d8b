//! A survey of any source: every move is made by shakmaty and looked up.

use super::{Arrival, Surveyor};
use crate::address::Address;
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::layout::Layout;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::source::Source;
use crate::value::{Outcome, Value};
use shakmaty::{Color, Position};

/// Records the position of a cell, unless the placement is not legal.
///
/// # Errors
/// If a table is missing or damaged.
#[expect(clippy::too_many_arguments, reason = "the state of the survey, of which no part belongs together")]
pub fn record<S: Surveyor>(
    source: &dyn Source,
    layout: &Layout,
    metric: Metric,
    turn: Color,
    cell: u64,
    surveyor: &S,
    sheet: &mut S::Sheet,
    room: &mut Vec<u16>,
) -> Result<(), TableError> {
    let address = Address { turn, ..Address::nth(layout, 2 * cell) };
    let setup = address.setup(layout);
    if setup.board.occupied().count() != layout.material().men() {
        return Ok(());
    }
    let Ok(position) = from_setup(setup) else { return Ok(()) };
    room.clear();
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let there = source.value(&after, metric)?;
        room.push(surveyor.arrival(Arrival {
            value: Value { outcome: there.outcome.reversed(), ..there },
            zeroing: mv.is_zeroing() || there.is_mate(),
            converting: mv.is_capture() || mv.is_promotion(),
            stalemate: there.outcome == Outcome::Draw && after.is_stalemate(),
        }));
    }
    let census = Census::new(layout, Counting::All);
    let times = census.share(address.slice);
    surveyor.record(sheet, surveyor.position(source.value(&position, metric)?), room, times);
    Ok(())
}
