//! The eight symmetries of the board, on squares and on words.

/// A symmetry of the board: first the flips, then the reflection in the a1-h8 diagonal.
///
/// Bit 0 flips the files (a-h), bit 1 the ranks (1-8), bit 2 reflects in the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// The symmetry that exchanges the wings.
    pub const FILES: Symmetry = Symmetry(1);
    /// The symmetry that exchanges the sides of the board.
    pub const RANKS: Symmetry = Symmetry(2);
    /// The reflection in the a1-h8 diagonal.
    pub const DIAGONAL: Symmetry = Symmetry(4);
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    #[inline(always)]
    pub fn is_identity(self) -> bool {
        self.0 == 0
    }

    /// The index of the symmetry in [`Symmetry::ALL`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0 & 7)
    }

    /// Combines two flips of ranks or files, which commute.
    pub fn and(self, other: Symmetry) -> Symmetry {
        debug_assert!((self.0 | other.0) & 4 == 0, "only flips commute");
        Symmetry(self.0 ^ other.0)
    }

    /// The symmetry that undoes this one. With a reflection, the axes of the flips are exchanged.
    pub fn inverse(self) -> Symmetry {
        if self.0 & 4 == 0 { self } else { Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) }
    }

    #[inline(always)]
    pub fn square(self, square: u8) -> u8 {
        self.squares()[square as usize]
    }

    /// The image of each of the 64 squares.
    #[inline(always)]
    pub fn squares(self) -> &'static [u8; 64] {
        &SQUARES[self.index()]
    }

    #[inline]
    pub fn word(self, mut word: u64) -> u64 {
        if self.0 & 1 != 0 {
            word = flip_files(word);
        }
        if self.0 & 2 != 0 {
            word = word.swap_bytes();
        }
        if self.0 & 4 != 0 {
            word = reflect(word);
        }
        word
    }
}

const fn map_square(symmetry: u8, square: u8) -> u8 {
    let mut square = square;
    if symmetry & 1 != 0 {
        square ^= 7;
    }
    if symmetry & 2 != 0 {
        square ^= 56;
    }
    if symmetry & 4 != 0 {
        square = square >> 3 | (square & 7) << 3;
    }
    square
}

static SQUARES: [[u8; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 64 {
            table[symmetry][square] = map_square(symmetry as u8, square as u8);
            square += 1;
        }
        symmetry += 1;
    }
    table
};

#[inline]
fn flip_files(word: u64) -> u64 {
    let word = (word >> 1 & 0x5555_5555_5555_5555) | (word & 0x5555_5555_5555_5555) << 1;
    let word = (word >> 2 & 0x3333_3333_3333_3333) | (word & 0x3333_3333_3333_3333) << 2;
    (word >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (word & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

#[inline]
fn reflect(word: u64) -> u64 {
    let swap = |word: u64, mask: u64, by: u32| {
        let moved = (word ^ word >> by) & mask;
        word ^ moved ^ moved << by
    };
    let word = swap(word, 0x00aa_00aa_00aa_00aa, 7);
    let word = swap(word, 0x0000_cccc_0000_cccc, 14);
    swap(word, 0x0000_0000_f0f0_f0f0, 28)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Bits;

    #[test]
    fn words_move_as_their_squares_do() {
        let word = 0x8123_4567_89ab_cdef;
        for symmetry in Symmetry::ALL {
            let moved = Bits(word).fold(0, |all, square| all | 1 << symmetry.square(square));
            assert_eq!(symmetry.word(word), moved);
            assert_eq!(symmetry.inverse().word(moved), word);
        }
    }
}
