//! Writing a table: the symbols of its positions, compressed block by block.

use super::format::{BlockRef, Blocking, Counts, Header};
use crate::census::{Census, Counting, Halves};
use crate::decided::{Decided, Reading};
use crate::error::TableError;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::threads::PerThread;
use crate::value::{Outcome, Plies, Value};
use crate::words::Bits;
use errare_work::{Cancelled, Progress, WholeFile};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::{HashMap, HashSet};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use zstd::bulk::Compressor;

/// The compression level of zstd. On a large table level 9 would save a fifth of the bytes for five times the
/// time, which is several times that of solving; a small table is compressed quickly anyway.
fn level(material: Material) -> i32 {
    if material.men() <= 4 { 7 } else { 3 }
}

/// Writes a solved endgame to `path`, which appears only when it is complete.
///
/// # Errors
/// If the file cannot be written, or the work is cancelled. Nothing is left behind then.
pub fn write_table(
    layout: &Layout,
    metric: Metric,
    decided: &Decided,
    path: &Path,
    journal: &Journal,
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let material = layout.material();
    let symmetric = material.is_symmetric();
    let white = sums(layout, Color::White, decided, progress)?;
    let black = if symmetric { white.clone() } else { sums(layout, Color::Black, decided, progress)? };
    let sums = ByColor { white, black };
    let symbols = Symbols::new(sums.as_ref().into_iter().flat_map(HashMap::keys).copied())?;
    let white = count(layout, Color::White, &sums.white, progress)?;
    let black = if symmetric { white } else { count(layout, Color::Black, &sums.black, progress)? };
    let counts = ByColor { white, black };
    let blocking = Blocking::new(layout);
    let mut header = Header {
        material,
        metric,
        sides: if symmetric { 1 } else { 2 },
        counts,
        values: symbols.values.clone(),
        blocks: Vec::new(),
    };
    let width = header.symbol_bytes();
    let failed = |action| TableError::io(action, path);
    let mut out = WholeFile::create(path)?;
    let total = blocking.blocks() * usize::from(header.sides);
    let mut offset = header.encoded_len(total) as u64;
    out.seek(SeekFrom::Start(offset)).map_err(failed("write"))?;

    let level = level(material);
    let packers = PerThread::new(|| Packer { level, ..Packer::default() });
    let turns = if symmetric { &[Color::White][..] } else { &[Color::White, Color::Black] };
    let group = blocking.slices_per_block();
    let starts: Vec<usize> = (0..layout.slices()).step_by(group).collect();
    for &turn in turns {
        // A few groups a thread at a time keep all threads busy and take little memory.
        for starts in starts.chunks(4 * rayon::current_num_threads()) {
            let packed: Vec<Vec<Vec<u8>>> = starts
                .par_iter()
                .map(|&start| {
                    let slices = start..(start + group).min(layout.slices());
                    packers.with(|packer| {
                        progress.proceed()?;
                        symbols.fill(
                            layout,
                            turn,
                            slices.clone(),
                            decided,
                            &mut packer.reading,
                            &mut packer.symbols,
                        )?;
                        let packed: io::Result<_> =
                            blocking.group_blocks(slices.len()).map(|words| packer.pack(words, width)).collect();
                        packed.map_err(failed("compress"))
                    })
                })
                .collect::<Result<_, TableError>>()?;
            for block in packed.iter().flatten() {
                out.write_all(block).map_err(failed("write"))?;
                header.blocks.push(BlockRef { offset, length: block.len() as u32, crc: crc32fast::hash(block) });
                offset += block.len() as u64;
            }
        }
    }
    out.seek(SeekFrom::Start(0)).map_err(failed("write"))?;
    out.write_all(&header.encode()).map_err(failed("write"))?;
    journal.check()?;
    Ok(out.finish()?)
}

/// The buffers and compressor by which a thread makes blocks.
#[derive(Default)]
struct Packer {
    /// The symbols of the slices in work.
    symbols: Vec<u16>,
    reading: Reading,
    bytes: Vec<u8>,
    compressor: Option<Compressor<'static>>,
    level: i32,
}

impl Packer {
    /// Compresses the symbols of a range of words: one byte a symbol, or the low bytes of all, then the high bytes.
    fn pack(&mut self, words: std::ops::Range<usize>, width: usize) -> io::Result<Vec<u8>> {
        let symbols = &self.symbols[words.start * 64..words.end * 64];
        self.bytes.clear();
        self.bytes.extend(symbols.iter().map(|&symbol| symbol as u8));
        if width == 2 {
            self.bytes.extend(symbols.iter().map(|&symbol| (symbol >> 8) as u8));
        }
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => none.insert(Compressor::new(self.level)?),
        };
        compressor.compress(&self.bytes)
    }
}

/// The values of a table, numbered as symbols.
struct Symbols {
    values: Vec<Value>,
    numbers: HashMap<Value, u16>,
}

