//! The ply loop of retrograde analysis: from the positions decided so far to those one ply further from the end.
//!
//! Positions are grouped in slices: one for each king pair, or a single one. In every ply each slice
//! collects, for each side, the un-moves of the positions decided in the previous ply, in its own slice and
//! through king moves in neighbouring slices, and keeps what is new. Slices write only their own words,
//! so they run in parallel without locks.

use crate::kernel::{Touched, no_escape, unmoves};
use crate::layout::Layout;
use crate::packed::{Batch, Packed};
use crate::replay::{Found, split, strike_out, take_over};
use crate::seeds::{Keyed, Seeds};
use crate::slices::Slices;
use crate::threads::PerThread;
use errare_work::{Cancelled, Progress};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::ops::Range;

/// The positions decided at one ply, by side to move and slice.
#[derive(Default)]
pub struct Ply {
    pub losses: ByColor<Vec<Packed>>,
    pub wins: ByColor<Vec<Packed>>,
}

/// All decided positions, ply by ply from 0 (mate).
pub type History = Vec<Ply>;

/// When the seeds take effect, by their keys.
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

/// Receives every ply and the positions it decided.
pub type OnPly<'a> = &'a mut dyn FnMut(u16, &ByColor<Front>);

/// One run of the ply loop over an endgame.
pub struct Retrograde<'a> {
    pub layout: &'a Layout,
    pub slices: &'a Slices,
    pub seeds: &'a Seeds,
    /// Positions that are legal and not yet won.
    pub open: ByColor<Vec<u64>>,
    /// Positions that are not yet decided, and for which no capture is known to save them.
    pub may_lose: ByColor<Vec<u64>>,
    pub timing: Timing,
    /// No position is decided after this ply.
    pub limit: u16,
    /// An earlier run, in which no position was decided sooner than in this one.
    pub earlier: Option<Outcome>,
    pub scratch: &'a PerThread<Scratch>,
    pub progress: &'a dyn Progress,
}

/// The result of a run. A later run takes over its entries, and computes only the positions that are decided
/// sooner.
pub struct Outcome {
    pub history: History,
    /// Positions that are legal and not won.
    pub open: ByColor<Vec<u64>>,
    /// Sets that are no longer needed, for reuse by the next run: fresh memory is not cheap.
    pub spare: [Option<ByColor<Vec<u64>>>; 2],
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
    replayed: Batch,
    found: Batch,
    bytes: Vec<u8>,
}

