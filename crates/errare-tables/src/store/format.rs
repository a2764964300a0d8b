//! The bytes of a table file.
//!
//! A file is a header, a table of its blocks, and the blocks. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic `errare\r\n` |
//! | 4 | format version |
//! | 4 | length of the header that follows |
//! | 4 | CRC-32 of that header |
//! | ... | header: material, metric, sides, order of cells, guesses, counts, values, blocks |
//! | ... | blocks, each zstd-compressed symbols of its positions |
//!
//! A symbol is the number of a value in the header's list; placements that are not legal positions
//! have whatever symbols compress best.
//!
//! The blocks are one or two *layers* of all positions. A table of symmetric material has one, with White to move: exchanging
//! the colours gives the other side. Other tables have two: both sides to move, or one side and the exceptions
//! of the other, whose values otherwise follow by one ply and by the guesses of the header (see
//! [`other_side`](crate::other_side)). The symbol of a position that is not an exception is the number of values. The
//! symbol of one that is replaces the guess: the best quiet move still counts if it is better.

use crate::error::Fault;
use crate::layout::Layout;
use crate::material::Material;
use crate::metric::Metric;
use crate::other_side::guess::{Guess, Guesses, KINDS};
use crate::value::{Outcome, Plies, Value};
use shakmaty::{ByColor, Color};

pub const MAGIC: [u8; 8] = *b"errare\r\n";
pub const VERSION: u32 = 2;
/// The length of magic, version, header length and header checksum.
pub const PREFIX: usize = 20;
/// The greatest number of words of a block: few enough to decompress for one probe.
const BLOCK_WORDS: usize = 1 << 10;

/// Counts of the positions with one side to move by outcome, each position once, and the greatest depths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of wins.
    pub wins: u64,
    /// Number of wins that a move rule turns into draws.
    pub cursed_wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of losses that a move rule turns into draws.
    pub blessed_losses: u64,
    /// Number of losses.
    pub losses: u64,
    /// The depth of the deepest win, cursed ones included; 0 if there is none.
    pub max_win: Plies,
    /// The depth of the deepest loss, blessed ones included; 0 if there is none.
    pub max_loss: Plies,
}

impl Counts {
    /// The depth of the deepest win, cursed ones included; none if nothing is won.
    #[must_use]
    pub fn deepest_win(&self) -> Option<Plies> {
        (self.wins + self.cursed_wins > 0).then_some(self.max_win)
    }

    /// The depth of the deepest loss, blessed ones included; none if nothing is lost.
    #[must_use]
    pub fn deepest_loss(&self) -> Option<Plies> {
        (self.losses + self.blessed_losses > 0).then_some(self.max_loss)
    }
}

/// The place and checksum of a block in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRef {
    pub offset: u64,
    pub length: u32,
    pub crc: u32,
}

/// The sides to move that a table stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// White to move is stored, of symmetric material.
    Symmetric,
    /// Both sides to move are stored.
    Both,
    /// This side to move is stored, and the exceptions of the other.
    One(Color),
}

impl Stored {
    /// All ways to store a table, in the order of their numbers in files.
    const ALL: [Stored; 4] = [Stored::Symmetric, Stored::Both, Stored::One(Color::White), Stored::One(Color::Black)];

    /// The ways to store only one side to move.
    pub(super) const ONE: [Stored; 2] = [Stored::One(Color::White), Stored::One(Color::Black)];

    /// The sides to move that have a layer with the symbols of all their positions.
    pub(super) fn turns(self) -> &'static [Color] {
        match self {
            Stored::Symmetric | Stored::One(Color::White) => &[Color::White],
            Stored::One(Color::Black) => &[Color::Black],
            Stored::Both => &[Color::White, Color::Black],
        }
    }

    /// The number of layers of blocks.
    pub(super) fn layers(self) -> usize {
        if self == Stored::Symmetric { 1 } else { 2 }
    }

    /// The layer of a side to move.
    #[inline(always)]
    pub(super) fn layer(self, turn: Color) -> usize {
        match self {
            Stored::Symmetric => 0,
            Stored::Both => turn.fold_wb(0, 1),
            Stored::One(first) => usize::from(turn != first),
        }
    }
}

/// The number of bytes of a symbol in a table with a given number of values.
pub fn symbol_bytes(values: usize) -> usize {
    if values <= 256 { 1 } else { 2 }
}

/// The header of a table file: everything before its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The endgame of the table.
    pub material: Material,
    /// The metric of the table.
    pub metric: Metric,
    /// The sides to move that are stored.
    pub(super) stored: Stored,
    /// Counts by side to move; White is the side that the signature names first.
    pub counts: ByColor<Counts>,
    /// Whether the cells of stored sides are interleaved in their blocks (see [`order`](super::order)). Cells of
    /// exceptions are not interleaved.
    pub(super) is_interleaved: bool,
    /// The values by symbol.
    pub(super) values: Vec<Value>,
    /// The guesses of what captures and pawn moves of the side that is not stored lead to.
    pub(super) guesses: Guesses,
    /// The places of the blocks in the file, layer by layer.
    pub(super) blocks: Vec<BlockRef>,
}