impl Symbols {
    fn new(values: impl Iterator<Item = Value>) -> Result<Symbols, TableError> {
        // Neighbouring depths get neighbouring numbers, and the draw is 0.
        let found: HashSet<Value> = values.collect();
        let mut values: Vec<Value> = found.into_iter().collect();
        values.sort_by_key(|value| (value.outcome, value.plies, value.phase));
        values.insert(0, Value::DRAW);
        if values.len() > usize::from(u16::MAX) + 1 {
            return Err(TableError::Internal("a table has more values than a symbol can number"));
        }
        let numbers = values.iter().enumerate().map(|(number, &value)| (value, number as u16)).collect();
        Ok(Symbols { values, numbers })
    }

    /// Fills a buffer with the symbols of some slices. Cells that are not legal positions, or whose position is
    /// stored in another cell, repeat the symbol before them.
    fn fill(
        &self,
        layout: &Layout,
        turn: Color,
        slices: std::ops::Range<usize>,
        decided: &Decided,
        reading: &mut Reading,
        buffer: &mut Vec<u16>,
    ) -> Result<(), TableError> {
        buffer.clear();
        buffer.resize(slices.len() * layout.words() * 64, 0);
        for (slice, part) in slices.zip(buffer.chunks_exact_mut(layout.words() * 64)) {
            let mut last = (Value::DRAW, 0);
            let mut is_known = true;
            decided.visit(layout, turn, slice, reading, |value, word, bits| {
                if value != last.0 {
                    let symbol = self.numbers.get(&value).copied();
                    is_known &= symbol.is_some();
                    last = (value, symbol.unwrap_or(0));
                }
                let row = &mut part[word * 64..word * 64 + 64];
                Bits(bits).for_each(|bit| row[bit as usize] = last.1);
            })?;
            if !is_known {
                return Err(TableError::Internal("a table holds a value that has no number"));
            }
            let mut last = 0;
            for (word, row) in part.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                let broken = !(legal(layout, slice, turn, word) & layout.leading_bits(word));
                if broken == !0 {
                    *row = [last; 64];
                    continue;
                }
                if broken & 1 != 0 {
                    row[0] = last;
                }
                Bits(broken & !1).for_each(|bit| row[bit as usize] = row[bit as usize - 1]);
                last = row[63];
            }
        }
        Ok(())
    }
}

/// Counts the decided positions with one side to move, by value.
fn sums(
    layout: &Layout,
    turn: Color,
    decided: &Decided,
    progress: &dyn Progress,
) -> Result<HashMap<Value, Halves>, TableError> {
    let census = Census::new(layout, Counting::Once);
    let sums: Vec<HashMap<Value, Halves>> = (0..layout.slices())
        .into_par_iter()
        .map_init(Reading::default, |reading, slice| {
            progress.proceed()?;
            let mut sums: HashMap<Value, Halves> = HashMap::new();
            let mut last = (Value::DRAW, Halves::default());
            decided.visit(layout, turn, slice, reading, |value, word, bits| {
                if value != last.0 {
                    let (before, sum) = std::mem::replace(&mut last, (value, Halves::default()));
                    *sums.entry(before).or_default() += sum;
                }
                last.1 += census.weigh(slice, word, bits);
            })?;
            *sums.entry(last.0).or_default() += last.1;
            sums.remove(&Value::DRAW);
            Ok(sums)
        })
        .collect::<Result<_, TableError>>()?;
    let mut by_value: HashMap<Value, Halves> = HashMap::new();
    sums.into_iter().flatten().for_each(|(value, halves)| *by_value.entry(value).or_default() += halves);
    Ok(by_value)
}

/// Counts the positions with one side to move by their outcomes.
fn count(
    layout: &Layout,
    turn: Color,
    by_value: &HashMap<Value, Halves>,
    progress: &dyn Progress,
) -> Result<Counts, TableError> {
    let census = Census::new(layout, Counting::Once);
    let weigh = |slice: usize, words: &mut dyn Iterator<Item = (u32, u64)>| {
        let mut sum = Halves::default();
        words.for_each(|(word, bits)| sum += census.weigh(slice, word as usize, bits));
        sum
    };
    let mut counts = Counts::default();
    for (value, &halves) in by_value {
        let Plies(plies) = value.plies;
        let (total, deepest) = match value.outcome {
            Outcome::Win => (&mut counts.wins, &mut counts.max_win),
            Outcome::CursedWin => (&mut counts.cursed_wins, &mut counts.max_win),
            Outcome::Loss => (&mut counts.losses, &mut counts.max_loss),
            Outcome::BlessedLoss => (&mut counts.blessed_losses, &mut counts.max_loss),
            Outcome::Draw => continue,
        };
        *total += census.total(halves);
        deepest.0 = deepest.0.max(plies);
    }
    let legal_words = |slice| (0..layout.words()).map(move |word| (word as u32, legal(layout, slice, turn, word)));
    let mut all = Halves::default();
    let parts: Vec<Halves> = (0..layout.slices())
        .into_par_iter()
        .map(|slice| progress.proceed().map(|()| weigh(slice, &mut legal_words(slice))))
        .collect::<Result<_, Cancelled>>()?;
    parts.into_iter().for_each(|part| all += part);
    let decided = counts.wins + counts.cursed_wins + counts.losses + counts.blessed_losses;
    let more_than_all = TableError::Internal("a table has more decided positions than legal ones");
    counts.draws = census.total(all).checked_sub(decided).ok_or(more_than_all)?;
    Ok(counts)
}
