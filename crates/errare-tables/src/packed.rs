//! Sparse sets of positions within one slice, and their compact form.

use crate::words::Bits;

/// New bits of some words of a slice, by increasing word.
pub type Batch = Vec<(u32, u64)>;

/// A [`Batch`] in about five bytes an entry. A table's whole history is kept in this form, and dominates
/// the memory of a build.
///
/// An entry is a byte (low half: the number of squares that follow, 8 for a whole word; high half: the
/// distance from the previous word, 15 for a 4-byte distance that follows), then the squares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed(Box<[u8]>);

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
        Packed(scratch[..at].into())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> PackedIter<'_> {
        PackedIter { rest: &self.0, next: 0 }
    }
}

/// The entries of a [`Packed`] set.
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
        assert_eq!(packed.iter().collect::<Batch>(), batch);
        assert!(Packed::new(&[], &mut Vec::new()).is_empty());
    }
}
