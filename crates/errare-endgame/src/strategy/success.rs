//! The success of a strategy: whether it wins under the move rule in every line that it allows.

use super::web::{Latest, Web, WebMove};
use super::{Goals, Part, Strategy};
use crate::error::EndgameError;
use errare_tables::Source;
use errare_work::{Progress, Status};
use shakmaty::{Chess, Move, Position};
use std::collections::HashMap;
use std::rc::Rc;

/// The result of following a strategy from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Success {
    /// Every line keeps the win.
    Wins,
    /// Some line lets the win slip: after its last move, which the strategy allows, the rule saves the defender.
    Slips(Vec<Move>),
    /// The position is not won under the rule, with the clock as it is.
    NotWon,
    /// The search needs more memory than it is given.
    TooMany,
}

/// Number of positions up to which they are kept for the next search: with [`MAX_NODES`] a few hundred megabytes. One
/// search may need twice as many.
const MAX_POSITIONS: usize = 1_000_000;
/// Number of positions with their clocks and goals up to which they are kept for the next search.
const MAX_NODES: usize = 5_000_000;

/// A follower of strategies of the side that wins, against a defender who follows another strategy.
///
/// All lines are searched: each move that the strategy allows, and each that the defender's allows. A strategy (k-)succeeds if
/// no move that it allows, in any position it can come to, leaves one that cannot be won under the rule any more. What
/// has been found out is kept, so that a follower asked about many positions of an endgame gets faster.
///
/// Some strategies do not look at the clock. Of a position it is then enough to know the latest ply of the phase at which
/// following them still wins.
pub struct Follower<'a> {
    web: Web<'a>,
    pursuits: Vec<Pursuit>,
}

/// A strategy, with the results known so far of following it.
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
    made: u32,
    goals: u32,
}

/// The search needs more memory than it is given. The results known so far are then incomplete, and have to be
/// forgotten.
struct TooMany;

/// A node in work: the moves allowed there, and how many of them are done.
struct Frame {
    node: Node,
    allowed: Rc<[WebMove]>,
    /// The number of the goals after the choice.
    goals: u32,
    next: usize,
    latest: Latest,
}

impl Strategy {
    /// Whether the moves that the strategy allows depend on how many moves are left.
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

    /// Makes the node of a position that is reached, with the ply and the goals only where they matter.
    fn node(&self, position: u32, made: u32, goals: u32) -> Node {
        if !self.minds_the_clock {
            return Node { position, made: 0, goals: 0 };
        }
        // Goals are those of a phase. At its second ply they are new if the winner has made the first, else none.
        let goals = if made == 0 { 0 } else { goals };
        Node { position, made, goals }
    }

    /// The number of a player's goals; new goals get a new number.
    fn number(&mut self, goals: &Goals) -> u32 {
        if let Some(&number) = self.numbers.get(goals) {
            return number;
        }
        let number = self.goals.len() as u32;
        self.goals.push(goals.clone());
        self.numbers.insert(goals.clone(), number);
        number
    }

    fn open(&mut self, web: &mut Web<'_>, node: Node) -> Result<Frame, EndgameError> {
        // Who comes back to a position within a phase can do so for ever: the clock runs out.
        self.known.insert(node, None);
        let mut goals = self.goals[node.goals as usize].clone();
        let allowed = web.allowed(node.position, &self.attack, node.made, &mut goals)?;
        let goals = self.number(&goals);
        Ok(Frame { node, allowed, goals, next: 0, latest: web.limit(node.position) })
    }

