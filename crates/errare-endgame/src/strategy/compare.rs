//! Comparison of strategies by the wins of an endgame that each lets slip: the experiment that Haworth (2000) calls for.

use super::{Follower, Strategy, Success};
use crate::error::EndgameError;
use errare_tables::{Cells, Metric, Outcome, Source};
use errare_work::{Progress, Status, Unreported};
use rayon::prelude::*;
use shakmaty::Chess;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of wins that one strategy keeps and lets slip.
#[derive(Clone, Debug, Default)]
pub struct StrategyTally {
    /// Number of wins that the strategy keeps in every line.
    pub kept: u64,
    /// Number of wins that the strategy lets slip in some line.
    pub slipped: u64,
    /// Number of wins that stay unsettled because the search was too large.
    pub unsettled: u64,
    /// Number of placements drawn for this strategy alone, where all others were decided for the whole endgame.
    pub drawn: Option<u64>,
    /// Examples of wins that slip, each with a line that lets it slip.
    pub examples: Vec<(Chess, Vec<shakmaty::Move>)>,
}

/// A comparison of strategies on the wins of an endgame.
#[derive(Clone, Debug, Default)]
pub struct StrategyComparison {
    /// Number of positions won under the rule from a zero count.
    pub wins: u64,
    /// The tallies of the strategies, in their order.
    pub tallies: Vec<StrategyTally>,
    /// Examples of positions in which every strategy slips.
    pub all_slip: Vec<Chess>,
    /// Number of positions in which every strategy slips.
    pub all_slipped: u64,
}

/// A comparer of strategies on the wins of an endgame.
#[derive(Clone)]
pub struct StrategyComparer {
    /// The tables that give depths.
    pub source: Arc<dyn Source>,
    /// The move rule, in moves.
    pub rule: u16,
    /// The strategies of the side that wins.
    pub strategies: Vec<Strategy>,
    /// The strategy of the defender.
    pub defence: Strategy,
    /// Number of examples to keep of each kind.
    pub examples: usize,
}

/// Number of placements between two reports of progress.
const REPORTED: u64 = 256;

impl StrategyComparer {
    /// Number of bytes that each thread may need. The limit is fixed, so that the choice of wins that stay unsettled
    /// does not depend on the machine.
    pub const MEMORY: u64 = 1_500_000_000;

    /// Follows every strategy from the wins among these cells, with the winner to move.
    ///
    /// The outcome does not depend on the number of threads.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn compare(&self, cells: &Cells, progress: &dyn Progress) -> Result<StrategyComparison, EndgameError> {
        // Parts do not share what they find out, so there are only as many as keep the threads busy.
        let parts = 4 * rayon::current_num_threads() as u64;
        let total = cells.count();
        let part = total.div_ceil(parts).max(1);
        let done = AtomicU64::new(0);
        let report = |count: u64| {
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            progress.report(&Status::new("following strategies", "placements").at(done, total));
        };
        let parts: Vec<StrategyComparison> = (0..total.div_ceil(part))
            .into_par_iter()
            .map(|place| self.part(cells, place * part..total.min((place + 1) * part), &report, progress))
            .collect::<Result<_, _>>()?;
        let mut whole = self.empty();
        for part in parts {
            whole.wins += part.wins;
            whole.all_slipped += part.all_slipped;
            take(&mut whole.all_slip, part.all_slip, self.examples);
            for (sum, tally) in whole.tallies.iter_mut().zip(part.tallies) {
                sum.kept += tally.kept;
                sum.slipped += tally.slipped;
                sum.unsettled += tally.unsettled;
                take(&mut sum.examples, tally.examples, self.examples);
            }
        }
        Ok(whole)
    }

    fn empty(&self) -> StrategyComparison {
        StrategyComparison {
            tallies: vec![StrategyTally::default(); self.strategies.len()],
            ..StrategyComparison::default()
        }
    }

    fn part(
        &self,
        cells: &Cells,
        range: Range<u64>,
        report: &(dyn Fn(u64) + Sync),
        progress: &dyn Progress,
    ) -> Result<StrategyComparison, EndgameError> {
        let mut follower = Follower::new(&*self.source, self.rule, self.strategies.clone(), self.defence.clone());
        let mut found = self.empty();
        for index in range.clone() {
            progress.proceed()?;
            if (index - range.start).is_multiple_of(REPORTED) {
                report(REPORTED.min(range.end - index));
            }
            let Some(position) = cells.position(index) else { continue };
            let value = self.source.value(&position, Metric::DtzRule(self.rule))?;
            if value.outcome != Outcome::Win {
                continue;
            }
            found.wins += 1;
            let mut slips = 0;
            for (success, tally) in
                follower.follow(&position, &Unreported(progress))?.into_iter().zip(&mut found.tallies)
            {
                match success {
                    Success::Slips(line) => {
                        slips += 1;
                        tally.slipped += 1;
                        if tally.examples.len() < self.examples {
                            tally.examples.push((position.clone(), line));
                        }
                    }
                    Success::Wins => tally.kept += 1,
                    Success::TooMany => tally.unsettled += 1,
                    Success::NotWon => {
                        return Err(EndgameError::Internal("a win under the rule from a zero count is not won"));
                    }
                }
            }
            if slips == self.strategies.len() {
                found.all_slipped += 1;
                if found.all_slip.len() < self.examples {
                    found.all_slip.push(position);
                }
            }
        }
        Ok(found)
    }
}

pub(super) fn take<T>(into: &mut Vec<T>, from: Vec<T>, most: usize) {
    let room = most.saturating_sub(into.len());
    into.extend(from.into_iter().take(room));
}
