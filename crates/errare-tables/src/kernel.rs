//! The two kernels of the ply loop, on words of 64 positions: un-moves scattered over a slice, and
//! the test that a word's positions have no quiet move left to safety.

use crate::attacks::{leaps_of, rays_of};
use crate::kings::Kings;
use crate::layout::Layout;
use crate::packed::Batch;
use crate::words::{Bits, spread};
use shakmaty::Color;

/// A slice-sized buffer that knows which of its 64-word rows were written.
pub struct Touched {
    words: Vec<u64>,
    rows: Vec<u64>,
}

impl Touched {
    pub fn new(words: usize) -> Touched {
        Touched { words: vec![0; words.next_multiple_of(64)], rows: vec![0; words.div_ceil(64 * 64)] }
    }

    #[inline(always)]
    pub fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.rows[word >> 12] |= 1 << (word >> 6 & 63);
    }

    pub fn drain(&mut self, mut visit: impl FnMut(usize, u64)) {
        for (index, rows) in self.rows.iter_mut().enumerate() {
            for row in Bits(std::mem::take(rows)) {
                let start = index * 4096 + row as usize * 64;
                for word in start..start + 64 {
                    let bits = std::mem::take(&mut self.words[word]);
                    if bits != 0 {
                        visit(word, bits);
                    }
                }
            }
        }
    }
}

/// Adds every position of `slice`, `turn` to move, that has a quiet move into one of `decided`.
pub fn unmoves(layout: &Layout, kings: &Kings, slice: usize, turn: Color, decided: &[Batch], touched: &mut Touched) {
    if decided.is_empty() {
        return;
    }
    let occupied_kings = kings.pair(slice).occupied();
    let axis = layout.axis();
    for &(word, bits) in &decided[slice] {
        let word = word as usize;
        let squares = layout.squares(word);
        let occupied = squares[..layout.fixed().len()].iter().fold(occupied_kings, |all, square| all | 1 << square);
        if axis.color == turn {
            touched.add(word, spread(axis.role, bits, occupied));
        }
        for (i, man) in layout.fixed().iter().enumerate() {
            if man.color != turn {
                continue;
            }
            let lifted = layout.lift(i, word, &squares);
            for to in Bits(leaps_of(man.role, squares[i]) & !occupied) {
                touched.add(lifted.at(to), bits);
            }
            for ray in rays_of(man.role, squares[i]) {
                let mut passing = bits;
                for &to in ray.squares() {
                    if occupied >> to & 1 != 0 {
                        break;
                    }
                    touched.add(lifted.at(to), passing);
                    passing &= !(1 << to);
                    if passing == 0 {
                        break;
                    }
                }
            }
        }
    }
    for step in kings.moves(slice, turn) {
        let batch = &decided[step.slice as usize];
        if step.symmetry.is_identity() {
            for &(word, bits) in batch {
                touched.add(word as usize, bits);
            }
        } else {
            let back = step.symmetry.inverse();
            for &(word, bits) in batch {
                touched.add(layout.image(word as usize, back), back.word(bits));
            }
        }
    }
}

/// Of the `candidates` of a word, `turn` to move, those without a quiet move into `open`.
pub fn no_escape(
    layout: &Layout,
    kings: &Kings,
    slice: usize,
    turn: Color,
    open: &[u64],
    word: usize,
    mut candidates: u64,
) -> u64 {
    let words = layout.words();
    let squares = layout.squares(word);
    let occupied =
        squares[..layout.fixed().len()].iter().fold(kings.pair(slice).occupied(), |all, square| all | 1 << square);
    let own = &open[slice * words..][..words];
    let axis = layout.axis();
    if axis.color == turn {
        candidates &= !spread(axis.role, own[word], occupied);
        if candidates == 0 {
            return 0;
        }
    }
    for step in kings.moves(slice, turn) {
        if occupied >> step.target & 1 != 0 {
            continue;
        }
        let there = step.slice as usize * words;
        if step.symmetry.is_identity() {
            candidates &= !open[there + word];
        } else {
            let image = layout.image(word, step.symmetry);
            candidates &= !step.symmetry.inverse().word(open[there + image]);
        }
        if candidates == 0 {
            return 0;
        }
    }
    for (i, man) in layout.fixed().iter().enumerate() {
        if man.color != turn {
            continue;
        }
        let lifted = layout.lift(i, word, &squares);
        for to in Bits(leaps_of(man.role, squares[i]) & !occupied) {
            candidates &= !own[lifted.at(to)];
        }
        for ray in rays_of(man.role, squares[i]) {
            let mut passed = 0;
            for &to in ray.squares() {
                if occupied >> to & 1 != 0 {
                    break;
                }
                candidates &= !(own[lifted.at(to)] & !passed);
                passed |= 1 << to;
            }
        }
        if candidates == 0 {
            return 0;
        }
    }
    candidates
}
