//! The ply loop of retrograde analysis: from the positions decided so far to those one ply further from the end.
//!
//! Positions are grouped in slices: one for each king pair, or a single one. In every ply each slice
//! collects, for each side, the un-moves of the positions decided in the previous ply, in its own slice and
//! through king moves in neighbouring slices, and keeps what is new. Slices write only their own words,
//! so they run in parallel without locks.

use crate::error::TableError;
use crate::journal::{History, Journal, Ply, for_each_bit};
use crate::kernel::{Touched, no_escape, unmoves};
use crate::layout::Layout;
use crate::packed::Batch;
use crate::replay::{Found, Replay, split, strike_out};
use crate::seeds::{Keyed, Seeds};
use crate::slices::Slices;
use crate::threads::PerThread;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::ops::Range;

/// The rule by which seeds take effect: all at once, or ply by ply by their keys.
#[derive(Clone, Debug)]
pub enum Timing {
    /// All seeds whose keys are in the range take effect at the first ply: a zeroing move ends the phase.
    AtOnce(Range<u32>),
    /// Each seed takes effect at the ply that is its key, of which the greatest is given.
    AtPly(u16),
}

impl Timing {
    /// The keys of the seeds that take effect at a ply.
    fn due(&self, ply: u16) -> Range<u32> {
        match self {
            Timing::AtOnce(keys) if ply == 1 => keys.clone(),
            Timing::AtPly(_) => u32::from(ply)..u32::from(ply) + 1,
            Timing::AtOnce(_) => 0..0,
        }
    }

    fn last_ply(&self) -> u16 {
        match *self {
            Timing::AtOnce(_) => 1,
            Timing::AtPly(last) => last,
        }
    }
}

/// The positions that the next ply starts from: the new bits of one side to move, slice by slice.
#[derive(Default)]
pub struct Front {
    pub losses: Vec<Batch>,
    pub wins: Vec<Batch>,
}

impl Front {
    fn is_empty(&self) -> bool {
        is_still(&self.losses) && is_still(&self.wins)
    }
}

/// A receiver of every ply and of the positions it decided.
pub type OnPly<'a> = &'a mut dyn FnMut(u16, &ByColor<Front>);

/// The slices that are solved, and what every run over them needs.
#[derive(Clone, Copy)]
pub struct Arena<'a> {
    pub layout: &'a Layout,
    pub slices: &'a Slices,
    pub scratch: &'a PerThread<Scratch>,
    pub progress: &'a dyn Progress,
}

/// One run of the ply loop over an endgame.
pub struct Retrograde<'a> {
    pub arena: Arena<'a>,
    pub seeds: &'a Seeds,
    /// Positions that are legal and not yet won.
    pub open: ByColor<Vec<u64>>,
    /// Positions that are not yet decided, and for which no capture is known to save them.
    pub may_lose: ByColor<Vec<u64>>,
    pub timing: Timing,
    /// The last ply at which a position may be decided.
    pub limit: u16,
    /// Earlier runs, in which no position was decided sooner than in this one.
    pub earlier: Option<Earlier<'a>>,
    /// The journal that keeps the plies, under the number of the run.
    pub journal: &'a mut Journal,
    pub run: u16,
}

/// Earlier runs. A later run takes over their entries, and computes only the positions that are decided sooner.
pub struct Earlier<'a> {
    /// The positions that each run decided sooner than all runs before it.
    pub runs: &'a [History],
    /// Positions that are legal and that no earlier run has won.
    pub never_won: ByColor<Vec<u64>>,
}

/// The result of a run.
pub struct RunResult {
    /// The positions that were decided sooner than in earlier runs.
    pub history: History,
    /// Positions that are legal and not won.
    pub open: ByColor<Vec<u64>>,
    /// Sets that are no longer needed, for reuse by the next run: fresh memory is not cheap.
    pub spare: Vec<ByColor<Vec<u64>>>,
    pub traffic: Traffic,
}

