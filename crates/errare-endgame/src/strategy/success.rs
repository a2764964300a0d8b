//! Does a strategy win under the rule, whatever equally good moves come up?

use super::{Goals, Situation, Strategy};
use crate::error::EndgameError;
use errare_tables::{Metric, Outcome, Source};
use shakmaty::{Chess, Move, Position};
use std::collections::HashMap;
use std::sync::Arc;

/// What became of following a strategy from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Success {
    /// Every line wins in time.
    Wins,
    /// A line that lets the win slip: its last move is allowed by the strategy, and after it the rule saves the
    /// defender.
    Slips(Vec<Move>),
    /// There was nothing to win: not under the rule, with the clock as it is.
    NotWon,
}

/// Follows strategies for the side that wins, against a defender who plays to another.
///
/// Everything is tried: each move that the strategy allows, and each that the defender's does. What has been found out
/// is kept, so that a follower asked about many positions of an endgame gets faster.
pub struct Follower<'a> {
    source: &'a dyn Source,
    rule: u16,
    attack: Strategy,
    defence: Strategy,
    /// With the winner to move.
    known: HashMap<Node, Found>,
}

/// A position with its clock, and the goals where they matter.
type Node = (Chess, u32, Goals);

#[derive(Clone)]
enum Found {
    Wins,
    /// The rest of a line that slips, shared with those that lead to it.
    Slips(Arc<Slip>),
}

struct Slip {
    mv: Move,
    /// The reply, and what follows.
    then: Option<(Move, Arc<Slip>)>,
}

impl<'a> Follower<'a> {
    /// Follows an attack against a defence under a rule of so many moves.
    pub fn new(source: &'a dyn Source, rule: u16, attack: Strategy, defence: Strategy) -> Follower<'a> {
        Follower { source, rule, attack, defence, known: HashMap::new() }
    }

    /// Follows the attack of the side that wins from a position, either side being to move.
    pub fn follow(&mut self, position: &Chess) -> Result<Success, EndgameError> {
        if !self.is_won(position)? {
            return Ok(Success::NotWon);
        }
        let (reply, found) = if self.value(position)?.is_win() {
            (None, self.attacked(position, Goals::default())?)
        } else {
            self.defended(position, &Goals::default())?
        };
        let Found::Slips(slip) = found else { return Ok(Success::Wins) };
        let mut line: Vec<Move> = reply.into_iter().collect();
        let mut rest = Some(slip);
        while let Some(step) = rest {
            line.push(step.mv);
            rest = step.then.as_ref().map(|(reply, then)| {
                line.push(*reply);
                Arc::clone(then)
            });
        }
        Ok(Success::Slips(line))
    }

    /// Gives memory back once much has been found out.
    pub(super) fn forget_if_large(&mut self) {
        const MOST: usize = 200_000;
        if self.known.len() > MOST {
            self.known.clear();
        }
    }

    fn value(&self, position: &Chess) -> Result<Outcome, EndgameError> {
        Ok(self.source.value(position, Metric::DtzRule(self.rule))?.outcome)
    }

    /// Whether somebody wins a position under the rule with its clock as it is.
    fn is_won(&self, position: &Chess) -> Result<bool, EndgameError> {
        let value = self.source.value(position, Metric::DtzRule(self.rule))?;
        let in_time = position.halfmoves() + u32::from(value.plies.0) <= 2 * u32::from(self.rule);
        Ok(matches!(value.outcome, Outcome::Win | Outcome::Loss) && in_time)
    }

    /// The winner, to move in a position that is won under the rule.
    fn attacked(&mut self, position: &Chess, goals: Goals) -> Result<Found, EndgameError> {
        let node = (position.clone(), position.halfmoves(), goals.clone());
        if let Some(known) = self.known.get(&node) {
            return Ok(known.clone());
        }
        let mut goals = goals;
        let situation = Situation::new(self.source, position, Some(self.rule))?;
        let allowed = self.attack.select(&situation, &mut goals)?;
        let mut found = Found::Wins;
        for place in allowed {
            let mv = situation.moves()[place];
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.is_checkmate() {
                continue;
            }
            if !self.is_won(&after)? {
                found = Found::Slips(Arc::new(Slip { mv, then: None }));
                break;
            }
            if let (Some(reply), Found::Slips(then)) = self.defended(&after, &goals)? {
                found = Found::Slips(Arc::new(Slip { mv, then: Some((reply, then)) }));
                break;
            }
        }
        self.known.insert(node, found.clone());
        Ok(found)
    }

    /// The loser, to move: the reply after which the attack slips, if there is one.
    fn defended(&mut self, position: &Chess, goals: &Goals) -> Result<(Option<Move>, Found), EndgameError> {
        let situation = Situation::new(self.source, position, Some(self.rule))?;
        let allowed = self.defence.select(&situation, &mut Goals::default())?;
        for place in allowed {
            let mv = situation.moves()[place];
            let mut after = position.clone();
            after.play_unchecked(mv);
            if let slips @ Found::Slips(_) = self.attacked(&after, goals.clone())? {
                return Ok((Some(mv), slips));
            }
        }
        Ok((None, Found::Wins))
    }
}