impl Retrograde<'_> {
    /// Runs until nothing more is decided, or until the work is cancelled.
    ///
    /// # Errors
    /// If the work is cancelled.
    pub fn run(mut self, on_ply: OnPly<'_>) -> Result<Outcome, Cancelled> {
        let (mut earlier, mut never_won) = match self.earlier.take() {
            Some(Outcome { history, open, .. }) => (history, Some(open)),
            None => (History::new(), None),
        };
        let replays = earlier.len();
        let mut fronts = ByColor::<Front>::default();
        let mut watched = ByColor::new_with(|_| vec![Batch::new(); self.slices.count()]);
        let mut history = History::new();
        let mut traffic = Traffic::default();
        for ply in 0..=self.limit {
            let at = usize::from(ply);
            let replay = earlier.get_mut(at).map(std::mem::take).unwrap_or_default();
            // Where the earlier run was cut off by its limit, all of its last ply has still to be followed up.
            let resume = at + 1 == replays;
            let mut losses = self.losses(ply, &fronts, replay.losses, never_won.as_ref(), resume, &mut watched);
            let mut wins = self.wins(ply, &fronts, replay.wins, resume);
            self.progress.proceed()?;
            if let Some(never_won) = &mut never_won {
                strike_out(never_won, &wins, self.layout.words());
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
            history.push(decided);
            on_ply(ply, &fronts);
            if ply >= self.timing.last_ply() && at + 1 >= replays && fronts.as_ref().into_iter().all(Front::is_empty) {
                history.pop();
                break;
            }
        }
        Ok(Outcome { history, open: self.open, spare: [Some(self.may_lose), never_won], traffic })
    }

    /// Finds newly lost positions: every move leads to a position that the other side is known to win.
    fn losses(
        &mut self,
        ply: u16,
        fronts: &ByColor<Front>,
        replay: ByColor<Vec<Packed>>,
        never_won: Option<&ByColor<Vec<u64>>>,
        resume: bool,
        watched: &mut ByColor<Vec<Batch>>,
    ) -> ByColor<Vec<Found>> {
        let (layout, slices, seeds, open) = (self.layout, self.slices, self.seeds, &self.open);
        let words = layout.words();
        let due = self.timing.due(ply);
        let mates = ply == 0 && never_won.is_none();
        let (scratch, progress) = (&self.scratch, self.progress);
        let task = |turn: Color, scratch: &mut Scratch, slice: usize, may_lose: &mut [u64], watched: &mut Batch| {
            if progress.is_cancelled() {
                return Found::default();
            }
            let Scratch { touched, replayed, found, bytes } = scratch;
            let side = seeds.get(turn);
            let before = replay.get(turn).get(slice);
            let replay = take_over(before, replayed, may_lose, None);
            let read = unmoves(layout, slices, slice, turn, &fronts.get(turn.other()).wins, touched);
            if mates {
                side.checks[slice].iter().for_each(|&(word, bits)| touched.add(word as usize, bits));
            }
            for (word, bits) in released(&side.releases[slice], &due) {
                // With an earlier run, `may_lose` already contains what the level releases.
                if never_won.is_none() {
                    may_lose[word as usize] |= bits;
                }
                touched.add(word as usize, bits);
            }
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
            Found::new(found, replay, resume, bytes).moving(read, scanned)
        };
        let side = |turn: Color, sets: &mut [u64], watched: &mut [Batch]| -> Vec<Found> {
            let seeded = mates || has_due(&seeds.get(turn).releases, &due) || !is_still(watched);
            if !seeded && is_still(&fronts.get(turn.other()).wins) && is_none(replay.get(turn)) {
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
    fn wins(
        &mut self,
        ply: u16,
        fronts: &ByColor<Front>,
        replay: ByColor<Vec<Packed>>,
        resume: bool,
    ) -> ByColor<Vec<Found>> {
        let (layout, slices, seeds) = (self.layout, self.slices, self.seeds);
        let words = layout.words();
        let due = self.timing.due(ply);
        let (scratch, progress) = (&self.scratch, self.progress);
        let task = |turn: Color, scratch: &mut Scratch, slice: usize, open: &mut [u64], may_lose: &mut [u64]| {
            if progress.is_cancelled() {
                return Found::default();
            }
            let Scratch { touched, replayed, found, bytes } = scratch;
            let before = replay.get(turn).get(slice);
            let replay = take_over(before, replayed, open, Some(may_lose));
            let read = unmoves(layout, slices, slice, turn, &fronts.get(turn.other()).losses, touched);
            for (word, bits) in released(&seeds.get(turn).wins[slice], &due) {
                touched.add(word as usize, bits);
            }
            found.clear();
            let scanned = touched.drain(|word, bits| {
                let new = bits & open[word];
                if new != 0 {
                    open[word] &= !new;
                    may_lose[word] &= !new;
                    found.push((word as u32, new));
                }
            });
            Found::new(found, replay, resume, bytes).moving(read, scanned)
        };
        let side = |turn: Color, open: &mut [u64], may_lose: &mut [u64]| -> Vec<Found> {
            let seeded = has_due(&seeds.get(turn).wins, &due);
            if !seeded && is_still(&fronts.get(turn.other()).losses) && is_none(replay.get(turn)) {
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
        Scratch { touched: Touched::new(words), replayed: Batch::new(), found: Batch::new(), bytes: Vec::new() }
    }
}

fn is_still(batches: &[Batch]) -> bool {
    batches.iter().all(Vec::is_empty)
}

fn is_none(sets: &[Packed]) -> bool {
    sets.iter().all(Packed::is_empty)
}

fn has_due(seeds: &[Keyed], due: &Range<u32>) -> bool {
    !due.is_empty() && seeds.iter().any(|keyed| released(keyed, due).next().is_some())
}

fn released<'a>(keyed: &'a Keyed, due: &Range<u32>) -> impl Iterator<Item = (u32, u64)> + use<'a> {
    let depths = due.start.min(u16::MAX.into()) as u16..due.end.min(u16::MAX.into()) as u16;
    keyed.range(depths).flat_map(|(_, packed)| packed.iter())
}