impl Header {
    /// The number of bytes of one symbol.
    pub(super) fn symbol_bytes(&self) -> usize {
        symbol_bytes(self.values.len())
    }

    /// Encodes the header as the start of the file; offsets count from the start of the file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut body = Vec::new();
        let name = self.material.to_string();
        body.push(name.len() as u8);
        body.extend_from_slice(name.as_bytes());
        let (kind, rule) = match self.metric {
            Metric::Dtm => (0, 0),
            Metric::Dtc => (1, 0),
            Metric::Dtz => (2, 0),
            Metric::DtzRule(moves) => (3, moves),
            Metric::Dtr => (4, 0),
        };
        body.push(kind);
        body.extend_from_slice(&rule.to_le_bytes());
        let stored = Stored::ALL.iter().position(|&stored| stored == self.stored);
        debug_assert!(stored.is_some(), "a way of storing sides that is not listed");
        body.push(stored.map_or(0, |stored| stored as u8));
        body.push(u8::from(self.is_interleaved));
        if let Stored::One(_) = self.stored {
            body.extend(self.guesses.iter().map(|&guess| guess as u8));
        }
        for counts in [self.counts.white, self.counts.black] {
            for count in [counts.wins, counts.cursed_wins, counts.draws, counts.blessed_losses, counts.losses] {
                body.extend_from_slice(&count.to_le_bytes());
            }
            body.extend_from_slice(&counts.max_win.0.to_le_bytes());
            body.extend_from_slice(&counts.max_loss.0.to_le_bytes());
        }
        body.extend_from_slice(&(self.values.len() as u32).to_le_bytes());
        for value in &self.values {
            body.push(value.outcome as u8);
            body.extend_from_slice(&value.plies.0.to_le_bytes());
            body.extend_from_slice(&value.phase.0.to_le_bytes());
        }
        body.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        for block in &self.blocks {
            body.extend_from_slice(&block.offset.to_le_bytes());
            body.extend_from_slice(&block.length.to_le_bytes());
            body.extend_from_slice(&block.crc.to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// The length that [`Header::encode`] has with a number of blocks.
    pub(super) fn encoded_len(&self, blocks: usize) -> usize {
        self.encode().len() + (blocks - self.blocks.len()) * 16
    }

    /// The number of bytes of the header after a prefix.
    ///
    /// # Errors
    /// [`Fault::Header`] if the prefix is too short.
    pub(super) fn length(prefix: &[u8; PREFIX]) -> Result<u64, Fault> {
        Reader(&prefix[12..]).u32().map(u64::from)
    }

    /// Decodes a header whose magic and version have been checked.
    ///
    /// # Errors
    /// [`Fault::Header`] if the checksum or the contents are wrong.
    pub(super) fn decode(file: &[u8]) -> Result<Header, Fault> {
        let mut prefix = Reader(file.get(12..).ok_or(Fault::Header)?);
        let length = prefix.u32()? as usize;
        let crc = prefix.u32()?;
        let body = prefix.0.get(..length).ok_or(Fault::Header)?;
        if crc32fast::hash(body) != crc {
            return Err(Fault::Header);
        }
        let mut body = Reader(body);
        let name_length = body.u8()? as usize;
        let name = str::from_utf8(body.take(name_length)?).map_err(|_| Fault::Header)?;
        let material = name.parse().map_err(|_| Fault::Header)?;
        let metric = match (body.u8()?, body.u16()?) {
            (0, _) => Metric::Dtm,
            (1, _) => Metric::Dtc,
            (2, _) => Metric::Dtz,
            (3, moves) => Metric::DtzRule(moves),
            (4, _) => Metric::Dtr,
            _ => return Err(Fault::Header),
        };
        let stored = *Stored::ALL.get(usize::from(body.u8()?)).ok_or(Fault::Header)?;
        let is_interleaved = match body.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Fault::Header),
        };
        let mut guesses = [Guess::default(); KINDS];
        if let Stored::One(_) = stored {
            for guess in &mut guesses {
                *guess = *Guess::ALL.get(usize::from(body.u8()?)).ok_or(Fault::Header)?;
            }
        }
        let mut side = || -> Result<Counts, Fault> {
            Ok(Counts {
                wins: body.u64()?,
                cursed_wins: body.u64()?,
                draws: body.u64()?,
                blessed_losses: body.u64()?,
                losses: body.u64()?,
                max_win: Plies(body.u16()?),
                max_loss: Plies(body.u16()?),
            })
        };
        let counts = ByColor { white: side()?, black: side()? };
        let values = (0..body.u32()?)
            .map(|_| {
                let outcome = match body.u8()? {
                    0 => Outcome::Loss,
                    1 => Outcome::BlessedLoss,
                    2 => Outcome::Draw,
                    3 => Outcome::CursedWin,
                    4 => Outcome::Win,
                    _ => return Err(Fault::Header),
                };
                Ok(Value { outcome, plies: Plies(body.u16()?), phase: Plies(body.u16()?) })
            })
            .collect::<Result<_, _>>()?;
        let blocks = (0..body.u32()?)
            .map(|_| Ok(BlockRef { offset: body.u64()?, length: body.u32()?, crc: body.u32()? }))
            .collect::<Result<_, Fault>>()?;
        Ok(Header { material, metric, stored, is_interleaved, counts, values, guesses, blocks })
    }
}

