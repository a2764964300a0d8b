//! Writing a table: the symbols of its positions, compressed block by block.

use super::exceptions::Exceptions;
use super::format::{BlockRef, Blocking, Counts, Header, Stored, symbol_bytes};
use super::order::Order;
use super::symbols::{ANY, SymbolSource, Symbols};
use crate::census::{Census, Counting, Halves};
use crate::decided::{Decided, Reading};
use crate::error::TableError;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::other_side::Ranks;
use crate::other_side::guess::{Guess, Guesses, KINDS};
use crate::threads::PerThread;
use crate::value::{Outcome, Plies, Value};
use errare_work::{Cancelled, Progress, WholeFile};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::HashMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use zstd::bulk::Compressor;

/// The compression level of zstd. Higher levels save little, and take several times the time of solving; the largest
/// tables are compressed at a lower one.
fn level(material: Material) -> i32 {
    if material.men() <= 5 { 7 } else { 3 }
}

/// Writes a solved endgame to `path`, which appears only when it is complete. `stored` are the sides to move that are
/// stored; without it, those that make the file small.
///
/// # Errors
/// If the file cannot be written, or the work is cancelled. Nothing is left behind then.
pub fn write_table(
    layout: &Layout,
    metric: Metric,
    decided: &Decided,
    stored: Option<Stored>,
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
    let source = SymbolSource { layout, decided, symbols: &symbols };
    let ranks = Ranks::new(&symbols.values, metric);
    let blocking = Blocking::new(layout);
    let packers = PerThread::new(|| Packer { level: level(material), ..Packer::default() });
    let possible: &[Stored] = match &stored {
        Some(stored) => std::slice::from_ref(stored),
        None if symmetric => &[Stored::Symmetric],
        None if is_one_side_enough(material, metric) && ranks.is_some() => &Stored::ONE,
        None => &[Stored::Both],
    };
    let trial = Trial { source: &source, blocking, packers: &packers, path, progress };
    let Way { stored, is_interleaved, guesses } = trial.smallest(possible, ranks.as_ref())?;
    let header = Header {
        material,
        metric,
        stored,
        is_interleaved,
        counts,
        values: symbols.values.clone(),
        guesses,
        blocks: Vec::new(),
    };
    let out = WholeFile::create(path)?;
    let offset = header.encoded_len(blocking.blocks() * stored.layers()) as u64;
    let mut output = Output { out, path, header, offset, blocking, packers: &packers, progress };
    output.out.seek(SeekFrom::Start(offset)).map_err(TableError::io("write", path))?;
    if let Stored::One(side) = stored {
        let no_ranks = TableError::Internal("one side of a table is stored whose values have no ranks");
        let exceptions = Exceptions::new(&source, side, ranks.as_ref().ok_or(no_ranks)?);
        output.layer(is_interleaved, |slice, reading, into| {
            source.fill(side, slice, reading, into)?;
            exceptions.learn(slice, into);
            Ok(())
        })?;
        output.layer(false, |slice, reading, into| exceptions.fill(slice, &guesses, reading, into, progress))?;
    } else {
        for &turn in stored.turns() {
            output.layer(is_interleaved, |slice, reading, into| source.fill(turn, slice, reading, into))?;
        }
    }
    output.finish(journal)
}

/// Whether one side to move of an endgame is stored, and the other found by one ply. That makes looking up slower. Of smaller
/// tables only those to mate, which are the largest, are worth it; larger ones would take too much memory when they are read.
pub fn is_one_side_enough(material: Material, metric: Metric) -> bool {
    match material.men() {
        5 => Ranks::are_for(metric),
        ..5 => metric == Metric::Dtm,
        _ => false,
    }
}

/// A way to store a table: the sides to move, and the order of cells.
#[derive(Clone, Copy)]
struct Way {
    stored: Stored,
    is_interleaved: bool,
    guesses: Guesses,
}

/// A trial of ways to store a table: finds by a sample of blocks which sides to move and which order of cells make it
/// small.
struct Trial<'a> {
    source: &'a SymbolSource<'a>,
    blocking: Blocking,
    packers: &'a PerThread<Packer>,
    path: &'a Path,
    progress: &'a dyn Progress,
}

