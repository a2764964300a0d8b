//! Reading whole slices of a table, of either side to move.

use super::read::Table;
use crate::error::TableError;
use crate::layout::Layout;
use crate::other_side::Ranks;
use crate::other_side::guess::Guessed;
use crate::other_side::rows::{Arrivals, Movers, Slices};
use crate::value::Outcome;
use crate::view::{Known, Solved, Standing};
use crate::words::{Bits, cells_with};
use shakmaty::{ByColor, Color};
use std::ops::Deref;

/// A reader of the slices of a table. For the side to move that is not stored it keeps what several slices need, so one
/// reader should serve a whole pass over the table, on all threads.
#[derive(Debug)]
pub struct SliceReader<T> {
    table: T,
    arrivals: Slices,
}

impl<T: Deref<Target = Table>> SliceReader<T> {
    /// Makes a reader of a table, which has read nothing yet.
    pub fn new(table: T) -> SliceReader<T> {
        let arrivals = Slices::new(table.layout());
        SliceReader { table, arrivals }
    }

    /// The table that is read.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Reads the symbols of a slice, word by word; those of placements that are not positions are arbitrary.
    ///
    /// # Errors
    /// If a block that they are read from is damaged.
    pub fn read(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        if self.table.one_side().is_some_and(|(stored, _)| stored != turn)
            && let Some(symbols) = self.table.expanded(slice)?
        {
            into.clear();
            into.extend(symbols.iter().map(|&symbol| u16::from(symbol)));
            return Ok(());
        }
        self.derive(turn, slice, into)
    }

    /// Reads the symbols of a slice from what is stored.
    pub(super) fn derive(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        self.table.layer_symbols(turn, slice, into)?;
        match self.table.one_side() {
            Some((stored, ranks)) if stored != turn => self.find_other_side(stored, ranks, slice, None, into),
            _ => Ok(()),
        }
    }

    /// Reads the symbols of a slice with either side to move, as [`SliceReader::read`] does.
    ///
    /// # Errors
    /// If a block that they are read from is damaged.
    pub fn read_both(&self, slice: usize, into: &mut ByColor<Vec<u16>>) -> Result<(), TableError> {
        for turn in Color::ALL {
            self.table.layer_symbols(turn, slice, into.get_mut(turn))?;
        }
        let Some((stored, ranks)) = self.table.one_side() else { return Ok(()) };
        if let Some(symbols) = self.table.expanded(slice)? {
            let other = into.get_mut(stored.other());
            other.clear();
            other.extend(symbols.iter().map(|&symbol| u16::from(symbol)));
            return Ok(());
        }
        let (own, other) = match stored {
            Color::White => (&into.white, &mut into.black),
            Color::Black => (&into.black, &mut into.white),
        };
        self.find_other_side(stored, ranks, slice, Some(own), other)
    }

    /// Replaces the exceptions of a slice by the symbols of the side that is not stored. `own` are the symbols of the stored
    /// side in the slice, if they are at hand.
    fn find_other_side(
        &self,
        stored: Color,
        ranks: &Ranks,
        slice: usize,
        own: Option<&[u16]>,
        into: &mut [u16],
    ) -> Result<(), TableError> {
        let table = &*self.table;
        let movers = Movers { layout: table.layout(), ranks, stored };
        let make = |wanted: usize| -> Result<Arrivals, TableError> {
            if let Some(own) = own.filter(|_| wanted == slice) {
                return Ok(movers.arrivals(slice, own));
            }
            let mut symbols = Vec::new();
            table.layer_symbols(stored, wanted, &mut symbols)?;
            Ok(movers.arrivals(wanted, &symbols))
        };
        // Numbers that are not ranks of a position are marked by a high bit.
        const MISSING: u16 = 1 << 15;
        let symbols: [u16; 256] = std::array::from_fn(|rank| ranks.symbol(rank as u8).map_or(MISSING, u16::from));
        let guesses = &table.header().guesses;
        let mut done = 0;
        let proceed = || Ok(());
        movers.best_of_slice(&self.arrivals, slice, make, proceed, |word, legal, quiet, zeroing| {
            let rows = into.as_chunks_mut::<64>().0;
            let no_word = TableError::Internal("a slice is shorter than its words");
            let [before @ .., row] = rows.get_mut(done..=word).ok_or(no_word)? else { return Ok(()) };
            before.as_flattened_mut().fill(0);
            done = word + 1;
            let mut guessed = Guessed::default();
            zeroing.each(|kind, bits| guessed.add(guesses[kind], bits & legal));
            let mut best = ranks.add_guesses(&quiet, &guessed);
            // Any symbol will do where there is no position.
            Bits(!legal).for_each(|bit| best[usize::from(bit)] = ranks.of(0));
            for bit in Bits(legal & !cells_with(row, ranks.none().into())) {
                let bit = usize::from(bit);
                best[bit] = quiet[bit].max(ranks.of(row[bit] as u8));
            }
            let mut missing = 0;
            for (symbol, rank) in row.iter_mut().zip(best) {
                *symbol = symbols[usize::from(rank)];
                missing |= *symbol;
            }
            if missing & MISSING == 0 { Ok(()) } else { Err(table.damaged(table.exceptions_of(slice, word))) }
        })?;
        into.get_mut(done * 64..).unwrap_or_default().fill(0);
        Ok(())
    }
}

impl<T: Deref<Target = Table> + Sync> Solved for SliceReader<T> {
    fn layout(&self) -> &Layout {
        self.table.layout()
    }

    fn meanings(&self) -> Vec<Known> {
        let standing = |outcome| match outcome {
            Outcome::Loss => Standing::Lost,
            Outcome::Win => Standing::Won,
            // Under a move rule a cursed win counts as a draw.
            Outcome::Draw | Outcome::CursedWin | Outcome::BlessedLoss => Standing::Drawn,
        };
        let values = self.table.values().iter();
        values.map(|value| Known { standing: standing(value.outcome), depth: value.plies.0 }).collect()
    }

    fn symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        self.read(turn, slice, into)
    }

    fn release(&self) {
        self.arrivals.clear();
    }
}
