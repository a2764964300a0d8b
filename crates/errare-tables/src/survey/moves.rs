//! A survey of any source: every move is made by shakmaty and looked up.

use super::{Arrival, Surveyor};
use crate::address::Address;
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::layout::Layout;
use crate::material::Material;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::source::Source;
use crate::value::{Outcome, Value};
use shakmaty::{Board, Color, Position};

/// The class of an arrival on this board, the side named first in the endgame before the move being White.
pub(super) fn class<S: Surveyor>(surveyor: &S, arrival: Arrival, board: &Board) -> u16 {
    if !arrival.converting {
        return surveyor.arrival(arrival);
    }
    let (into, swapped) = Material::of_board(board);
    surveyor.conversion(arrival, into, swapped)
}

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
        let arrival = Arrival {
            value: Value { outcome: there.outcome.reversed(), ..there },
            zeroing: mv.is_zeroing() || there.is_mate(),
            converting: mv.is_capture() || mv.is_promotion(),
            stalemate: there.outcome == Outcome::Draw && after.is_stalemate(),
        };
        room.push(class(surveyor, arrival, after.board()));
    }
    let census = Census::new(layout, Counting::All);
    let times = census.share(address.slice);
    surveyor.record(sheet, surveyor.position(source.value(&position, metric)?), room, times);
    Ok(())
}