impl Trial<'_> {
    /// The way that makes the sample smallest, with one of the possible choices of sides.
    fn smallest(&self, possible: &[Stored], ranks: Option<&Ranks>) -> Result<Way, TableError> {
        let mut smallest = None;
        for &stored in possible {
            let mut guesses = [Guess::default(); KINDS];
            let [mut plain, mut interleaved] = [0, 0];
            for &turn in stored.turns() {
                let sizes = self.sizes(|slice, reading, into| self.source.fill(turn, slice, reading, into))?;
                [plain, interleaved] = [plain + sizes[0], interleaved + sizes[1]];
            }
            if let (Stored::One(side), Some(ranks)) = (stored, ranks) {
                let exceptions = Exceptions::new(self.source, side, ranks);
                guesses = exceptions.guesses(&self.sample(), self.progress)?;
                let [size, _] =
                    self.sizes(|slice, reading, into| exceptions.fill(slice, &guesses, reading, into, self.progress))?;
                [plain, interleaved] = [plain + size, interleaved + size];
            }
            for (size, is_interleaved) in [(plain, false), (interleaved, true)] {
                if smallest.is_none_or(|(least, _)| size < least) {
                    smallest = Some((size, Way { stored, is_interleaved, guesses }));
                }
            }
        }
        smallest.map(|(_, way)| way).ok_or(TableError::Internal("a table has no sides that can be stored"))
    }

    /// The slices of the sample.
    fn sample(&self) -> Vec<usize> {
        // With pawns there are few slices, which are large.
        let slices = self.blocking.slices();
        spread(slices, if slices < 100 { 6 } else { 12 })
    }

    /// The bytes of the sample of a layer, in the order of the cells and interleaved.
    fn sizes(
        &self,
        fill: impl Fn(usize, &mut Reading, &mut Vec<u16>) -> Result<(), TableError> + Sync,
    ) -> Result<[usize; 2], TableError> {
        const BLOCKS: usize = 16;
        let slices = self.blocking.slices();
        let width = symbol_bytes(self.source.symbols.values.len());
        let size = |&start: &usize| -> Result<[usize; 2], TableError> {
            self.progress.proceed()?;
            self.packers.with(|packer| {
                // As many slices as a block has.
                let together = start..(start + self.blocking.slices_per_block()).min(slices);
                packer.take(together.clone(), &fill)?;
                let blocks: Vec<_> = self.blocking.group_blocks(together.len()).collect();
                let mut sizes = [0, 0];
                for block in spread(blocks.len(), BLOCKS) {
                    for (size, is_interleaved) in sizes.iter_mut().zip([false, true]) {
                        let packed = packer.pack(blocks[block].clone(), width, is_interleaved);
                        *size += packed.map_err(TableError::io("compress", self.path))?.len();
                    }
                }
                Ok(sizes)
            })
        };
        let sizes: Vec<[usize; 2]> = self.sample().par_iter().map(size).collect::<Result<_, TableError>>()?;
        Ok(sizes.into_iter().fold([0, 0], |sum, size| [sum[0] + size[0], sum[1] + size[1]]))
    }
}

/// At most `count` of the numbers below `end`, spread so that they have all kinds of remainders: neighbours in a table differ
/// by the square of one man, and all its squares have to be met.
fn spread(end: usize, count: usize) -> Vec<usize> {
    fn are_coprime(a: usize, b: usize) -> bool {
        if b == 0 { a == 1 } else { are_coprime(b, a % b) }
    }
    let stride = (end * 5 / 8..).find(|&stride| are_coprime(stride, end)).unwrap_or(1);
    (0..end.min(count)).map(|number| number * stride % end).collect()
}

/// A table file in the making.
struct Output<'a> {
    out: WholeFile,
    path: &'a Path,
    header: Header,
    offset: u64,
    blocking: Blocking,
    packers: &'a PerThread<Packer>,
    progress: &'a dyn Progress,
}

