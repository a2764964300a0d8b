//! Searching a table for positions by depth, outcome, zugzwang and number of moves that keep the value.
//!
//! Values are compared row by row of the table, without making moves. Only where the number of keeping moves is asked
//! about are the moves of a position looked up, as in a [survey](mod@crate::survey), and only for positions that meet
//! all other criteria.

mod criteria;
mod sample;

pub use criteria::{CountRange, Criteria, DepthRange, RangeError, WantedOutcome, WantedOutcomeError};
pub use sample::Listing;

use crate::address::Address;
use crate::census::{Census, Counting};
use crate::error::TableError;
use crate::legality::legal;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::position::from_setup;
use crate::probe::{successors, through};
use crate::seeds::WORDS_BETWEEN_CHECKS;
use crate::stats::zugzwang_bits;
use crate::store::{SliceReader, Table};
use crate::survey::{Arrival, Rows, Surveyor};
use crate::value::{Outcome, Value};
use crate::words::Bits;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use sample::{Collector, Pool};
use shakmaty::{ByColor, Chess, Color};
use std::sync::atomic::{AtomicU64, Ordering};

/// The positions that a search has found, each once up to symmetry.
#[derive(Clone, Debug)]
pub struct Found {
    /// Number of positions that meet the criteria, by side to move.
    pub count: ByColor<u64>,
    /// The positions that are listed.
    pub positions: Vec<FoundPosition>,
}

/// A position that meets the criteria of a search.
#[derive(Clone, Debug)]
pub struct FoundPosition {
    /// The position that was found.
    pub position: Chess,
    /// The value of the position for the side to move.
    pub value: Value,
    /// Number of moves that keep the value, a win spoilt by the metric's move rule being a draw.
    pub keeping: u16,
    /// Number of legal moves.
    pub legal: u16,
}

/// Searches the table of an endgame. White is the side named first or, with `swapped`, the other side.
///
/// The tables of the endgame and of all its conversions must exist.
///
/// # Errors
/// If a table is missing or damaged, or the work is cancelled.
pub fn find(
    library: &Library,
    (material, swapped): (Material, bool),
    metric: Metric,
    criteria: &Criteria,
    listing: Listing,
    progress: &dyn Progress,
) -> Result<Found, TableError> {
    let criteria = if swapped { criteria.swapped() } else { *criteria };
    let table = library.open(material, metric)?;
    let reader = SliceReader::new(&*table);
    let scan = Scan { table: &table, reader: &reader, metric, criteria };
    let pool = Pool::new(listing);
    let (mut count, mut collector) = (ByColor::default(), pool.collector());
    for turn in Color::ALL.into_iter().filter(|&turn| criteria.allows_turn(turn)) {
        let (found, collected) = match criteria.keeping {
            None => scan.all(turn, &pool, progress, |slice, masks, found| scan.take(turn, slice, masks, found))?,
            Some(keeping) => {
                let surveyor = KeepingSurveyor { metric };
                let rows = Rows::new(library, material, metric, turn, &surveyor, progress)?;
                scan.all(turn, &pool, progress, |slice, masks, found| {
                    rows.visit(
                        slice,
                        |word| masks[word],
                        progress,
                        |address, outcome, arrivals| {
                            let kept = arrivals.iter().filter(|&&arrival| arrival == outcome).count();
                            if keeping.contains(kept as u16) {
                                found.add(scan.table, address);
                            }
                        },
                    )
                })?
            }
        };
        *count.get_mut(turn) = found;
        collector = collector.merge(collected);
    }
    let named = |address: Address| {
        progress.proceed()?;
        scan.named(library, address, swapped)
    };
    let mut positions = collector.finish().into_par_iter().map(named).collect::<Result<Vec<_>, TableError>>()?;
    if let Listing::All { .. } = listing {
        positions.sort_by_key(|found| std::cmp::Reverse(found.value.plies));
    }
    Ok(Found { count: if swapped { count.into_swapped() } else { count }, positions })
}

/// A search of one table, by criteria in the orientation of the table.
struct Scan<'a> {
    table: &'a Table,
    reader: &'a SliceReader<&'a Table>,
    metric: Metric,
    criteria: Criteria,
}

/// The positions that one thread has found so far: their number, and a collector of those to be listed.
struct Finding<'a> {
    count: u64,
    collector: Collector<'a, Address>,
}

impl Finding<'_> {
    fn add(&mut self, table: &Table, address: Address) {
        self.count += 1;
        self.collector.add(address.number(table.layout()), || address);
    }
}

