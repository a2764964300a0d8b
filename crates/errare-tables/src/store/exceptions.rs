//! Finding the exceptions of the side to move that a table does not store: the positions whose value follows neither
//! from their best quiet move nor from what is guessed of their other moves.

use super::symbols::SymbolSource;
use crate::decided::Reading;
use crate::error::TableError;
use crate::layout::Layout;
use crate::other_side::Ranks;
use crate::other_side::guess::{Guess, Guessed, Guesses, KINDS};
use crate::other_side::rows::{Arrivals, Movers, Slices};
use crate::words::Bits;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::Color;

/// A finder of the exceptions of one side to move.
pub struct Exceptions<'a> {
    source: &'a SymbolSource<'a>,
    movers: Movers<'a>,
    arrivals: Slices,
}

impl<'a> Exceptions<'a> {
    /// Makes a finder of the exceptions of the side to move that is not `stored`.
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
        if layout.multiplicity() == 1 {
            return self.movers.arrivals(slice, symbols);
        }
        let mut all = symbols.to_vec();
        layout.copy_to_twins(&mut all);
        self.movers.arrivals(slice, &all)
    }

    /// Makes the arrivals of a slice that were not kept.
    fn make(&self, slice: usize) -> Result<Arrivals, TableError> {
        let mut symbols = Vec::new();
        self.source.fill(self.movers.stored, slice, &mut Reading::default(), &mut symbols)?;
        Ok(self.arrivals_of(slice, &symbols))
    }

    /// Chooses the guesses that leave the fewest exceptions, by those positions of a sample of slices that have captures or
    /// pawn moves of one kind only.
    ///
    /// # Errors
    /// If the table without the move rule is damaged, or the work is cancelled.
    pub fn guesses(&self, sample: &[usize], progress: &dyn Progress) -> Result<Guesses, TableError> {
        let Movers { layout, ranks, stored } = self.movers;
        let count = |&slice: &usize| -> Result<Vec<[u64; 4]>, TableError> {
            let mut right = vec![[0_u64; 4]; KINDS];
            let mut symbols = Vec::new();
            self.source.fill(stored.other(), slice, &mut Reading::default(), &mut symbols)?;
            let (make, proceed) = (|slice| self.make(slice), || Ok(progress.proceed()?));
            self.movers.best_of_slice(&self.arrivals, slice, make, proceed, |word, legal, quiet, zeroing| {
                let legal = legal & layout.leading_bits(word);
                let (mut once, mut more) = (0, 0);
                let mut kinds = Vec::new();
                zeroing.each(|kind, bits| {
                    more |= once & bits;
                    once |= bits;
                    kinds.push((kind, bits));
                });
                for (kind, bits) in kinds {
                    for bit in Bits(bits & legal & !more) {
                        let bit = usize::from(bit);
                        let rank = ranks.of(symbols[word * 64 + bit] as u8);
                        for (right, guess) in right[kind].iter_mut().zip(Guess::ALL) {
                            *right += u64::from(ranks.with_guess(quiet[bit], guess) == rank);
                        }
                    }
                }
                Ok(())
            })?;
            Ok(right)
        };
        let counts: Vec<Vec<[u64; 4]>> = sample.par_iter().map(count).collect::<Result<_, _>>()?;
        Ok(std::array::from_fn(|kind| {
            let right = |guess: usize| counts.iter().map(|right| right[kind][guess]).sum::<u64>();
            // The first of the best.
            let best = (0..Guess::ALL.len()).rev().max_by_key(|&guess| right(guess));
            best.map_or(Guess::default(), |guess| Guess::ALL[guess])
        }))
    }

    /// Fills a buffer with the exceptions of a slice. Cells that are none, or not legal positions, repeat the symbol before
    /// them where that is not better than the value of the position: then it does not matter.
    ///
    /// # Errors
    /// [`TableError::Internal`] if a position is worth less than one of its moves, or if the work is cancelled.
    pub fn fill(
        &self,
        slice: usize,
        guesses: &Guesses,
        reading: &mut Reading,
        buffer: &mut Vec<u16>,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let Movers { layout, ranks, stored } = self.movers;
        self.source.fill(stored.other(), slice, reading, buffer)?;
        let mut last = ranks.none();
        let mut done = 0;
        let proceed = || Ok(progress.proceed()?);
        let make = |slice| self.make(slice);
        self.movers.best_of_slice(&self.arrivals, slice, make, proceed, |word, legal, quiet, zeroing| {
            let rows = buffer.as_chunks_mut::<64>().0;
            let no_word = TableError::Internal("a slice is shorter than its words");
            let [before @ .., row] = rows.get_mut(done..=word).ok_or(no_word)? else { return Ok(()) };
            before.as_flattened_mut().fill(last.into());
            done = word + 1;
            let mut guessed = Guessed::default();
            zeroing.each(|kind, bits| guessed.add(guesses[kind], bits & legal));
            let best = ranks.add_guesses(&quiet, &guessed);
            let legal = legal & layout.leading_bits(word);
            for (bit, symbol) in row.iter_mut().enumerate() {
                if legal >> bit & 1 != 0 {
                    let (rank, quiet, best) = (ranks.of(*symbol as u8), quiet[bit], best[bit]);
                    if rank < quiet {
                        return Err(TableError::Internal("a position is worth less than one of its moves"));
                    }
                    let with =
                        |exception| if exception == ranks.none() { best } else { quiet.max(ranks.of(exception)) };
                    if with(last) != rank {
                        last = if best == rank { ranks.none() } else { *symbol as u8 };
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
