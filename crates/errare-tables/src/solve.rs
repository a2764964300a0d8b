//! The metrics on top of the ply loop: when seeds come into play, and how often the loop is run.

use crate::error::TableError;
use crate::kings::Kings;
use crate::layout::Layout;
use crate::metric::Metric;
use crate::packed::{Batch, Packed};
use crate::retrograde::{Front, History, OnPly, Ply, Retrograde, Scratch, Timing};
use crate::seeds::{SideSeeds, Seeds, Subs, seeds};
use crate::threads::PerThread;
use crate::value::{Outcome, Plies, Value};
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::collections::{BTreeMap, BTreeSet};

/// Positions with one value, by slice.
pub type Verdict = Vec<Packed>;

/// A solved endgame: every decided position under its value, by side to move. What is legal and
/// has no verdict is a draw.
pub type Verdicts = ByColor<Vec<(Value, Verdict)>>;

/// Told how far the work is: the ply and how many positions it decided.
pub type Progress<'a> = &'a (dyn Fn(u16, u64) + Sync);

/// Solves an endgame whose sub-endgames are solved.
///
/// For a metric with a move rule the verdicts hold only what is won and lost under the rule.
pub fn solve(layout: &Layout, kings: &Kings, subs: Subs<'_>, metric: Metric, progress: Progress<'_>) -> Result<Verdicts, TableError> {
    let keyed = matches!(metric, Metric::Dtm | Metric::Dtr);
    let mut seeds = seeds(layout, kings, subs, keyed)?;
    let scratch = &PerThread::new(|| Scratch::new(layout.words()));
    let mut on_ply = |ply: u16, fronts: &ByColor<Front>| progress(ply, count(fronts));
    if metric == Metric::Dtr {
        return Ok(by_the_rule(layout, kings, seeds, scratch, &mut on_ply));
    }
    let timing = match metric {
        Metric::Dtm => Timing::AfterDepth(depths(&seeds).last().copied().unwrap_or(0)),
        _ => Timing::AtOnce(0..1),
    };
    let open = seeds.as_mut().map(|side| std::mem::take(&mut side.legal));
    let may_lose = seeds.as_mut().map(|side| std::mem::take(&mut side.quiet));
    let limit = metric.rule_plies().unwrap_or(u16::MAX - 1);
    let run = Retrograde { layout, kings, seeds: &seeds, open, may_lose, timing, limit, earlier: None, scratch };
    Ok(by_ply(run.run(&mut on_ply).history))
}

fn count(fronts: &ByColor<Front>) -> u64 {
    let batches = fronts.as_ref().into_iter().flat_map(|front| front.losses.iter().chain(&front.wins));
    batches.flatten().map(|(_, bits)| u64::from(bits.count_ones())).sum()
}

fn by_ply(history: History) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for (plies, ply) in history.into_iter().enumerate() {
        let Ply { losses, wins } = ply;
        for (outcome, sets) in [(Outcome::Loss, losses), (Outcome::Win, wins)] {
            for (turn, set) in [(Color::White, sets.white), (Color::Black, sets.black)] {
                if !set.iter().all(Packed::is_empty) {
                    verdicts.get_mut(turn).push((Value::new(outcome, plies as u16), set));
                }
            }
        }
    }
    verdicts
}

/// The depths that the seeds carry.
fn depths(seeds: &Seeds) -> BTreeSet<u16> {
    let sides = seeds.as_ref().into_iter();
    sides.flat_map(|side| side.wins.iter().chain(&side.releases)).flat_map(BTreeMap::keys).copied().collect()
}

/// DTR by its definition: X_i, the positions won with no phase longer than i plies, for each i at
/// which a further sub-endgame position becomes usable.
///
/// With i the sets only grow and every position is decided no later, so each run takes over the
/// one before and works out the difference.
fn by_the_rule(
    layout: &Layout,
    kings: &Kings,
    seeds: Seeds,
    scratch: &PerThread<Scratch>,
    on_ply: OnPly<'_>,
) -> Verdicts {
    // No phase but that of a mated side is shorter than a ply.
    let levels: Vec<u16> = [1].into_iter().chain(depths(&seeds).range(2..).copied()).collect();
    let mut found: ByColor<BTreeMap<(Outcome, u16, u16), Vec<Packed>>> = ByColor::default();
    let mut known: ByColor<Vec<u64>> = seeds.as_ref().map(|side| vec![0; side.legal.len()]);
    let mut may_lose = seeds.as_ref().map(|side| side.quiet.clone());
    let mut earlier = None;
    for (i, &level) in levels.iter().enumerate() {
        // Between two levels nothing changes but how long a phase may be.
        let limit = levels.get(i + 1).map_or(u16::MAX - 1, |next| next - 1);
        let usable = if i == 0 { 0 } else { u32::from(levels[i - 1]) + 1 }..u32::from(level) + 1;
        let run = Retrograde {
            layout,
            kings,
            seeds: &seeds,
            open: seeds.as_ref().map(|side| side.legal.clone()),
            may_lose: may_lose.clone(),
            timing: Timing::AtOnce(usable.clone()),
            limit,
            earlier,
            scratch,
        };
        let done = run.run(&mut |ply, fronts| {
            let depth = if ply == 0 { 0 } else { level.max(ply) };
            for turn in Color::ALL {
                let front = fronts.get(turn);
                for (outcome, batches) in [(Outcome::Loss, &front.losses), (Outcome::Win, &front.wins)] {
                    if let Some(fresh) = newly_known(layout, batches, known.get_mut(turn)) {
                        found.get_mut(turn).insert((outcome, depth, ply), fresh);
                    }
                }
            }
            on_ply(ply, fronts);
        });
        earlier = Some(done);
        release(&seeds, &usable, &mut may_lose, layout.words());
    }
    found.map(|by_value| {
        by_value
            .into_iter()
            .map(|((outcome, depth, phase), sets)| {
                (Value { outcome, plies: Plies(depth), phase: Plies(phase) }, sets)
            })
            .collect()
    })
}

/// Of the batches what was not known before, marked as known; `None` if that is nothing.
fn newly_known(layout: &Layout, batches: &[Batch], known: &mut [u64]) -> Option<Vec<Packed>> {
    if batches.iter().all(Vec::is_empty) {
        return None;
    }
    let fresh: Vec<Packed> = batches
        .par_iter()
        .zip(known.par_chunks_mut(layout.words()))
        .map_init(Default::default, |(fresh, bytes): &mut (Batch, Vec<u8>), (batch, known)| {
            fresh.clear();
            for &(word, bits) in batch {
                let new = bits & !known[word as usize];
                if new != 0 {
                    known[word as usize] |= new;
                    fresh.push((word, new));
                }
            }
            Packed::new(fresh, bytes)
        })
        .collect();
    fresh.iter().any(|packed| !packed.is_empty()).then_some(fresh)
}

/// Adds to `may_lose` the positions whose captures are all known to lose by now.
fn release(seeds: &Seeds, usable: &std::ops::Range<u32>, may_lose: &mut ByColor<Vec<u64>>, words: usize) {
    let due = |side: &SideSeeds, set: &mut Vec<u64>| {
        set.par_chunks_mut(words).zip(&side.releases).for_each(|(set, releases)| {
            for (depth, packed) in releases {
                if usable.contains(&u32::from(*depth)) {
                    packed.iter().for_each(|(word, bits)| set[word as usize] |= bits);
                }
            }
        });
    };
    due(&seeds.white, &mut may_lose.white);
    due(&seeds.black, &mut may_lose.black);
}