/// The memory traffic of the ply loop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traffic {
    pub plies: u64,
    pub bytes: u64,
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.plies += other.plies;
        self.bytes += other.bytes;
    }
}

/// The working memory of a thread.
pub struct Scratch {
    touched: Touched,
    taken_over: Batch,
    found: Batch,
    bytes: Vec<u8>,
    buffer: Vec<u8>,
}

impl Retrograde<'_> {
    /// Runs the ply loop until nothing more is decided. Plies of the run that the journal has are not computed again.
    ///
    /// # Errors
    /// If the work is cancelled, or the journal cannot be read or written.
    pub fn run(mut self, on_ply: OnPly<'_>) -> Result<RunResult, TableError> {
        let (runs, mut never_won) = match self.earlier.take() {
            Some(Earlier { runs, never_won }) => (runs, Some(never_won)),
            None => (&[][..], None),
        };
        let replays = runs.last().map_or(0, Vec::len);
        let mut watched = ByColor::new_with(|_| vec![Batch::new(); self.arena.slices.count()]);
        let mut traffic = Traffic::default();
        let (mut history, is_ended) = self.journal.take(self.run);
        let mut fronts = self.catch_up(&history)?;
        let first = history.len() as u16;
        for ply in (first..=self.limit).take_while(|_| !is_ended) {
            let at = usize::from(ply);
            let replay = |is_win: bool| Replay { runs, ply: at, is_win };
            // Where the earlier run was cut off by its limit, all of its last ply has still to be followed up.
            let resume = at + 1 == replays;
            let mut losses = self.losses(ply, &fronts, replay(false), never_won.as_ref(), resume, &mut watched);
            let mut wins = self.wins(ply, &fronts, replay(true), resume);
            self.arena.progress.proceed()?;
            if let Some(never_won) = &mut never_won {
                strike_out(never_won, &wins, self.arena.layout.words());
            }
            traffic.plies += 1;
            let found = losses.as_ref().into_iter().chain(wins.as_ref()).flatten();
            traffic.bytes += found.map(|found| found.moved).sum::<u64>();
            let mut decided = Ply::default();
            for turn in Color::ALL {
                let front = fronts.get_mut(turn);
                (front.losses, *decided.losses.get_mut(turn)) = split(losses.get_mut(turn));
                (front.wins, *decided.wins.get_mut(turn)) = split(wins.get_mut(turn));
            }
            on_ply(ply, &fronts);
            if ply >= self.timing.last_ply() && at + 1 >= replays && fronts.as_ref().into_iter().all(Front::is_empty) {
                break;
            }
            history.push(self.journal.keep(self.run, ply, decided)?);
        }
        self.journal.check()?;
        if !is_ended {
            self.journal.end(self.run)?;
        }
        let spare = [Some(self.may_lose), never_won].into_iter().flatten().collect();
        Ok(RunResult { history, open: self.open, spare, traffic })
    }

    /// Marks the positions that an interrupted run had decided, and returns those that its next ply starts from.
    fn catch_up(&mut self, history: &History) -> Result<ByColor<Front>, TableError> {
        let words = self.arena.layout.words();
        for turn in Color::ALL {
            let (seeds, progress) = (self.seeds.get(turn), self.arena.progress);
            let (open, may_lose) = (self.open.get_mut(turn), self.may_lose.get_mut(turn));
            let sets = open.par_chunks_mut(words).zip(may_lose.par_chunks_mut(words)).enumerate();
            sets.try_for_each_init(Vec::new, |buffer, (slice, (open, may_lose))| -> Result<(), TableError> {
                for (ply, decided) in history.iter().enumerate() {
                    progress.proceed()?;
                    let due = self.timing.due(ply as u16);
                    for_released(&seeds.releases[slice], &due, buffer, |word, bits| may_lose[word] |= bits);
                    let losses = decided.sets(false, turn);
                    for_each_bit(losses, slice, buffer, |word, bits| may_lose[word] &= !bits);
                    for_each_bit(decided.sets(true, turn), slice, buffer, |word, bits| {
                        open[word] &= !bits;
                        may_lose[word] &= !bits;
                    });
                }
                Ok(())
            })?;
        }
        let unpacked = |is_win: bool, turn: Color| -> Vec<Batch> {
            let sets = history.last().map_or(&[][..], |last| last.sets(is_win, turn));
            sets.par_iter().map_init(Vec::new, |buffer, set| set.iter(buffer).collect()).collect()
        };
        Ok(ByColor::new_with(|turn| Front { losses: unpacked(false, turn), wins: unpacked(true, turn) }))
    }

    /// Finds newly lost positions: every move leads to a position that the other side is known to win.
    fn losses(
        &mut self,
        ply: u16,
        fronts: &ByColor<Front>,
        replay: Replay<'_>,
        never_won: Option<&ByColor<Vec<u64>>>,
        resume: bool,
        watched: &mut ByColor<Vec<Batch>>,
    ) -> ByColor<Vec<Found>> {
        let Arena { layout, slices, scratch, progress } = self.arena;
        let (seeds, open) = (self.seeds, &self.open);
        let words = layout.words();
        let due = self.timing.due(ply);
        let mates = ply == 0 && never_won.is_none();
        let task = |turn: Color, scratch: &mut Scratch, slice: usize, may_lose: &mut [u64], watched: &mut Batch| {
            if progress.is_cancelled() {
                return Found::default();
            }
            let Scratch { touched, taken_over, found, bytes, buffer } = scratch;
            let side = seeds.get(turn);
            taken_over.clear();
            replay.take_over(turn, slice, may_lose, None, resume.then_some(&mut *taken_over), buffer);
            let read = unmoves(layout, slices, slice, turn, &fronts.get(turn.other()).wins, touched);
            if mates {
                for_each_bit(&side.checks, slice, buffer, |word, bits| touched.add(word, bits));
            }
            for_released(&side.releases[slice], &due, buffer, |word, bits| {
                // With an earlier run, `may_lose` already contains what the level releases.
                if never_won.is_none() {
                    may_lose[word] |= bits;
                }
                touched.add(word, bits);
            });
            let mut waiting = std::mem::take(watched).into_iter().peekable();
            waiting.clone().for_each(|(word, bits)| touched.add(word as usize, bits));
            found.clear();
            let scanned = touched.drain(|word, bits| {
                let mut candidates = bits & may_lose[word];
                // Watched positions are known to have moves only to wins of either run.
                let known =
                    waiting.next_if(|&(watched, _)| watched as usize == word).map_or(0, |(_, bits)| bits & candidates);
                let no_escape = |set: &ByColor<Vec<u64>>, candidates: u64| match candidates {
                    0 => 0,
                    _ => no_escape(layout, slices, slice, turn, set.get(turn.other()), word, candidates),
                };
                if let Some(never_won) = never_won {
                    candidates = known | no_escape(never_won, candidates & !known);
                }
                let new = no_escape(open, candidates);
                if new != 0 {
                    may_lose[word] &= !new;
                    found.push((word as u32, new));
                }
                // The remaining moves lead to wins that will be taken over from the earlier run, whose
                // un-moves are not visited again. So the position is examined in every ply until then.
                if never_won.is_some() && candidates != new {
                    watched.push((word as u32, candidates & !new));
                }
            });
            Found::new(found, taken_over, bytes).moving(read, scanned)
        };
        let side = |turn: Color, sets: &mut [u64], watched: &mut [Batch]| -> Vec<Found> {
            let seeded = mates || has_due(&seeds.get(turn).releases, &due) || !is_still(watched);
            if !seeded && is_still(&fronts.get(turn.other()).wins) && replay.is_empty(turn) {
                return Vec::new();
            }
            let slices = sets.par_chunks_mut(words).zip(watched).enumerate().with_min_len(grain(words));
            slices.map(|(slice, (set, watched))| scratch.with(|s| task(turn, s, slice, set, watched))).collect()
        };
        let may_lose = &mut self.may_lose;
        let (white, black) = rayon::join(
            || side(Color::White, &mut may_lose.white, &mut watched.white),
            || side(Color::Black, &mut may_lose.black, &mut watched.black),
        );
        ByColor { white, black }
    }

    /// Finds newly won positions: some move leads to a position that the other side has lost.
    fn wins(&mut self, ply: u16, fronts: &ByColor<Front>, replay: Replay<'_>, resume: bool) -> ByColor<Vec<Found>> {
        let Arena { layout, slices, scratch, progress } = self.arena;
        let seeds = self.seeds;
        let words = layout.words();
        let due = self.timing.due(ply);
        let task = |turn: Color, scratch: &mut Scratch, slice: usize, open: &mut [u64], may_lose: &mut [u64]| {
            if progress.is_cancelled() {
                return Found::default();
            }
            let Scratch { touched, taken_over, found, bytes, buffer } = scratch;
            taken_over.clear();
            replay.take_over(turn, slice, open, Some(may_lose), resume.then_some(&mut *taken_over), buffer);
            let read = unmoves(layout, slices, slice, turn, &fronts.get(turn.other()).losses, touched);
            for_released(&seeds.get(turn).wins[slice], &due, buffer, |word, bits| touched.add(word, bits));
            found.clear();
            let scanned = touched.drain(|word, bits| {
                let new = bits & open[word];
                if new != 0 {
                    open[word] &= !new;
                    may_lose[word] &= !new;
                    found.push((word as u32, new));
                }
            });
            Found::new(found, taken_over, bytes).moving(read, scanned)
        };
        let side = |turn: Color, open: &mut [u64], may_lose: &mut [u64]| -> Vec<Found> {
            let seeded = has_due(&seeds.get(turn).wins, &due);
            if !seeded && is_still(&fronts.get(turn.other()).losses) && replay.is_empty(turn) {
                return Vec::new();
            }
            let sets = open.par_chunks_mut(words).zip(may_lose.par_chunks_mut(words));
            let slices = sets.enumerate().with_min_len(grain(words));
            slices.map(|(slice, (open, may_lose))| scratch.with(|s| task(turn, s, slice, open, may_lose))).collect()
        };
        let (open, may_lose) = (&mut self.open, &mut self.may_lose);
        let (white, black) = rayon::join(
            || side(Color::White, &mut open.white, &mut may_lose.white),
            || side(Color::Black, &mut open.black, &mut may_lose.black),
        );
        ByColor { white, black }
    }
}

/// The number of slices that a thread takes at once: small ones are not worth distributing one by one.
fn grain(words: usize) -> usize {
    (1 << 14) / words + 1
}

impl Scratch {
    pub fn new(words: usize) -> Scratch {
        Scratch {
            touched: Touched::new(words),
            taken_over: Batch::new(),
            found: Batch::new(),
            bytes: Vec::new(),
            buffer: Vec::new(),
        }
    }
}

fn is_still(batches: &[Batch]) -> bool {
    batches.iter().all(Vec::is_empty)
}

fn has_due(seeds: &[Keyed], due: &Range<u32>) -> bool {
    seeds.iter().any(|keyed| keyed.range(depths(due)).next().is_some())
}

/// Visits the seeds whose keys are in a range.
fn for_released(keyed: &Keyed, due: &Range<u32>, buffer: &mut Vec<u8>, mut visit: impl FnMut(usize, u64)) {
    for (_, packed) in keyed.range(depths(due)) {
        packed.iter(buffer).for_each(|(word, bits)| visit(word as usize, bits));
    }
}

fn depths(due: &Range<u32>) -> Range<u16> {
    due.start.min(u16::MAX.into()) as u16..due.end.min(u16::MAX.into()) as u16
}
