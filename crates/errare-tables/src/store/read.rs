//! Reading a table: memory-mapped, each block decompressed when it is first read.

use super::cache::{BlockCache, Blocks};
use super::format::{Blocking, Header, MAGIC, PREFIX, VERSION};
use crate::address::Address;
use crate::error::{Fault, TableError};
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::value::{Outcome, Value};
use crate::view::{Known, Solved, Standing};
use crate::words::Bits;
use errare_work::Progress;
use memmap2::Mmap;
use shakmaty::{Board, Color};
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zstd::bulk::Decompressor;

thread_local! {
    /// One decompressor a thread: setting one up costs as much as decompressing a block.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// An open table.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    bytes: Mmap,
    header: Header,
    layout: Layout,
    blocking: Blocking,
    blocks: Blocks,
}

impl Table {
    /// Opens a file and checks its header.
    pub(crate) fn open(
        path: &Path,
        material: Material,
        metric: Metric,
        cache: Arc<BlockCache>,
    ) -> Result<Table, TableError> {
        let damaged = |fault| TableError::Damaged { path: path.to_owned(), fault };
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { material, metric, path: path.to_owned() },
            _ => TableError::io("open", path)(error),
        })?;
        let length = file.metadata().map_err(TableError::io("open", path))?.len();
        if length < PREFIX as u64 {
            return Err(damaged(Fault::Length { found: length, expected: PREFIX as u64 }));
        }
        // SAFETY: tables are replaced by renaming, never written in place, so the mapped bytes
        // do not change; every block is checked against its checksum before use.
        let bytes = unsafe { Mmap::map(&file) }.map_err(TableError::io("map", path))?;
        if bytes[..8] != MAGIC {
            return Err(damaged(Fault::Magic));
        }
        let version = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        if version != VERSION {
            return Err(TableError::Version { path: path.to_owned(), found: version, expected: VERSION });
        }
        let header = Header::decode(&bytes).map_err(damaged)?;
        if (header.material, header.metric) != (material, metric) {
            return Err(damaged(Fault::Other { found: format!("{} to {}", header.material, header.metric) }));
        }
        let layout = Layout::new(material).ok_or(TableError::BareKings)?;
        let blocking = Blocking::new(&layout);
        if header.blocks.len() != blocking.blocks() * usize::from(header.sides) {
            return Err(damaged(Fault::Header));
        }
        let expected = header.blocks.last().map_or(0, |block| block.offset.saturating_add(u64::from(block.length)));
        if length != expected {
            return Err(damaged(Fault::Length { found: length, expected }));
        }
        let blocks = Blocks::new(header.blocks.len(), cache);
        Ok(Table { path: path.to_owned(), bytes, header, layout, blocking, blocks })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.header.material
    }

    /// The metric of the table's depths.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// The header of the file, with counts and maxima.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The numbering of positions.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Looks up the value of a legal position of this material, in either colouring; `None` for other material.
    ///
    /// # Errors
    /// If the block of the position is damaged.
    pub fn value(&self, board: &Board, turn: Color) -> Result<Option<Value>, TableError> {
        match Address::of(&self.layout, board, turn) {
            Some(address) => self.value_at(address).map(Some),
            None => Ok(None),
        }
    }

    /// Looks up a legal position known to have this material, Black being the side named first if `swapped`.
    pub(crate) fn value_oriented(&self, board: &Board, turn: Color, swapped: bool) -> Result<Value, TableError> {
        self.value_at(Address::oriented(&self.layout, board, turn, swapped).ok_or(TableError::NO_PLACE)?)
    }

    /// The value at an address, which must be that of a legal position.
    pub(crate) fn value_at(&self, address: Address) -> Result<Value, TableError> {
        let address = self.stored(address)?;
        let (block, word) = self.blocking.find(address.slice, address.word);
        let block = block + self.side_offset(address.turn);
        let at = word * 64 + usize::from(address.bit);
        let symbol = self.with_block(block, |symbols| symbols.get(at))?;
        self.header.values.get(usize::from(symbol)).copied().ok_or_else(|| self.damaged(block))
    }

    /// Reads the symbols of a slice, word by word; those of placements that are not positions are arbitrary.
    pub(crate) fn slice_symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        into.clear();
        if self.header.sides == 1 && turn == Color::Black {
            for word in 0..self.layout.words() {
                let legal = legal(&self.layout, slice, turn, word);
                let start = into.len();
                into.resize(start + 64, 0);
                for bit in Bits(legal) {
                    let address = self.stored(Address { turn, slice, word, bit })?;
                    let (block, word) = self.blocking.find(address.slice, address.word);
                    let at = word * 64 + usize::from(address.bit);
                    into[start + usize::from(bit)] = self.with_block(block, |symbols| symbols.get(at))?;
                }
            }
            return Ok(());
        }
        let mut word = 0;
        while word < self.layout.words() {
            let (block, first) = self.blocking.find(slice, word);
            let words = (self.blocking.block_positions(block) / 64 - first).min(self.layout.words() - word);
            let block = block + self.side_offset(turn);
            let mut read = |symbols: Symbols<'_>| symbols.extend(first * 64..(first + words) * 64, into);
            // Readers of whole slices do not soon return to a slice: only blocks that slices share are cached.
            if words < self.layout.words() {
                let symbols = self.decompress(block)?;
                read(Symbols { bytes: &symbols, wide: self.header.symbol_bytes() == 2 });
            } else {
                self.with_block(block, read)?;
            }
            word += words;
        }
        if self.layout.multiplicity() > 1 {
            self.copy_to_twins(into);
        }
        Ok(())
    }

    /// Copies the symbol of each position to its other cells: only one of them is stored.
    fn copy_to_twins(&self, symbols: &mut [u16]) {
        for word in 0..self.layout.words() {
            let Some((lifted, twin)) = self.layout.lift_highest_twin(word) else {
                debug_assert!(false, "positions with several cells, but no twin of the axis");
                return;
            };
            for bit in 0..twin {
                symbols[word * 64 + usize::from(bit)] = symbols[lifted.at(bit) * 64 + usize::from(twin)];
            }
        }
    }

    /// The values of the table, by symbol.
    pub(crate) fn values(&self) -> &[Value] {
        &self.header.values
    }

    /// Reads every block, to detect damage.
    ///
    /// # Errors
    /// If a block is damaged, or the work is cancelled.
    pub fn check(&self, progress: &dyn Progress) -> Result<(), TableError> {
        (0..self.header.blocks.len()).try_for_each(|block| {
            progress.proceed()?;
            self.with_block(block, |_| ())
        })
    }

    /// The address at which a position is stored: tables of symmetric material have White to move only, and of the
    /// several cells of a position in which the axis man has twins only one is stored.
    fn stored(&self, address: Address) -> Result<Address, TableError> {
        let address = if self.header.sides == 1 && address.turn == Color::Black {
            address.mirrored(&self.layout).ok_or(TableError::NO_PLACE)?
        } else {
            address
        };
        if self.layout.multiplicity() == 1 {
            return Ok(address);
        }
        let (word, bit) = self.layout.leading_cell(address.word, address.bit);
        Ok(Address { word, bit, ..address })
    }

    fn side_offset(&self, turn: Color) -> usize {
        if turn == Color::Black && self.header.sides == 2 { self.blocking.blocks() } else { 0 }
    }

    fn damaged(&self, block: usize) -> TableError {
        TableError::Damaged { path: self.path.clone(), fault: Fault::Block { block } }
    }

    fn with_block<T>(&self, block: usize, read: impl FnOnce(Symbols<'_>) -> T) -> Result<T, TableError> {
        let wide = self.header.symbol_bytes() == 2;
        self.blocks.with(block, || self.decompress(block), |bytes| read(Symbols { bytes, wide }))
    }

    fn decompress(&self, block: usize) -> Result<Box<[u8]>, TableError> {
        let packed = self.packed(block).ok_or_else(|| self.damaged(block))?;
        let positions = self.blocking.block_positions(block % self.blocking.blocks());
        let length = positions * self.header.symbol_bytes();
        let symbols = DECOMPRESSOR.with_borrow_mut(|decompressor| {
            let decompressor = match decompressor {
                Some(decompressor) => decompressor,
                none => none.insert(Decompressor::new().map_err(TableError::io("decompress", &self.path))?),
            };
            decompressor.decompress(packed, length).map_err(|_| self.damaged(block))
        })?;
        // A correct checksum does not imply that the symbols are valid.
        let wide = self.header.symbol_bytes() == 2;
        let is_known = || Symbols { bytes: &symbols, wide }.greatest() < self.header.values.len();
        if symbols.len() == length && is_known() { Ok(symbols.into_boxed_slice()) } else { Err(self.damaged(block)) }
    }

    /// The compressed bytes of a block; `None` if they are not in the file, or if their checksum is wrong.
    fn packed(&self, block: usize) -> Option<&[u8]> {
        let place = self.header.blocks.get(block)?;
        let start = usize::try_from(place.offset).ok()?;
        let packed = self.bytes.get(start..start.checked_add(place.length as usize)?)?;
        (crc32fast::hash(packed) == place.crc).then_some(packed)
    }
}

