//! Does a strategy win under the rule, whatever equally good moves come up?

use super::web::{Latest, Step, Web};
use super::{Goals, Part, Strategy};
use crate::error::EndgameError;
use errare_tables::Source;
use shakmaty::{Chess, Move, Position};
use std::collections::HashMap;
use std::rc::Rc;

/// What became of following a strategy from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Success {
    /// Every line keeps the win.
    Wins,
    /// A line that lets the win slip: after its last move, which the strategy allows, the rule saves the defender.
    Slips(Vec<Move>),
    /// There was nothing to win: not under the rule, with the clock as it is.
    NotWon,
    /// There is more to go through than memory is given for.
    TooMany,
}

/// The most positions, and the most of them with their clocks and goals, that are kept from one following to the next:
/// a few hundred megabytes. One following may come to twice as many.
const POSITIONS: usize = 1_000_000;
const NODES: usize = 5_000_000;

/// Follows strategies for the side that wins, against a defender who plays to another.
///
/// Everything is tried: each move that the strategy allows, and each that the defender's does. A strategy (k-)succeeds if
/// no move that it allows, in any position it can come to, leaves one that cannot be won under the rule any more. What
/// has been found out is kept, so that a follower asked about many positions of an endgame gets faster.
///
/// Some strategies do not look at the clock. Of a position it is then enough to know the latest ply of the phase at which
/// following them still wins.
pub struct Follower<'a> {
    web: Web<'a>,
    pursuits: Vec<Pursuit>,
}

/// A strategy, and what is known of following it.
struct Pursuit {
    attack: Strategy,
    minds_the_clock: bool,
    goals: Vec<Goals>,
    numbers: HashMap<Goals, u32>,
    known: HashMap<Node, Latest>,
}

/// A position, either side being to move, with the ply of the phase and the goals where the strategy minds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    position: u32,
    made: u16,
    goals: u32,
}

/// There is more to go through than is kept: what is known is then half known, and to be forgotten.
struct TooMany;

/// A node in work: what is allowed there, and how far that has been gone through.
struct Frame {
    node: Node,
    allowed: Rc<[Step]>,
    /// The goals after the choice.
    goals: u32,
    next: usize,
    latest: Latest,
}

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

impl Pursuit {
    fn new(attack: Strategy) -> Pursuit {
        let minds_the_clock = attack.minds_the_clock();
        let (goals, numbers) = (vec![Goals::default()], HashMap::from([(Goals::default(), 0)]));
        Pursuit { attack, minds_the_clock, goals, numbers, known: HashMap::new() }
    }

    /// What matters of coming to a position.
    fn node(&self, position: u32, made: u32, goals: u32) -> Node {
        if !self.minds_the_clock {
            return Node { position, made: 0, goals: 0 };
        }
        // Goals are those of a phase, which is new until the winner has had a move in it.
        let goals = if made < 2 { 0 } else { goals };
        Node { position, made: u16::try_from(made).unwrap_or(u16::MAX), goals }
    }

    fn open(&mut self, web: &mut Web<'_>, node: Node) -> Result<Frame, EndgameError> {
        // Who comes back to a position within a phase can do so for ever: the clock runs out.
        self.known.insert(node, None);
        let mut goals = self.goals[node.goals as usize].clone();
        let allowed = web.allowed(node.position, &self.attack, u32::from(node.made), &mut goals)?;
        let goals = *self.numbers.entry(goals).or_insert_with_key(|goals| {
            self.goals.push(goals.clone());
            self.goals.len() as u32 - 1
        });
        Ok(Frame { node, allowed, goals, next: 0, latest: web.limit(node.position) })
    }

    /// Where a step leads to, as far as that needs following, or else the latest ply before it.
    fn after(&self, web: &Web<'_>, step: Step, made: u32, goals: u32) -> Result<Node, Latest> {
        if web.is_mate(step.to) {
            return Err(Some(web.plies()));
        }
        let made = if step.zeroing { 0 } else { made + 1 };
        match web.limit(step.to) {
            // A position that the rule saves needs no following.
            None => Err(None),
            Some(limit) if self.minds_the_clock && made > limit => Err(None),
            Some(_) => Ok(self.node(step.to, made, goals)),
        }
    }

    /// The latest ply before a step, from the latest one after it.
    fn before(web: &Web<'_>, step: Step, latest: Latest) -> Latest {
        let latest = latest.min(web.limit(step.to))?;
        // A phase that begins here begins at 0.
        if step.zeroing { Some(web.plies() - 1) } else { latest.checked_sub(1) }
    }

