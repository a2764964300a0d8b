//! Legality of placements: no two men on a square, and no king that could be captured.

use crate::attacks::{attacks, between, pawn_attacks, reach};
use crate::kings::KingPair;
use crate::layout::Layout;
use crate::material::Man;
use crate::structures::Structure;
use shakmaty::{Color, Role};

/// The legal positions of a word of a table, `turn` to move.
pub fn legal(layout: &Layout, slice: usize, turn: Color, word: usize) -> u64 {
    let squares = layout.squares(word);
    let around = layout.around(slice);
    Scene { axis: layout.axis(), men: layout.fixed(), squares: &squares, around }.legal(turn)
}

/// The men of a slice that are not in its words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around {
    /// The kings, unless they are among the men of the words.
    pub kings: Option<KingPair>,
    pub pawns: Structure,
}

impl Around {
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.kings.map_or(0, |pair| pair.occupied()) | self.pawns.occupied()
    }
}

/// A word's 64 placements, which differ in the square of one man, the axis.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub axis: Man,
    pub men: &'a [Man],
    /// The squares of the men; there may be more squares than men.
    pub squares: &'a [u8],
    pub around: Around,
}

impl Scene<'_> {
    /// The squares of all men but the axis; `None` if two share one.
    #[inline(always)]
    pub fn occupied(&self) -> Option<u64> {
        let mut occupied = self.around.occupied();
        for (_, &square) in self.men.iter().zip(self.squares) {
            if occupied >> square & 1 != 0 {
                return None;
            }
            occupied |= 1 << square;
        }
        Some(occupied)
    }

    /// The axis squares that make a legal position, `turn` to move.
    #[inline]
    pub fn legal(&self, turn: Color) -> u64 {
        self.occupied().map_or(0, |occupied| self.legal_given(turn, occupied))
    }

    /// As [`Scene::legal`], for men known not to share squares.
    #[inline(always)]
    pub fn legal_given(&self, turn: Color, occupied: u64) -> u64 {
        !occupied & !self.attacked(turn.other(), occupied)
    }

    /// The axis squares for which the king of `color` is attacked.
    #[inline(always)]
    pub fn attacked(&self, color: Color, occupied: u64) -> u64 {
        let pawns = pawn_attacks(color.other(), self.around.pawns.of(color.other()));
        let attackers = || self.men.iter().zip(self.squares).filter(|(man, _)| man.color != color);
        let Some(king) = self.king(color) else {
            return attackers().fold(pawns, |all, (man, &square)| all | attacks(man.role, square, occupied));
        };
        if pawns >> king & 1 != 0 {
            return !0;
        }
        let mut bits = if self.axis.color == color { 0 } else { attacks(self.axis.role, king, occupied) };
        for (man, &square) in attackers() {
            if reach(man.role, square) >> king & 1 == 0 {
                continue;
            }
            // A knight's leap has no path to block.
            let path = between(square, king);
            if path & occupied == 0 {
                bits |= !path;
            }
        }
        bits
    }

    /// The square of the king of `color`; `None` if it is the axis.
    #[inline(always)]
    fn king(&self, color: Color) -> Option<u8> {
        match self.around.kings {
            Some(pair) => Some(pair.of(color)),
            None => {
                let is_king = |man: &Man| *man == Man { color, role: Role::King };
                self.men.iter().zip(self.squares).find(|(man, _)| is_king(man)).map(|(_, &square)| square)
            }
        }
    }
}
