//! Reading a table: each block is read from the file and decompressed when it is first needed.
//!
//! The file is not mapped into memory: if another program truncated it, as `cp` and `rsync --inplace` do, the next access
//! to the map would end the process. A read that fails is an error like other damage.

use super::cache::{BlockCache, Blocks, Place};
use super::expansion::Expansion;
use super::format::{Blocking, Header, MAGIC, PREFIX, Stored, VERSION};
use super::order::Order;
use super::recent::RecentSymbols;
use crate::address::Address;
use crate::error::{Fault, TableError};
use crate::layout::Layout;
use crate::legality::legal;
use crate::material::Material;
use crate::metric::Metric;
use crate::other_side::cell::quiet_moves;
use crate::other_side::guess::{Guess, Guessed, ZeroingMoves};
use crate::other_side::{NO_RANK, Ranks};
use crate::pread::read_exact;
use crate::value::Value;
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
    /// The decompressor of each thread: setting one up costs as much as decompressing a block.
    static UNPACKER: RefCell<Unpacker> = const { RefCell::new(Unpacker { decompressor: None, packed: Vec::new() }) };
}

/// The tools with which a thread reads a block.
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
    /// The ranks of the values, if only one side to move is stored.
    ranks: Option<Ranks>,
    /// The symbols of the other side, if the table is small and has been asked for them often.
    expansion: Expansion,
    /// The symbols of the other side that were found last, one by one.
    recent: RecentSymbols,
}

/// The greatest number of quiet moves of a position: three queens and the king have fewer.
const MAX_QUIET_MOVES: usize = 128;

