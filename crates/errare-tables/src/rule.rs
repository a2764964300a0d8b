//! The move rule: positions that are won or lost without it, but not with it.

use crate::error::TableError;
use crate::legality::legal;
use crate::packed::{Batch, Packed};
use crate::solve::Verdicts;
use crate::store::Table;
use crate::value::{Outcome, Value};
use crate::words::Bits;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::BTreeMap;

/// Adds cursed wins and blessed losses to verdicts found under a move rule: positions that are decided in the
/// table without the rule, with their depths there, but not under the rule.
///
/// # Errors
/// If the table without the rule is damaged, or the work is cancelled.
pub fn with_cursed(verdicts: &mut Verdicts, plain: &Table, progress: &dyn Progress) -> Result<(), TableError> {
    let layout = plain.layout();
    for turn in Color::ALL {
        verdicts.get_mut(turn).par_iter_mut().enumerate().try_for_each(|(slice, verdict)| {
            progress.proceed()?;
            let mut kept = vec![0_u64; layout.words()];
            for (_, set) in verdict.iter() {
                set.iter().for_each(|(word, bits)| kept[word as usize] |= bits);
            }
            let mut symbols = Vec::new();
            plain.slice_symbols(turn, slice, &mut symbols)?;
            let mut found: BTreeMap<u16, Batch> = BTreeMap::new();
            for (word, row) in symbols.chunks_exact(64).enumerate() {
                for bit in Bits(legal(layout, slice, turn, word) & !kept[word]) {
                    let symbol = row[usize::from(bit)];
                    if plain.values()[usize::from(symbol)].outcome != Outcome::Draw {
                        let batch = found.entry(symbol).or_default();
                        match batch.last_mut() {
                            Some((last, bits)) if *last == word as u32 => *bits |= 1 << bit,
                            _ => batch.push((word as u32, 1 << bit)),
                        }
                    }
                }
            }
            let mut bytes = Vec::new();
            verdict.extend(found.into_iter().map(|(symbol, batch)| {
                let plain = plain.values()[usize::from(symbol)];
                let outcome = if plain.outcome.is_win() { Outcome::CursedWin } else { Outcome::BlessedLoss };
                (Value { outcome, ..plain }, Packed::new(&batch, &mut bytes))
            }));
            Ok::<(), TableError>(())
        })?;
    }
    Ok(())
}
