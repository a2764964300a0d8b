//! How many wins of an endgame each strategy lets slip: the experiment that the third paper calls for.

use super::{Follower, Strategy, Success};
use crate::error::EndgameError;
use errare_tables::{Cells, Metric, Outcome, Source};
use rayon::prelude::*;
use shakmaty::Chess;

/// What became of one strategy.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Wins that it keeps, whatever comes up.
    pub kept: u64,
    /// Wins that it may let slip.
    pub slipped: u64,
    /// Wins from which there was too much to go through.
    pub unsettled: u64,
    /// Some of those, with the line that slips.
    pub examples: Vec<(Chess, Vec<shakmaty::Move>)>,
}

/// A comparison of strategies on the wins of an endgame.
#[derive(Clone, Debug, Default)]
pub struct StrategyComparison {
    /// Positions won under the rule from a zero count, that were looked at.
    pub wins: u64,
    /// By strategy.
    pub tallies: Vec<Tally>,
    /// Positions in which every strategy slips.
    pub all_slip: Vec<Chess>,
    /// How often every strategy slips.
    pub all_slipped: u64,
}

/// What is compared.
pub struct Comparer<'a> {
    /// Where values come from.
    pub source: &'a dyn Source,
    /// The move rule.
    pub rule: u16,
    /// The attackers' strategies.
    pub strategies: Vec<Strategy>,
    /// What the defender follows.
    pub defence: Strategy,
    /// How many examples to keep of each.
    pub examples: usize,
}

impl Comparer<'_> {
    /// Bytes that each thread may come to hold; not fewer, for what stays unsettled must not depend on the machine.
    pub const MEMORY: u64 = 1_500_000_000;

    /// Follows every strategy from the wins among these cells, with the winner to move.
    ///
    /// `progress` is told of cells done, out of how many. The outcome does not depend on the number of threads.
    pub fn compare(
        &self,
        cells: &Cells,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<StrategyComparison, EndgameError> {
        // What is found out in one part is not known in another: so no more of them than keep the threads busy.
        let parts = 4 * rayon::current_num_threads() as u64;
        let total = cells.count();
        let part = total.div_ceil(parts).max(1);
        let done = std::sync::atomic::AtomicU64::new(0);
        let parts: Vec<StrategyComparison> = (0..total.div_ceil(part))
            .into_par_iter()
            .map(|place| {
                let range = place * part..total.min((place + 1) * part);
                let count = range.end - range.start;
                let found = self.part(cells, range);
                progress(done.fetch_add(count, std::sync::atomic::Ordering::Relaxed) + count, total);
                found
            })
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
        StrategyComparison { tallies: vec![Tally::default(); self.strategies.len()], ..StrategyComparison::default() }
    }

    fn part(&self, cells: &Cells, range: std::ops::Range<u64>) -> Result<StrategyComparison, EndgameError> {
        let mut follower = Follower::new(self.source, self.rule, self.strategies.clone(), self.defence.clone());
        let mut found = self.empty();
        for index in range {
            let Some(position) = cells.position(index) else { continue };
            let value = self.source.value(&position, Metric::DtzRule(self.rule))?;
            if value.outcome != Outcome::Win {
                continue;
            }
            found.wins += 1;
            let mut slips = 0;
            for (success, tally) in follower.follow(&position)?.into_iter().zip(&mut found.tallies) {
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
                    // A win under the rule from a zero count is one.
                    Success::NotWon => {}
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

fn take<T>(into: &mut Vec<T>, from: Vec<T>, most: usize) {
    let room = most.saturating_sub(into.len());
    into.extend(from.into_iter().take(room));
}
