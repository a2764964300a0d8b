//! Statistics of a table: counts of positions by value, deepest positions, and mutual zugzwangs.

use crate::address::Address;
use crate::census::{Census, Counting, Halves};
use crate::error::TableError;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::seeds::WORDS_BETWEEN_CHECKS;
use crate::store::{SliceReader, Table};
use crate::value::{Outcome, Plies, Value};
use crate::words::{Bits, cells_with};
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{ByColor, Color};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The statistics of one table.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The endgame of the table.
    pub material: Material,
    /// The metric of the table.
    pub metric: Metric,
    /// The convention by which positions are counted.
    pub counting: Counting,
    /// Statistics by side to move; White is the side that the signature names first.
    pub sides: ByColor<SideStatistics>,
    /// Mutual zugzwangs: positions in which neither side wants to move.
    pub zugzwangs: Zugzwangs,
}

impl Statistics {
    /// Returns the statistics with the colours exchanged.
    ///
    /// # Errors
    /// [`TableError::Internal`] if a FEN of the statistics is not valid.
    pub fn swapped(self) -> Result<Statistics, TableError> {
        let side = |side: SideStatistics| -> Result<SideStatistics, TableError> {
            let deepest = side.deepest.into_iter();
            let deepest = deepest.map(|(key, (value, fen))| Ok((key, (value, mirrored(&fen, None)?))));
            Ok(SideStatistics { deepest: deepest.collect::<Result<_, TableError>>()?, ..side })
        };
        let zugzwang = |found: Zugzwang| -> Result<Zugzwang, TableError> {
            // Given with White to move, whichever side is White.
            let fen = mirrored(&found.fen, Some(Color::White))?;
            Ok(Zugzwang { fen, white: found.black, black: found.white })
        };
        let Statistics { sides, zugzwangs, .. } = self;
        Ok(Statistics {
            sides: ByColor { white: side(sides.black)?, black: side(sides.white)? },
            zugzwangs: Zugzwangs {
                count: zugzwangs.count,
                deepest: zugzwangs.deepest.map(zugzwang).transpose()?,
                list: zugzwangs.list.into_iter().map(zugzwang).collect::<Result<_, _>>()?,
            },
            ..self
        })
    }
}

/// The FEN of a position with the colours exchanged, and optionally with another side to move.
fn mirrored(fen: &str, turn: Option<Color>) -> Result<String, TableError> {
    let invalid = "the statistics hold an invalid FEN";
    let parsed: Fen = fen.parse().map_err(|_| TableError::Internal(invalid))?;
    let mut setup = parsed.into_setup().into_mirrored();
    setup.turn = turn.unwrap_or(setup.turn);
    Ok(Fen::try_from_setup(setup).map_err(|_| TableError::Internal(invalid))?.to_string())
}

/// Statistics of the positions with one side to move.
#[derive(Clone, Debug, Default)]
pub struct SideStatistics {
    /// Number of positions by outcome and plies; draws have 0 plies.
    pub histogram: BTreeMap<(Outcome, Plies), u64>,
    /// A position of the greatest depth for each decisive outcome, as a FEN.
    pub deepest: BTreeMap<Outcome, (Value, String)>,
}

impl SideStatistics {
    /// The number of positions with this outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.histogram.iter().filter(|((found, _), _)| *found == outcome).map(|(_, count)| count).sum()
    }

    /// The number of positions with this side to move.
    pub fn total(&self) -> u64 {
        self.histogram.values().sum()
    }

    /// The depth of the deepest win, cursed or not.
    pub fn max_win(&self) -> Option<Plies> {
        self.histogram.keys().filter(|(outcome, _)| outcome.is_win()).map(|&(_, plies)| plies).max()
    }

    /// The depth of the deepest loss, blessed or not.
    pub fn max_loss(&self) -> Option<Plies> {
        self.histogram.keys().filter(|(outcome, _)| outcome.is_loss()).map(|&(_, plies)| plies).max()
    }
}

/// A mutual zugzwang: a position in which each side would do better if the other had to move.
#[derive(Clone, Debug)]
pub struct Zugzwang {
    /// The position with White to move, as a FEN.
    pub fen: String,
    /// The value with White to move.
    pub white: Value,
    /// The value with Black to move.
    pub black: Value,
}