    /// The latest ply at which following from here keeps the win. Where the strategy minds the clock only whether that is
    /// the ply of the node matters: then it is some later ply, or none.
    fn latest(&mut self, web: &mut Web<'_>, node: Node) -> Result<Result<Latest, TooMany>, EndgameError> {
        if let Some(&known) = self.known.get(&node) {
            return Ok(Ok(known));
        }
        // Paths can be long where a strategy does not mind the clock: longer than the stack of a thread.
        let mut path = vec![self.open(web, node)?];
        while let Some(frame) = path.last_mut() {
            let step = frame.allowed.get(frame.next).copied().filter(|_| frame.latest.is_some());
            let Some(step) = step else {
                self.known.insert(frame.node, frame.latest);
                path.pop();
                continue;
            };
            let (made, goals) = (u32::from(frame.node.made), frame.goals);
            let before = match self.after(web, step, made, goals) {
                Err(latest) => latest,
                Ok(node) => match self.known.get(&node) {
                    Some(&latest) => Pursuit::before(web, step, latest),
                    None if web.size() > 2 * POSITIONS || self.known.len() > 2 * NODES => return Ok(Err(TooMany)),
                    None => {
                        path.push(self.open(web, node)?);
                        continue;
                    }
                },
            };
            frame.latest = frame.latest.min(before);
            frame.next += 1;
        }
        Ok(Ok(self.known.get(&node).copied().flatten()))
    }

    /// A line that slips, given that there is one.
    fn slip(
        &mut self,
        web: &mut Web<'_>,
        position: u32,
        made: u32,
    ) -> Result<Result<Vec<Move>, TooMany>, EndgameError> {
        let mut line = Vec::new();
        let (mut position, mut made, mut goals) = (position, made, Goals::default());
        while line.len() < usize::from(u16::MAX) {
            let allowed = web.allowed(position, &self.attack, made, &mut goals)?;
            let number = self.numbers.get(&goals).copied().unwrap_or(0);
            let mut slipping = None;
            for &step in &*allowed {
                let before = match self.after(web, step, made, number) {
                    Err(latest) => latest,
                    Ok(node) => match self.latest(web, node)? {
                        Ok(latest) => Pursuit::before(web, step, latest),
                        Err(TooMany) => return Ok(Err(TooMany)),
                    },
                };
                if before.is_none_or(|latest| made > latest) {
                    slipping = Some(step);
                    break;
                }
            }
            let Some(Step { mv, to, zeroing }) = slipping else { break };
            line.push(mv);
            (position, made) = (to, if zeroing { 0 } else { made + 1 });
            if web.limit(position).is_none_or(|limit| made > limit) {
                break;
            }
        }
        Ok(Ok(line))
    }

    /// Follows from a position that is won.
    fn follow(
        &mut self,
        web: &mut Web<'_>,
        position: u32,
        made: u32,
    ) -> Result<Result<Success, TooMany>, EndgameError> {
        let latest = self.latest(web, self.node(position, made, 0))?;
        if let Ok(Some(latest)) = latest
            && made <= latest
        {
            return Ok(Ok(Success::Wins));
        }
        if latest.is_err() {
            return Ok(Err(TooMany));
        }
        Ok(self.slip(web, position, made)?.map(Success::Slips))
    }
}

impl<'a> Follower<'a> {
    /// Follows attacks against a defence under a rule of so many moves.
    pub fn new(source: &'a dyn Source, rule: u16, attacks: Vec<Strategy>, defence: Strategy) -> Follower<'a> {
        let pursuits = attacks.into_iter().map(Pursuit::new).collect();
        Follower { web: Web::new(source, rule, defence), pursuits }
    }

    /// Follows each attack of the side that wins from a position, either side being to move.
    pub fn follow(&mut self, position: &Chess) -> Result<Vec<Success>, EndgameError> {
        let made = position.halfmoves();
        let mut found = Vec::new();
        for at in 0..self.pursuits.len() {
            self.forget_if_large();
            let number = self.web.number(position)?;
            if self.web.limit(number).is_none_or(|latest| made > latest) {
                found.push(Success::NotWon);
                continue;
            }
            match self.pursuits[at].follow(&mut self.web, number, made)? {
                Ok(success) => found.push(success),
                Err(TooMany) => {
                    found.push(Success::TooMany);
                    self.forget();
                }
            }
        }
        Ok(found)
    }

    /// Gives memory back once much has been found out.
    fn forget_if_large(&mut self) {
        let nodes: usize = self.pursuits.iter().map(|pursuit| pursuit.known.len()).sum();
        if self.web.size() > POSITIONS || nodes > NODES {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.web.clear();
        self.pursuits.iter_mut().for_each(|pursuit| *pursuit = Pursuit::new(pursuit.attack.clone()));
    }
}
