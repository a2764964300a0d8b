//! A solved endgame: every decided position with its value, read slice by slice.

use crate::error::TableError;
use crate::journal::{History, for_each_bit};
use crate::layout::Layout;
use crate::legality::legal;
use crate::packed::{Batch, Packed};
use crate::store::{SliceReader, Table};
use crate::value::{Outcome, Plies, Value};
use crate::words::Bits;
use shakmaty::{ByColor, Color};
use std::sync::Arc;

/// The decided positions of a slice, under their values.
pub type Verdict = Vec<(Value, Packed)>;

/// The decided positions of a solved endgame. Legal positions without a value are draws.
pub struct Decided {
    sets: Sets,
    /// For a metric with a move rule, the table without it: what is decided there and not under the rule is a cursed win or
    /// a blessed loss.
    pub plain: Option<SliceReader<Arc<Table>>>,
}

enum Sets {
    /// The positions that each run of the ply loop decided.
    Runs(Vec<Run>),
    /// The decided positions by side to move and slice.
    Slices(ByColor<Vec<Verdict>>),
}

/// A run of the ply loop.
pub struct Run {
    /// The level of the run, for DTR. A position has the value of the first run that decides it.
    pub level: Option<u16>,
    pub history: History,
}

impl Run {
    fn value(&self, outcome: Outcome, ply: u16) -> Value {
        match self.level {
            None => Value::new(outcome, ply),
            Some(level) => {
                let plies = if ply == 0 { 0 } else { level.max(ply) };
                Value { outcome, plies: Plies(plies), phase: Plies(ply) }
            }
        }
    }
}

/// Buffers for reading slices.
#[derive(Default)]
pub struct Reading {
    bytes: Vec<u8>,
    known: Vec<u64>,
    symbols: Vec<u16>,
}

impl Decided {
    /// Makes a solved endgame of what runs decided; runs of DTR by increasing level.
    pub fn by_runs(runs: Vec<Run>) -> Decided {
        Decided { sets: Sets::Runs(runs), plain: None }
    }

    /// Makes a solved endgame of what is decided slice by slice.
    pub fn by_slices(slices: ByColor<Vec<Verdict>>) -> Decided {
        Decided { sets: Sets::Slices(slices), plain: None }
    }

    /// Visits every decided position of a slice: its value, its word, and bits of the word. Positions of the same value come
    /// one after the other, mostly.
    ///
    /// # Errors
    /// If the table without the move rule is damaged.
    pub fn visit(
        &self,
        layout: &Layout,
        turn: Color,
        slice: usize,
        reading: &mut Reading,
        mut visit: impl FnMut(Value, usize, u64),
    ) -> Result<(), TableError> {
        let Reading { bytes, known, symbols } = reading;
        // Some positions occur more than once, or the others have to be found.
        let marks = self.plain.is_some() || matches!(&self.sets, Sets::Runs(runs) if runs.len() > 1);
        known.clear();
        known.resize(if marks { layout.words() } else { 0 }, 0);
        let mut found = |value: Value, word: usize, mut bits: u64| {
            if marks {
                bits &= !known[word];
                known[word] |= bits;
            }
            if bits != 0 {
                visit(value, word, bits);
            }
        };
        match &self.sets {
            Sets::Runs(runs) => {
                for run in runs {
                    for (ply, decided) in run.history.iter().enumerate() {
                        for (outcome, is_win) in [(Outcome::Loss, false), (Outcome::Win, true)] {
                            let value = run.value(outcome, ply as u16);
                            for_each_bit(decided.sets(is_win, turn), slice, bytes, |word, bits| {
                                found(value, word, bits)
                            });
                        }
                    }
                }
            }
            Sets::Slices(slices) => {
                for (value, set) in slices.get(turn).get(slice).into_iter().flatten() {
                    set.iter(bytes).for_each(|(word, bits)| found(*value, word as usize, bits));
                }
            }
        }
        let Some(plain) = &self.plain else { return Ok(()) };
        plain.read(turn, slice, symbols)?;
        for (word, row) in symbols.as_chunks::<64>().0.iter().enumerate() {
            for bit in Bits(legal(layout, slice, turn, word) & !known[word]) {
                let symbol = usize::from(row[usize::from(bit)]);
                let value =
                    *plain.table().values().get(symbol).ok_or(TableError::Internal("a symbol without a value"))?;
                let outcome = match value.outcome {
                    Outcome::Draw => continue,
                    outcome if outcome.is_win() => Outcome::CursedWin,
                    _ => Outcome::BlessedLoss,
                };
                visit(Value { outcome, ..value }, word, 1 << bit);
            }
        }
        Ok(())
    }

    /// The decided positions of a slice, packed.
    ///
    /// # Errors
    /// If the table without the move rule is damaged.
    pub fn verdict(&self, layout: &Layout, turn: Color, slice: usize) -> Result<Verdict, TableError> {
        let mut verdict = Verdict::new();
        let mut pending: Option<(Value, Batch)> = None;
        let mut bytes = Vec::new();
        self.visit(layout, turn, slice, &mut Reading::default(), |value, word, bits| match &mut pending {
            Some((last, batch)) if *last == value => batch.push((word as u32, bits)),
            pending => {
                if let Some((value, batch)) = pending.replace((value, vec![(word as u32, bits)])) {
                    verdict.push((value, Packed::new(&batch, &mut bytes)));
                }
            }
        })?;
        verdict.extend(pending.map(|(value, batch)| (value, Packed::new(&batch, &mut bytes))));
        Ok(verdict)
    }
}