impl Table {
    /// Opens the file of a table and checks its header.
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
        let ranks = match header.stored {
            Stored::One(_) => Some(Ranks::new(&header.values, metric).ok_or(damaged(Fault::Header))?),
            Stored::Symmetric | Stored::Both => None,
        };
        if header.blocks.len() != blocking.blocks() * header.stored.layers()
            || (header.stored == Stored::Symmetric) != material.is_symmetric()
        {
            return Err(damaged(Fault::Header));
        }
        let expected = header.blocks.last().map_or(0, |block| block.offset.saturating_add(u64::from(block.length)));
        if length != expected {
            return Err(damaged(Fault::Length { found: length, expected }));
        }
        let blocks = Blocks::new(header.blocks.len(), cache);
        let (path, expansion, recent) = (path.to_owned(), Expansion::default(), RecentSymbols::default());
        Ok(Table { path, file, length, header, layout, blocking, blocks, ranks, expansion, recent })
    }

    /// The endgame of the table.
    pub fn material(&self) -> Material {
        self.header.material
    }

    /// The metric of the table's depths.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// The header of the table's file, with counts and maxima.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The path of the table's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the table's file in bytes.
    pub fn file_len(&self) -> u64 {
        self.length
    }

    /// The numbering of the table's positions.
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
    /// If a block that the value is read from is damaged.
    pub(crate) fn value_at(&self, address: Address) -> Result<Value, TableError> {
        let address = self.stored(address)?;
        let Some((_, ranks)) = self.one_side().filter(|&(side, _)| side != address.turn) else {
            return self.value_from_blocks(address);
        };
        let symbol = match self.expansion.symbol(self, address)? {
            Some(symbol) => symbol,
            None => self.recent.get_or_find(address.number(&self.layout), || self.derived(ranks, address))?,
        };
        self.header.values.get(usize::from(symbol)).copied().ok_or(TableError::NO_PLACE)
    }

    /// The value at a stored address, from what the table's blocks hold and nothing else.
    pub(super) fn value_from_blocks(&self, address: Address) -> Result<Value, TableError> {
        let place = self.place(address);
        let symbol = match self.one_side().filter(|&(side, _)| side != address.turn) {
            Some((_, ranks)) => self.derived(ranks, address)?.into(),
            None => self.symbol(place)?,
        };
        let value = self.header.values.get(usize::from(symbol));
        value.copied().ok_or_else(|| self.damaged(place.block as usize))
    }

    /// The symbol of a position of the side that is not stored. That it has none is damage.
    fn derived(&self, ranks: &Ranks, address: Address) -> Result<u8, TableError> {
        let rank = self.derived_rank(ranks, address)?;
        ranks.symbol(rank).ok_or_else(|| self.damaged(self.place(address).block as usize))
    }

    fn derived_rank(&self, ranks: &Ranks, address: Address) -> Result<u8, TableError> {
        let guessed = self.guessed(address);
        let exception = self.place(address);
        // Nothing is better than a win by the next move: if that is guessed and right, the quiet moves do not matter.
        if guessed.win != 0 && self.symbol(exception)? == ranks.none().into() {
            return Ok(ranks.with_guess(NO_RANK, Guess::Win));
        }
        // The symbol among the exceptions, then those of the positions after quiet moves.
        let mut places = [Place::default(); 1 + MAX_QUIET_MOVES];
        places[0] = exception;
        let mut count = 1;
        quiet_moves(&self.layout, address, |after| {
            if let Some(place) = places.get_mut(count) {
                *place = self.place(self.leading(after));
                count += 1;
            }
        });
        let mut symbols = [0; 1 + MAX_QUIET_MOVES];
        self.blocks.each(&places[..count], |block| self.decompress(block), &mut symbols)?;
        let [exception, after @ ..] = &symbols[..count] else { return Ok(NO_RANK) };
        let quiet = after.iter().map(|&symbol| ranks.after(symbol)).max().unwrap_or(NO_RANK);
        Ok(if *exception == ranks.none() {
            let moves = guessed.each().filter(|&(_, bits)| bits != 0);
            moves.fold(quiet, |best, (guess, _)| best.max(ranks.with_guess(quiet, guess)))
        } else {
            quiet.max(ranks.of(*exception))
        })
    }

    /// Guesses the results of the captures and pawn moves of a position: sets of one bit or none.
    fn guessed(&self, Address { turn, slice, word, bit }: Address) -> Guessed {
        let (layout, mut guessed) = (&self.layout, Guessed::default());
        let (squares, around) = (layout.squares(word), layout.around(slice));
        let men = layout.fixed().iter().zip(&squares);
        let occupied = men.fold(around.occupied(), |set, (_, square)| set | 1 << square);
        let zeroing = ZeroingMoves { layout, around, squares: &squares, occupied, turn };
        zeroing.each(|kind, bits| guessed.add(self.header.guesses[kind], bits & 1 << bit));
        guessed
    }

    /// The place of a stored address, counted in symbols instead of bytes.
    #[inline(always)]
    fn place(&self, address: Address) -> Place {
        let (block, word) = self.blocking.find(address.slice, address.word);
        let cell = word * 64 + usize::from(address.bit);
        Place { block: (block + self.layer_offset(address.turn)) as u32, byte: cell as u32 }
    }

    /// Reads the symbols of a slice, word by word, from the layer of a side to move: those of placements that are not
    /// positions are arbitrary. Of the side that is not stored these are the exceptions.
    ///
    /// # Errors
    /// If a block of the slice is damaged.
    pub(super) fn layer_symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError> {
        into.clear();
        if self.header.stored == Stored::Symmetric && turn == Color::Black {
            for word in 0..self.layout.words() {
                let legal = legal(&self.layout, slice, turn, word);
                let start = into.len();
                into.resize(start + 64, 0);
                for bit in Bits(legal) {
                    let place = self.place(self.stored(Address { turn, slice, word, bit })?);
                    into[start + usize::from(bit)] = self.symbol(place)?;
                }
            }
            return Ok(());
        }
        into.resize(self.layout.words() * 64, 0);
        let mut word = 0;
        while word < self.layout.words() {
            let (block, first) = self.blocking.find(slice, word);
            let words = (self.blocking.block_positions(block) / 64 - first).min(self.layout.words() - word);
            let block = block + self.layer_offset(turn);
            let rows = &mut into.as_chunks_mut::<64>().0[word..word + words];
            let mut read = |symbols: Symbols<'_>| symbols.fill_rows(first, rows);
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
            self.layout.copy_to_twins(into);
        }
        Ok(())
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
    pub(super) fn stored(&self, address: Address) -> Result<Address, TableError> {
        let is_mirrored = self.header.stored == Stored::Symmetric && address.turn == Color::Black;
        let address = if is_mirrored { address.mirrored(&self.layout).ok_or(TableError::NO_PLACE)? } else { address };
        Ok(self.leading(address))
    }

    /// The address of the cell that represents a position with several cells.
    #[inline(always)]
    fn leading(&self, address: Address) -> Address {
        if self.layout.multiplicity() == 1 {
            return address;
        }
        let (word, bit) = self.layout.leading_cell(address.word, address.bit);
        Address { word, bit, ..address }
    }

    /// The symbols of a slice of the side that is not stored; none if the table is not small.
    ///
    /// # Errors
    /// If a block of the table is damaged.
    pub(super) fn expanded(&self, slice: usize) -> Result<Option<&[u8]>, TableError> {
        self.expansion.slice(self, slice)
    }

    /// The side to move that alone is stored, with the ranks of the values; none if both sides are.
    pub(super) fn one_side(&self) -> Option<(Color, &Ranks)> {
        match (self.header.stored, &self.ranks) {
            (Stored::One(side), Some(ranks)) => Some((side, ranks)),
            _ => None,
        }
    }

    /// The block of the exceptions of a word, where one side to move is stored.
    pub(super) fn exceptions_of(&self, slice: usize, word: usize) -> usize {
        self.blocking.blocks() + self.blocking.find(slice, word).0
    }

    #[inline(always)]
    fn layer_offset(&self, turn: Color) -> usize {
        self.header.stored.layer(turn) * self.blocking.blocks()
    }

    pub(super) fn damaged(&self, block: usize) -> TableError {
        TableError::Damaged { path: self.path.clone(), fault: Fault::Block { block } }
    }

    /// The symbol at a place among the blocks.
    fn symbol(&self, place: Place) -> Result<u16, TableError> {
        self.with_block(place.block as usize, |symbols| symbols.get(place.byte as usize))
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
        // Among exceptions there is a symbol more: that of a cell that is none.
        let are_exceptions = self.ranks.is_some() && block >= self.blocking.blocks();
        let known = self.header.values.len() + usize::from(are_exceptions);
        let is_known = || Symbols { bytes: &symbols, wide }.greatest() < known;
        if symbols.len() != length || !is_known() {
            return Err(self.damaged(block));
        }
        if !self.header.is_interleaved || are_exceptions {
            return Ok(symbols.into_boxed_slice());
        }
        let mut restored = vec![0; length].into_boxed_slice();
        let order = Order::new(true, positions);
        let halves = symbols.chunks_exact(positions).zip(restored.chunks_exact_mut(positions));
        halves.for_each(|(symbols, restored)| order.restore(symbols, restored));
        Ok(restored)
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

    /// Fills rows of 64 cells, the first of which has the number `first` in the block.
    fn fill_rows(&self, first: usize, rows: &mut [[u16; 64]]) {
        let (rows, first) = (rows.as_flattened_mut(), first * 64);
        if self.wide {
            let (low, high) = self.halves();
            let symbols = low[first..].iter().zip(&high[first..]);
            rows.iter_mut().zip(symbols).for_each(|(into, (&low, &high))| *into = u16::from_le_bytes([low, high]));
        } else {
            rows.iter_mut().zip(&self.bytes[first..]).for_each(|(into, &symbol)| *into = symbol.into());
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