impl Zugzwang {
    /// The greater depth of the two values.
    pub fn depth(&self) -> Plies {
        self.white.plies.max(self.black.plies)
    }
}

/// The mutual zugzwangs of an endgame.
#[derive(Clone, Debug, Default)]
pub struct Zugzwangs {
    /// Number of mutual zugzwangs.
    pub count: u64,
    /// The deepest mutual zugzwang; none if there is none.
    pub deepest: Option<Zugzwang>,
    /// All mutual zugzwangs, deepest first, each once up to symmetry; empty unless asked for.
    pub list: Vec<Zugzwang>,
}

/// The counts of one slice.
#[derive(Default)]
struct SliceCount {
    sides: ByColor<BTreeMap<u16, (Halves, Address)>>,
    zugzwang_halves: Halves,
    zugzwangs: Vec<(Address, Value, Value)>,
}

/// The count of a symbol in a slice.
#[derive(Clone, Copy, Default)]
struct SymbolCount {
    cells: u64,
    /// The positions that the cells stand for, in slices that are their own mirror images.
    halves: Halves,
    /// The word and the bit of the first cell.
    first: (u32, u8),
}

/// What a symbol means for mutual zugzwangs: all bits are set if it is so, or none.
struct Kind {
    lost: u64,
    not_won: u64,
}

/// Counts the positions of a table. With `list` every mutual zugzwang is listed.
///
/// # Errors
/// If the table is damaged, or the work is cancelled.
pub fn statistics(
    table: &Table,
    counting: Counting,
    list: bool,
    progress: &dyn Progress,
) -> Result<Statistics, TableError> {
    let slices = table.layout().slices();
    let activity = format!("counting {}", table.material());
    let done = AtomicU64::new(0);
    let reader = SliceReader::new(table);
    let parts: Vec<SliceCount> = (0..slices)
        .into_par_iter()
        .map_init(ByColor::default, |symbols, slice| {
            let part = count_slice(&reader, counting, list, slice, symbols, progress)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(&Status::new(&activity, "slices").at(done, slices as u64));
            Ok(part)
        })
        .collect::<Result<_, TableError>>()?;
    let census = Census::new(table.layout(), counting);
    let mut sums: ByColor<BTreeMap<u16, (Halves, Address)>> = ByColor::default();
    let mut zugzwang_halves = Halves::default();
    let mut zugzwangs = Vec::new();
    for part in parts {
        for (sum, side) in sums.as_mut().into_iter().zip(part.sides) {
            for (symbol, (halves, address)) in side {
                sum.entry(symbol).or_insert((Halves::default(), address)).0 += halves;
            }
        }
        zugzwang_halves += part.zugzwang_halves;
        zugzwangs.extend(part.zugzwangs);
    }
    let side = |symbols: BTreeMap<u16, (Halves, Address)>| -> Result<SideStatistics, TableError> {
        let mut side = SideStatistics::default();
        for (symbol, (halves, address)) in symbols {
            let value = table.values()[usize::from(symbol)];
            *side.histogram.entry((value.outcome, value.plies)).or_default() += census.total(halves);
            let deepest = side.deepest.get(&value.outcome).map(|(deepest, _)| deepest.plies);
            if value.outcome != Outcome::Draw && deepest.is_none_or(|deepest| value.plies > deepest) {
                side.deepest.insert(value.outcome, (value, address.fen(table.layout())?));
            }
        }
        Ok(side)
    };
    let sides = ByColor { white: side(sums.white)?, black: side(sums.black)? };
    zugzwangs.sort_by_key(|(_, white, black)| std::cmp::Reverse(white.plies.max(black.plies)));
    // Without `list` only the deepest of each slice was kept, and only the deepest of all is shown.
    zugzwangs.truncate(if list { usize::MAX } else { 1 });
    let named = |(address, white, black): (Address, Value, Value)| -> Result<Zugzwang, TableError> {
        Ok(Zugzwang { fen: address.fen(table.layout())?, white, black })
    };
    let mut named = zugzwangs.into_iter().map(named).collect::<Result<Vec<_>, _>>()?;
    let deepest = named.first().cloned();
    if !list {
        named.clear();
    }
    let zugzwangs = Zugzwangs { count: census.total(zugzwang_halves), deepest, list: named };
    Ok(Statistics { material: table.material(), metric: table.metric(), counting, sides, zugzwangs })
}