/// A decompressed block.
struct Symbols<'a> {
    bytes: &'a [u8],
    wide: bool,
}

impl Symbols<'_> {
    fn halves(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at(self.bytes.len() / 2)
    }

    /// Appends a range of symbols to a list.
    fn extend(&self, range: std::ops::Range<usize>, into: &mut Vec<u16>) {
        if self.wide {
            let (low, high) = self.halves();
            into.extend(
                low[range.clone()].iter().zip(&high[range]).map(|(&low, &high)| u16::from_le_bytes([low, high])),
            );
        } else {
            into.extend(self.bytes[range].iter().map(|&byte| u16::from(byte)));
        }
    }

    /// The greatest symbol of the block.
    fn greatest(&self) -> usize {
        if self.wide {
            let (low, high) = self.halves();
            let symbols = low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]));
            symbols.max().map_or(0, usize::from)
        } else {
            self.bytes.iter().copied().max().map_or(0, usize::from)
        }
    }

    #[inline]
    fn get(&self, at: usize) -> u16 {
        if self.wide {
            u16::from_le_bytes([self.bytes[at], self.bytes[self.bytes.len() / 2 + at]])
        } else {
            u16::from(self.bytes[at])
        }
    }
}

impl Solved for Table {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn meanings(&self) -> Vec<Known> {
        let standing = |outcome| match outcome {
            Outcome::Loss => Standing::Lost,
            Outcome::Win => Standing::Won,
            // Under a move rule a cursed win counts as a draw.
            Outcome::Draw | Outcome::CursedWin | Outcome::BlessedLoss => Standing::Drawn,
        };
        let values = self.header.values.iter();
        values.map(|value| Known { standing: standing(value.outcome), depth: value.plies.0 }).collect()
    }

    fn symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        self.slice_symbols(turn, slice, into)
    }
}
