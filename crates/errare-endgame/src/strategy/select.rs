//! The selection of the moves that a strategy allows in a position under a move rule.

use super::{Goals, Outlook, Part, Strategy};
use crate::error::EndgameError;
use errare_tables::{Metric, Outcome, Source, Successor, Value};
use shakmaty::{Chess, Move, Position};
use std::rc::Rc;

/// A position with a move rule in force, and how much of the phase has been played.
pub struct Situation<'a> {
    outlook: Rc<Outlook<'a>>,
    /// Number of moves that a phase may last; none without a rule.
    rule: Option<u16>,
    /// Number of plies of the phase that have been made.
    made: u32,
}

/// Number of moves that the winner may still make before a draw can be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WinnerMovesLeft(pub u32);

impl<'a> Situation<'a> {
    /// Makes the situation of a position whose halfmove clock counts towards a rule of a number of moves.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn new(source: &'a dyn Source, position: &Chess, rule: Option<u16>) -> Result<Situation<'a>, EndgameError> {
        Ok(Situation::at(Rc::new(Outlook::new(source, position)?), position.halfmoves(), rule))
    }

    /// Makes the situation of a position at any ply of the phase.
    pub fn at(outlook: Rc<Outlook<'a>>, made: u32, rule: Option<u16>) -> Situation<'a> {
        // A FEN may say anything; no rule is as long.
        Situation { outlook, rule, made: made.min(1 << 20) }
    }

    /// The position of the situation.
    pub fn position(&self) -> &Chess {
        self.outlook.position()
    }

    /// All legal moves, in the order of places.
    pub fn moves(&self) -> &[Move] {
        self.outlook.moves()
    }

    /// The theoretical value for the side to move, whatever the rule.
    pub fn value(&self) -> Outcome {
        self.outlook.value()
    }

    /// Number of plies of the phase that have been made.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Number of plies that a phase may last; none without a rule.
    pub fn limit(&self) -> Option<u32> {
        self.rule.map(|moves| 2 * u32::from(moves))
    }

    /// Number of moves left to the side to move (mleft), if there is a rule.
    pub fn moves_left(&self) -> Option<WinnerMovesLeft> {
        self.limit().map(|limit| WinnerMovesLeft(limit.saturating_sub(self.made()).div_ceil(2)))
    }

    /// The values of the moves in a metric, in the order of places.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn successors(&self, metric: Metric) -> Result<&[Successor], EndgameError> {
        self.outlook.successors(metric)
    }

    /// The depth of the position in a metric, in plies.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn depth(&self, metric: Metric) -> Result<Value, EndgameError> {
        self.outlook.depth(metric)
    }

    /// Whether the winner to move has as many plies left in the phase as the position's depth in a metric.
    fn is_in_time(&self, metric: Metric) -> Result<bool, EndgameError> {
        let depth = u32::from(self.depth(metric)?.plies.0);
        Ok(self.limit().is_none_or(|limit| self.made() + depth <= limit))
    }

    /// The places of the moves that keep the theoretical value.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn keeping(&self) -> Result<Vec<usize>, EndgameError> {
        self.outlook.keeping()
    }
}

impl Strategy {
    /// The places of the moves that the strategy allows; all of them keep the theoretical value.
    ///
    /// In drawn positions all drawing moves are allowed. For the side that is losing least becomes greatest, and guards
    /// and goals, which are the winner's, leave everything as it is: what is left of SR_a is SR. A guard that would
    /// leave nothing gives way to SZ.
    ///
    /// # Errors
    /// If the game is over, or a table is missing or damaged.
    pub fn select(&self, situation: &Situation<'_>, goals: &mut Goals) -> Result<Vec<usize>, EndgameError> {
        if let (Strategy::Parts { parts, starred: false }, true) = (self, situation.value().is_win())
            && let Some(Part::Minimax(_)) = parts.first()
        {
            // The moves of the least depth are winning: nothing else needs to be looked up.
            return apply(situation, parts, (0..situation.moves().len()).collect(), goals);
        }
        let keeping = situation.keeping()?;
        if keeping.is_empty() {
            let disagree = EndgameError::Internal("no move keeps the value that the table gives the position");
            return Err(if situation.moves().is_empty() { EndgameError::NoMove } else { disagree });
        }
        if situation.value() == Outcome::Draw {
            return Ok(keeping);
        }
        let metric = |metric| Part::Minimax(metric);
        match self {
            Strategy::Parts { parts, starred } => {
                if *starred && situation.value().is_win() {
                    if !situation.is_in_time(Metric::Dtz)? {
                        return best(situation, Metric::Dtz, keeping);
                    }
                    return apply(situation, parts, guard(situation, keeping)?, goals);
                }
                apply(situation, parts, keeping, goals)
            }
            Strategy::A1 if situation.is_in_time(Metric::Dtm)? => {
                apply(situation, &[metric(Metric::Dtm)], keeping, goals)
            }
            Strategy::A1 if situation.is_in_time(Metric::Dtc)? => {
                apply(situation, &[metric(Metric::Dtc)], keeping, goals)
            }
            Strategy::A1 => apply(situation, &[Metric::Dtz, Metric::Dtc, Metric::Dtm].map(metric), keeping, goals),
            Strategy::A2 if situation.is_in_time(Metric::Dtm)? => {
                apply(situation, &[metric(Metric::Dtm)], keeping, goals)
            }
            Strategy::A2 if situation.is_in_time(Metric::Dtc)? => {
                Strategy::parts(&[Part::Goal(3), metric(Metric::Dtc)]).select(situation, goals)
            }
            Strategy::A2 => {
                let parts = vec![Part::Goal(3), metric(Metric::Dtz), metric(Metric::Dtc), metric(Metric::Dtm)];
                Strategy::Parts { parts, starred: true }.select(situation, goals)
            }
        }
    }
}

