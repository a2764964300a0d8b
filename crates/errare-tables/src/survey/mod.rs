//! Surveys: every position of an endgame, and where each of its moves leads.
//!
//! Markov models of endgames are made from surveys. Our own tables are read slice by slice, with moves made on words
//! ([`rows`]); with any other source every move is looked up ([`moves`]). The two share nothing but this interface, and
//! the tests compare them.

mod moves;
mod rows;

pub(crate) use rows::Rows;

use crate::error::TableError;
use crate::extent::Extent;
use crate::layout::Layout;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::source::Source;
use crate::value::Value;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::Color;
use std::sync::atomic::{AtomicU64, Ordering};

/// The position that a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The value of the position after the move, its outcome seen from the mover's side.
    pub value: Value,
    /// Whether the move ends the phase: a capture, a pawn move or mate.
    pub zeroing: bool,
    /// Whether the move changes the material.
    pub converting: bool,
    /// Whether the move stalemates the other side.
    pub stalemate: bool,
}

/// A receiver of the positions of a survey.
///
/// Values and arrivals are classified once, and positions are then reported by their classes. Each part of the endgame
/// is recorded on a *sheet* of its own. The parts do not depend on the number of threads, so neither does the sum of
/// the sheets in their order.
pub trait Surveyor: Sync {
    /// The sheet on which a part of the endgame is recorded.
    type Sheet: Send;

    /// Makes an empty sheet.
    fn sheet(&self) -> Self::Sheet;

    /// The class of a position with this value, seen by the side to move.
    fn position(&self, value: Value) -> u16;

    /// The class of an arrival; less than `u16::MAX`.
    fn arrival(&self, arrival: Arrival) -> u16;

    /// The class of an arrival in another endgame; less than `u16::MAX`. `swapped` says that our second-named side is named
    /// first there. By default it does not matter which endgame it is.
    fn conversion(&self, arrival: Arrival, into: Material, swapped: bool) -> u16 {
        let _ = (into, swapped);
        self.arrival(arrival)
    }

    /// Records a position by its class and the classes of its legal moves, in no particular order. The position stands
    /// for `times` placements on the 64 squares (with like men not distinguished), up to a common factor.
    fn record(&self, sheet: &mut Self::Sheet, position: u16, arrivals: &[u16], times: f64);
}

/// The number of parts of an endgame, if it has as many slices.
const PARTS: usize = 32;

/// Surveys all positions of one of our tables with one side to move: White is the side named first.
///
/// The tables of the endgame and of all its conversions must exist.
///
/// # Errors
/// If a table is missing or damaged, or the work is cancelled.
pub fn survey<S: Surveyor>(
    library: &Library,
    material: Material,
    metric: Metric,
    turn: Color,
    surveyor: &S,
    progress: &dyn Progress,
) -> Result<Vec<S::Sheet>, TableError> {
    let rows = rows::Rows::new(library, material, metric, turn, surveyor, progress)?;
    let activity = format!("surveying {material}");
    let slices = rows.slices();
    let done = AtomicU64::new(0);
    let part = slices.div_ceil(PARTS).max(1);
    let parts: Vec<usize> = (0..slices).step_by(part).collect();
    parts
        .into_par_iter()
        .map(|first| {
            let mut sheet = surveyor.sheet();
            for slice in first..slices.min(first + part) {
                rows.record(slice, &mut sheet, progress)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.report(&Status::new(&activity, "slices").at(done, slices as u64));
            }
            Ok(sheet)
        })
        .collect()
}

/// Surveys the whole endgame or a sample of it, as [`survey`] does, with any source.
///
/// # Errors
/// As [`survey`].
pub fn survey_source<S: Surveyor>(
    source: &dyn Source,
    material: Material,
    metric: Metric,
    turn: Color,
    extent: Extent,
    surveyor: &S,
    progress: &dyn Progress,
) -> Result<Vec<S::Sheet>, TableError> {
    let layout = Layout::new(material).ok_or(TableError::BareKings)?;
    let activity = format!("surveying {material}");
    // Both sides to move have addresses; those of the other side are skipped.
    let cells = crate::address::Address::count(&layout) / 2;
    let total = extent.total(cells);
    let done = AtomicU64::new(0);
    let part = total.div_ceil(PARTS as u64).max(1);
    (0..total.div_ceil(part))
        .into_par_iter()
        .map(|place| {
            let mut sheet = surveyor.sheet();
            let mut room = Vec::new();
            for index in place * part..total.min((place + 1) * part) {
                moves::record(
                    source,
                    &layout,
                    metric,
                    turn,
                    extent.cell(index, cells),
                    surveyor,
                    &mut sheet,
                    &mut room,
                )?;
                if index % 1024 == 1023 {
                    progress.proceed()?;
                    let done = done.fetch_add(1024, Ordering::Relaxed) + 1024;
                    progress.report(&Status::new(&activity, "placements").at(done, total));
                }
            }
            Ok(sheet)
        })
        .collect()
}
