//! Writing a table: the symbols of its positions, compressed block by block.

use super::exceptions::Exceptions;
use super::format::{BlockRef, Blocking, Counts, Header, Stored};
use super::symbols::{SymbolSource, Symbols};
use crate::census::{Census, Counting, Halves};
use crate::decided::{Decided, Reading};
use crate::error::TableError;
use crate::journal::Journal;
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::other_side::Ranks;
use crate::other_side::guess::{Guess, KINDS};
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
    let stored = match stored {
        Some(stored) => stored,
        None if symmetric => Stored::Symmetric,
        None if is_one_side_enough(material, metric) && ranks.is_some() => {
            Stored::One(smaller_side(&source, &packers, path, progress)?)
        }
        None => Stored::Both,
    };
    let header = Header {
        material,
        metric,
        stored,
        counts,
        values: symbols.values.clone(),
        guesses: [Guess::default(); KINDS],
        blocks: Vec::new(),
    };
    let out = WholeFile::create(path)?;
    let offset = header.encoded_len(blocking.blocks() * stored.layers()) as u64;
    let mut output = Output { out, path, header, offset, blocking, packers: &packers, progress };
    output.out.seek(SeekFrom::Start(offset)).map_err(TableError::io("write", path))?;
    match (stored, &ranks) {
        (Stored::Symmetric, _) => {
            output.layer(|slice, reading, into| source.fill(Color::White, slice, reading, into))?
        }
        (Stored::Both, _) => {
            for turn in [Color::White, Color::Black] {
                output.layer(|slice, reading, into| source.fill(turn, slice, reading, into))?;
            }
        }
        (Stored::One(side), Some(ranks)) => {
            let exceptions = Exceptions::new(&source, side, ranks);
            output.layer(|slice, reading, into| {
                source.fill(side, slice, reading, into)?;
                exceptions.learn(slice, into);
                Ok(())
            })?;
            let guesses = exceptions.guesses(progress)?;
            output.header.guesses = guesses;
            output.layer(|slice, reading, into| exceptions.fill(slice, &guesses, reading, into, progress))?;
        }
        (Stored::One(_), None) => {
            return Err(TableError::Internal("one side of a table is stored whose values have no ranks"));
        }
    }
    output.finish(journal)
}

/// Whether one side to move of an endgame is stored, and the other found by one ply. Smaller tables are small anyway, and
/// larger ones would take too much memory when they are read. In other metrics the depth of a capture matters, so too many
/// positions would be exceptions.
pub fn is_one_side_enough(material: Material, metric: Metric) -> bool {
    material.men() == 5 && metric == Metric::Dtz.stored(material)
}

/// The side to move that takes fewer bytes, by a sample of the slices.
fn smaller_side(
    source: &SymbolSource<'_>,
    packers: &PerThread<Packer>,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Color, TableError> {
    const SAMPLE: usize = 16;
    let slices = source.layout.slices();
    let step = slices.div_ceil(SAMPLE).max(1);
    let size = |turn: Color, slice: usize| {
        progress.proceed()?;
        packers.with(|packer| {
            let mut symbols = Vec::new();
            source.fill(turn, slice, &mut packer.reading, &mut symbols)?;
            packer.symbols = symbols;
            let packed = packer.pack(0..source.layout.words(), 1).map_err(TableError::io("compress", path))?;
            Ok(packed.len())
        })
    };
    let side = |turn: Color| -> Result<usize, TableError> {
        let slices: Vec<usize> = (step / 2..slices).step_by(step).collect();
        slices.into_par_iter().map(|slice| size(turn, slice)).sum()
    };
    Ok(if side(Color::White)? <= side(Color::Black)? { Color::White } else { Color::Black })
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
                    let (mut all, mut symbols) = (std::mem::take(&mut packer.symbols), Vec::new());
                    all.clear();
                    for slice in slices.clone() {
                        self.progress.proceed()?;
                        fill(slice, &mut packer.reading, &mut symbols)?;
                        all.extend_from_slice(&symbols);
                    }
                    packer.symbols = all;
                    let blocks = self.blocking.group_blocks(slices.len());
                    let packed: io::Result<_> = blocks.map(|words| packer.pack(words, width)).collect();
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
