//! Comparison of strategies on every win of an endgame against every defence.

use super::clocked_pass::ClockedPass;
use super::compare::{StrategyComparison, StrategyTally, take};
use super::whole::{Path, WholeFollower};
use super::{Follower, Strategy, Success};
use crate::error::EndgameError;
use errare_tables::{Cells, Extent, Library, Material, Metric, Outcome, QuietMoves, Source};
use errare_work::{Progress, Status, Unreported};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// A comparer of strategies on all wins of an endgame, against a defender who may play any move.
///
/// For a strategy that does not look at the clock each position is decided once, with a byte of memory each; for most others
/// (`SM*`, `SZ'`, `SA1`) at every ply of the phase, if there is memory for that. The rest, which have goals, are followed
/// from each win as [`Follower`] does; in an endgame of more than sixteen million placements only from the wins of a sample.
/// Where that needs too much memory, a win stays unsettled.
#[derive(Clone, Copy)]
pub struct WholeComparer<'a> {
    /// The tables that give depths.
    pub source: &'a dyn Source,
    /// Our library, if the tables are ours: whole tables are then read at once, which is many times faster.
    pub library: Option<&'a Library>,
    /// The endgame whose wins are compared.
    pub material: Material,
    /// The move rule, in moves.
    pub rule: u16,
    /// The strategies of the side that wins.
    pub strategies: &'a [Strategy],
    /// Number of examples to keep of each kind.
    pub examples: usize,
    /// Number of bytes that the comparison may take, besides what [`Follower`] needs.
    pub memory: u64,
}

