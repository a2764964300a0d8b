//! Reading a table: each block is read from the file and decompressed when it is first needed.
//!
//! The file is not mapped into memory: if another program truncated it, as `cp` and `rsync --inplace` do, the next access
//! to the map would end the process. A read that fails is an error like other damage.

use super::cache::{BlockCache, Blocks};
use super::format::{Blocking, Header, MAGIC, PREFIX, VERSION};
use crate::address::Address;
use crate::error::{Fault, TableError};
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::pread::read_exact;
use crate::value::{Outcome, Value};
use crate::view::{Known, Solved, Standing};
use crate::words::Bits;
use errare_work::{Progress, open_regular};
use shakmaty::{Board, Color};
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zstd::bulk::Decompressor;

thread_local! {
    /// One decompressor a thread: setting one up costs as much as decompressing a block.
    static UNPACKER: RefCell<Unpacker> = const { RefCell::new(Unpacker { decompressor: None, packed: Vec::new() }) };
}

/// What a thread needs to read a block.
struct Unpacker {
    decompressor: Option<Decompressor<'static>>,
    /// The compressed bytes of the block.
    packed: Vec<u8>,
}

/// An open table.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    file: File,
    length: u64,
    header: Header,
    layout: Layout,
    blocking: Blocking,
    blocks: Blocks,
}

impl Table {
    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// If the file is missing, cannot be read, is damaged, or is of another version.
    pub(crate) fn open(
        path: &Path,
        material: Material,
        metric: Metric,
        cache: Arc<BlockCache>,
    ) -> Result<Table, TableError> {
        let damaged = |fault| TableError::Damaged { path: path.to_owned(), fault };
        let file = open_regular(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { material, metric, path: path.to_owned() },
            _ => TableError::io("open", path)(error),
        })?;
        let length = file.metadata().map_err(TableError::io("open", path))?.len();
        if length < PREFIX as u64 {
            return Err(damaged(Fault::Length { found: length, expected: PREFIX as u64 }));
        }
        let read = |bytes: &mut [u8], offset| {
            read_exact(&file, bytes, offset).map_err(|error| failed(path, &file, length, error))
        };
        let mut prefix = [0; PREFIX];
        read(&mut prefix, 0)?;
        if prefix[..8] != MAGIC {
            return Err(damaged(Fault::Magic));
        }
        let version = u32::from_le_bytes([prefix[8], prefix[9], prefix[10], prefix[11]]);
        if version != VERSION {
            return Err(TableError::Version { path: path.to_owned(), found: version, expected: VERSION });
        }
        let header_length = Header::length(&prefix).map_err(damaged)?;
        if header_length > length - PREFIX as u64 {
            return Err(damaged(Fault::Header));
        }
        let mut bytes = prefix.to_vec();
        bytes.resize(PREFIX + header_length as usize, 0);
        read(&mut bytes[PREFIX..], PREFIX as u64)?;
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
        Ok(Table { path: path.to_owned(), file, length, header, layout, blocking, blocks })
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
        self.length
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
    ///
    /// # Errors
    /// If the block of the position is damaged.
    pub(crate) fn value_oriented(&self, board: &Board, turn: Color, swapped: bool) -> Result<Value, TableError> {
        self.value_at(Address::oriented(&self.layout, board, turn, swapped).ok_or(TableError::NO_PLACE)?)
    }

    /// The value at an address, which must be that of a legal position.
    ///
    /// # Errors
    /// If the block of the position is damaged.
    pub(crate) fn value_at(&self, address: Address) -> Result<Value, TableError> {
        let address = self.stored(address)?;
        let (block, word) = self.blocking.find(address.slice, address.word);
        let block = block + self.side_offset(address.turn);
        let at = word * 64 + usize::from(address.bit);
        let symbol = self.with_block(block, |symbols| symbols.get(at))?;
        self.header.values.get(usize::from(symbol)).copied().ok_or_else(|| self.damaged(block))
    }

    /// Reads the symbols of a slice, word by word; those of placements that are not positions are arbitrary.
    ///
    /// # Errors
    /// If a block of the slice is damaged.
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
        let positions = self.blocking.block_positions(block % self.blocking.blocks());
        let length = positions * self.header.symbol_bytes();
        let symbols = UNPACKER.with_borrow_mut(|Unpacker { decompressor, packed }| {
            self.read_packed(block, packed)?;
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

    /// Reads the compressed bytes of a block and checks their checksum.
    fn read_packed(&self, block: usize, into: &mut Vec<u8>) -> Result<(), TableError> {
        let place = self.header.blocks.get(block).ok_or_else(|| self.damaged(block))?;
        // A block beyond the end that the header states is damage, not a reason to allocate memory.
        let end = place.offset.checked_add(u64::from(place.length)).filter(|&end| end <= self.length);
        end.ok_or_else(|| self.damaged(block))?;
        into.resize(place.length as usize, 0);
        read_exact(&self.file, into, place.offset)
            .map_err(|error| failed(&self.path, &self.file, self.length, error))?;
        if crc32fast::hash(into) == place.crc { Ok(()) } else { Err(self.damaged(block)) }
    }
}

/// The error of a failed read: a file that ends too early is damaged.
fn failed(path: &Path, file: &File, expected: u64, error: io::Error) -> TableError {
    if error.kind() != io::ErrorKind::UnexpectedEof {
        return TableError::io("read", path)(error);
    }
    let found = file.metadata().map_or(0, |found| found.len());
    TableError::Damaged { path: path.to_owned(), fault: Fault::Length { found, expected } }
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
