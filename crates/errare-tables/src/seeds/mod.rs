//! Seeds of an endgame: positions decided by zeroing moves into endgames already solved, zeroing moves that save
//! the side that would lose, and positions in which the game ends at once.

mod captures;

pub use captures::seeds;

use crate::error::TableError;
use crate::legality::Scene;
use crate::metric::Metric;
use crate::packed::{Batch, Packed};
use crate::spill::Spill;
use crate::view::{View, Word};
use crate::words::Bits;
use shakmaty::{ByColor, Color};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of words between checks for cancellation: a few milliseconds of work.
pub const WORDS_BETWEEN_CHECKS: usize = 4096;

/// Sets of positions of a slice, by the key that determines when they take effect.
pub type Keyed = BTreeMap<u16, Packed>;

/// The seeds of one side to move, slice by slice.
pub struct SideSeeds {
    /// Legal positions, seeds or not.
    pub legal: Vec<u64>,
    /// Legal positions without any legal zeroing move.
    pub quiet: Vec<u64>,
    /// Positions in check and without a legal zeroing move: mate, if no quiet move helps.
    pub checks: Vec<Packed>,
    /// Positions in which a zeroing move wins, by the least key of the losses it leads to.
    pub wins: Vec<Keyed>,
    /// Positions in which there are zeroing moves and all of them lose, by the greatest key of the wins they lead to.
    /// Such a position may be lost only once that move is known to lose.
    pub releases: Vec<Keyed>,
}

/// The sparse seeds of one slice with one side to move; see [`SideSeeds`].
pub struct SliceSeeds {
    pub checks: Packed,
    pub wins: Keyed,
    pub releases: Keyed,
}

impl SliceSeeds {
    /// Moves the sets of the slice from memory to a file.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn into_file(self, file: &Arc<Spill>) -> Result<SliceSeeds, TableError> {
        let moved = |keyed: Keyed| -> Result<Keyed, TableError> {
            keyed.into_iter().map(|(key, set)| Ok((key, set.into_file(file)?))).collect()
        };
        Ok(SliceSeeds {
            checks: self.checks.into_file(file)?,
            wins: moved(self.wins)?,
            releases: moved(self.releases)?,
        })
    }
}

/// The seeds of both sides.
pub type Seeds = ByColor<SideSeeds>;

/// The relation between the depth of a solved position and the key of the seeds that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keying {
    /// The depth does not matter: all seeds take effect at ply 1.
    Once,
    /// The move is an ordinary move: its seed takes effect one ply after the depth it leads to.
    NextPly,
    /// The depth itself is the level from which on the move can be used.
    Level,
}

impl Keying {
    /// The keying of a move that ends a phase and changes the material.
    pub fn of_conversions(metric: Metric) -> Keying {
        match metric {
            Metric::Dtm => Keying::NextPly,
            Metric::Dtr => Keying::Level,
            Metric::Dtc | Metric::Dtz | Metric::DtzRule(_) => Keying::Once,
        }
    }

    /// The keying of a pawn move that ends a phase and does not change the material.
    pub fn of_pushes(metric: Metric) -> Keying {
        match metric {
            // Not a conversion, but an ordinary move.
            Metric::Dtc => Keying::NextPly,
            metric => Keying::of_conversions(metric),
        }
    }

    #[inline(always)]
    pub fn key(self, depth: u16) -> u16 {
        match self {
            Keying::Once => 1,
            Keying::NextPly => depth + 1,
            Keying::Level => depth,
        }
    }
}

/// The results of the zeroing moves found so far in the 64 positions of a word.
pub struct ZeroingResults {
    win: u64,
    escape: u64,
    lose: u64,
    win_key: [u16; 64],
    lose_key: [u16; 64],
}

impl ZeroingResults {
    fn clear(&mut self, keyed: bool) {
        if keyed && self.win | self.lose != 0 {
            self.win_key = [u16::MAX; 64];
            self.lose_key = [0; 64];
        }
        (self.win, self.escape, self.lose) = (0, 0, 0);
    }

    /// Adds moves to a draw that are possible at `mask`.
    pub fn escape(&mut self, mask: u64) {
        self.escape |= mask;
    }

    /// Adds moves that are possible at `mask`, each leading to the same bit of `word`. `key` returns the key of
    /// the position that a bit leads to, where keys are distinguished.
    #[inline(always)]
    pub fn add(&mut self, mask: u64, word: Word, key: Option<impl Fn(u8) -> u16>) {
        let (win, lose) = (word.lost & mask, word.won & mask);
        self.win |= win;
        self.escape |= word.open & mask;
        self.lose |= lose;
        if let Some(key) = key {
            for bit in Bits(win) {
                let least = &mut self.win_key[bit as usize & 63];
                *least = key(bit).min(*least);
            }
            for bit in Bits(lose) {
                let greatest = &mut self.lose_key[bit as usize & 63];
                *greatest = key(bit).max(*greatest);
            }
        }
    }

