//! The metrics on top of the ply loop: when seeds take effect, and how often the loop is run.

use crate::error::TableError;
use crate::layout::{Layout, Outer};
use crate::metric::Metric;
use crate::packed::{Batch, Packed};
use crate::pawns;
use crate::retrograde::{self, Front, History, OnPly, Ply, Retrograde, Scratch, Timing, Traffic};
use crate::seeds::{Keying, Seeds, SideSeeds, seeds};
use crate::slices::Slices;
use crate::threads::PerThread;
use crate::value::{Outcome, Plies, Value};
use crate::view::Subs;
use errare_work::{Cancelled, Progress};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The decided positions of a slice, under their values.
pub type Verdict = Vec<(Value, Packed)>;

/// A solved endgame: every decided position, by side to move and slice. Legal positions without a
/// verdict are draws.
pub type Verdicts = ByColor<Vec<Verdict>>;

/// A ply beyond any depth, to which one can still be added.
const LAST_PLY: u16 = u16::MAX - 1;

/// A step of the work that is done.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A ply, and the number of positions it decided.
    Ply(u16, u64),
    /// A pawn structure: the number of those solved so far, and of all.
    Structures(usize, usize),
}

/// Receives the steps of the work.
pub type OnStep<'a> = &'a (dyn Fn(Step) + Sync);

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
/// For a metric with a move rule the verdicts hold only what is won and lost under the rule.
///
/// # Errors
/// If a sub-endgame is missing or damaged, or the work is cancelled.
pub fn solve(task: &Task<'_>) -> Result<(Verdicts, Traffic), TableError> {
    let &Task { layout, subs, metric, on_step, progress, .. } = task;
    match layout.outer() {
        Outer::Kings(kings) => {
            let seeds = seeds(layout, kings, subs, Keying::of_conversions(metric), progress)?;
            let scratch = &PerThread::new(|| Scratch::new(layout.words()));
            let mut on_ply = |ply: u16, fronts: &ByColor<Front>| on_step(Step::Ply(ply, count(fronts)));
            Ok(by_metric(layout, kings.slices(), seeds, metric, scratch, &mut on_ply, progress)?)
        }
        Outer::Pawns(structures) => pawns::solve(task, structures),
    }
}

/// Solves slices whose seeds are known.
///
/// # Errors
/// If the work is cancelled.
pub fn by_metric(
    layout: &Layout,
    slices: &Slices,
    mut seeds: Seeds,
    metric: Metric,
    scratch: &PerThread<Scratch>,
    on_ply: OnPly<'_>,
    progress: &dyn Progress,
) -> Result<(Verdicts, Traffic), Cancelled> {
    if metric == Metric::Dtr {
        return by_the_rule(layout, slices, seeds, scratch, on_ply, progress);
    }
    let timing = Timing::AtPly(keys(&seeds).last().copied().unwrap_or(0));
    let open = seeds.as_mut().map(|side| std::mem::take(&mut side.legal));
    let may_lose = seeds.as_mut().map(|side| std::mem::take(&mut side.quiet));
    let limit = metric.rule_plies().unwrap_or(LAST_PLY);
    let run =
        Retrograde { layout, slices, seeds: &seeds, open, may_lose, timing, limit, earlier: None, scratch, progress };
    let done = run.run(on_ply)?;
    Ok((by_ply(done.history, slices.count()), done.traffic))
}

fn count(fronts: &ByColor<Front>) -> u64 {
    let batches = fronts.as_ref().into_iter().flat_map(|front| front.losses.iter().chain(&front.wins));
    batches.flatten().map(|(_, bits)| u64::from(bits.count_ones())).sum()
}

fn by_ply(history: History, slices: usize) -> Verdicts {
    let mut verdicts = ByColor::new_with(|_| vec![Verdict::new(); slices]);
    for (plies, ply) in history.into_iter().enumerate() {
        let Ply { losses, wins } = ply;
        for (outcome, sets) in [(Outcome::Loss, losses), (Outcome::Win, wins)] {
            for (turn, sets) in [(Color::White, sets.white), (Color::Black, sets.black)] {
                for (verdict, set) in verdicts.get_mut(turn).iter_mut().zip(sets) {
                    if !set.is_empty() {
                        verdict.push((Value::new(outcome, plies as u16), set));
                    }
                }
            }
        }
    }
    verdicts
}

