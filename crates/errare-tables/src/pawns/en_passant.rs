//! Double steps that a pawn may answer by taking en passant.
//!
//! A table holds no position with that right: the position after the double step is valued here,
//! from the same position without the right and from what the captures lead to.

use super::moves::ahead;
use super::view::mirror_of_words;
use super::{Solution, Work};
use crate::structures::Structure;
use crate::symmetry::Symmetry;
use crate::view::View;
use crate::words::Bits;
use shakmaty::Color;

/// The pawns beside a square.
fn beside(square: u8) -> u64 {
    let (file, rank) = (square & 7, square & !7);
    let left = if file > 0 { 1 << (rank | (file - 1)) } else { 0 };
    left | if file < 7 { 1 << (rank | (file + 1)) } else { 0 }
}

/// The structures that taking a pawn of `color` en passant leads to, after its double step to `to`
/// gave `after`.
pub fn captures(after: Structure, color: Color, to: u8) -> Vec<Structure> {
    let taker = color.other();
    // The square passed over lies behind the pawn.
    let passed = ahead(taker, to);
    let takers = Bits(after.of(taker) & beside(to));
    takers.map(|from| after.without(color, to).without(taker, from).with(taker, passed)).collect()
}

/// Whether a double step can have led to a structure in which `turn` may take en passant.
pub fn may_be_asked(structure: Structure, turn: Color) -> bool {
    let color = turn.other();
    let rank = color.fold_wb(3, 4);
    Bits(structure.of(color)).filter(|square| square >> 3 == rank).any(|to| {
        let passed = ahead(turn, to);
        let from = ahead(turn, passed);
        structure.occupied() >> passed & 1 == 0
            && structure.occupied() >> from & 1 == 0
            && structure.of(turn) & beside(to) != 0
    })
}

/// Gives the positions after a double step, `view`, the right to the captures, of which each of
/// `taken` shows where it leads to. The keys of `view` are still bare depths.
pub fn allow(work: &Work<'_>, after: Structure, turn: Color, view: &mut View, taken: &[View]) {
    let stalemates = match work.solution(after) {
        Some((Solution { stalemates, .. }, mirrored)) => unfolded(work, stalemates.get(turn), mirrored),
        None => Vec::new(),
    };
    let keyed = !view.keys.is_empty();
    for index in 0..view.words.len() {
        let word = &mut view.words[index];
        let legal = word.open | word.won;
        let stalemate = stalemates.get(index).copied().unwrap_or(0);
        // Seen from the side whose pawn was taken: lost, not won, won.
        let all = |set: fn(&crate::view::Word) -> u64| taken.iter().fold(0, |all, view| all | set(&view.words[index]));
        let (wins, holds, loses) = (all(|word| word.lost), all(|word| word.open), all(|word| word.won));
        if (wins | holds | loses) & legal == 0 {
            continue;
        }
        let (lost, won) = (word.lost, word.won);
        word.won = (won | wins) & legal;
        // Who is stalemated but for the capture must take.
        word.lost = (lost | (stalemate & loses)) & !holds & legal;
        word.open = legal & !word.won;
        if keyed {
            let word = *word;
            for bit in Bits(word.won | word.lost) {
                let at = index * 64 + usize::from(bit);
                let through = |view: &View| view.keys.get(at).copied().unwrap_or(1);
                let is_in = |set: u64| set >> bit & 1 != 0;
                let key = if is_in(word.won) {
                    let captures = taken.iter().filter(|view| is_in(view.words[index].lost)).map(through);
                    captures.chain(is_in(won).then_some(view.keys[at])).min()
                } else {
                    let captures = taken.iter().filter(|view| is_in(view.words[index].won)).map(through);
                    captures.chain(is_in(lost).then_some(view.keys[at])).max()
                };
                view.keys[at] = key.unwrap_or_default();
            }
        }
    }
}

/// A sparse set of a solved structure as words of ours.
fn unfolded(work: &Work<'_>, set: &[(u32, u64)], mirrored: Symmetry) -> Vec<u64> {
    if set.is_empty() {
        return Vec::new();
    }
    let turn_word = mirror_of_words(work.layout.fixed().len(), mirrored);
    let mut words = vec![0; work.layout.words()];
    set.iter().for_each(|&(word, bits)| words[word as usize ^ turn_word] = mirrored.word(bits));
    words
}
