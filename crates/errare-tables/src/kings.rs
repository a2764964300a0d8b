//! King pairs up to symmetry: the slices of a table without pawns, and the king moves between them.

use crate::attacks::reach;
use crate::slices::{KingMove, Slices};
use crate::symmetry::Symmetry;
use crate::words::Bits;
use shakmaty::{ByColor, Color, Role};
use std::sync::LazyLock;

/// A pair of kings that do not touch, which represents its orbit under the symmetries.
#[derive(Clone, Copy, Debug)]
pub struct KingPair {
    pub white: u8,
    pub black: u8,
    /// Whether both kings are on the a1-h8 diagonal: the slice then holds each position and its mirror image.
    pub on_diagonal: bool,
}

impl KingPair {
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        1 << self.white | 1 << self.black
    }

    #[inline(always)]
    pub fn of(&self, color: Color) -> u8 {
        color.fold_wb(self.white, self.black)
    }
}

/// The 462 king pairs of endgames without pawns, and the moves between them.
#[derive(Debug)]
pub struct Kings {
    pairs: Vec<KingPair>,
    /// The slice of two kings, by white king * 64 + black king, and the symmetry that takes the board there.
    place: Vec<Option<(u32, Symmetry)>>,
    slices: Slices,
}

impl Kings {
    /// The king pairs of endgames without pawns, computed once.
    pub fn shared() -> &'static Kings {
        static KINGS: LazyLock<Kings> = LazyLock::new(Kings::pawnless);
        &KINGS
    }

    /// Computes the king pairs under all symmetries of a board without pawns.
    fn pawnless() -> Kings {
        let mut pairs: Vec<KingPair> = Vec::new();
        let mut place = vec![None; 64 * 64];
        for white in 0..64_u8 {
            for black in 0..64_u8 {
                if white == black || reach(Role::King, white) >> black & 1 != 0 {
                    continue;
                }
                // The least image represents the orbit: its white king is in the a1-d1-d4
                // triangle and, if that is on the diagonal, its black king on or below it.
                let image = |symmetry| (triangle_order(symmetry, white, black), symmetry);
                let least = |least: (_, _), next: (_, _)| if next.0 < least.0 { next } else { least };
                let images = Symmetry::ALL.into_iter().map(image);
                let ((_, _, white_image, black_image), symmetry) = images.fold(image(Symmetry::IDENTITY), least);
                let slice = match pairs.iter().position(|p| (p.white, p.black) == (white_image, black_image)) {
                    Some(slice) => slice,
                    None => {
                        let on_diagonal = is_diagonal(white_image) && is_diagonal(black_image);
                        pairs.push(KingPair { white: white_image, black: black_image, on_diagonal });
                        pairs.len() - 1
                    }
                };
                place[white as usize * 64 + black as usize] = Some((slice as u32, symmetry));
            }
        }
        let occupied = pairs.iter().map(KingPair::occupied).collect();
        let mut kings = Kings { pairs, place, slices: Slices::single(0) };
        let moves = ByColor::new_with(|color| (0..kings.pairs.len()).map(|s| kings.moves_out(s, color)).collect());
        kings.slices = Slices::new(occupied, moves);
        kings
    }

    fn moves_out(&self, slice: usize, color: Color) -> Vec<KingMove> {
        let pair = self.pairs[slice];
        Bits(reach(Role::King, pair.of(color)))
            .filter_map(|target| {
                let (slice, symmetry) = match color {
                    Color::White => self.find(target, pair.black),
                    Color::Black => self.find(pair.white, target),
                }?;
                Some(KingMove { target, slice: slice as u32, symmetry, back: symmetry.inverse() })
            })
            .collect()
    }

    /// The slices of a table without pawns, one for each king pair.
    #[inline(always)]
    pub fn slices(&self) -> &Slices {
        &self.slices
    }

    #[inline(always)]
    pub fn pair(&self, slice: usize) -> KingPair {
        self.pairs[slice]
    }

    /// The slice of two kings, and the symmetry that takes the board there; `None` if they touch.
    #[inline]
    pub fn find(&self, white: u8, black: u8) -> Option<(usize, Symmetry)> {
        self.place[white as usize * 64 + black as usize].map(|(slice, symmetry)| (slice as usize, symmetry))
    }
}

fn is_diagonal(square: u8) -> bool {
    square.is_multiple_of(9)
}

/// A key by which images are ordered, so that the least has its white king in the triangle a1-d1-d4 and, for a white
/// king on the diagonal, its black king on or below it.
fn triangle_order(symmetry: Symmetry, white: u8, black: u8) -> (bool, bool, u8, u8) {
    let (white, black) = (symmetry.square(white), symmetry.square(black));
    let (file, rank) = (white & 7, white >> 3);
    let outside = file > 3 || rank > file;
    let above = is_diagonal(white) && black >> 3 > black & 7;
    (outside, above, white, black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_pairs_and_each_placement_falls_into_one() {
        let kings = Kings::shared();
        assert_eq!(kings.slices().count(), 462);
        let mut placements = 0;
        for white in 0..64 {
            for black in 0..64 {
                let apart = white != black && reach(Role::King, white) >> black & 1 == 0;
                let found = kings.find(white, black);
                assert_eq!(found.is_some(), apart);
                if let Some((slice, symmetry)) = found {
                    let pair = kings.pair(slice);
                    assert_eq!((symmetry.square(white), symmetry.square(black)), (pair.white, pair.black));
                    placements += 1;
                }
            }
        }
        assert_eq!(placements, 3612);
    }

    #[test]
    fn every_king_move_can_be_taken_back() {
        let kings = Kings::shared();
        for color in Color::ALL {
            for slice in 0..kings.slices().count() {
                for step in kings.slices().moves(slice, color) {
                    let there = step.slice as usize;
                    assert!(kings.slices().moves(there, color).iter().any(|back| back.slice as usize == slice));
                    assert_eq!(step.back.square(kings.pair(there).of(color)), step.target);
                }
            }
        }
    }
}