/// The keys of the seeds.
fn keys(seeds: &Seeds) -> BTreeSet<u16> {
    let sides = seeds.as_ref().into_iter();
    sides.flat_map(|side| side.wins.iter().chain(&side.releases)).flat_map(BTreeMap::keys).copied().collect()
}

/// Solves DTR by its definition: X_i, the positions won with no phase longer than i plies, for each i at
/// which a further sub-endgame position becomes usable.
///
/// As i grows the sets only grow and every position is decided no later, so each run takes over the
/// previous one and computes the difference. The very first run, to DTZ without a move rule, finds which
/// positions can be lost at all, and how soon at best; it is also the last level.
fn by_the_rule(
    layout: &Layout,
    slices: &Slices,
    mut seeds: Seeds,
    scratch: &PerThread<Scratch>,
    on_ply: OnPly<'_>,
    progress: &dyn Progress,
) -> Result<(Verdicts, Traffic), Cancelled> {
    // Only the phase of a mated side is shorter than one ply.
    let levels: Vec<u16> = [1].into_iter().chain(keys(&seeds).range(2..).copied()).collect();
    let mut may_lose = seeds.as_mut().map(|side| std::mem::take(&mut side.quiet));
    let seeds = seeds;
    let first = Retrograde {
        layout,
        slices,
        seeds: &seeds,
        open: seeds.as_ref().map(|side| side.legal.clone()),
        may_lose: may_lose.clone(),
        timing: Timing::AtOnce(0..u32::MAX),
        limit: LAST_PLY,
        earlier: None,
        scratch,
        progress,
    };
    let retrograde::Outcome { history: plain, open, spare: [closed, _], mut traffic } = first.run(on_ply)?;
    // Sets that the next run may reuse.
    let mut spare = [closed, Some(open)];

    let mut known = Known::new(&seeds, layout.words(), slices.count());
    let mut earlier: Option<retrograde::Outcome> = None;
    let mut used = 0;
    // Positions lost without a move rule within the limit of a level; no others can be lost there.
    let mut lost = seeds.as_ref().map(|side| vec![0; side.legal.len()]);
    let mut reached = 0;
    for pair in levels.windows(2) {
        let [level, next] = [pair[0], pair[1]];
        let usable = used..u32::from(level) + 1;
        used = usable.end;
        release(&seeds, &usable, &mut may_lose, layout.words());
        // Until the next level only the greatest length of a phase changes.
        let limit = next - 1;
        lost_by(&plain, reached..usize::from(next), &mut lost, layout.words());
        reached = usize::from(next);
        if let Some(earlier) = &mut earlier {
            spare = std::mem::take(&mut earlier.spare);
        }
        let run = Retrograde {
            layout,
            slices,
            seeds: &seeds,
            open: fill(spare[1].take(), |turn, word| seeds.get(turn).legal[word], &lost),
            may_lose: fill(spare[0].take(), |turn, word| may_lose.get(turn)[word] & lost.get(turn)[word], &lost),
            timing: Timing::AtOnce(usable),
            limit,
            earlier,
            scratch,
            progress,
        };
        let done = run.run(&mut |ply, fronts| {
            for turn in Color::ALL {
                let front = fronts.get(turn);
                known.add(turn, Outcome::Loss, level, ply, &front.losses, |batch| batch.iter().copied());
                known.add(turn, Outcome::Win, level, ply, &front.wins, |batch| batch.iter().copied());
            }
            on_ply(ply, fronts);
        })?;
        traffic += done.traffic;
        earlier = Some(done);
    }
    drop(earlier);
    let last = levels[levels.len() - 1];
    for (ply, decided) in plain.iter().enumerate() {
        progress.proceed()?;
        for turn in Color::ALL {
            known.add(turn, Outcome::Loss, last, ply as u16, decided.losses.get(turn), Packed::iter);
            known.add(turn, Outcome::Win, last, ply as u16, decided.wins.get(turn), Packed::iter);
        }
    }
    Ok((known.verdicts, traffic))
}