impl Scan<'_> {
    /// Goes through all slices with one side to move. `take` receives for each slice the cells, as bits by word, that
    /// meet all criteria but that of keeping moves.
    fn all<'p>(
        &self,
        turn: Color,
        pool: &'p Pool,
        progress: &dyn Progress,
        take: impl Fn(usize, &[u64], &mut Finding<'p>) -> Result<(), TableError> + Sync,
    ) -> Result<(u64, Collector<'p, Address>), TableError> {
        let slices = self.table.layout().slices();
        let activity = format!("searching {}, {} to move", self.table.material(), turn.fold_wb("White", "Black"));
        let allows = |value: &Value| self.criteria.allows_value(turn, value, self.metric);
        let wanted: Vec<bool> = self.table.values().iter().map(allows).collect();
        let done = AtomicU64::new(0);
        let start = || Finding { count: 0, collector: pool.collector() };
        let found = (0..slices)
            .into_par_iter()
            .try_fold(start, |mut found, slice| {
                let masks = self.masks(turn, slice, &wanted, progress)?;
                take(slice, &masks, &mut found)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress.report(&Status::new(&activity, "slices").at(done, slices as u64));
                Ok(found)
            })
            .try_reduce(start, |one, two| {
                Ok::<_, TableError>(Finding {
                    count: one.count + two.count,
                    collector: one.collector.merge(two.collector),
                })
            })?;
        Ok((found.count, found.collector))
    }

    /// Adds all selected cells of a slice to the positions found.
    fn take(&self, turn: Color, slice: usize, masks: &[u64], found: &mut Finding<'_>) -> Result<(), TableError> {
        for (word, &bits) in masks.iter().enumerate() {
            Bits(bits).for_each(|bit| found.add(self.table, Address { turn, slice, word, bit }));
        }
        Ok(())
    }

    /// The cells of a slice, as bits by word, that represent positions of a wanted value, mutual zugzwangs if asked for.
    fn masks(
        &self,
        turn: Color,
        slice: usize,
        wanted: &[bool],
        progress: &dyn Progress,
    ) -> Result<Vec<u64>, TableError> {
        let layout = self.table.layout();
        let mut masks = vec![0; layout.words()];
        if !wanted.contains(&true) {
            return Ok(masks);
        }
        let census = Census::new(layout, Counting::Once);
        let mut symbols = ByColor::<Vec<u16>>::default();
        self.reader.read(turn, slice, symbols.get_mut(turn))?;
        if self.criteria.zugzwang {
            self.reader.read(turn.other(), slice, symbols.get_mut(turn.other()))?;
        }
        let losing: Vec<bool> = self.table.values().iter().map(|value| value.outcome.is_loss()).collect();
        let not_winning: Vec<bool> = self.table.values().iter().map(|value| !value.outcome.is_win()).collect();
        for (word, mask) in masks.iter_mut().enumerate() {
            if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                progress.proceed()?;
            }
            let bits_where = |turn: Color, flags: &[bool]| {
                let row = &symbols.get(turn)[word * 64..word * 64 + 64];
                row.iter().rev().fold(0, |bits, &symbol| bits << 1 | u64::from(flags[usize::from(symbol)]))
            };
            let mut bits = bits_where(turn, wanted);
            if bits == 0 {
                continue;
            }
            bits &= legal(layout, slice, turn, word);
            if self.criteria.zugzwang && bits != 0 {
                let of = |flags: &[bool]| {
                    let side = |turn| bits_where(turn, flags) & legal(layout, slice, turn, word);
                    ByColor { white: side(Color::White), black: side(Color::Black) }
                };
                bits &= zugzwang_bits(of(&losing), of(&not_winning));
            }
            *mask = census.firsts(slice, word, bits);
        }
        Ok(masks)
    }

    /// Describes a position as callers have it, with its number of keeping moves.
    fn named(&self, library: &Library, address: Address, swapped: bool) -> Result<FoundPosition, TableError> {
        let setup = address.setup(self.table.layout());
        let setup = if swapped { setup.into_mirrored() } else { setup };
        let position =
            from_setup(setup).map_err(|_| TableError::Internal("a table holds a position that is not legal"))?;
        let value = self.table.value_at(address)?;
        let moves = successors(library, &position, self.metric)?;
        let keeps = |through: &Value| through.outcome.under_rule() == value.outcome.under_rule();
        let keeping = moves.iter().filter(|successor| keeps(&successor.through)).count() as u16;
        Ok(FoundPosition { position, value, keeping, legal: moves.len() as u16 })
    }
}

/// Classifies positions and arrivals by outcome, so that an arrival of the position's class keeps the value.
struct KeepingSurveyor {
    metric: Metric,
}

fn class(outcome: Outcome) -> u16 {
    match outcome.under_rule() {
        Outcome::Loss => 0,
        Outcome::Win => 2,
        _ => 1,
    }
}

impl Surveyor for KeepingSurveyor {
    type Sheet = ();

    fn sheet(&self) {}

    fn position(&self, value: Value) -> u16 {
        class(value.outcome)
    }

    fn arrival(&self, arrival: Arrival) -> u16 {
        class(through(arrival.value, self.metric, arrival.zeroing, arrival.converting).outcome)
    }

    fn record(&self, _: &mut (), _: u16, _: &[u16], _: f64) {}
}
