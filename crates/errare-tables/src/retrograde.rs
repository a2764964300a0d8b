//! The ply loop: from the positions decided so far to those decided one ply earlier.
//!
//! Positions live in slices of one king pair. In every ply each slice gathers, for each side, the
//! un-moves of what became decided one ply before, in its own slice and through king moves in its
//! neighbours', and keeps what is new. Slices only write their own words, so they run in parallel
//! without locks.

use crate::attacks::{leaps_of, rays_of};
use crate::kings::Kings;
use crate::layout::Layout;
use crate::packed::{Batch, Packed};
use crate::seeds::{Keyed, Seeds};
use crate::words::{Bits, spread};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};

/// What became decided at one ply, slice by slice.
#[derive(Default)]
pub struct Ply {
    pub losses: ByColor<Vec<Packed>>,
    pub wins: ByColor<Vec<Packed>>,
}

/// Everything decided, ply by ply from 0 (mate).
pub type History = Vec<Ply>;

/// When what the captures bring in takes effect.
pub trait Timing: Sync {
    /// The depths of `seeds` that come into play at this ply, as a range.
    fn due(&self, ply: u16) -> std::ops::Range<u32>;
    /// The last ply at which anything comes into play.
    fn last(&self) -> u16;
}

/// The sets of one side to move.
struct Side {
    /// Legal, and not yet won.
    open: Vec<u64>,
    /// Not yet decided, and no capture known to save it.
    may_lose: Vec<u64>,
    /// Decided at the ply before.
    losses: Vec<Batch>,
    wins: Vec<Batch>,
}

/// A run of the ply loop over one endgame.
pub struct Retrograde<'a> {
    layout: &'a Layout,
    kings: &'a Kings,
    sides: ByColor<Side>,
    pub stats: Stats,
}

/// Figures of a run, for the bench.
#[derive(Default, Clone, Copy, Debug)]
pub struct Stats {
    pub entries: u64,
    pub positions: u64,
    pub packed_bytes: u64,
}