    /// Finds the node that a step leads to if it needs following, or else the latest ply before the step.
    fn after(&self, web: &Web<'_>, step: WebMove, made: u32, goals: u32) -> Result<Node, Latest> {
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

    /// Computes the latest ply before a step from the latest ply after it.
    fn before(web: &Web<'_>, step: WebMove, latest: Latest) -> Latest {
        let latest = latest.min(web.limit(step.to))?;
        // A phase that begins here begins at 0.
        if step.zeroing { Some(web.plies() - 1) } else { latest.checked_sub(1) }
    }

    /// Finds the latest ply at which following from a node keeps the win. Where the strategy minds the clock, only
    /// whether that is the ply of the node matters: the result is then some later ply, or none.
    fn latest(
        &mut self,
        web: &mut Web<'_>,
        node: Node,
        progress: &dyn Progress,
    ) -> Result<Result<Latest, TooMany>, EndgameError> {
        if let Some(&known) = self.known.get(&node) {
            return Ok(Ok(known));
        }
        // Paths can be long where a strategy does not mind the clock: longer than the stack of a thread.
        let mut path = vec![self.open(web, node)?];
        while let Some(frame) = path.last_mut() {
            progress.proceed()?;
            let step = frame.allowed.get(frame.next).copied().filter(|_| frame.latest.is_some());
            let Some(step) = step else {
                self.known.insert(frame.node, frame.latest);
                path.pop();
                continue;
            };
            let (made, goals) = (frame.node.made, frame.goals);
            let before = match self.after(web, step, made, goals) {
                Err(latest) => latest,
                Ok(node) => match self.known.get(&node) {
                    Some(&latest) => Pursuit::before(web, step, latest),
                    None if web.size() > 2 * MAX_POSITIONS || self.known.len() > 2 * MAX_NODES => {
                        return Ok(Err(TooMany));
                    }
                    None => {
                        path.push(self.open(web, node)?);
                        continue;
                    }
                },
            };
            frame.latest = frame.latest.min(before);
            frame.next += 1;
        }
        let latest = self.known.get(&node).copied();
        Ok(Ok(latest.ok_or(EndgameError::Internal("a position that was followed is not known"))?))
    }

    /// Finds a line that slips, given that there is one.
    fn slip(
        &mut self,
        web: &mut Web<'_>,
        position: u32,
        made: u32,
        progress: &dyn Progress,
    ) -> Result<Result<Vec<Move>, TooMany>, EndgameError> {
        let mut line = Vec::new();
        let (mut position, mut made, mut goals) = (position, made, Goals::default());
        while line.len() < usize::from(u16::MAX) {
            progress.proceed()?;
            // As in `node`.
            if made == 0 {
                goals = Goals::default();
            }
            let allowed = web.allowed(position, &self.attack, made, &mut goals)?;
            let number = self.number(&goals);
            let mut slipping = None;
            for &step in &*allowed {
                let before = match self.after(web, step, made, number) {
                    Err(latest) => latest,
                    Ok(node) => match self.latest(web, node, progress)? {
                        Ok(latest) => Pursuit::before(web, step, latest),
                        Err(TooMany) => return Ok(Err(TooMany)),
                    },
                };
                if before.is_none_or(|latest| made > latest) {
                    slipping = Some(step);
                    break;
                }
            }
            let Some(WebMove { mv, to, zeroing }) = slipping else {
                return Err(EndgameError::Internal("a strategy lets a win slip, but none of its moves does"));
            };
            line.push(mv);
            (position, made) = (to, if zeroing { 0 } else { made + 1 });
            if web.limit(position).is_none_or(|limit| made > limit) {
                break;
            }
        }
        Ok(Ok(line))
    }

    /// Follows the strategy from a position that is won.
    fn follow(
        &mut self,
        web: &mut Web<'_>,
        position: u32,
        made: u32,
        progress: &dyn Progress,
    ) -> Result<Result<Success, TooMany>, EndgameError> {
        let latest = self.latest(web, self.node(position, made, 0), progress)?;
        if let Ok(Some(latest)) = latest
            && made <= latest
        {
            return Ok(Ok(Success::Wins));
        }
        if latest.is_err() {
            return Ok(Err(TooMany));
        }
        Ok(self.slip(web, position, made, progress)?.map(Success::Slips))
    }
}

impl<'a> Follower<'a> {
    /// Makes a follower of attacks against a defence, under a rule of so many moves.
    pub fn new(source: &'a dyn Source, rule: u16, attacks: Vec<Strategy>, defence: Strategy) -> Follower<'a> {
        let pursuits = attacks.into_iter().map(Pursuit::new).collect();
        Follower { web: Web::new(source, rule, defence), pursuits }
    }

    /// Follows each attack of the side that wins from a position, either side being to move.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn follow(&mut self, position: &Chess, progress: &dyn Progress) -> Result<Vec<Success>, EndgameError> {
        let made = position.halfmoves();
        let total = self.pursuits.len();
        let mut found = Vec::new();
        for at in 0..total {
            progress.proceed()?;
            progress.report(&Status::new("following strategies", "strategies").at(at as u64, total as u64));
            self.forget_if_large();
            let number = self.web.number(position)?;
            if self.web.limit(number).is_none_or(|latest| made > latest) {
                found.push(Success::NotWon);
                continue;
            }
            match self.pursuits[at].follow(&mut self.web, number, made, progress)? {
                Ok(success) => found.push(success),
                Err(TooMany) => {
                    found.push(Success::TooMany);
                    self.forget();
                }
            }
        }
        Ok(found)
    }

    /// Frees memory once many results are known.
    fn forget_if_large(&mut self) {
        let nodes: usize = self.pursuits.iter().map(|pursuit| pursuit.known.len()).sum();
        if self.web.size() > MAX_POSITIONS || nodes > MAX_NODES {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.web.clear();
        self.pursuits.iter_mut().for_each(|pursuit| *pursuit = Pursuit::new(pursuit.attack.clone()));
    }
}
