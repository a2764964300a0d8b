//! Comparison of strategies on every win of an endgame against every defence.

use super::compare::{StrategyComparison, StrategyTally, take};
use super::whole::{Path, WholeFollower};
use super::{Follower, Strategy, Success};
use crate::error::EndgameError;
use errare_tables::{Cells, Extent, Material, Metric, Outcome, Source};
use errare_work::{Progress, Status, Unreported};
use rayon::prelude::*;
use shakmaty::{Chess, Move};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Compares strategies on all wins of an endgame, against a defender who may play any move.
///
/// For a strategy that does not look at the clock each position is decided once, with a byte of memory each. The others
/// are followed from each win as [`Follower`] does; where that needs too much memory, a win stays unsettled.
#[derive(Clone, Copy)]
pub struct WholeComparer<'a> {
    /// The tables that give depths.
    pub source: &'a dyn Source,
    /// The endgame.
    pub material: Material,
    /// The move rule, in moves.
    pub rule: u16,
    /// The strategies of the side that wins.
    pub strategies: &'a [Strategy],
    /// Number of examples to keep of each kind.
    pub examples: usize,
}

/// What following a strategy from one win comes to.
enum Verdict {
    Kept,
    /// A line that lets the win slip, if it was asked for.
    Slipped(Option<Vec<Move>>),
    Unsettled,
}

/// Placements between two reports of progress.
const REPORTED: u64 = 4096;

/// The mark of a win that every strategy so far lets slip, and of other wins.
const ALL_SLIP: u8 = 1;
const NOT_ALL: u8 = 2;

impl WholeComparer<'_> {
    /// Bytes that the comparison takes at most, besides what [`Follower`] needs.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        2 * WholeFollower::bytes(self.material)
    }

    /// Counts the wins that each strategy keeps and lets slip. The outcome does not depend on the number of threads.
    ///
    /// # Errors
    /// If the endgame has no men besides the kings, a table is missing or damaged, or the work is cancelled.
    pub fn compare(&self, progress: &dyn Progress) -> Result<StrategyComparison, EndgameError> {
        let no_men = || EndgameError::Internal("two bare kings have no strategies to compare");
        let cells = Cells::new(self.material, Extent::Whole).ok_or_else(no_men)?;
        let slips: Vec<AtomicU8> = (0..cells.count()).map(|_| AtomicU8::new(0)).collect();
        let mut found = StrategyComparison::default();
        for strategy in self.strategies {
            let Pass { wins, tally } = self.pass(&cells, strategy, &slips, progress)?;
            found.wins = wins;
            found.tallies.push(tally);
        }
        let all_slip = (0..cells.count()).filter(|&at| slips[at as usize].load(Ordering::Relaxed) == ALL_SLIP);
        for at in all_slip {
            found.all_slipped += 1;
            if found.all_slip.len() < self.examples {
                found.all_slip.extend(cells.position(at));
            }
        }
        Ok(found)
    }

    /// Goes through the endgame with one strategy.
    fn pass(
        &self,
        cells: &Cells,
        strategy: &Strategy,
        slips: &[AtomicU8],
        progress: &dyn Progress,
    ) -> Result<Pass, EndgameError> {
        let total = cells.count();
        let whole = WholeFollower::new(self.source, self.material, strategy, self.rule);
        // Each part of a strategy that looks at the clock finds out everything anew, so there are few.
        let parts = if whole.is_some() { 64 } else { 4 } * rayon::current_num_threads() as u64;
        let part = total.div_ceil(parts).max(1);
        let done = AtomicU64::new(0);
        let activity = format!("following {strategy} through {}", self.material);
        let report = |count: u64| {
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            progress.report(&Status::new(&activity, "placements").at(done, total));
        };
        let passes: Vec<Pass> = (0..total.div_ceil(part))
            .into_par_iter()
            .map(|place| {
                let range = place * part..total.min((place + 1) * part);
                let mut way = match &whole {
                    Some(whole) => Way::Dense(whole, Path::default()),
                    None => Way::Sparse(Follower::new(self.source, self.rule, vec![strategy.clone()], Strategy::ANY)),
                };
                self.part(cells, range, &mut way, slips, &report, progress)
            })
            .collect::<Result<_, EndgameError>>()?;
        let mut sum = Pass::default();
        for Pass { wins, tally } in passes {
            sum.wins += wins;
            sum.tally.kept += tally.kept;
            sum.tally.slipped += tally.slipped;
            sum.tally.unsettled += tally.unsettled;
            take(&mut sum.tally.examples, tally.examples, self.examples);
        }
        Ok(sum)
    }

    fn part(
        &self,
        cells: &Cells,
        range: Range<u64>,
        way: &mut Way<'_, '_>,
        slips: &[AtomicU8],
        report: &(dyn Fn(u64) + Sync),
        progress: &dyn Progress,
    ) -> Result<Pass, EndgameError> {
        let mut pass = Pass::default();
        for index in range.clone() {
            if (index - range.start).is_multiple_of(REPORTED) {
                report(REPORTED.min(range.end - index));
            }
            progress.proceed()?;
            let Some(position) = cells.position(index) else { continue };
            if self.source.value(&position, Metric::DtzRule(self.rule))?.outcome != Outcome::Win {
                continue;
            }
            pass.wins += 1;
            let needs_line = pass.tally.examples.len() < self.examples;
            let mark = &slips[index as usize];
            match way.verdict(&position, needs_line, progress)? {
                Verdict::Slipped(line) => {
                    pass.tally.slipped += 1;
                    pass.tally.examples.extend(line.map(|line| (position, line)));
                    mark.fetch_max(ALL_SLIP, Ordering::Relaxed);
                }
                Verdict::Kept => {
                    pass.tally.kept += 1;
                    mark.store(NOT_ALL, Ordering::Relaxed);
                }
                Verdict::Unsettled => {
                    pass.tally.unsettled += 1;
                    mark.store(NOT_ALL, Ordering::Relaxed);
                }
            }
        }
        Ok(pass)
    }
}

/// What one strategy comes to in a part of the endgame.
#[derive(Default)]
struct Pass {
    wins: u64,
    tally: StrategyTally,
}

/// How a strategy is followed.
enum Way<'w, 'a> {
    Dense(&'w WholeFollower<'a>, Path),
    Sparse(Follower<'a>),
}

impl Way<'_, '_> {
    fn verdict(
        &mut self,
        position: &Chess,
        needs_line: bool,
        progress: &dyn Progress,
    ) -> Result<Verdict, EndgameError> {
        match self {
            Way::Dense(whole, path) => {
                if whole.succeeds(position, path, progress)? {
                    return Ok(Verdict::Kept);
                }
                let line = needs_line.then(|| whole.slip(position, path, progress)).transpose()?;
                Ok(Verdict::Slipped(line))
            }
            Way::Sparse(follower) => match follower.follow(position, &Unreported(progress))?.pop() {
                Some(Success::Wins) => Ok(Verdict::Kept),
                Some(Success::Slips(line)) => Ok(Verdict::Slipped(Some(line).filter(|_| needs_line))),
                Some(Success::TooMany) => Ok(Verdict::Unsettled),
                Some(Success::NotWon) | None => {
                    Err(EndgameError::Internal("a win under the rule from a zero count is not won"))
                }
            },
        }
    }
}
