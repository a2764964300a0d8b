//! Captures, pawn moves and promotions of the winner in a field: they lead to places and positions decided before.

use super::whole_field::{Field, RankedParts, RankedPush, metric, rank};
use crate::error::EndgameError;
use errare_tables::{Arrival, Library, NO_POSITION, Source, Value};
use shakmaty::{Chess, Move, Position};

/// A capture, pawn move or promotion of the winner, with its rank for each part, and what comes after it.
pub(super) struct Zeroing {
    pub ranks: Vec<u16>,
    pub after: After,
}

/// The result of a move: a position, or a place of the same endgame, the other side being to move.
pub(super) enum After {
    Position(Chess),
    Place(u64),
}

/// Lists the pawn steps from a place that win and are wanted, if steps are known by number.
pub(super) fn list_pushes(
    field: &Field<'_>,
    place: u64,
    is_wanted: impl Fn(&RankedPush, u64) -> bool,
    into: &mut Vec<Zeroing>,
) {
    for push in field.attack.pushes.iter().flatten() {
        let to = field.quiet.pushed(&push.push, place).filter(|&to| is_wanted(push, to));
        if let Some((to, ranks)) = to.and_then(|to| Some((to, push.ranks(to)?))) {
            into.push(Zeroing { ranks, after: After::Place(to) });
        }
    }
}

/// Lists the other zeroing moves that win: captures and promotions if conversions are wanted, and pawn steps that are not
/// known by number.
pub(super) fn list_positions(
    (library, parts): (&Library, RankedParts<'_>),
    field: &Field<'_>,
    place: u64,
    conversions: bool,
    into: &mut Vec<Zeroing>,
) -> Result<(), EndgameError> {
    let position = field.quiet.position(place, field.turn(true))?;
    for (mv, after) in sought_moves(&position, field.attack.pushes.is_some()) {
        let converting = mv.is_capture() || mv.is_promotion();
        if converting && !conversions {
            continue;
        }
        let mut ranks = Vec::new();
        for part in parts.iter() {
            let there = library.value(&after, metric(part))?;
            let value = Value { outcome: there.outcome.reversed(), ..there };
            ranks.push(rank(part, Arrival { value, zeroing: true, converting, stalemate: false }));
        }
        if !ranks.contains(&NO_POSITION) {
            into.push(Zeroing { ranks, after: After::Position(after) });
        }
    }
    Ok(())
}

/// The moves that have to be looked up as positions: captures, promotions, and pawn steps unless they are known by number.
pub(super) fn sought_moves(position: &Chess, pushes_known: bool) -> impl Iterator<Item = (Move, Chess)> {
    let is_sought = move |mv: &Move| mv.is_capture() || mv.is_promotion() || mv.is_zeroing() && !pushes_known;
    let sought = position.legal_moves().into_iter().filter(is_sought);
    sought.map(|mv| (mv, after(position, mv)))
}

/// The position after a move.
pub(super) fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}
