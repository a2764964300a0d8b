//! A solved sub-endgame, laid out the way the seeds of a larger one read it.

use crate::error::TableError;
use crate::kings::Kings;
use crate::layout::{Layout, MAX_FIXED};
use crate::material::Man;
use rayon::prelude::*;
use shakmaty::Color;

/// What a sub-endgame's position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Broken,
    Lost,
    Drawn,
    Won,
}

/// A sub-endgame's position, with its depth where the metric carries depths over.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub standing: Standing,
    pub depth: u16,
}

/// An endgame already solved.
pub trait Solved: Sync {
    fn layout(&self) -> &Layout;
    /// Every position of a slice, word by word.
    fn slice(&self, turn: Color, slice: usize, into: &mut Vec<Known>) -> Result<(), TableError>;
}

/// The positions after a capture, the side that lost a man to move.
///
/// A word is found by the squares of the `rest` men in base 64 within a king-pair slice; its bits
/// are the squares of the view's axis man. Like men appear in every order.
pub struct View {
    rest: usize,
    words: Vec<Word>,
    /// A depth for each bit, where depths are carried over.
    depths: Vec<u16>,
}

/// What the 64 positions of a view's word are worth.
#[derive(Clone, Copy, Default)]
pub struct Word {
    pub lost: u64,
    pub won: u64,
    /// Legal and not won.
    pub open: u64,
}

impl View {
    /// Lays out `sub`, the endgame left when `captured` is gone, with `axis` as the bits and
    /// `rest` as the other men. `swapped` says that the sub-endgame's White is our Black.
    pub fn new(
        kings: &Kings,
        sub: &dyn Solved,
        swapped: bool,
        captured: Man,
        axis: Man,
        rest: &[Man],
        keyed: bool,
    ) -> Result<View, TableError> {
        let words = 64_usize.pow(rest.len() as u32);
        let total = kings.slices() * words;
        let mut view = View {
            rest: rest.len(),
            words: vec![Word::default(); total],
            depths: vec![0; if keyed { total * 64 } else { 0 }],
        };
        let turn = if swapped { captured.color.other() } else { captured.color };
        let orders = assignments(sub.layout(), swapped, axis, rest);
        let (slices, depths) = (view.words.par_chunks_mut(words), view.depths.par_chunks_mut(words * 64));
        let fill = |known: &mut Vec<Known>, slice: usize, words: &mut [Word], depths: &mut [u16]| {
            let pair = kings.pair(slice);
            let (white, black) = if swapped { (pair.black, pair.white) } else { (pair.white, pair.black) };
            let Some((sub_slice, symmetry)) = kings.find(white, black) else { return Ok(()) };
            // The sub-endgame's squares back to ours.
            let map = symmetry.inverse().squares();
            known.clear();
            sub.slice(turn, sub_slice, known)?;
            for (sub_word, row) in known.chunks_exact(64).enumerate() {
                let fixed = sub.layout().squares(sub_word);
                let mut squares = [0_u8; 4];
                let count = sub.layout().fixed().len();
                for (square, from) in squares.iter_mut().zip(&fixed[..count]) {
                    *square = map[*from as usize];
                }
                for (axis_square, known) in row.iter().enumerate() {
                    if known.standing == Standing::Broken {
                        continue;
                    }
                    squares[count] = map[axis_square];
                    for order in &orders {
                        let index = order[1..].iter().fold(0, |word, &man| word * 64 + squares[man] as usize);
                        let bit = squares[order[0]];
                        let word = &mut words[index];
                        match known.standing {
                            Standing::Won => word.won |= 1 << bit,
                            standing => {
                                word.open |= 1 << bit;
                                word.lost |= u64::from(standing == Standing::Lost) << bit;
                            }
                        }
                        if let Some(depth) = depths.get_mut(index * 64 + bit as usize) {
                            *depth = known.depth;
                        }
                    }
                }
            }
            Ok(())
        };
        if keyed {
            slices
                .zip(depths)
                .enumerate()
                .try_for_each_init(Vec::new, |known, (slice, (words, depths))| fill(known, slice, words, depths))?;
        } else {
            slices
                .enumerate()
                .try_for_each_init(Vec::new, |known, (slice, words)| fill(known, slice, words, &mut []))?;
        }
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

    /// The depths of a word's positions; empty where none are carried over.
    #[inline]
    pub fn depths(&self, index: usize) -> &[u16] {
        self.depths.get(index * 64..index * 64 + 64).unwrap_or_default()
    }
}

/// Every way to name the sub-endgame's men (its fixed men, then its axis) as axis and rest.
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
