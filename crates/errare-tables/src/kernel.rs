//! The two kernels of the ply loop, on words of 64 positions: un-moves scattered over a slice, and
//! the test that a word's positions have no quiet move left to safety.

use crate::attacks::{attacks, between_from};
use crate::layout::{Fixed, Layout};
use crate::packed::Batch;
use crate::slices::Slices;
use crate::words::{Bits, spread};
use shakmaty::Color;

/// A slice-sized buffer of words, zero between uses.
pub struct Touched {
    words: Vec<u64>,
    /// Whether anything was added.
    any: bool,
}

/// How many words are looked at together for being all zero.
const ROW: usize = 32;

impl Touched {
    pub fn new(words: usize) -> Touched {
        Touched { words: vec![0; words.next_multiple_of(ROW)], any: false }
    }

    #[inline(always)]
    pub fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.any = true;
    }

    /// Visits every word that is not zero, in order, and clears it. Returns how many words were
    /// looked at.
    #[inline(always)]
    pub fn drain(&mut self, mut visit: impl FnMut(usize, u64)) -> usize {
        if !std::mem::take(&mut self.any) {
            return 0;
        }
        for (index, row) in self.words.as_chunks_mut::<ROW>().0.iter_mut().enumerate() {
            if row.iter().fold(0, |all, word| all | word) == 0 {
                continue;
            }
            for (place, word) in row.iter_mut().enumerate() {
                let bits = std::mem::take(word);
                if bits != 0 {
                    visit(index * ROW + place, bits);
                }
            }
        }
        self.words.len()
    }
}

/// The squares the fixed men and those around them stand on.
#[inline(always)]
fn occupied(layout: &Layout, around: u64, squares: &Fixed) -> u64 {
    squares[..layout.fixed().len()].iter().fold(around, |all, square| all | 1 << square)
}

/// Adds every position of `slice`, `turn` to move, that has a quiet move into one of `decided`.
/// Returns how many entries were read.
pub fn unmoves(
    layout: &Layout,
    slices: &Slices,
    slice: usize,
    turn: Color,
    decided: &[Batch],
    touched: &mut Touched,
) -> usize {
    if decided.is_empty() {
        return 0;
    }
    let mut read = decided[slice].len();
    let around = slices.occupied(slice);
    let axis = layout.axis();
    for &(word, bits) in &decided[slice] {
        let word = word as usize;
        let squares = layout.squares(word);
        let occupied = occupied(layout, around, &squares);
        if axis.color == turn {
            touched.add(word, spread(axis.role, bits, occupied));
        }
        for (i, man) in layout.fixed().iter().enumerate() {
            if man.color != turn {
                continue;
            }
            let lifted = layout.lift(i, word, &squares);
            let paths = between_from(squares[i]);
            for to in Bits(attacks(man.role, squares[i], occupied) & !occupied) {
                touched.add(lifted.at(to), bits & !paths[to as usize]);
            }
        }
    }
    for step in slices.moves(slice, turn) {
        let batch = &decided[step.slice as usize];
        read += batch.len();
        if step.symmetry.is_identity() {
            for &(word, bits) in batch {
                touched.add(word as usize, bits);
            }
        } else {
            let images = layout.images(step.back);
            for &(word, bits) in batch {
                touched.add(images[word as usize] as usize, step.back.word(bits));
            }
        }
    }
    read
}

/// Of the `candidates` of a word, `turn` to move, those without a quiet move into `open`.
pub fn no_escape(
    layout: &Layout,
    slices: &Slices,
    slice: usize,
    turn: Color,
    open: &[u64],
    word: usize,
    mut candidates: u64,
) -> u64 {
    let words = layout.words();
    let squares = layout.squares(word);
    let occupied = occupied(layout, slices.occupied(slice), &squares);
    let own = &open[slice * words..][..words];
    let axis = layout.axis();
    if axis.color == turn {
        candidates &= !spread(axis.role, own[word], occupied);
        if candidates == 0 {
            return 0;
        }
    }
    for step in slices.moves(slice, turn) {
        if occupied >> step.target & 1 != 0 {
            continue;
        }
        let there = step.slice as usize * words;
        candidates &= !if step.symmetry.is_identity() {
            open[there + word]
        } else {
            step.back.word(open[there + layout.images(step.symmetry)[word] as usize])
        };
        if candidates == 0 {
            return 0;
        }
    }
    for (i, man) in layout.fixed().iter().enumerate() {
        if man.color != turn {
            continue;
        }
        let lifted = layout.lift(i, word, &squares);
        let paths = between_from(squares[i]);
        for to in Bits(attacks(man.role, squares[i], occupied) & !occupied) {
            candidates &= !own[lifted.at(to)] | paths[to as usize];
            if candidates == 0 {
                return 0;
            }
        }
    }
    candidates
}