/// A cursor over bytes, which returns an error at their end.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Fault::Header)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Fault::Header)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, Fault> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, Fault> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }
}

/// The division of a table's words into blocks: several whole slices to a block, or several blocks
/// to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocking {
    slices: usize,
    words: usize,
    slices_per_block: usize,
    blocks_per_slice: usize,
    /// The number of positions of a block, if all blocks have as many.
    alike: Option<usize>,
}

impl Blocking {
    pub fn new(layout: &Layout) -> Blocking {
        let (slices, words) = (layout.slices(), layout.words());
        let slices_per_block = (BLOCK_WORDS / words).max(1);
        let (block_words, blocks_per_slice) = (BLOCK_WORDS.min(words), words.div_ceil(BLOCK_WORDS));
        let is_even = words.is_multiple_of(block_words) && slices.is_multiple_of(slices_per_block);
        let alike = is_even.then_some(slices_per_block * block_words * 64);
        Blocking { slices, words, slices_per_block, blocks_per_slice, alike }
    }

    /// The number of blocks of a layer.
    pub fn blocks(&self) -> usize {
        self.slices.div_ceil(self.slices_per_block) * self.blocks_per_slice
    }

    /// The block of a word, counted within its layer, and the place of the word in it.
    #[inline]
    pub fn find(&self, slice: usize, word: usize) -> (usize, usize) {
        if self.blocks_per_slice == 1 {
            (slice / self.slices_per_block, slice % self.slices_per_block * self.words + word)
        } else {
            (slice * self.blocks_per_slice + word / BLOCK_WORDS, word % BLOCK_WORDS)
        }
    }

    /// The number of slices of the table.
    pub fn slices(&self) -> usize {
        self.slices
    }

    /// The number of slices whose blocks are made together.
    pub fn slices_per_block(&self) -> usize {
        self.slices_per_block
    }

    /// The words of each block of a group of slices, as ranges of the group's words.
    pub fn group_blocks(&self, slices: usize) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let Blocking { blocks_per_slice, words, .. } = *self;
        let total = slices * words;
        let step = if blocks_per_slice == 1 { total } else { BLOCK_WORDS };
        (0..blocks_per_slice).map(move |i| i * step..((i + 1) * step).min(total))
    }

    /// The number of positions of a block.
    #[inline(always)]
    pub fn block_positions(&self, block: usize) -> usize {
        if let Some(positions) = self.alike {
            positions
        } else if self.blocks_per_slice == 1 {
            let first = block * self.slices_per_block;
            self.slices_per_block.min(self.slices - first) * self.words * 64
        } else {
            let first = block % self.blocks_per_slice * BLOCK_WORDS;
            BLOCK_WORDS.min(self.words - first) * 64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let counts = Counts { wins: 1, draws: 2, losses: 3, max_win: Plies(485), ..Counts::default() };
        Header {
            material: "KQKR".parse().expect("an endgame"),
            metric: Metric::DtzRule(75),
            stored: Stored::One(Color::Black),
            is_interleaved: true,
            counts: ByColor { white: counts, black: Counts::default() },
            values: vec![Value::DRAW, Value::new(Outcome::CursedWin, 300), Value::new(Outcome::Loss, 0)],
            guesses: std::array::from_fn(|kind| Guess::ALL[kind % 4]),
            blocks: vec![BlockRef { offset: 1 << 40, length: 17, crc: 0xdead_beef }],
        }
    }

    #[test]
    fn a_header_comes_back_as_it_was() {
        assert_eq!(Header::decode(&header().encode()), Ok(header()));
        let none = Header { blocks: Vec::new(), ..header() };
        assert_eq!(none.encoded_len(1), header().encode().len());
    }

    #[test]
    fn any_flipped_bit_and_any_cut_is_noticed() {
        let bytes = header().encode();
        for bit in 12 * 8..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Header::decode(&flipped), Err(Fault::Header), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(Header::decode(&bytes[..length]).is_err());
        }
    }

    #[test]
    fn blocks_cover_every_word_once() {
        for text in ["KQK", "KQKR", "KBBKN", "KRBKR", "KPKP", "KRKP"] {
            let layout = text.parse().ok().and_then(Layout::new).expect("an endgame with men");
            let blocking = Blocking::new(&layout);
            let mut filled: Vec<usize> = vec![0; blocking.blocks()];
            for slice in 0..layout.slices() {
                for word in 0..layout.words() {
                    let (block, place) = blocking.find(slice, word);
                    assert_eq!(filled[block], place, "{text}");
                    filled[block] += 1;
                }
            }
            for (block, words) in filled.into_iter().enumerate() {
                assert_eq!(words * 64, blocking.block_positions(block), "{text}");
            }
        }
    }
}