/// The mutual zugzwangs of a word: neither side, if it is to move, does better than draw, and at least one loses.
/// `lost` and `not_won` have the legal positions with these outcomes, by side to move.
pub(crate) fn zugzwang_bits(lost: ByColor<u64>, not_won: ByColor<u64>) -> u64 {
    (lost.white & not_won.black) | (lost.black & not_won.white)
}

fn count_slice(
    reader: &SliceReader<&Table>,
    counting: Counting,
    list: bool,
    slice: usize,
    symbols: &mut ByColor<Vec<u16>>,
    progress: &dyn Progress,
) -> Result<SliceCount, TableError> {
    let (table, layout) = (reader.table(), reader.table().layout());
    let census = Census::new(layout, counting);
    reader.read_both(slice, symbols)?;
    let mut found = SliceCount::default();
    let mut tallies = ByColor::new_with(|_| vec![SymbolCount::default(); table.values().len()]);
    let all_if = |is: bool| if is { !0 } else { 0 };
    let kind = |value: &Value| Kind { lost: all_if(value.outcome.is_loss()), not_won: all_if(!value.outcome.is_win()) };
    let kinds: Vec<Kind> = table.values().iter().map(kind).collect();
    // In other slices all positions count the same.
    let is_own_image = layout.own_image(slice).is_some();
    for word in 0..layout.words() {
        if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
            progress.proceed()?;
        }
        let row = |turn: Color| &symbols.get(turn).as_chunks::<64>().0[word];
        let mut lost = ByColor::<u64>::default();
        let mut not_won = ByColor::<u64>::default();
        for turn in Color::ALL {
            let (row, tallies) = (row(turn), tallies.get_mut(turn));
            let mut rest = legal(layout, slice, turn, word);
            // Cells of a row have few symbols.
            while rest != 0 {
                let bit = rest.trailing_zeros() as u8;
                let symbol = row[usize::from(bit)];
                let cells = cells_with(row, symbol) & rest;
                let (tally, kind) = (&mut tallies[usize::from(symbol)], &kinds[usize::from(symbol)]);
                if tally.cells == 0 {
                    tally.first = (word as u32, bit);
                }
                tally.cells += u64::from(cells.count_ones());
                if is_own_image {
                    tally.halves += census.weigh(slice, word, cells);
                }
                *lost.get_mut(turn) |= cells & kind.lost;
                *not_won.get_mut(turn) |= cells & kind.not_won;
                rest &= !cells;
            }
        }
        let zugzwang = zugzwang_bits(lost, not_won);
        if zugzwang != 0 {
            found.zugzwang_halves += census.weigh(slice, word, zugzwang);
            for bit in Bits(zugzwang) {
                let value = |turn| table.values()[usize::from(row(turn)[usize::from(bit)])];
                let address = Address { turn: Color::White, slice, word, bit };
                if census.is_first(slice, word, bit) {
                    found.zugzwangs.push((address, value(Color::White), value(Color::Black)));
                }
            }
        }
    }
    for turn in Color::ALL {
        for (symbol, tally) in tallies.get(turn).iter().enumerate().filter(|(_, tally)| tally.cells > 0) {
            let (word, bit) = tally.first;
            let halves = if is_own_image { tally.halves } else { census.weigh_cells(tally.cells) };
            let example = Address { turn, slice, word: word as usize, bit };
            found.sides.get_mut(turn).insert(symbol as u16, (halves, example));
        }
    }
    if !list {
        let deepest = found.zugzwangs.drain(..).max_by_key(|(_, white, black)| white.plies.max(black.plies));
        found.zugzwangs = deepest.into_iter().collect();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_fens_exchange_colours_and_what_is_no_fen_is_a_bug() {
        let mirror = |fen: &str, turn| mirrored(fen, turn).map_err(|error| error.to_string());
        assert_eq!(mirror("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", None).as_deref(), Ok("k7/1r6/2K5/8/8/8/8/8 b - - 0 1"));
        let white = mirror("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", Some(Color::White));
        assert_eq!(white.as_deref(), Ok("k7/1r6/2K5/8/8/8/8/8 w - - 0 1"));
        let bug = "internal error (a bug in errare): the statistics hold an invalid FEN";
        assert_eq!(mirror("", None).as_deref(), Err(&bug.to_owned()));
    }
}
