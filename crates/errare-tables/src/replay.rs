//! The positions that a slice decides in one ply, and those that earlier runs decided there.

use crate::journal::{History, for_each_bit};
use crate::packed::{Batch, Packed};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};

/// The positions that one slice decided in one ply.
#[derive(Default)]
pub struct Found {
    /// The positions that the next ply has to follow up.
    pub front: Batch,
    /// The positions that no earlier run decided at this ply.
    pub new: Packed,
    /// Number of bytes read and written.
    pub moved: u64,
}

impl Found {
    /// Makes a record of new positions and of those taken over from earlier runs that have to be followed up, too.
    pub fn new(found: &[(u32, u64)], taken_over: &mut Batch, bytes: &mut Vec<u8>) -> Found {
        let new = Packed::new(found, bytes);
        let front = if taken_over.is_empty() { found.to_vec() } else { join(found, taken_over) };
        Found { front, new, moved: 0 }
    }

    /// Computes the memory traffic: entries read of the previous ply, words scanned in the slice's buffer and
    /// sets, and the positions found, in both forms.
    pub fn moving(mut self, read: usize, scanned: usize) -> Found {
        let entry = size_of::<(u32, u64)>();
        let bytes = (read + self.front.len()) * entry + scanned * 3 * size_of::<u64>() + self.new.len();
        self.moved = bytes as u64;
        self
    }
}

/// Removes the wins of a ply from the positions that neither run has won.
pub fn strike_out(never_won: &mut ByColor<Vec<u64>>, wins: &ByColor<Vec<Found>>, words: usize) {
    for turn in Color::ALL {
        never_won.get_mut(turn).par_chunks_mut(words).zip(wins.get(turn)).for_each(|(set, found)| {
            found.front.iter().for_each(|&(word, bits)| set[word as usize] &= !bits);
        });
    }
}

/// Splits what all slices found into the front of the next ply and the sets to keep. Where nothing is new there are no
/// sets.
pub fn split(found: &mut Vec<Found>) -> (Vec<Batch>, Vec<Packed>) {
    let (front, new): (_, Vec<Packed>) =
        std::mem::take(found).into_iter().map(|found| (found.front, found.new)).unzip();
    (front, if new.iter().all(Packed::is_empty) { Vec::new() } else { new })
}

/// The positions that earlier runs decided at one ply with one outcome, by side to move: sets by slice, of each run.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    pub runs: &'a [History],
    pub ply: usize,
    pub is_win: bool,
}

impl<'a> Replay<'a> {
    fn sets(self, turn: Color) -> impl Iterator<Item = &'a [Packed]> {
        let plies = self.runs.iter().filter_map(move |run| run.get(self.ply));
        plies.map(move |ply| ply.sets(self.is_win, turn)).filter(|sets| !sets.is_empty())
    }

    /// Whether the earlier runs decided nothing at this ply for a side to move.
    pub fn is_empty(self, turn: Color) -> bool {
        self.sets(turn).next().is_none()
    }

    /// Marks as decided the positions that earlier runs decided at this ply and that were not decided sooner: takes
    /// them out of `set`, and of `other` if there is one. What was marked is added to `marked`, if that is wanted.
    pub fn take_over(
        self,
        turn: Color,
        slice: usize,
        set: &mut [u64],
        mut other: Option<&mut [u64]>,
        mut marked: Option<&mut Batch>,
        buffer: &mut Vec<u8>,
    ) {
        for sets in self.sets(turn) {
            for_each_bit(sets, slice, buffer, |word, bits| {
                let still = bits & set[word];
                if still != 0 {
                    set[word] &= !still;
                    if let Some(other) = &mut other {
                        other[word] &= !still;
                    }
                    if let Some(marked) = &mut marked {
                        marked.push((word as u32, still));
                    }
                }
            });
        }
    }
}

/// The union of new positions and of others, which may come in any order.
fn join(found: &[(u32, u64)], others: &mut Batch) -> Batch {
    others.extend_from_slice(found);
    others.sort_unstable_by_key(|&(word, _)| word);
    let mut all = Batch::with_capacity(others.len());
    for &(word, bits) in others.iter() {
        match all.last_mut() {
            Some((last, joined)) if *last == word => *joined |= bits,
            _ => all.push((word, bits)),
        }
    }
    all
}
