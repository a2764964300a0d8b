//! The positions that a slice decides in one ply, merged with those that an earlier run decided there.

use crate::packed::{Batch, Packed};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};

/// The positions that one slice decided in one ply.
#[derive(Default)]
pub struct Found {
    /// The positions that the next ply has to follow up.
    pub front: Batch,
    /// All positions of the ply.
    pub all: Packed,
    /// Number of bytes read and written.
    pub moved: u64,
}

impl Found {
    /// Merges new positions with those taken over from an earlier run. With `resume` both have
    /// to be followed up.
    pub fn new(found: &[(u32, u64)], replay: Replay<'_>, resume: bool, bytes: &mut Vec<u8>) -> Found {
        let joined = match replay {
            Replay::Whole(before) if found.is_empty() && !resume => {
                return Found { front: Batch::new(), all: before.clone(), moved: 0 };
            }
            Replay::Part([]) => return Found { front: found.to_vec(), all: Packed::new(found, bytes), moved: 0 },
            Replay::Whole(before) => join(before.iter(), found),
            Replay::Part(part) => join(part.iter().copied(), found),
        };
        let all = Packed::new(&joined, bytes);
        Found { front: if resume { joined } else { found.to_vec() }, all, moved: 0 }
    }

    /// Computes the memory traffic: entries read of the previous ply, words scanned in the slice's buffer and
    /// sets, and the positions found, in both forms.
    pub fn moving(mut self, read: usize, scanned: usize) -> Found {
        let entry = size_of::<(u32, u64)>();
        let bytes = (read + self.front.len()) * entry + scanned * 3 * size_of::<u64>() + self.all.bytes();
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

/// Splits what all slices found into the front of the next ply and the sets to keep.
pub fn split(found: &mut Vec<Found>) -> (Vec<Batch>, Vec<Packed>) {
    std::mem::take(found).into_iter().map(|found| (found.front, found.all)).unzip()
}

/// The positions of a ply that an earlier run decided there.
pub enum Replay<'a> {
    /// All positions of the earlier run.
    Whole(&'a Packed),
    /// Some positions of the earlier run: the others were decided sooner.
    Part(&'a [(u32, u64)]),
}

/// Marks as decided the positions that an earlier run decided at this ply and that were not decided sooner.
pub fn take_over<'a>(
    before: Option<&'a Packed>,
    part: &'a mut Batch,
    set: &mut [u64],
    mut other: Option<&mut [u64]>,
) -> Replay<'a> {
    part.clear();
    let Some(before) = before else { return Replay::Part(part) };
    let mut whole = true;
    for (index, (word, bits)) in before.iter().enumerate() {
        let place = &mut set[word as usize];
        let still = bits & *place;
        *place &= !still;
        if let Some(other) = &mut other {
            other[word as usize] &= !still;
        }
        if whole && still != bits {
            whole = false;
            part.extend(before.iter().take(index));
        }
        if !whole && still != 0 {
            part.push((word, still));
        }
    }
    if whole { Replay::Whole(before) } else { Replay::Part(part) }
}

/// The union of two batches.
fn join(a: impl Iterator<Item = (u32, u64)>, b: &[(u32, u64)]) -> Batch {
    let mut all = Batch::new();
    let (mut a, mut b) = (a.peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.0 == y.0 => (x.0, x.1 | y.1),
            (Some(x), Some(y)) => *if x.0 < y.0 { x } else { y },
            (Some(x), None) => *x,
            (None, Some(y)) => *y,
            (None, None) => return all,
        };
        a.next_if(|x| x.0 == next.0);
        b.next_if(|y| y.0 == next.0);
        all.push(next);
    }
}
