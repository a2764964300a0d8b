//! The metrics on top of the ply loop: when seeds take effect, and how often the loop is run.

use crate::decided::{Decided, Run};
use crate::error::TableError;
use crate::journal::{History, Journal, Ply, for_each_bit};
use crate::layout::{Layout, Outer};
use crate::metric::Metric;
use crate::pawns;
use crate::retrograde::{Arena, Earlier, Front, OnPly, Retrograde, Scratch, Timing, Traffic};
use crate::seeds::{Keying, Seeds, SideSeeds, seeds};
use crate::threads::PerThread;
use crate::view::Subs;
use errare_work::Progress;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A ply beyond any depth, to which one can still be added.
const LAST_PLY: u16 = u16::MAX - 1;

/// A step of solving that is done.
#[derive(Clone, Copy, Debug)]
pub enum SolveStep {
    /// A ply is done: its number, and the number of positions it decided.
    Ply(u16, u64),
    /// A pawn structure is solved: the number of structures solved so far, and of all.
    Structures(usize, usize),
}

/// A receiver of the steps of solving.
pub type OnStep<'a> = &'a (dyn Fn(SolveStep) + Sync);

/// An endgame to solve, whose sub-endgames are solved.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub layout: &'a Layout,
    pub subs: Subs<'a>,
    pub metric: Metric,
    /// With pawns, the greatest number of structures to solve at once.
    pub at_once: usize,
    pub on_step: OnStep<'a>,
    pub progress: &'a dyn Progress,
}

/// Solves an endgame.
///
/// For a metric with a move rule only what is won and lost under the rule is decided.
///
/// # Errors
/// If a sub-endgame is missing or damaged, the journal cannot be read or written, or the work is cancelled.
pub fn solve(task: &Task<'_>, journal: &mut Journal) -> Result<(Decided, Traffic), TableError> {
    let &Task { layout, subs, metric, on_step, progress, .. } = task;
    match layout.outer() {
        Outer::Kings(kings) => {
            let keying = Keying::of_conversions(metric);
            let seeds = seeds(layout, kings, subs, keying, journal.scratch(), progress)?;
            let scratch = &PerThread::new(|| Scratch::new(layout.words()));
            let mut on_ply = |ply: u16, fronts: &ByColor<Front>| on_step(SolveStep::Ply(ply, count(fronts)));
            let arena = Arena { layout, slices: kings.slices(), scratch, progress };
            arena.by_metric(seeds, metric, journal, &mut on_ply)
        }
        Outer::Pawns(structures) => pawns::solve(task, structures),
    }
}

fn count(fronts: &ByColor<Front>) -> u64 {
    let batches = fronts.as_ref().into_iter().flat_map(|front| front.losses.iter().chain(&front.wins));
    batches.flatten().map(|(_, bits)| u64::from(bits.count_ones())).sum()
}

/// The keys that occur among the seeds.
fn keys(seeds: &Seeds) -> BTreeSet<u16> {
    let sides = seeds.as_ref().into_iter();
    sides.flat_map(|side| side.wins.iter().chain(&side.releases)).flat_map(BTreeMap::keys).copied().collect()
}

/// Sets of positions of both sides to move.
type BothSets = ByColor<Vec<u64>>;

