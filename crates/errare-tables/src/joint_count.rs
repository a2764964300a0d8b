//! Counting the positions of an endgame by their values in several tables at once.

use crate::address::Address;
use crate::census::{Census, Counting, Halves};
use crate::error::TableError;
use crate::legality::legal;
use crate::store::{SliceReader, Table};
use crate::value::Value;
use crate::words::Bits;
use errare_work::{Progress, Status};
use rayon::prelude::*;
use shakmaty::Color;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of words between checks for cancellation: a few milliseconds of work.
const WORDS_BETWEEN_CHECKS: usize = 256;

/// The positions of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JointCount {
    /// Number of positions, each once up to symmetry.
    pub count: u64,
    /// Examples of the positions as FENs, no two from one slice of the table.
    pub examples: Vec<String>,
}

/// The most tables that can be counted together.
pub const MAX_JOINT_TABLES: usize = 4;

/// Classes by the symbols of a position, as far as they were asked for lately: few combinations of values are frequent, and
/// a position then costs a look-up instead of a call.
struct RecentClasses {
    /// Symbols with their class, at the place that a hash of the symbols names.
    entries: Vec<(u64, Option<u8>)>,
}

impl RecentClasses {
    const BITS: u32 = 12;
    /// The key that stands for no combination of symbols: none is as great.
    const NONE: u64 = u64::MAX;

    fn new() -> RecentClasses {
        RecentClasses { entries: vec![(RecentClasses::NONE, None); 1 << RecentClasses::BITS] }
    }

    fn get(&mut self, symbols: u64, classify: impl FnOnce() -> Option<u8>) -> Option<u8> {
        // Fibonacci hashing: the high bits of the product depend on all bits of the symbols.
        let place = symbols.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - RecentClasses::BITS);
        let entry = &mut self.entries[place as usize];
        if entry.0 != symbols {
            *entry = (symbols, classify());
        }
        entry.1
    }
}

/// Classifies every position of an endgame with one side to move by its values in tables of the endgame, and counts each
/// class. Positions without a class are left out. The class must depend on the values alone: it is not asked for at every
/// position.
///
/// # Errors
/// If no table is given or more than [`MAX_JOINT_TABLES`], they are of different endgames, one is damaged, or the work is
/// cancelled.
pub fn count_jointly(
    tables: &[Arc<Table>],
    turn: Color,
    classify: &(dyn Fn(&[Value]) -> Option<u8> + Sync),
    examples: usize,
    progress: &dyn Progress,
) -> Result<BTreeMap<u8, JointCount>, TableError> {
    let Some(first) = tables.first().filter(|_| tables.len() <= MAX_JOINT_TABLES) else {
        return Err(TableError::Internal("no tables, or too many, are counted together"));
    };
    if tables.iter().any(|table| table.material() != first.material()) {
        return Err(TableError::Internal("tables of different endgames are counted together"));
    }
    let (layout, slices) = (first.layout(), first.layout().slices());
    let census = Census::new(layout, Counting::Once);
    let activity = format!("counting {}", first.material());
    let done = AtomicU64::new(0);
    let readers: Vec<SliceReader<&Table>> = tables.iter().map(|table| SliceReader::new(&**table)).collect();
    let count = |slice: usize| -> Result<BTreeMap<u8, (Halves, Address)>, TableError> {
        let mut symbols: Vec<Vec<u16>> = vec![Vec::new(); tables.len()];
        for (reader, symbols) in readers.iter().zip(&mut symbols) {
            reader.read(turn, slice, symbols)?;
        }
        let mut found: BTreeMap<u8, (Halves, Address)> = BTreeMap::new();
        let mut recent = RecentClasses::new();
        for word in 0..layout.words() {
            if word.is_multiple_of(WORDS_BETWEEN_CHECKS) {
                progress.proceed()?;
            }
            let mut sets: Vec<(u8, u64)> = Vec::new();
            for bit in Bits(legal(layout, slice, turn, word)) {
                let at = word * 64 + usize::from(bit);
                let together = symbols.iter().fold(0, |sum, own| sum << 16 | u64::from(own[at]));
                let class = recent.get(together, || {
                    let value = |(table, own): (&Arc<Table>, &Vec<u16>)| table.values()[usize::from(own[at])];
                    classify(&tables.iter().zip(&symbols).map(value).collect::<Vec<_>>())
                });
                let Some(class) = class else { continue };
                match sets.iter_mut().find(|(known, _)| *known == class) {
                    Some((_, bits)) => *bits |= 1 << bit,
                    None => sets.push((class, 1 << bit)),
                }
            }
            for (class, bits) in sets {
                let example = Address { turn, slice, word, bit: bits.trailing_zeros() as u8 };
                found.entry(class).or_insert((Halves::default(), example)).0 += census.weigh(slice, word, bits);
            }
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.report(&Status::new(&activity, "slices").at(done, slices as u64));
        Ok(found)
    };
    let parts: Vec<_> = (0..slices).into_par_iter().map(count).collect::<Result<_, TableError>>()?;
    let mut sums: BTreeMap<u8, (Halves, Vec<Address>)> = BTreeMap::new();
    for (class, (halves, example)) in parts.into_iter().flatten() {
        let sum = sums.entry(class).or_default();
        sum.0 += halves;
        sum.1.push(example);
    }
    sums.into_iter()
        .map(|(class, (halves, found))| {
            // From all over the endgame.
            let every = found.len().div_ceil(examples.max(1)).max(1);
            let fens = found.iter().step_by(every).take(examples).map(|address| address.fen(layout));
            let examples = fens.collect::<Result<Vec<String>, TableError>>()?;
            Ok((class, JointCount { count: census.total(halves), examples }))
        })
        .collect()
}
