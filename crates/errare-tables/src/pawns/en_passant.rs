//! Double steps after which a pawn may be captured en passant.
//!
//! Tables hold no positions with that right. The position after the double step is valued here,
//! from the same position without the right and from the positions that the captures lead to.

use super::moves::ahead;
use super::view::mirror_of_words;
use super::{Solution, Work};
use crate::error::TableError;
use crate::structures::Structure;
use crate::symmetry::Symmetry;
use crate::view::{View, Word};
use crate::words::Bits;
use shakmaty::Color;

/// The squares beside a square.
fn beside(square: u8) -> u64 {
    let (file, rank) = (square & 7, square & !7);
    let left = if file > 0 { 1 << (rank | (file - 1)) } else { 0 };
    left | if file < 7 { 1 << (rank | (file + 1)) } else { 0 }
}

/// The structures that capturing a pawn of `color` en passant leads to, after its double step to `to`
/// led to `after`.
pub fn captures(after: Structure, color: Color, to: u8) -> Vec<Structure> {
    let taker = color.other();
    // The square passed over lies behind the pawn.
    let passed = ahead(taker, to);
    let takers = Bits(after.of(taker) & beside(to));
    takers.map(|from| after.without(color, to).without(taker, from).with(taker, passed)).collect()
}

/// Whether a double step can have led to a structure in which `turn` may capture en passant.
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

/// Gives the positions after a double step, `view`, the right to capture en passant. Each of `taken` is a view of the
/// positions after one such capture. The keys of `view` are still depths.
///
/// # Errors
/// [`TableError::Internal`] if the structure after the step is not solved yet.
pub fn allow(
    work: &Work<'_>,
    after: Structure,
    turn: Color,
    view: &mut View,
    taken: &[View],
) -> Result<(), TableError> {
    let (Solution { stalemates, .. }, mirrored) = work.solution(after)?;
    let stalemates = unfolded(work, stalemates.get(turn), mirrored);
    let keyed = !view.keys.is_empty();
    for index in 0..view.words.len() {
        let Word { lost, won, .. } = view.words[index];
        let stalemate = stalemates.get(index).copied().unwrap_or(0);
        let word = with_captures(view.words[index], stalemate, taken.iter().map(|view| view.words[index]));
        view.words[index] = word;
        if keyed {
            for bit in Bits(word.won | word.lost) {
                let at = index * 64 + usize::from(bit);
                // A view without keys comes at ply 1.
                let through = |view: &View| view.keys.get(at).copied().unwrap_or(1);
                let is_in = |set: u64| set >> bit & 1 != 0;
                let key = if is_in(word.won) {
                    let captures = taken.iter().filter(|view| is_in(view.words[index].lost)).map(through);
                    captures.chain(is_in(won).then_some(view.keys[at])).min()
                } else {
                    let captures = taken.iter().filter(|view| is_in(view.words[index].won)).map(through);
                    captures.chain(is_in(lost).then_some(view.keys[at])).max()
                };
                view.keys[at] = key.ok_or(TableError::Internal("a position is decided by no move"))?;
            }
        }
    }
    Ok(())
}

/// The positions of a word in which captures are possible too, given the positions `taken` that these lead to, seen
/// from the other side.
fn with_captures(word: Word, stalemate: u64, taken: impl Iterator<Item = Word>) -> Word {
    let legal = word.open | word.won;
    let mut all = Word::default();
    for taken in taken {
        all = Word { lost: all.lost | taken.lost, won: all.won | taken.won, open: all.open | taken.open };
    }
    let won = (word.won | all.lost) & legal;
    // A side that is stalemated except for a capture must capture.
    let lost = (word.lost | (stalemate & all.won)) & !all.open & legal;
    Word { lost, won, open: legal & !won }
}

/// A sparse set of a solved structure as words of the structure in work; empty for an empty set.
fn unfolded(work: &Work<'_>, set: &[(u32, u64)], mirrored: Symmetry) -> Vec<u64> {
    if set.is_empty() {
        return Vec::new();
    }
    let turn_word = mirror_of_words(work.layout.fixed().len(), mirrored);
    let mut words = vec![0; work.layout.words()];
    set.iter().for_each(|&(word, bits)| words[word as usize ^ turn_word] = mirrored.word(bits));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: Word = Word { lost: 0, won: 0, open: 1 };
    const LOST: Word = Word { lost: 1, won: 0, open: 1 };
    const WON: Word = Word { lost: 0, won: 1, open: 0 };
    const ILLEGAL: Word = Word { lost: 0, won: 0, open: 0 };

    /// What a position becomes by captures, given what they lead to for the other side.
    fn becomes(word: Word, stalemate: bool, taken: &[Word]) -> (u64, u64, u64) {
        let Word { lost, won, open } = with_captures(word, u64::from(stalemate), taken.iter().copied());
        (lost, won, open)
    }

    const AS_LOST: (u64, u64, u64) = (1, 0, 1);
    const AS_DRAWN: (u64, u64, u64) = (0, 0, 1);
    const AS_WON: (u64, u64, u64) = (0, 1, 0);

    #[test]
    fn a_capture_is_taken_where_it_is_better() {
        assert_eq!(becomes(DRAWN, false, &[LOST]), AS_WON);
        assert_eq!(becomes(LOST, false, &[DRAWN]), AS_DRAWN);
        assert_eq!(becomes(LOST, false, &[WON]), AS_LOST);
        assert_eq!(becomes(DRAWN, false, &[WON]), AS_DRAWN);
        assert_eq!(becomes(WON, false, &[WON]), AS_WON);
        assert_eq!(becomes(LOST, false, &[ILLEGAL]), AS_LOST);
    }

    #[test]
    fn who_is_stalemated_but_for_a_capture_must_take() {
        assert_eq!(becomes(DRAWN, true, &[WON]), AS_LOST);
        assert_eq!(becomes(DRAWN, true, &[DRAWN]), AS_DRAWN);
        assert_eq!(becomes(DRAWN, true, &[ILLEGAL]), AS_DRAWN);
    }

    #[test]
    fn of_two_captures_the_better_counts() {
        assert_eq!(becomes(DRAWN, true, &[WON, DRAWN]), AS_DRAWN);
        assert_eq!(becomes(DRAWN, true, &[WON, WON]), AS_LOST);
        assert_eq!(becomes(LOST, false, &[WON, LOST]), AS_WON);
    }

    #[test]
    fn both_neighbours_may_take_and_only_after_a_double_step() {
        // White e4 between Black d4 and f4; e2 and e3 are free.
        let beside = Structure { white: 1 << 28, black: 1 << 27 | 1 << 29 };
        assert!(may_be_asked(beside, Color::Black) && !may_be_asked(beside, Color::White));
        let passed = 1 << 20;
        let expected = [1 << 29 | passed, 1 << 27 | passed].map(|black| Structure { white: 0, black });
        assert_eq!(captures(beside, Color::White, 28), expected);
        let blocked = Structure { black: beside.black | passed, ..beside };
        assert!(!may_be_asked(blocked, Color::Black));
        // The a-file and the h-file are no neighbours.
        assert!(captures(Structure { white: 1 << 24, black: 1 << 31 | 1 << 23 }, Color::White, 24).is_empty());
    }
}