impl Arena<'_> {
    /// Solves slices whose seeds are known.
    ///
    /// # Errors
    /// If the journal cannot be read or written, or the work is cancelled.
    pub fn by_metric(
        &self,
        mut seeds: Seeds,
        metric: Metric,
        journal: &mut Journal,
        on_ply: OnPly<'_>,
    ) -> Result<(Decided, Traffic), TableError> {
        if metric == Metric::Dtr {
            return self.by_the_rule(seeds, journal, on_ply);
        }
        let timing = Timing::AtPly(keys(&seeds).last().copied().unwrap_or(0));
        let open = seeds.as_mut().map(|side| std::mem::take(&mut side.legal));
        let may_lose = seeds.as_mut().map(|side| std::mem::take(&mut side.quiet));
        let limit = metric.rule_plies().unwrap_or(LAST_PLY);
        let (seeds, earlier, run) = (&seeds, None, 0);
        let run = Retrograde { arena: *self, seeds, open, may_lose, timing, limit, earlier, journal, run };
        let done = run.run(on_ply)?;
        Ok((Decided::by_runs(vec![Run { level: None, history: done.history }]), done.traffic))
    }

    /// Solves DTR by its definition: X_i, the positions won with no phase longer than i plies, for each i at
    /// which a further sub-endgame position becomes usable.
    ///
    /// As i grows the sets only grow and every position is decided no later, so each run takes over the
    /// earlier ones and computes the difference. The very first run, to DTZ without a move rule, finds which
    /// positions can be lost at all, and how soon at best; it is also the last level.
    fn by_the_rule(
        &self,
        mut seeds: Seeds,
        journal: &mut Journal,
        on_ply: OnPly<'_>,
    ) -> Result<(Decided, Traffic), TableError> {
        // Only the phase of a mated side is shorter than one ply.
        let levels: Vec<u16> = [1].into_iter().chain(keys(&seeds).range(2..).copied()).collect();
        let mut may_lose = seeds.as_mut().map(|side| std::mem::take(&mut side.quiet));
        let legal = seeds.as_mut().map(|side| std::mem::take(&mut side.legal));
        let seeds = &seeds;
        let first = Retrograde {
            arena: *self,
            seeds,
            open: legal,
            may_lose: may_lose.clone(),
            timing: Timing::AtOnce(0..u32::MAX),
            limit: LAST_PLY,
            earlier: None,
            journal,
            run: 0,
        };
        let done = first.run(on_ply)?;
        let (plain, mut spare, mut traffic) = (done.history, done.spare, done.traffic);
        // Before the first level nothing is won.
        let mut open = done.open;
        self.put_back_wins(&mut open, std::slice::from_ref(&plain))?;
        let mut runs: Vec<History> = Vec::new();
        let mut used = 0;
        for (pair, run) in levels.windows(2).zip(1_u16..) {
            let [level, next] = [pair[0], pair[1]];
            let usable = used..u32::from(level) + 1;
            used = usable.end;
            self.release(seeds, &usable, &mut may_lose)?;
            let (history, is_ended) = journal.take(run);
            if is_ended {
                // An earlier build has finished this level.
                self.take_out_wins(&mut open, &history)?;
                runs.push(history);
                continue;
            }
            let mut candidates = spare.pop().unwrap_or_else(|| open.as_ref().map(|set| vec![0; set.len()]));
            self.fill_with_lost(&mut candidates, &plain[..plain.len().min(next.into())], &may_lose)?;
            let (start, earlier) = if runs.is_empty() {
                (open, None)
            } else {
                let mut start = spare.pop().unwrap_or_else(|| open.as_ref().map(|set| vec![0; set.len()]));
                for turn in Color::ALL {
                    start.get_mut(turn).copy_from_slice(open.get(turn));
                }
                self.put_back_wins(&mut start, &runs)?;
                (start, Some(Earlier { runs: &runs, never_won: open }))
            };
            let run = Retrograde {
                arena: *self,
                seeds,
                open: start,
                may_lose: candidates,
                timing: Timing::AtOnce(usable),
                // Until the next level only the greatest length of a phase changes.
                limit: next - 1,
                earlier,
                journal,
                run,
            };
            let done = run.run(on_ply)?;
            traffic += done.traffic;
            (open, spare) = (done.open, done.spare);
            runs.push(done.history);
        }
        let last = levels[levels.len() - 1];
        let levels = levels.iter().zip(runs).map(|(&level, history)| Run { level: Some(level), history });
        Ok((Decided::by_runs(levels.chain([Run { level: Some(last), history: plain }]).collect()), traffic))
    }

    /// Calls `visit` with every slice of a pair of sets, in parallel.
    fn for_slices(
        &self,
        sets: &mut BothSets,
        visit: impl Fn(Color, usize, &mut [u64], &mut Vec<u8>) + Sync,
    ) -> Result<(), TableError> {
        for turn in Color::ALL {
            let slices = sets.get_mut(turn).par_chunks_mut(self.layout.words()).enumerate();
            slices.try_for_each_init(Vec::new, |buffer, (slice, set)| -> Result<(), TableError> {
                self.progress.proceed()?;
                visit(turn, slice, set, buffer);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Adds the positions that runs have won to a pair of sets.
    fn put_back_wins(&self, sets: &mut BothSets, runs: &[History]) -> Result<(), TableError> {
        self.for_slices(sets, |turn, slice, set, buffer| {
            for ply in runs.iter().flatten() {
                for_each_bit(ply.sets(true, turn), slice, buffer, |word, bits| set[word] |= bits);
            }
        })
    }

    /// Removes the positions that a run has won from a pair of sets.
    fn take_out_wins(&self, sets: &mut BothSets, run: &History) -> Result<(), TableError> {
        self.for_slices(sets, |turn, slice, set, buffer| {
            for ply in run {
                for_each_bit(ply.sets(true, turn), slice, buffer, |word, bits| set[word] &= !bits);
            }
        })
    }

    /// Fills a pair of sets with the positions that may lose and that these plies, without a move rule, lose: no others can
    /// be lost within as many plies under a rule.
    fn fill_with_lost(&self, sets: &mut BothSets, plies: &[Ply], may_lose: &BothSets) -> Result<(), TableError> {
        let words = self.layout.words();
        self.for_slices(sets, |turn, slice, set, buffer| {
            set.fill(0);
            let may_lose = &may_lose.get(turn)[slice * words..][..words];
            for ply in plies {
                for_each_bit(ply.sets(false, turn), slice, buffer, |word, bits| set[word] |= bits & may_lose[word]);
            }
        })
    }

    /// Adds to `may_lose` the positions all of whose captures are now known to lose.
    fn release(&self, seeds: &Seeds, usable: &Range<u32>, may_lose: &mut BothSets) -> Result<(), TableError> {
        self.for_slices(may_lose, |turn, slice, set, buffer| {
            let SideSeeds { releases, .. } = seeds.get(turn);
            for (_, packed) in releases[slice].iter().filter(|(level, _)| usable.contains(&u32::from(**level))) {
                packed.iter(buffer).for_each(|(word, bits)| set[word as usize] |= bits);
            }
        })
    }
}