/// A strategy for which every win has been decided.
enum Decided<'w, 'a> {
    Plain(&'w WholeFollower<'a>),
    Clocked(ClockedPass<'a>),
}

/// The result of following a strategy from one win.
enum FollowedWin {
    Kept,
    /// A line lets the win slip, which is given if it was asked for.
    Slipped(Option<Vec<Move>>),
    Unsettled,
}

/// The greatest number of placements whose wins are all followed by strategies that look at the clock: those of four men
/// with a pawn. A position comes up at many plies of a phase, and with more men there are too many of both.
const MAX_FOLLOWED: u64 = 16_000_000;
/// Number of placements drawn, with seed 0, for a strategy that looks at the clock in a larger endgame.
const DRAWN: u64 = 2000;

/// Number of placements between two reports of progress.
const REPORTED: u64 = 4096;
/// Number of placements that one thread counts before it takes up others.
const COUNTED: usize = 1 << 18;

/// The mark of a win that every strategy so far lets slip, and of other wins.
const ALL_SLIP: u8 = 1;
const NOT_ALL: u8 = 2;

impl WholeComparer<'_> {
    /// Number of bytes that the comparison takes at least, besides what [`Follower`] needs.
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
            let is_small = cells.count() <= MAX_FOLLOWED;
            let whole = WholeFollower::new(self.source, self.material, strategy, self.rule);
            let pass = match (self.decide(strategy, whole.as_ref(), progress)?, self.library) {
                (Some(decided), Some(library)) => self.count(&decided, strategy, library, &slips, progress)?,
                _ if whole.is_none() && !is_small => {
                    found.tallies.push(self.drawn(strategy, progress)?);
                    continue;
                }
                _ => self.pass(&cells, strategy, whole.as_ref(), &slips, progress)?,
            };
            found.wins = pass.wins;
            found.tallies.push(pass.tally);
        }
        if found.wins == 0 {
            found.wins = self.count_wins(&cells, progress)?;
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

    /// Decides all positions of our tables in one pass; none for tables of others, for a strategy with goals, or
    /// without enough memory.
    fn decide<'w, 'c>(
        &'c self,
        strategy: &'c Strategy,
        whole: Option<&'w WholeFollower<'c>>,
        progress: &dyn Progress,
    ) -> Result<Option<Decided<'w, 'c>>, EndgameError> {
        let Some(library) = self.library else { return Ok(None) };
        if let Some(whole) = whole {
            whole.decide_all(library, progress)?;
            return Ok(Some(Decided::Plain(whole)));
        }
        // There is a mark for each placement, too.
        let needed = ClockedPass::bytes(self.material, strategy, self.rule);
        if needed.is_none_or(|needed| needed + WholeFollower::bytes(self.material) > self.memory) {
            return Ok(None);
        }
        let pass = ClockedPass::new(library, self.material, strategy, self.rule, progress)?;
        pass.map(|pass| {
            pass.run(progress)?;
            Ok(Decided::Clocked(pass))
        })
        .transpose()
    }

    /// Counts the wins that have been decided.
    fn count(
        &self,
        decided: &Decided<'_, '_>,
        strategy: &Strategy,
        library: &Library,
        slips: &[AtomicU8],
        progress: &dyn Progress,
    ) -> Result<Pass, EndgameError> {
        let no_men = || EndgameError::Internal("two bare kings have no strategies to compare");
        let quiet = QuietMoves::new(self.material).ok_or_else(no_men)?;
        let (mut sum, mut examples) = (Pass::default(), Vec::new());
        for places in quiet.levels().into_iter().flatten() {
            for turn in Color::ALL {
                let keeps_all = decided.keeps_all(self.material, turn);
                let win = |value: errare_tables::Value| u16::from(value.outcome != Outcome::Win);
                let wins = quiet.codes(library, Metric::DtzRule(self.rule), turn, &places, win, progress)?;
                let count = |(chunk, wins): (usize, &[u16])| {
                    progress.proceed()?;
                    let first = places.start + (chunk * COUNTED) as u64;
                    let places = wins.iter().zip(first..).filter(|(code, _)| **code == 0).map(|(_, place)| place);
                    let mut part = (Pass::default(), Vec::new());
                    for place in places.filter(|&place| quiet.is_first(place)) {
                        part.0.wins += 1;
                        let mark = &slips[QuietMoves::number(place, turn) as usize];
                        let undecided = EndgameError::Internal("a win was not decided in the pass over its endgame");
                        if keeps_all || decided.keeps(place, turn).ok_or(undecided)? {
                            part.0.tally.kept += 1;
                            mark.store(NOT_ALL, Ordering::Relaxed);
                            continue;
                        }
                        part.0.tally.slipped += 1;
                        mark.fetch_max(ALL_SLIP, Ordering::Relaxed);
                        if part.1.len() < self.examples {
                            part.1.push(quiet.position(place, turn)?);
                        }
                    }
                    Ok(part)
                };
                let parts: Vec<(Pass, Vec<Chess>)> =
                    wins.par_chunks(COUNTED).enumerate().map(count).collect::<Result<_, EndgameError>>()?;
                for (pass, slipping) in parts {
                    self.add(&mut sum, pass);
                    take(&mut examples, slipping, self.examples);
                }
            }
        }
        let lines = decided.slips(strategy, self, &examples, progress)?;
        sum.tally.examples = examples.into_iter().zip(lines).collect();
        Ok(sum)
    }

    /// Follows a strategy from the wins of a random sample.
    fn drawn(&self, strategy: &Strategy, progress: &dyn Progress) -> Result<StrategyTally, EndgameError> {
        let no_men = || EndgameError::Internal("two bare kings have no strategies to compare");
        let extent = Extent::Sample { placements: DRAWN, seed: 0 };
        let cells = Cells::new(self.material, extent).ok_or_else(no_men)?;
        let slips: Vec<AtomicU8> = (0..cells.count()).map(|_| AtomicU8::new(0)).collect();
        let Pass { tally, .. } = self.pass(&cells, strategy, None, &slips, progress)?;
        Ok(StrategyTally { drawn: Some(DRAWN), ..tally })
    }

    fn count_wins(&self, cells: &Cells, progress: &dyn Progress) -> Result<u64, EndgameError> {
        let is_win = |position: &Chess| {
            progress.proceed()?;
            Ok::<bool, EndgameError>(self.source.value(position, Metric::DtzRule(self.rule))?.outcome == Outcome::Win)
        };
        let positions = (0..cells.count()).into_par_iter().filter_map(|n| cells.position(n));
        positions.map(|position| Ok(u64::from(is_win(&position)?))).sum()
    }

    fn add(&self, sum: &mut Pass, Pass { wins, tally }: Pass) {
        sum.wins += wins;
        sum.tally.kept += tally.kept;
        sum.tally.slipped += tally.slipped;
        sum.tally.unsettled += tally.unsettled;
        take(&mut sum.tally.examples, tally.examples, self.examples);
    }

    /// Follows one strategy from the wins of the endgame, or of a sample.
    fn pass(
        &self,
        cells: &Cells,
        strategy: &Strategy,
        whole: Option<&WholeFollower<'_>>,
        slips: &[AtomicU8],
        progress: &dyn Progress,
    ) -> Result<Pass, EndgameError> {
        let total = cells.count();
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
                let mut way = match whole {
                    Some(whole) => Way::Dense(whole, Path::default()),
                    None => Way::Sparse(Follower::new(self.source, self.rule, vec![strategy.clone()], Strategy::ANY)),
                };
                self.part(cells, range, &mut way, slips, &report, progress)
            })
            .collect::<Result<_, EndgameError>>()?;
        let mut sum = Pass::default();
        passes.into_iter().for_each(|pass| self.add(&mut sum, pass));
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
                FollowedWin::Slipped(line) => {
                    pass.tally.slipped += 1;
                    pass.tally.examples.extend(line.map(|line| (position, line)));
                    mark.fetch_max(ALL_SLIP, Ordering::Relaxed);
                }
                FollowedWin::Kept => {
                    pass.tally.kept += 1;
                    mark.store(NOT_ALL, Ordering::Relaxed);
                }
                FollowedWin::Unsettled => {
                    pass.tally.unsettled += 1;
                    mark.store(NOT_ALL, Ordering::Relaxed);
                }
            }
        }
        Ok(pass)
    }
}

