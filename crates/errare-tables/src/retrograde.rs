//! The ply loop: from the positions decided so far to those decided one ply earlier.
//!
//! Positions live in slices: one for each king pair, or a single one. In every ply each slice
//! gathers, for each side, the un-moves of what became decided one ply before, in its own slice and
//! through king moves in its neighbours', and keeps what is new. Slices write only their own words,
//! so they run in parallel without locks.

use crate::kernel::{Touched, no_escape, unmoves};
use crate::layout::Layout;
use crate::packed::{Batch, Packed};
use crate::seeds::{Keyed, Seeds};
use crate::slices::Slices;
use crate::threads::PerThread;
use errare_work::{Cancelled, Progress};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::ops::Range;

/// What became decided at one ply, by side to move and slice.
#[derive(Default)]
pub struct Ply {
    pub losses: ByColor<Vec<Packed>>,
    pub wins: ByColor<Vec<Packed>>,
}

/// Everything decided, ply by ply from 0 (mate).
pub type History = Vec<Ply>;

/// When the seeds take effect, by the keys they come under.
#[derive(Clone, Debug)]
pub enum Timing {
    /// All whose key lies in the range at the first ply: a zeroing move ends the phase.
    AtOnce(Range<u32>),
    /// Each at the ply that is its key, the greatest of which is given.
    AtPly(u16),
}

impl Timing {
    /// The keys of the seeds that come into play at a ply.
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

/// What the next ply starts from: the new bits of one side to move, slice by slice.
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

/// Told of every ply and what it changed.
pub type OnPly<'a> = &'a mut dyn FnMut(u16, &ByColor<Front>);

/// One run of the ply loop over an endgame.
pub struct Retrograde<'a> {
    pub layout: &'a Layout,
    pub slices: &'a Slices,
    pub seeds: &'a Seeds,
    /// Legal, and not yet won.
    pub open: ByColor<Vec<u64>>,
    /// Not yet decided, and no capture known to save it.
    pub may_lose: ByColor<Vec<u64>>,
    pub timing: Timing,
    /// No position is decided after this ply.
    pub limit: u16,
    /// A run in which no position was decided sooner than it will be now.
    pub earlier: Option<Outcome>,
    pub scratch: &'a PerThread<Scratch>,
    pub progress: &'a dyn Progress,
}

/// What a run leaves behind. A later run takes its entries over and works out only what comes
/// sooner than there.
pub struct Outcome {
    pub history: History,
    /// Legal, and not won.
    pub open: ByColor<Vec<u64>>,
    /// Sets no longer needed, for the next run to fill: fresh memory is not cheap.
    pub spare: [Option<ByColor<Vec<u64>>>; 2],
    pub traffic: Traffic,
}

/// What the ply loop moved through memory.
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

/// What one slice found in one ply.
#[derive(Default)]
struct Found {
    /// What the next ply has to look at.
    front: Batch,
    all: Packed,
    /// Bytes read and written for it.
    moved: u64,
}

/// What a thread needs for a slice of so many words.
pub struct Scratch {
    touched: Touched,
    replayed: Batch,
    found: Batch,
    bytes: Vec<u8>,
}

impl Retrograde<'_> {
    /// Runs until nothing more is decided, or until it is told to stop: what a ply found is thrown away then.
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
            // Where the earlier run broke off, all of its last ply is still to be followed up.
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

    /// Newly lost positions: every move leads to a position the other side is known to win.
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
                // In a replay the run starts with what its level releases.
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
                // What was watched has nowhere to go but to wins of either run already.
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
                // Its last escapes are wins still to be taken over from the earlier run, whose
                // un-moves are not looked at again: so it is looked at in every ply until then.
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

    /// Newly won positions: some move leads to a position the other side has lost.
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

/// How many slices a thread takes at once: small ones are not worth handing out one by one.
fn grain(words: usize) -> usize {
    (1 << 14) / words + 1
}

impl Scratch {
    pub fn new(words: usize) -> Scratch {
        Scratch { touched: Touched::new(words), replayed: Batch::new(), found: Batch::new(), bytes: Vec::new() }
    }
}

impl Found {
    /// Joins what was found with what was taken over from an earlier run. With `resume` both are
    /// to be followed up.
    fn new(found: &[(u32, u64)], replay: Replay<'_>, resume: bool, bytes: &mut Vec<u8>) -> Found {
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

    /// Adds up the traffic: entries read of the ply before, words of the slice's buffer and sets
    /// looked at, and what was found, in both its forms.
    fn moving(mut self, read: usize, scanned: usize) -> Found {
        let entry = size_of::<(u32, u64)>();
        let bytes = (read + self.front.len()) * entry + scanned * 3 * size_of::<u64>() + self.all.bytes();
        self.moved = bytes as u64;
        self
    }
}

/// Takes the wins of a ply out of the positions that neither run has won.
fn strike_out(never_won: &mut ByColor<Vec<u64>>, wins: &ByColor<Vec<Found>>, words: usize) {
    for turn in Color::ALL {
        never_won.get_mut(turn).par_chunks_mut(words).zip(wins.get(turn)).for_each(|(set, found)| {
            found.front.iter().for_each(|&(word, bits)| set[word as usize] &= !bits);
        });
    }
}

fn split(found: &mut Vec<Found>) -> (Vec<Batch>, Vec<Packed>) {
    std::mem::take(found).into_iter().map(|found| (found.front, found.all)).unzip()
}

/// What a ply has from an earlier run.
enum Replay<'a> {
    /// All that the earlier run had there.
    Whole(&'a Packed),
    /// The rest of it came sooner.
    Part(&'a [(u32, u64)]),
}

/// Marks as decided what an earlier run had at this ply and nothing has decided sooner.
fn take_over<'a>(
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