impl Output<'_> {
    /// Writes a layer, slice by slice as `fill` gives their symbols.
    fn layer(
        &mut self,
        is_interleaved: bool,
        fill: impl Fn(usize, &mut Reading, &mut Vec<u16>) -> Result<(), TableError> + Sync,
    ) -> Result<(), TableError> {
        let (path, width) = (self.path, self.header.symbol_bytes());
        let group = self.blocking.slices_per_block();
        let slices = self.blocking.slices();
        let starts: Vec<usize> = (0..slices).step_by(group).collect();
        // A few groups a thread at a time keep all threads busy and take little memory.
        for starts in starts.chunks(4 * rayon::current_num_threads()) {
            let pack = |&start: &usize| {
                self.packers.with(|packer| -> Result<Vec<Vec<u8>>, TableError> {
                    let slices = start..(start + group).min(slices);
                    packer.take(slices.clone(), |slice, reading, into| {
                        self.progress.proceed()?;
                        fill(slice, reading, into)
                    })?;
                    let blocks = self.blocking.group_blocks(slices.len());
                    let packed: io::Result<_> = blocks.map(|words| packer.pack(words, width, is_interleaved)).collect();
                    packed.map_err(TableError::io("compress", path))
                })
            };
            let packed: Vec<Vec<Vec<u8>>> = starts.par_iter().map(pack).collect::<Result<_, TableError>>()?;
            for block in packed.iter().flatten() {
                self.out.write_all(block).map_err(TableError::io("write", path))?;
                let (offset, crc) = (self.offset, crc32fast::hash(block));
                self.header.blocks.push(BlockRef { offset, length: block.len() as u32, crc });
                self.offset += block.len() as u64;
            }
        }
        Ok(())
    }

    /// Writes the header, after all layers.
    fn finish(mut self, journal: &Journal) -> Result<(), TableError> {
        let failed = || TableError::io("write", self.path);
        self.out.seek(SeekFrom::Start(0)).map_err(failed())?;
        self.out.write_all(&self.header.encode()).map_err(failed())?;
        journal.check()?;
        Ok(self.out.finish()?)
    }
}

/// The buffers and compressor by which a thread makes blocks.
#[derive(Default)]
struct Packer {
    /// The symbols of the slices in work.
    symbols: Vec<u16>,
    reading: Reading,
    /// The symbols of a block in the order in which they are stored, and their bytes.
    ordered: Vec<u16>,
    bytes: Vec<u8>,
    compressor: Option<Compressor<'static>>,
    level: i32,
}

impl Packer {
    /// Takes the symbols of a range of slices.
    fn take(
        &mut self,
        slices: std::ops::Range<usize>,
        fill: impl Fn(usize, &mut Reading, &mut Vec<u16>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        if slices.len() == 1 {
            return fill(slices.start, &mut self.reading, &mut self.symbols);
        }
        self.symbols.clear();
        let mut symbols = Vec::new();
        for slice in slices {
            fill(slice, &mut self.reading, &mut symbols)?;
            self.symbols.extend_from_slice(&symbols);
        }
        Ok(())
    }

    /// Compresses the symbols of a range of words: one byte a symbol, or the low bytes of all, then the high bytes. A cell
    /// for which any symbol will do repeats the one before.
    fn pack(&mut self, words: std::ops::Range<usize>, width: usize, is_interleaved: bool) -> io::Result<Vec<u8>> {
        let symbols = &self.symbols[words.start * 64..words.end * 64];
        let mut last = symbols.iter().copied().find(|&symbol| symbol != ANY).unwrap_or(0);
        let mut ordered = std::mem::take(&mut self.ordered);
        ordered.clear();
        Order::new(is_interleaved, symbols.len()).each_cell(symbols.len(), |cell| {
            if symbols[cell] != ANY {
                last = symbols[cell];
            }
            ordered.push(last);
        });
        self.bytes.clear();
        self.bytes.extend(ordered.iter().map(|&symbol| symbol as u8));
        if width == 2 {
            self.bytes.extend(ordered.iter().map(|&symbol| (symbol >> 8) as u8));
        }
        self.ordered = ordered;
        let compressor = match &mut self.compressor {
            Some(compressor) => compressor,
            none => none.insert(Compressor::new(self.level)?),
        };
        compressor.compress(&self.bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_numbers_differ() {
        for end in 1..600 {
            let mut numbers = spread(end, 16);
            assert!(numbers.iter().all(|&number| number < end));
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), end.min(16), "of {end}");
        }
        // A pawn on each of its ranks.
        let ranks: std::collections::HashSet<usize> = spread(24, 6).into_iter().map(|number| number % 6).collect();
        assert_eq!(ranks.len(), 6);
    }
}
