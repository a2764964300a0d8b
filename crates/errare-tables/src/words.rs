//! Moves of 64 positions at once: the squares of the axis man are the bits of a word.

use crate::attacks::attacks;
use shakmaty::Role;

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// An iterator over the squares of a word, lowest first.
#[derive(Clone, Copy)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The cells of a row that hold a symbol, as bits.
#[inline(always)]
pub fn cells_with(row: &[u16; 64], symbol: u16) -> u64 {
    // A byte for each cell, 1 or 0. A product gathers the lowest bits of eight bytes in its highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let equal: [u8; 64] = row.map(|cell| u8::from(cell == symbol));
    let eights = equal.as_chunks::<8>().0.iter();
    eights.rev().fold(0, |bits, &eight| bits << 8 | u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56)
}

/// A Kogge-Stone fill in one direction: every square reached from `from` through `empty`.
macro_rules! slide {
    ($from:expr, $empty:expr, $shift:tt $by:literal, $edge:expr) => {{
        let open = $empty & $edge;
        let mut seen = $from;
        seen |= open & (seen $shift $by);
        let open2 = open & (open $shift $by);
        seen |= open2 & (seen $shift (2 * $by));
        let open4 = open2 & (open2 $shift (2 * $by));
        seen |= open4 & (seen $shift (4 * $by));
        // `seen` includes the origins; one more step leaves exactly the attacked squares.
        (seen $shift $by) & $edge
    }};
}

#[inline]
fn rook_spread(from: u64, empty: u64) -> u64 {
    slide!(from, empty, << 8, !0)
        | slide!(from, empty, >> 8, !0)
        | slide!(from, empty, << 1, NOT_A)
        | slide!(from, empty, >> 1, NOT_H)
}

#[inline]
fn bishop_spread(from: u64, empty: u64) -> u64 {
    slide!(from, empty, << 9, NOT_A)
        | slide!(from, empty, >> 9, NOT_H)
        | slide!(from, empty, << 7, NOT_H)
        | slide!(from, empty, >> 7, NOT_A)
}

#[inline]
fn knight_spread(from: u64) -> u64 {
    let near = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let far = (from << 2 & NOT_AB) | (from >> 2 & NOT_GH);
    near << 16 | near >> 16 | far << 8 | far >> 8
}

#[inline]
fn king_spread(from: u64) -> u64 {
    let beside = (from << 1 & NOT_A) | (from >> 1 & NOT_H);
    let row = from | beside;
    beside | row << 8 | row >> 8
}

/// The squares from which a piece of this role reaches `targets` in one move, with other men on
/// `occupied`. Since moves of pieces are reversible, these are also the squares it reaches from them.
#[inline]
pub fn spread(role: Role, targets: u64, occupied: u64) -> u64 {
    if targets & targets.wrapping_sub(1) == 0 {
        return if targets == 0 { 0 } else { attacks(role, targets.trailing_zeros() as u8, occupied) };
    }
    let empty = !occupied;
    match role {
        Role::Rook => rook_spread(targets, empty),
        Role::Bishop => bishop_spread(targets, empty),
        Role::Queen => rook_spread(targets, empty) | bishop_spread(targets, empty),
        Role::Knight => knight_spread(targets),
        Role::King => king_spread(targets),
        // Pawns are never men of words.
        Role::Pawn => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_the_union_of_single_attacks() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..2_000 {
            let occupied = next() & next();
            let targets = next() & next() & !occupied;
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                let union = Bits(targets).fold(0, |all, square| all | attacks(role, square, occupied));
                assert_eq!(spread(role, targets, occupied), union, "{role:?}");
            }
        }
    }
}
