//! Views: solved sub-endgames laid out in the way that the seeds of a larger endgame read them.

use crate::error::TableError;
use crate::kings::Kings;
use crate::layout::{Layout, MAX_FIXED};
use crate::legality::legal;
use crate::material::{Man, Material};
use crate::seeds::Keying;
use crate::words::Bits;
use rayon::prelude::*;
use shakmaty::Color;

/// The outcome of a sub-endgame's position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Lost,
    Drawn,
    Won,
}

/// The outcome of a sub-endgame's position, with its depth, which some metrics need.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub standing: Standing,
    pub depth: u16,
}

/// A solved endgame, whose symbols can be read slice by slice.
pub trait Solved: Sync {
    /// The numbering of the endgame's positions.
    fn layout(&self) -> &Layout;
    /// The meanings of the endgame's symbols.
    fn meanings(&self) -> Vec<Known>;
    /// Reads the symbols of a slice, word by word; those of placements that are not positions are arbitrary.
    fn symbols(&self, turn: Color, slice: usize, into: &mut Vec<u16>) -> Result<(), TableError>;
    /// Releases memory that was kept for reading more slices.
    fn release(&self);
}

/// Finds a solved endgame; `None` if it was not given to the solver, as the bare kings never are.
pub type Subs<'a> = &'a (dyn Fn(Material) -> Option<&'a dyn Solved> + Sync);

/// The positions that a kind of zeroing move leads to.
///
/// A word's number has the squares of the `rest` men as digits in base 64, without pawns within a king-pair
/// slice; its bits are the squares of the view's axis man. Like men appear in every order.
pub struct View {
    rest: usize,
    pub words: Vec<Word>,
    /// The key of each position; empty where keys are not distinguished.
    pub keys: Vec<u16>,
}

/// The outcomes of the 64 positions of a view's word.
#[derive(Clone, Copy, Default)]
pub struct Word {
    pub lost: u64,
    pub won: u64,
    /// Positions that are legal and not won by the side to move.
    pub open: u64,
}

impl Word {
    /// Sets the outcome of one legal position.
    #[inline(always)]
    pub fn put(&mut self, bit: u8, standing: Standing) {
        match standing {
            Standing::Won => self.won |= 1 << bit,
            standing => {
                self.open |= 1 << bit;
                self.lost |= u64::from(standing == Standing::Lost) << bit;
            }
        }
    }
}

impl View {
    /// Makes a view without positions.
    pub fn empty(rest: usize, words: usize, keyed: bool) -> View {
        View { rest, words: vec![Word::default(); words], keys: vec![0; if keyed { words * 64 } else { 0 }] }
    }

    /// Makes a view of `sub`, the endgame after `captured` is gone, with `axis` as the bits and
    /// `rest` as the other men; the side that lost a man is to move. `swapped` means that the
    /// sub-endgame's White is our Black.
    ///
    /// # Errors
    /// If the table of the other endgame cannot be read.
    pub fn after_capture(
        kings: &Kings,
        sub: &dyn Solved,
        swapped: bool,
        captured: Man,
        axis: Man,
        rest: &[Man],
        keying: Keying,
    ) -> Result<View, TableError> {
        let words = 64_usize.pow(rest.len() as u32);
        let keyed = keying != Keying::Once;
        let mut view = View::empty(rest.len(), kings.slices().count() * words, keyed);
        let turn = if swapped { captured.color.other() } else { captured.color };
        let orders = assignments(sub.layout(), swapped, axis, rest);
        let meanings = sub.meanings();
        let (slices, keys) = (view.words.par_chunks_mut(words), view.keys.par_chunks_mut(words * 64));
        let fill =
            |symbols: &mut Vec<u16>, slice: usize, words: &mut [Word], keys: &mut [u16]| -> Result<(), TableError> {
                let pair = kings.pair(slice);
                let (white, black) = if swapped { (pair.black, pair.white) } else { (pair.white, pair.black) };
                let touching = TableError::Internal("the kings of a slice touch");
                let (sub_slice, symmetry) = kings.find(white, black).ok_or(touching)?;
                // The sub-endgame's squares back to ours.
                let map = symmetry.inverse().squares();
                sub.symbols(turn, sub_slice, symbols)?;
                for (sub_word, row) in symbols.as_chunks::<64>().0.iter().enumerate() {
                    let fixed = sub.layout().squares(sub_word);
                    let mut squares = [0_u8; 4];
                    let count = sub.layout().fixed().len();
                    for (square, from) in squares.iter_mut().zip(&fixed[..count]) {
                        *square = map[*from as usize];
                    }
                    for axis_square in Bits(legal(sub.layout(), sub_slice, turn, sub_word)) {
                        let known = meanings[usize::from(row[usize::from(axis_square)])];
                        squares[count] = map[usize::from(axis_square)];
                        for order in &orders {
                            let index = order[1..].iter().fold(0, |word, &man| word * 64 + squares[man] as usize);
                            let bit = squares[order[0]];
                            words[index].put(bit, known.standing);
                            if let Some(key) = keys.get_mut(index * 64 + bit as usize) {
                                *key = keying.key(known.depth);
                            }
                        }
                    }
                }
                Ok(())
            };
        if keyed {
            slices
                .zip(keys)
                .enumerate()
                .try_for_each_init(Vec::new, |symbols, (slice, (words, keys))| fill(symbols, slice, words, keys))?;
        } else {
            slices
                .enumerate()
                .try_for_each_init(Vec::new, |symbols, (slice, words)| fill(symbols, slice, words, &mut []))?;
        }
        sub.release();
        Ok(view)
    }

    /// The number of the word with the rest of the men on these squares.
    #[inline(always)]
    pub fn index(&self, slice: usize, rest: &[u8; MAX_FIXED]) -> usize {
        rest[..self.rest].iter().fold(slice, |word, &square| word * 64 + square as usize)
    }

    #[inline(always)]
    pub fn word(&self, index: usize) -> Word {
        self.words[index]
    }

    /// The keys of a word's positions; empty where keys are not distinguished.
    #[inline]
    pub fn keys(&self, index: usize) -> &[u16] {
        self.keys.get(index * 64..index * 64 + 64).unwrap_or_default()
    }
}

/// Every way to assign the sub-endgame's men (its fixed men, then its axis) to the view's axis and rest.
fn assignments(sub: &Layout, swapped: bool, axis: Man, rest: &[Man]) -> Vec<Vec<usize>> {
    let seen = |man: Man| Man { color: if swapped { man.color.other() } else { man.color }, role: man.role };
    let men: Vec<Man> = sub.fixed().iter().copied().chain([sub.axis()]).map(seen).collect();
    let wanted: Vec<Man> = [axis].iter().chain(rest).copied().collect();
    let mut found = vec![Vec::new()];
    for want in wanted {
        found = found
            .into_iter()
            .flat_map(|used: Vec<usize>| {
                let next: Vec<usize> = (0..men.len()).filter(|i| men[*i] == want && !used.contains(i)).collect();
                next.into_iter().map(move |i| {
                    let mut used = used.clone();
                    used.push(i);
                    used
                })
            })
            .collect();
    }
    found
}
