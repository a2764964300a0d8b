//! Does a strategy win under the rule, whatever equally good moves come up?

use super::{Goals, Part, Situation, Strategy};
use crate::error::EndgameError;
use errare_tables::{Metric, Outcome, Source};
use shakmaty::{Chess, Move, Position};
use std::collections::HashMap;

/// What became of following a strategy from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Success {
    /// Every line keeps the win.
    Wins,
    /// A line that lets the win slip: after its last move, which the strategy allows, the rule saves the defender.
    Slips(Vec<Move>),
    /// There was nothing to win: not under the rule, with the clock as it is.
    NotWon,
}

/// Follows a strategy for the side that wins, against a defender who plays to another.
///
/// Everything is tried: each move that the strategy allows, and each that the defender's does. A strategy (k-)succeeds if
/// no move that it allows, in any position it can come to, leaves one that cannot be won under the rule any more. What
/// has been found out is kept, so that a follower asked about many positions of an endgame gets faster.
///
/// Most strategies do not look at the clock. Of a position it is then enough to know the latest ply of the phase at which
/// following them still wins.
pub struct Follower<'a> {
    source: &'a dyn Source,
    rule: u16,
    attack: Strategy,
    defence: Strategy,
    /// With either side to move: the clock and the goals where the strategy minds them, else neither.
    known: HashMap<Node, Latest>,
}

type Node = (Chess, u32, Goals);

/// The latest ply of the phase at which a position can be come to; none if it never can.
type Latest = Option<u32>;

impl Strategy {
    /// Whether what it allows depends on how many moves are left.
    pub fn minds_the_clock(&self) -> bool {
        match self {
            Strategy::Parts { parts, starred } => {
                *starred || parts.iter().any(|part| matches!(part, Part::Guard | Part::Goal(_)))
            }
            Strategy::A1 | Strategy::A2 => true,
        }
    }
}

impl<'a> Follower<'a> {
    /// Follows an attack against a defence under a rule of so many moves.
    pub fn new(source: &'a dyn Source, rule: u16, attack: Strategy, defence: Strategy) -> Follower<'a> {
        Follower { source, rule, attack, defence, known: HashMap::new() }
    }

    /// Follows the attack of the side that wins from a position, either side being to move.
    pub fn follow(&mut self, position: &Chess) -> Result<Success, EndgameError> {
        if self.limit_of(position)?.is_none_or(|latest| position.halfmoves() > latest) {
            return Ok(Success::NotWon);
        }
        let goals = Goals::default();
        if self.latest(position, &goals)?.is_some_and(|latest| position.halfmoves() <= latest) {
            return Ok(Success::Wins);
        }
        self.slip(position, goals).map(Success::Slips)
    }

    /// Gives memory back once much has been found out.
    pub(super) fn forget_if_large(&mut self) {
        const MOST: usize = 1_000_000;
        if self.known.len() > MOST {
            self.known.clear();
        }
    }

    fn plies(&self) -> u32 {
        2 * u32::from(self.rule)
    }

    /// The latest ply of the phase at which a position is won under the rule at all.
    fn limit_of(&self, position: &Chess) -> Result<Latest, EndgameError> {
        let value = self.source.value(position, Metric::DtzRule(self.rule))?;
        Ok(match value.outcome {
            Outcome::Win | Outcome::Loss => self.plies().checked_sub(u32::from(value.plies.0)),
            _ => None,
        })
    }

    fn node(&self, position: &Chess, goals: &Goals) -> Node {
        let minds = self.attack.minds_the_clock();
        let clock = if minds { position.halfmoves() } else { 0 };
        (position.clone(), clock, if minds { goals.clone() } else { Goals::default() })
    }

    /// The latest ply at which following from here keeps the win. Where the strategy minds the clock only whether that is
    /// the ply of the position matters: then it is that ply, or none.
    fn latest(&mut self, position: &Chess, goals: &Goals) -> Result<Latest, EndgameError> {
        let node = self.node(position, goals);
        if let Some(&known) = self.known.get(&node) {
            return Ok(known);
        }
        // Who comes back to a position within a phase can do so for ever: the clock runs out.
        self.known.insert(node.clone(), None);
        let mut latest = self.limit_of(position)?;
        for (_, after, goals) in self.allowed(position, goals)? {
            if latest.is_none() {
                break;
            }
            latest = latest.min(self.latest_before(&after, &goals)?);
        }
        self.known.insert(node, latest);
        Ok(latest)
    }

    /// The latest ply before a move to this position.
    fn latest_before(&mut self, after: &Chess, goals: &Goals) -> Result<Latest, EndgameError> {
        if after.is_checkmate() {
            return Ok(Some(self.plies()));
        }
        // A position that the rule saves needs no following.
        let Some(limit) =
            self.limit_of(after)?.filter(|&limit| after.halfmoves() <= limit || !self.attack.minds_the_clock())
        else {
            return Ok(None);
        };
        let latest = self.latest(after, goals)?.map(|latest| latest.min(limit));
        Ok(match latest {
            // A phase that begins here begins at 0.
            Some(_) if after.halfmoves() == 0 => Some(self.plies().saturating_sub(1)),
            Some(latest) => latest.checked_sub(1),
            None => None,
        })
    }

    /// What the side to move may do, by its strategy.
    fn allowed(&self, position: &Chess, goals: &Goals) -> Result<Vec<(Move, Chess, Goals)>, EndgameError> {
        let situation = Situation::new(self.source, position, Some(self.rule))?;
        let mut goals = goals.clone();
        let places = if situation.value().is_win() {
            self.attack.select(&situation, &mut goals)?
        } else if situation.moves().is_empty() {
            Vec::new()
        } else {
            self.defence.select(&situation, &mut Goals::default())?
        };
        let after = |place: usize| {
            let mut after = position.clone();
            after.play_unchecked(situation.moves()[place]);
            (situation.moves()[place], after, goals.clone())
        };
        Ok(places.into_iter().map(after).collect())
    }

    /// A line that slips, given that there is one.
    fn slip(&mut self, position: &Chess, goals: Goals) -> Result<Vec<Move>, EndgameError> {
        let mut line = Vec::new();
        let (mut position, mut goals) = (position.clone(), goals);
        while line.len() < usize::from(u16::MAX) {
            let clock = position.halfmoves();
            let mut next = None;
            for (mv, after, goals) in self.allowed(&position, &goals)? {
                if self.latest_before(&after, &goals)?.is_none_or(|latest| clock > latest) {
                    next = Some((mv, after, goals));
                    break;
                }
            }
            let Some((mv, after, then)) = next else { break };
            line.push(mv);
            if self.limit_of(&after)?.is_none_or(|limit| after.halfmoves() > limit) {
                break;
            }
            (position, goals) = (after, then);
        }
        Ok(line)
    }
}
