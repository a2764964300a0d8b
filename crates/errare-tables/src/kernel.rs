//! The two kernels of the ply loop, on words of 64 positions: un-moves into a slice, and
//! the test that positions have no quiet move left to safety.

use crate::attacks::{attacks, between_from};
use crate::layout::{Fixed, Layout};
use crate::packed::Batch;
use crate::slices::Slices;
use crate::words::{Bits, spread};
use shakmaty::Color;

/// A slice-sized buffer of words, zero between uses.
pub struct Touched {
    words: Vec<u64>,
    /// Whether anything was added to each row of words.
    rows: Vec<u8>,
    /// Whether anything was added to the buffer at all.
    any: bool,
}

/// The number of words of a row: they are skipped together if nothing was added.
const ROW: usize = 32;

impl Touched {
    pub fn new(words: usize) -> Touched {
        let rows = words.div_ceil(ROW);
        Touched { words: vec![0; rows * ROW], rows: vec![0; rows], any: false }
    }

    #[inline(always)]
    pub fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.rows[word / ROW] = 1;
        self.any = true;
    }

    /// Visits every word that is not zero, in order, and clears it. Returns the number of words that were
    /// scanned.
    #[inline(always)]
    pub fn drain(&mut self, mut visit: impl FnMut(usize, u64)) -> usize {
        if !std::mem::take(&mut self.any) {
            return 0;
        }
        let rows = self.words.as_chunks_mut::<ROW>().0.iter_mut().zip(&mut self.rows).enumerate();
        for (index, (row, mark)) in rows {
            if std::mem::take(mark) == 0 {
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

/// The squares of the fixed men and of those around them.
#[inline(always)]
fn occupied(layout: &Layout, around: u64, squares: &Fixed) -> u64 {
    squares[..layout.fixed().len()].iter().fold(around, |all, square| all | 1 << square)
}

/// Visits the quiet moves of a side's fixed men from the positions of a word, as long as `visit` returns true. It
/// receives the word that a move leads to, and the squares on which the axis man would block the move.
#[inline(always)]
fn moves_of_fixed(
    layout: &Layout,
    turn: Color,
    word: usize,
    squares: &Fixed,
    occupied: u64,
    mut visit: impl FnMut(usize, u64) -> bool,
) {
    for (i, man) in layout.fixed().iter().enumerate() {
        if man.color != turn {
            continue;
        }
        let lifted = layout.lift(i, word, squares);
        let paths = between_from(squares[i]);
        for to in Bits(attacks(man.role, squares[i], occupied) & !occupied) {
            if !visit(lifted.at(to), paths[to as usize]) {
                return;
            }
        }
    }
}

/// Adds every position of `slice`, `turn` to move, that has a quiet move into one of `decided`.
/// Returns the number of entries read.
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
        moves_of_fixed(layout, turn, word, &squares, occupied, |there, path| {
            touched.add(there, bits & !path);
            true
        });
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

/// Filters the `candidates` of a word, `turn` to move, for those without a quiet move into `open`.
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
    moves_of_fixed(layout, turn, word, &squares, occupied, |there, path| {
        candidates &= !own[there] | path;
        candidates != 0
    });
    candidates
}
