//! The depth of the deepest wins of an endgame.

use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::material::Material;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::source::Source;
use crate::value::{Outcome, WinnerMoves};
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};

/// The most men of an endgame whose positions are all looked up to find its deepest wins.
const MAX_MEN_TO_SEARCH: usize = 4;

/// A bound on mates with five men: the deepest is in KPPKP.
const DEEPEST_MATE: WinnerMoves = WinnerMoves(127);

/// A bound on the greatest depth of any other endgame or metric.
const DEEPEST: WinnerMoves = WinnerMoves(600);

/// Finds the greatest depth of each side's wins, White being the side named first; 0 for a side that never wins.
///
/// The header of one of our tables has it. With tables of other makers all positions are looked up if the endgame has
/// at most four men; for larger ones the result is a bound. Under a move rule no win is deeper than the rule allows.
///
/// # Errors
/// If a table is missing or damaged, or the work is cancelled.
pub fn deepest(
    source: &dyn Source,
    material: Material,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<ByColor<WinnerMoves>, TableError> {
    if material.men() == 2 {
        return Ok(ByColor { white: WinnerMoves(0), black: WinnerMoves(0) });
    }
    let found = match source.known_deepest(material, metric)? {
        Some(known) => known,
        None if material.men() <= MAX_MEN_TO_SEARCH => search(source, material, metric, progress)?,
        None => {
            let bound = if metric == Metric::Dtm && material.men() == 5 { DEEPEST_MATE } else { DEEPEST };
            ByColor { white: bound, black: bound }
        }
    };
    Ok(found.map(|moves| match metric {
        Metric::DtzRule(rule) => moves.min(WinnerMoves(rule)),
        _ => moves,
    }))
}

/// Looks up all positions of an endgame.
fn search(
    source: &dyn Source,
    material: Material,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<ByColor<WinnerMoves>, TableError> {
    let layout = Layout::new(material).ok_or(TableError::BareKings)?;
    let none = || ByColor { white: WinnerMoves(0), black: WinnerMoves(0) };
    (0..Address::count(&layout))
        .into_par_iter()
        .try_fold(none, |mut most, cell| {
            if cell.is_multiple_of(1024) {
                progress.proceed()?;
            }
            let address = Address::nth(&layout, cell);
            let setup = address.setup(&layout);
            if setup.board.occupied().count() != material.men() {
                return Ok(most);
            }
            // Placements that are not legal have no value.
            let Ok(position) = from_setup(setup) else { return Ok(most) };
            let value = source.value(&position, metric)?;
            let winner = match value.outcome {
                Outcome::Win => address.turn,
                Outcome::Loss => address.turn.other(),
                _ => return Ok(most),
            };
            let moves = most.get_mut(winner);
            *moves = value.winner_moves(metric).ok_or(TableError::NO_DEPTH)?.max(*moves);
            Ok(most)
        })
        .try_reduce(none, |one, two| {
            let greater = |color: Color| *one.get(color).max(two.get(color));
            Ok(ByColor { white: greater(Color::White), black: greater(Color::Black) })
        })
}