    /// Adds moves that are possible at `mask`, each leading to the same bit of a view's word.
    #[inline(always)]
    pub fn add_row(&mut self, mask: u64, view: &View, index: usize, keyed: bool) {
        let keys = view.keys(index);
        // A view without keys, among others that have them, takes effect at ply 1.
        let key = |bit: u8| keys.get(bit as usize).copied().unwrap_or(1);
        self.add(mask, view.word(index), keyed.then_some(key));
    }

    /// Adds moves that are possible at `mask`, all leading to one position, bit `square` of a view's word.
    #[inline(always)]
    pub fn add_one(&mut self, mask: u64, view: &View, index: usize, square: u8, keyed: bool) {
        let word = view.word(index);
        let all = |set: u64| (set >> square & 1).wrapping_neg();
        let word = Word { lost: all(word.lost), won: all(word.won), open: all(word.open) };
        let key = view.keys(index).get(square as usize).copied().unwrap_or(1);
        self.add(mask, word, keyed.then_some(move |_| key));
    }
}

/// A collector of the seeds of a slice, word by word.
pub struct Collector {
    tally: ZeroingResults,
    wins: Vec<Batch>,
    releases: Vec<Batch>,
    by_key: Vec<u64>,
    bytes: Vec<u8>,
    checks: Batch,
    keyed: bool,
}

impl Collector {
    pub fn new(keyed: bool) -> Collector {
        Collector {
            tally: ZeroingResults { win: 0, escape: 0, lose: 0, win_key: [u16::MAX; 64], lose_key: [0; 64] },
            wins: Vec::new(),
            releases: Vec::new(),
            by_key: Vec::new(),
            bytes: Vec::new(),
            checks: Batch::new(),
            keyed,
        }
    }

    /// Adds a word whose men do not overlap, `turn` to move; `moves` adds the results of its zeroing moves.
    /// Returns the legal and the quiet positions.
    #[inline(always)]
    pub fn word(
        &mut self,
        word: usize,
        scene: &Scene<'_>,
        turn: Color,
        occupied: u64,
        moves: impl FnOnce(&mut ZeroingResults),
    ) -> (u64, u64) {
        let here = scene.legal_given(turn, occupied);
        if here == 0 {
            return (0, 0);
        }
        let tally = &mut self.tally;
        tally.clear(self.keyed);
        moves(tally);
        let win = tally.win & here;
        let lose = tally.lose & here & !tally.escape;
        let calm = here & !(tally.win | tally.escape | tally.lose);
        if calm != 0 {
            let check = calm & scene.attacked(turn, occupied);
            if check != 0 {
                self.checks.push((word as u32, check));
            }
        }
        for (set, keys, batches) in [(win, &tally.win_key, &mut self.wins), (lose, &tally.lose_key, &mut self.releases)]
        {
            if set != 0 && !self.keyed {
                grow(batches, 1).push((word as u32, set));
            } else if set != 0 {
                scatter_by_key(set, keys, word as u32, &mut self.by_key, batches);
            }
        }
        (here, calm)
    }

    /// Returns the seeds of the slice, and prepares for another slice.
    pub fn finish(&mut self) -> SliceSeeds {
        let bytes = &mut self.bytes;
        let mut pack = |batches: &mut Vec<Batch>| -> Keyed {
            let full = batches.iter_mut().enumerate().filter(|(_, batch)| !batch.is_empty());
            full.map(|(key, batch)| {
                let packed = Packed::new(batch, bytes);
                batch.clear();
                (key as u16, packed)
            })
            .collect()
        };
        let (wins, releases) = (pack(&mut self.wins), pack(&mut self.releases));
        let checks = Packed::new(&self.checks, bytes);
        self.checks.clear();
        SliceSeeds { checks, wins, releases }
    }
}

fn grow(batches: &mut Vec<Batch>, key: usize) -> &mut Batch {
    if batches.len() <= key {
        batches.resize_with(key + 1, Batch::new);
    }
    &mut batches[key]
}

/// Adds the bits of a word to the batches of their keys. `by_key` is zero between calls.
fn scatter_by_key(set: u64, keys: &[u16; 64], word: u32, by_key: &mut Vec<u64>, batches: &mut Vec<Batch>) {
    let mut seen = [0_u16; 64];
    let mut count = 0;
    for bit in Bits(set) {
        let key = keys[bit as usize];
        if by_key.len() <= key as usize {
            by_key.resize(key as usize + 1, 0);
        }
        let bits = &mut by_key[key as usize];
        if *bits == 0 {
            seen[count & 63] = key;
            count += 1;
        }
        *bits |= 1 << bit;
    }
    for &key in &seen[..count] {
        let bits = std::mem::take(&mut by_key[key as usize]);
        grow(batches, key as usize).push((word, bits));
    }
}