impl Decided<'_, '_> {
    /// Whether a side is certain to keep all its wins.
    fn keeps_all(&self, material: Material, winner: Color) -> bool {
        match self {
            Decided::Plain(whole) => whole.keeps_all(material, winner),
            Decided::Clocked(pass) => pass.keeps_all(material, winner),
        }
    }

    /// Whether the win at a place is kept; none if it was not decided.
    fn keeps(&self, place: u64, turn: Color) -> Option<bool> {
        match self {
            Decided::Plain(whole) => whole.noted(0, place, turn).map(|latest| latest.is_some()),
            Decided::Clocked(pass) => pass.keeps(place, turn),
        }
    }

    /// Finds a line that slips from each of some positions.
    fn slips(
        &self,
        strategy: &Strategy,
        comparer: &WholeComparer<'_>,
        positions: &[Chess],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<Move>>, EndgameError> {
        if let Decided::Plain(whole) = self {
            let mut path = Path::default();
            let slip = |position: &Chess| whole.slip(position, position.turn(), &mut path, progress);
            return positions.iter().map(slip).collect();
        }
        let mut follower = Follower::new(comparer.source, comparer.rule, vec![strategy.clone()], Strategy::ANY);
        let mut slip = |position: &Chess| match follower.follow(position, &Unreported(progress))?.pop() {
            Some(Success::Slips(line)) => Ok(line),
            Some(Success::TooMany) => Ok(Vec::new()),
            _ => Err(EndgameError::Internal("a win that slips in the pass over its endgame is kept line by line")),
        };
        positions.iter().map(&mut slip).collect()
    }
}

/// The results of one strategy in a part of the endgame.
#[derive(Default)]
struct Pass {
    wins: u64,
    tally: StrategyTally,
}

/// The way in which a strategy is followed.
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
    ) -> Result<FollowedWin, EndgameError> {
        match self {
            Way::Dense(whole, path) => {
                if whole.succeeds(position, path, progress)? {
                    return Ok(FollowedWin::Kept);
                }
                let line = needs_line.then(|| whole.slip(position, position.turn(), path, progress)).transpose()?;
                Ok(FollowedWin::Slipped(line))
            }
            Way::Sparse(follower) => match follower.follow(position, &Unreported(progress))?.pop() {
                Some(Success::Wins) => Ok(FollowedWin::Kept),
                Some(Success::Slips(line)) => Ok(FollowedWin::Slipped(Some(line).filter(|_| needs_line))),
                Some(Success::TooMany) => Ok(FollowedWin::Unsettled),
                Some(Success::NotWon) | None => {
                    Err(EndgameError::Internal("a win under the rule from a zero count is not won"))
                }
            },
        }
    }
}