/// Applies the parts one after the other: each keeps some of the moves that the one before it has left.
fn apply(
    situation: &Situation<'_>,
    parts: &[Part],
    mut left: Vec<usize>,
    goals: &mut Goals,
) -> Result<Vec<usize>, EndgameError> {
    for part in parts {
        left = match part {
            Part::Minimax(metric) => best(situation, *metric, left)?,
            Part::Phase => {
                let after = situation.successors(Metric::Dtr)?;
                let sign = if situation.value().is_win() { 1 } else { -1 };
                keep_least(left, |place| sign * i32::from(after[place].ranked(Metric::Dtr).phase.0))
            }
            Part::Guard => guard(situation, left)?,
            Part::Goal(kind) => pursue(situation, *kind, left, goals)?,
        };
    }
    Ok(left)
}

/// Keeps the moves of the least depth for a winner, of the greatest for a loser.
fn best(situation: &Situation<'_>, metric: Metric, left: Vec<usize>) -> Result<Vec<usize>, EndgameError> {
    let after = situation.successors(metric)?;
    Ok(keep_least(left, |place| {
        let ranked = after[place].ranked(metric);
        let depth = i32::from(ranked.plies.0);
        // A rule may make an outcome worth more or less than it plainly is.
        let outcome = std::cmp::Reverse(ranked.outcome);
        (outcome, if ranked.outcome.is_win() { depth } else { -depth })
    }))
}

/// Keeps the moves after which the phase can still be ended in time.
fn guard(situation: &Situation<'_>, left: Vec<usize>) -> Result<Vec<usize>, EndgameError> {
    let (Some(limit), true) = (situation.limit(), situation.value().is_win()) else { return Ok(left) };
    let after = situation.successors(Metric::Dtz)?;
    let in_time = |&place: &usize| situation.made() + u32::from(after[place].through.plies.0) <= limit;
    let guarded: Vec<usize> = left.iter().copied().filter(in_time).collect();
    if guarded.is_empty() { best(situation, Metric::Dtz, left) } else { Ok(guarded) }
}

/// Keeps the moves that do not exclude the goal; if all do, those of the least dr.
fn pursue(
    situation: &Situation<'_>,
    kind: u8,
    left: Vec<usize>,
    goals: &mut Goals,
) -> Result<Vec<usize>, EndgameError> {
    let (Some(limit), true) = (situation.limit(), situation.value().is_win()) else {
        return best(situation, Metric::Dtr, left);
    };
    let (by_rule, to_zero) = (situation.successors(Metric::Dtr)?, situation.successors(Metric::Dtz)?);
    let prospect = |&place: &usize| super::goals::Prospect {
        depth: u32::from(by_rule[place].value.plies.0),
        ends_by: situation.made() + u32::from(to_zero[place].through.plies.0),
    };
    let prospects: Vec<_> = left.iter().map(prospect).collect();
    let found = goals.pursue(&prospects, situation.made(), limit, kind);
    if found.is_empty() {
        return best(situation, Metric::Dtr, left);
    }
    Ok(found.into_iter().map(|at| left[at]).collect())
}

fn keep_least<K: Ord>(places: Vec<usize>, key: impl Fn(usize) -> K) -> Vec<usize> {
    let least = places.iter().map(|&place| key(place)).min();
    places.into_iter().filter(|&place| Some(key(place)) == least).collect()
}
