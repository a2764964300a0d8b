//! Writing the exceptions of the side to move that a table does not store: the positions whose value is not that of their
//! best quiet move.

use super::symbols::SymbolSource;
use crate::decided::Reading;
use crate::error::TableError;
use crate::layout::Layout;
use crate::other_side::Ranks;
use crate::other_side::rows::{Arrivals, Movers, Slices};
use errare_work::Progress;
use shakmaty::Color;
use std::cell::RefCell;

/// Finds the exceptions of one side to move.
pub struct Exceptions<'a> {
    source: &'a SymbolSource<'a>,
    movers: Movers<'a>,
    arrivals: Slices,
}

impl<'a> Exceptions<'a> {
    /// Prepares for the exceptions of the other side than `stored`.
    pub fn new(source: &'a SymbolSource<'a>, stored: Color, ranks: &'a Ranks) -> Exceptions<'a> {
        let layout = source.layout;
        Exceptions { source, movers: Movers { layout, ranks, stored }, arrivals: Slices::new(layout) }
    }

    /// Takes over the symbols of a slice of the stored side, as far as they are needed for other slices.
    pub fn learn(&self, slice: usize, symbols: &[u16]) {
        self.arrivals.put(slice, || self.arrivals_of(slice, symbols));
    }

    fn arrivals_of(&self, slice: usize, symbols: &[u16]) -> Arrivals {
        let layout: &Layout = self.movers.layout;
        let bytes = |symbols: &[u16]| -> Arrivals {
            self.movers.arrivals(slice, symbols.iter().map(|&symbol| symbol as u8))
        };
        if layout.multiplicity() == 1 {
            return bytes(symbols);
        }
        let mut all = symbols.to_vec();
        layout.copy_to_twins(&mut all);
        bytes(&all)
    }

    /// Fills a buffer with the exceptions of a slice. Cells that are none, or not legal positions, repeat the symbol before
    /// them where that is not better than the value of the position: then it does not matter.
    ///
    /// # Errors
    /// [`TableError::Internal`] if a position is worth less than one of its moves, or if the work is cancelled.
    pub fn fill(
        &self,
        slice: usize,
        reading: &mut Reading,
        buffer: &mut Vec<u16>,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let Movers { layout, ranks, stored } = self.movers;
        let reading = RefCell::new(reading);
        let make = |slice: usize| -> Result<Arrivals, TableError> {
            let mut symbols = Vec::new();
            self.source.fill(stored, slice, &mut reading.borrow_mut(), &mut symbols)?;
            Ok(self.arrivals_of(slice, &symbols))
        };
        self.source.fill(stored.other(), slice, &mut reading.borrow_mut(), buffer)?;
        let mut last = ranks.none();
        let mut done = 0;
        let proceed = || Ok(progress.proceed()?);
        self.movers.best_of_slice(&self.arrivals, slice, make, proceed, |word, legal, best| {
            let rows = buffer.as_chunks_mut::<64>().0;
            let no_word = TableError::Internal("a slice is shorter than its words");
            let [before @ .., row] = rows.get_mut(done..=word).ok_or(no_word)? else { return Ok(()) };
            before.as_flattened_mut().fill(last.into());
            done = word + 1;
            let legal = legal & layout.leading_bits(word);
            for (bit, (symbol, best)) in row.iter_mut().zip(best).enumerate() {
                if legal >> bit & 1 != 0 {
                    let rank = ranks.of(*symbol as u8);
                    if rank < best {
                        return Err(TableError::Internal("a position is worth less than one of its moves"));
                    }
                    if rank > best {
                        last = *symbol as u8;
                    } else if ranks.of(last) > rank {
                        last = ranks.none();
                    }
                }
                *symbol = last.into();
            }
            Ok(())
        })?;
        buffer.get_mut(done * 64..).unwrap_or_default().fill(last.into());
        Ok(())
    }
}
