//! The outlook of a contest: lengths, ends and chances from every state.

use crate::error::EndgameError;
use crate::markov::Contest;
use errare_choice::ChainError;
use errare_work::Progress;

/// Questions about a contest.
#[derive(Clone, Debug, Default)]
pub struct ContestQuestion {
    /// Numbers of moves within which to win.
    pub within: Vec<u32>,
    /// Numbers of moves after which the state of the contest is wanted.
    pub after: Vec<u32>,
    /// Number of moves up to which the chances to win after exactly, and at most, each number are wanted.
    pub passage: Option<u32>,
    /// The depth of the win that `after` and `passage` start from; by default the deepest.
    pub from_depth: Option<u16>,
}

/// The length of a contest and its ends, by the state it starts from.
#[derive(Clone, Debug)]
pub struct ContestOutlook {
    /// The expected number of moves to the end, by the depth of the win.
    pub lengths: Vec<f64>,
    /// The standard deviation of the number of moves, by the depth of the win.
    pub sds: Vec<f64>,
    /// The chance to win within each number of moves asked about, by the depth of the win.
    pub win_within: Vec<Vec<f64>>,
    /// The condition number of the equations solved.
    pub condition: f64,
    /// The end of a contest that starts from a drawn position; none if its length is beyond the range of numbers.
    pub draw: Option<DrawOutlook>,
    /// The expected number of moves to the end, by the depth of the loss; empty if a drawn contest may never end.
    pub lost_lengths: Vec<f64>,
    /// The depth that `after` and `passage` start from.
    pub from_depth: u16,
    /// The state of the contest after each number of moves asked about.
    pub after: Vec<AfterMoves>,
    /// The chances to win by number of moves, if they were asked for.
    pub passage: Option<Passage>,
}

/// The end of a contest that starts from a drawn position.
#[derive(Clone, Copy, Debug)]
pub struct DrawOutlook {
    /// The expected number of moves to the end.
    pub length: f64,
    /// The chance that the side to move wins.
    pub won: f64,
    /// The chance that the side to move loses.
    pub lost: f64,
    /// The chance that the contest ends drawn.
    pub drawn: f64,
}

/// The state of a contest after some number of moves.
#[derive(Clone, Debug)]
pub struct AfterMoves {
    /// The expected depth, given that the win is kept; finished wins count as depth 0. None if no win is left.
    pub expected_depth: Option<f64>,
    /// The probability of each state.
    pub states: Vec<f64>,
}

/// The chances to win a contest, by number of moves from 0.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The chance to win after exactly each number of moves.
    pub exactly: Vec<f64>,
    /// The chance to win after at most each number of moves.
    pub at_most: Vec<f64>,
}

impl ContestOutlook {
    /// Solves a contest for a question.
    ///
    /// # Errors
    /// If the endgame has no such depth, the chain cannot be solved, or the work is cancelled.
    pub fn new(
        contest: &Contest,
        question: &ContestQuestion,
        progress: &dyn Progress,
    ) -> Result<ContestOutlook, EndgameError> {
        let states = contest.states();
        let deepest = states.deepest_win().0;
        let from_depth = question.from_depth.unwrap_or(deepest);
        if from_depth > deepest {
            return Err(EndgameError::TooDeep { depth: from_depth, deepest });
        }
        let (wins, count) = (states.draw(), states.count());
        let chain = contest.chain();
        let proceed = || Ok::<_, EndgameError>(progress.proceed()?);
        proceed()?;
        let solution = chain.try_solve(proceed)?;
        let take = |mut numbers: Vec<f64>| {
            numbers.truncate(wins);
            numbers
        };
        let within = |&moves: &u32| chain.try_within(&[0], moves as usize, proceed).map(take);
        let win_within = question.within.iter().map(within).collect::<Result<_, _>>()?;
        // Where a drawn contest is hardly ever over its lengths are beyond the range of numbers.
        let rest = match contest.chain_from(wins).try_solve(proceed) {
            Err(EndgameError::Chain(ChainError::TooSeldom(_))) => None,
            solved => Some(solved?),
        };
        let lost_lengths = rest.as_ref().map_or_else(Vec::new, |rest| {
            let mut lengths = rest.lengths[wins + 1..count].to_vec();
            lengths.reverse();
            lengths
        });
        let draw = rest.as_ref().map(|rest| {
            let ends = |into: usize| rest.absorption(into).map_or(0.0, |chances| chances[wins]);
            DrawOutlook { length: rest.lengths[wins], won: ends(0), lost: ends(count - 1), drawn: ends(count) }
        });
        let from = usize::from(from_depth);
        let start: Vec<f64> = (0..chain.matrix().size()).map(|state| f64::from(u8::from(state == from))).collect();
        let after = |&moves: &u32| -> Result<AfterMoves, EndgameError> {
            let states = chain.matrix().try_after(&start, moves.into(), proceed)?;
            let won = states.iter().take(wins);
            let (mass, sum) =
                won.enumerate().fold((0.0, 0.0), |(mass, sum), (depth, p)| (mass + p, sum + p * depth as f64));
            Ok(AfterMoves { expected_depth: (mass > 0.0).then(|| sum / mass), states })
        };
        let passage = |moves: u32| Passage::new(contest, from_depth, moves as usize, f64::INFINITY, progress);
        Ok(ContestOutlook {
            lengths: take(solution.lengths),
            sds: take(solution.sds),
            win_within,
            condition: solution.condition.fixed,
            draw,
            lost_lengths,
            from_depth,
            after: question.after.iter().map(after).collect::<Result<_, _>>()?,
            passage: question.passage.map(passage).transpose()?,
        })
    }
}

impl Passage {
    /// Computes the chances to win from a depth after 0 to `moves` moves, or until more than `enough` of all games are
    /// won.
    ///
    /// # Errors
    /// If the chain cannot end in a win, or the work is cancelled.
    pub fn new(
        contest: &Contest,
        from_depth: u16,
        moves: usize,
        enough: f64,
        progress: &dyn Progress,
    ) -> Result<Passage, EndgameError> {
        let mut passage = Passage::default();
        let mut sum = 0.0;
        for chances in contest.chain().passages(&[0])?.take(moves + 1) {
            progress.proceed()?;
            let chance = chances[usize::from(from_depth)];
            sum += chance;
            passage.exactly.push(chance);
            passage.at_most.push(sum);
            if sum > enough {
                break;
            }
        }
        Ok(passage)
    }
}
