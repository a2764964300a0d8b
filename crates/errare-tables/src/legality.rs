//! Which placements are positions: no two men on a square, and no king that could be taken.

use crate::attacks::{attacks, between, reach};
use crate::kings::{KingPair, Kings};
use crate::layout::{Fixed, Layout};
use shakmaty::Color;

/// The legal positions of a word, `turn` to move.
pub fn legal(layout: &Layout, kings: &Kings, slice: usize, turn: Color, word: usize) -> u64 {
    let pair = kings.pair(slice);
    let squares = layout.squares(word);
    match layout.occupied(&squares, pair.occupied()) {
        Some(occupied) => legal_given(layout, &pair, turn, &squares, occupied),
        None => 0,
    }
}

/// As [`legal`], for fixed men known to stand apart.
pub fn legal_given(layout: &Layout, pair: &KingPair, turn: Color, squares: &Fixed, occupied: u64) -> u64 {
    !occupied & !attacked(layout, pair, turn.other(), squares, occupied)
}

/// The axis squares for which the king of `color` is attacked.
#[inline]
pub fn attacked(layout: &Layout, pair: &KingPair, color: Color, squares: &Fixed, occupied: u64) -> u64 {
    let king = pair.of(color);
    let axis = layout.axis();
    let mut bits = if axis.color == color { 0 } else { attacks(axis.role, king, occupied) };
    for (man, &square) in layout.fixed().iter().zip(squares) {
        if man.color == color || reach(man.role, square) >> king & 1 == 0 {
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