impl<'a> Retrograde<'a> {
    pub fn new(layout: &'a Layout, kings: &'a Kings, seeds: &Seeds) -> Retrograde<'a> {
        let sides = seeds.as_ref().map(|side| Side {
            open: side.legal.clone(),
            may_lose: side.quiet.clone(),
            losses: Vec::new(),
            wins: Vec::new(),
        });
        Retrograde { layout, kings, sides, stats: Stats::default() }
    }

    /// Runs until nothing more is decided.
    pub fn run(&mut self, seeds: &Seeds, timing: &dyn Timing) -> History {
        let mut history = History::new();
        let slices = self.kings.slices();
        // Mates: in check, no capture, and no quiet move to any legal position.
        let mates = ByColor::new_with(|turn| self.losses(turn, Source::Given(&seeds.get(turn).checks)));
        for (side, mates) in self.sides.as_mut().into_iter().zip(mates) {
            side.losses = mates;
            side.wins = vec![Batch::new(); slices];
        }
        history.push(self.record());
        for ply in 1.. {
            let due = timing.due(ply);
            let losses = ByColor::new_with(|turn| {
                self.losses(turn, Source::Unmoves(&seeds.get(turn).releases, due.clone()))
            });
            let wins = ByColor::new_with(|turn| self.wins(turn, &seeds.get(turn).wins, due.clone()));
            for (side, (losses, wins)) in self.sides.as_mut().into_iter().zip(losses.into_iter().zip(wins)) {
                side.losses = losses;
                side.wins = wins;
            }
            let decided = self.record();
            if self.is_quiet() && ply >= timing.last() {
                break;
            }
            history.push(decided);
        }
        history
    }

    fn is_quiet(&self) -> bool {
        self.sides.as_ref().into_iter().all(|side| {
            side.losses.iter().all(Vec::is_empty) && side.wins.iter().all(Vec::is_empty)
        })
    }

    fn record(&mut self) -> Ply {
        let pack = |batches: &Vec<Batch>| -> Vec<Packed> {
            batches.par_iter().map_init(Vec::new, |bytes, batch| Packed::new(batch, bytes)).collect()
        };
        let ply = Ply {
            losses: self.sides.as_ref().map(|side| pack(&side.losses)),
            wins: self.sides.as_ref().map(|side| pack(&side.wins)),
        };
        for side in self.sides.as_ref() {
            for b in side.losses.iter().chain(&side.wins) {
                self.stats.entries += b.len() as u64;
                self.stats.positions += b.iter().map(|e| u64::from(e.1.count_ones())).sum::<u64>();
            }
        }
        for b in ply.losses.as_ref().into_iter().chain(ply.wins.as_ref()) {
            self.stats.packed_bytes += b.iter().map(|p| p.bytes() as u64).sum::<u64>();
        }
        ply
    }

    /// Positions of `turn` to move newly won.
    fn wins(&mut self, turn: Color, seeds: &[Keyed], due: std::ops::Range<u32>) -> Vec<Batch> {
        let (layout, kings) = (self.layout, self.kings);
        let words = layout.words();
        let (mine, theirs) = two(&mut self.sides, turn);
        let lost = &theirs.losses;
        mine.open
            .par_chunks_mut(words)
            .zip(mine.may_lose.par_chunks_mut(words))
            .enumerate()
            .map_init(
                || Touched::new(words),
                |touched, (slice, (open, may_lose))| {
                    let mut found = Batch::new();
                    unmoves(layout, kings, slice, turn, lost, touched);
                    for batch in in_range(&seeds[slice], &due) {
                        for (word, bits) in batch.iter() {
                            touched.add(word as usize, bits);
                        }
                    }
                    touched.drain(|word, bits| {
                        let new = bits & open[word];
                        if new != 0 {
                            open[word] &= !new;
                            may_lose[word] &= !new;
                            found.push((word as u32, new));
                        }
                    });
                    found
                },
            )
            .collect()
    }

    /// Positions of `turn` to move newly lost: all its moves lead to positions the other side is
    /// known to win.
    fn losses(&mut self, turn: Color, source: Source<'_>) -> Vec<Batch> {
        let (layout, kings) = (self.layout, self.kings);
        let words = layout.words();
        let (mine, theirs) = two(&mut self.sides, turn);
        let (won, open) = (&theirs.wins, &theirs.open);
        mine.may_lose
            .par_chunks_mut(words)
            .enumerate()
            .map_init(
                || Touched::new(words),
                |touched, (slice, may_lose)| {
                    let mut found = Batch::new();
                    match &source {
                        Source::Given(batches) => {
                            for &(word, bits) in &batches[slice] {
                                touched.add(word as usize, bits);
                            }
                        }
                        Source::Unmoves(releases, due) => {
                            unmoves(layout, kings, slice, turn, won, touched);
                            for batch in in_range(&releases[slice], due) {
                                for (word, bits) in batch.iter() {
                                    may_lose[word as usize] |= bits;
                                    touched.add(word as usize, bits);
                                }
                            }
                        }
                    }
                    touched.drain(|word, bits| {
                        let candidates = bits & may_lose[word];
                        if candidates != 0 {
                            let new = no_escape(layout, kings, slice, turn, open, word, candidates);
                            if new != 0 {
                                may_lose[word] &= !new;
                                found.push((word as u32, new));
                            }
                        }
                    });
                    found
                },
            )
            .collect()
    }
}

enum Source<'a> {
    Given(&'a [Batch]),
    Unmoves(&'a [Keyed], std::ops::Range<u32>),
}

fn in_range<'a>(keyed: &'a Keyed, due: &std::ops::Range<u32>) -> impl Iterator<Item = &'a Packed> {
    let due = due.clone();
    keyed.iter().filter(move |(depth, _)| due.contains(&u32::from(**depth))).map(|(_, packed)| packed)
}

fn two(sides: &mut ByColor<Side>, turn: Color) -> (&mut Side, &Side) {
    match turn {
        Color::White => (&mut sides.white, &sides.black),
        Color::Black => (&mut sides.black, &sides.white),
    }
}

/// A slice-sized buffer that knows which of its 64-word rows were written.
struct Touched {
    words: Vec<u64>,
    rows: Vec<u64>,
}

impl Touched {
    fn new(words: usize) -> Touched {
        Touched { words: vec![0; words.next_multiple_of(64)], rows: vec![0; words.div_ceil(64 * 64)] }
    }

    #[inline(always)]
    fn add(&mut self, word: usize, bits: u64) {
        self.words[word] |= bits;
        self.rows[word >> 12] |= 1 << (word >> 6 & 63);
    }

    fn drain(&mut self, mut visit: impl FnMut(usize, u64)) {
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
fn unmoves(layout: &Layout, kings: &Kings, slice: usize, turn: Color, decided: &[Batch], touched: &mut Touched) {
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
fn no_escape(
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