/// The positions whose DTR is known, by value.
struct Known {
    words: usize,
    sets: ByColor<Vec<u64>>,
    verdicts: Verdicts,
}

impl Known {
    fn new(seeds: &Seeds, words: usize, slices: usize) -> Known {
        let sets = seeds.as_ref().map(|side| vec![0; side.legal.len()]);
        Known { words, sets, verdicts: ByColor::new_with(|_| vec![Verdict::new(); slices]) }
    }

    /// Adds the positions decided at a ply of a level's run that were not known from a lower level.
    fn add<'a, S: Sync, I: Iterator<Item = (u32, u64)>>(
        &mut self,
        turn: Color,
        outcome: Outcome,
        level: u16,
        ply: u16,
        slices: &'a [S],
        entries: impl Fn(&'a S) -> I + Sync,
    ) {
        if slices.iter().all(|slice| entries(slice).next().is_none()) {
            return;
        }
        let plies = if ply == 0 { 0 } else { level.max(ply) };
        let value = Value { outcome, plies: Plies(plies), phase: Plies(ply) };
        let known = self.sets.get_mut(turn).par_chunks_mut(self.words);
        slices.par_iter().zip(known).zip(self.verdicts.get_mut(turn)).for_each_init(
            Default::default,
            |(fresh, bytes): &mut (Batch, Vec<u8>), ((slice, known), verdict)| {
                fresh.clear();
                for (word, bits) in entries(slice) {
                    let new = bits & !known[word as usize];
                    if new != 0 {
                        known[word as usize] |= new;
                        fresh.push((word, new));
                    }
                }
                if !fresh.is_empty() {
                    verdict.push((value, Packed::new(fresh, bytes)));
                }
            },
        );
    }
}

/// Adds to `lost` the positions lost at some plies of a run.
fn lost_by(history: &History, plies: Range<usize>, lost: &mut ByColor<Vec<u64>>, words: usize) {
    let plies = plies.start.min(history.len())..plies.end.min(history.len());
    for ply in &history[plies] {
        for turn in Color::ALL {
            lost.get_mut(turn).par_chunks_mut(words).zip(ply.losses.get(turn)).for_each(|(lost, packed)| {
                packed.iter().for_each(|(word, bits)| lost[word as usize] |= bits);
            });
        }
    }
}

/// Fills sets word by word, reusing old ones if there are any; `like` has their lengths.
fn fill(
    old: Option<ByColor<Vec<u64>>>,
    word: impl Fn(Color, usize) -> u64 + Sync,
    like: &ByColor<Vec<u64>>,
) -> ByColor<Vec<u64>> {
    let mut sets = old.unwrap_or_else(|| like.as_ref().map(|set| vec![0; set.len()]));
    for turn in Color::ALL {
        let parts = sets.get_mut(turn).par_chunks_mut(1 << 14).enumerate();
        parts.for_each(|(part, set)| {
            for (i, place) in set.iter_mut().enumerate() {
                *place = word(turn, (part << 14) + i);
            }
        });
    }
    sets
}

/// Adds to `may_lose` the positions all of whose captures are now known to lose.
fn release(seeds: &Seeds, usable: &Range<u32>, may_lose: &mut ByColor<Vec<u64>>, words: usize) {
    let due = |side: &SideSeeds, set: &mut Vec<u64>| {
        set.par_chunks_mut(words).zip(&side.releases).for_each(|(set, releases)| {
            for (level, packed) in releases {
                if usable.contains(&u32::from(*level)) {
                    packed.iter().for_each(|(word, bits)| set[word as usize] |= bits);
                }
            }
        });
    };
    due(&seeds.white, &mut may_lose.white);
    due(&seeds.black, &mut may_lose.black);
}
