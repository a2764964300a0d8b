//! How deep the wins of an endgame are.

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
use shakmaty::{ByColor, Color, Setup};

/// The most men of an endgame that is gone through for its deepest wins.
const MAX_MEN_TO_GO_THROUGH: usize = 4;

/// No win with five men takes more moves to mate (KPPKP), and so much is allowed for beyond.
const DEEPEST_MATE: WinnerMoves = WinnerMoves(127);
const DEEPEST: WinnerMoves = WinnerMoves(600);

/// The most moves that the wins of either side take, White being the side named first; 0 for a side that never wins.
///
/// A table of ours has it written in its header. Tables that others made are gone through if the endgame has at most
/// four men; for larger ones it is a bound. Under a move rule no win takes more than the rule allows.
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
        None if material.men() <= MAX_MEN_TO_GO_THROUGH => go_through(source, material, metric, progress)?,
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

fn go_through(
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
            let mut setup = Setup::empty();
            setup.board = address.board(&layout);
            setup.turn = address.turn;
            if setup.board.occupied().count() != material.men() {
                return Ok(most);
            }
            let Ok(position) = from_setup(setup) else { return Ok(most) };
            let value = source.value(&position, metric)?;
            let winner = match value.outcome {
                Outcome::Win => address.turn,
                Outcome::Loss => address.turn.other(),
                _ => return Ok(most),
            };
            let moves = most.get_mut(winner);
            *moves = value.winner_moves(metric).map_or(*moves, |found| found.max(*moves));
            Ok(most)
        })
        .try_reduce(none, |one, two| {
            let greater = |color: Color| *one.get(color).max(two.get(color));
            Ok(ByColor { white: greater(Color::White), black: greater(Color::Black) })
        })
}
