//! Sparse sets of positions within one slice, and their compact form.

use crate::error::TableError;
use crate::spill::Spill;
use crate::words::Bits;
use std::sync::Arc;

/// New bits of some words of a slice, by increasing word.
pub type Batch = Vec<(u32, u64)>;

/// A [`Batch`] in about five bytes an entry, in memory or in a file. A table's whole history is kept in this form; in
/// memory it dominates that of a build.
///
/// An entry is a byte (low half: the number of squares that follow, 8 for a whole word; high half: the
/// distance from the previous word, 15 for a 4-byte distance that follows), then the squares.
#[derive(Clone, Debug)]
pub struct Packed(Kept);

#[derive(Clone, Debug)]
enum Kept {
    InMemory(Box<[u8]>),
    InFile { file: Arc<Spill>, place: u64, length: u32 },
}

impl Default for Packed {
    fn default() -> Packed {
        Packed(Kept::InMemory(Box::default()))
    }
}

const WHOLE_WORD: u8 = 8;
const FAR: u8 = 15;

impl Packed {
    pub fn new(batch: &[(u32, u64)], scratch: &mut Vec<u8>) -> Packed {
        // The longest entry: head, distance, whole word.
        scratch.resize(batch.len() * 13, 0);
        let mut at = 0;
        let mut next = 0;
        for &(word, bits) in batch {
            let distance = word - next;
            next = word + 1;
            let count = (bits.count_ones() as u8).min(WHOLE_WORD);
            let entry = &mut scratch[at..at + 13];
            let mut squares = 1;
            if distance < u32::from(FAR) {
                entry[0] = (distance as u8) << 4 | count;
            } else {
                entry[0] = FAR << 4 | count;
                entry[1..5].copy_from_slice(&distance.to_le_bytes());
                squares = 5;
            }
            let entry = &mut entry[squares..squares + 8];
            if count == WHOLE_WORD {
                entry.copy_from_slice(&bits.to_le_bytes());
            } else {
                entry.iter_mut().zip(Bits(bits)).for_each(|(byte, square)| *byte = square);
            }
            at += squares + usize::from(count);
        }
        Packed(Kept::InMemory(scratch[..at].into()))
    }

    /// Makes a set whose bytes are in a file.
    pub fn in_file(file: &Arc<Spill>, place: u64, length: u32) -> Packed {
        Packed(Kept::InFile { file: Arc::clone(file), place, length })
    }

    /// Moves the bytes of a set from memory to a file; an empty set has none.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn into_file(self, file: &Arc<Spill>) -> Result<Packed, TableError> {
        match &self.0 {
            Kept::InMemory(bytes) if !bytes.is_empty() => {
                let place = file.append(bytes)?;
                Ok(Packed::in_file(file, place, bytes.len() as u32))
            }
            _ => Ok(self),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes that the set takes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::InMemory(bytes) => bytes.len(),
            Kept::InFile { length, .. } => *length as usize,
        }
    }

    /// The bytes of the set, read into the buffer if they are in a file.
    pub fn bytes<'a>(&'a self, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        match &self.0 {
            Kept::InMemory(bytes) => bytes,
            Kept::InFile { file, place, length } => file.read(*place, *length as usize, buffer),
        }
    }

    /// The entries of the set. The buffer is used if the set is in a file.
    pub fn iter<'a>(&'a self, buffer: &'a mut Vec<u8>) -> PackedIter<'a> {
        PackedIter { rest: self.bytes(buffer), next: 0 }
    }
}

/// The entries of a [`Packed`] set.
#[derive(Clone)]
pub struct PackedIter<'a> {
    rest: &'a [u8],
    next: u32,
}

impl Iterator for PackedIter<'_> {
    type Item = (u32, u64);

    #[inline]
    fn next(&mut self) -> Option<(u32, u64)> {
        let (&head, mut rest) = self.rest.split_first()?;
        let mut distance = u32::from(head >> 4);
        if distance == u32::from(FAR) {
            let (bytes, after) = rest.split_first_chunk()?;
            distance = u32::from_le_bytes(*bytes);
            rest = after;
        }
        let word = self.next + distance;
        let count = head & 15;
        let bits;
        if count == WHOLE_WORD {
            let (bytes, after) = rest.split_first_chunk()?;
            bits = u64::from_le_bytes(*bytes);
            rest = after;
        } else {
            let (squares, after) = rest.split_at(count as usize);
            bits = squares.iter().fold(0, |bits, square| bits | 1 << square);
            rest = after;
        }
        self.next = word + 1;
        self.rest = rest;
        Some((word, bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let batch: Batch = vec![
            (0, 1),
            (1, 1 << 63),
            (15, 0xff),
            (16, 0x7f),
            (31, !0),
            (47, 3),
            (48, 0x1ff),
            (1_000_000, 0x8000_0000_0000_0001),
        ];
        let packed = Packed::new(&batch, &mut Vec::new());
        assert_eq!(packed.iter(&mut Vec::new()).collect::<Batch>(), batch);
        let folder = tempfile::tempdir().expect("a folder");
        let file = Arc::new(Spill::nameless(&folder.path().join("KQK")).expect("a file"));
        let length = packed.len();
        let packed = packed.into_file(&file).expect("room");
        assert_eq!((packed.len(), packed.iter(&mut Vec::new()).collect::<Batch>()), (length, batch));
        assert!(Packed::new(&[], &mut Vec::new()).into_file(&file).expect("nothing to write").is_empty());
    }
}
