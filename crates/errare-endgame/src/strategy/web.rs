//! The positions that strategies reach, each looked up once and known by a number.

use super::{Goals, Outlook, Situation, Strategy};
use crate::error::EndgameError;
use errare_tables::{Metric, Outcome, Source};
use shakmaty::{Chess, Move, Position};
use std::collections::HashMap;
use std::rc::Rc;

/// A position that has been reached.
struct Knot<'a> {
    position: Chess,
    /// The latest ply of the phase at which the position can be won under the rule at all.
    limit: Latest,
    /// Whether the player to move has been mated.
    is_mate: bool,
    choice: Choice<'a>,
}

/// The knowledge about the moves of a position.
enum Choice<'a> {
    /// Nothing is known yet, or nothing that is needed again.
    Unasked,
    /// All depths are known, for a winner whose choice depends on the clock and who may come back at another ply.
    Depths(Rc<Outlook<'a>>),
    /// The moves of the defender are known, which do not depend on the clock.
    Defence(Rc<[WebMove]>),
}

/// The latest ply of the phase at which a position may be reached for the win to be kept; none if there is none.
pub(super) type Latest = Option<u32>;

/// A move to a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct WebMove {
    pub mv: Move,
    pub to: u32,
    /// Whether the move is a capture or a pawn move, so that a new phase begins.
    pub zeroing: bool,
}

/// The memory that depths in several metrics take, in units of a position without depths.
const DEPTHS_SIZE: usize = 8;

/// A web of positions under a rule, with the moves of a defender in them.
pub(super) struct Web<'a> {
    source: &'a dyn Source,
    rule: u16,
    defence: Strategy,
    numbers: HashMap<Chess, u32>,
    knots: Vec<Knot<'a>>,
    /// Number of positions whose depths are kept.
    kept: usize,
}

impl<'a> Web<'a> {
    pub fn new(source: &'a dyn Source, rule: u16, defence: Strategy) -> Web<'a> {
        Web { source, rule, defence, numbers: HashMap::new(), knots: Vec::new(), kept: 0 }
    }

    /// The approximate memory taken, in units of a position without depths.
    pub fn size(&self) -> usize {
        self.knots.len() + DEPTHS_SIZE * self.kept
    }

    pub fn clear(&mut self) {
        self.numbers.clear();
        self.knots.clear();
        self.kept = 0;
    }

    /// Number of plies that a phase may last.
    pub fn plies(&self) -> u32 {
        2 * u32::from(self.rule)
    }

    /// The number by which a position is known; a new position gets a new number.
    pub fn number(&mut self, position: &Chess) -> Result<u32, EndgameError> {
        if let Some(&number) = self.numbers.get(position) {
            return Ok(number);
        }
        let value = self.source.value(position, Metric::DtzRule(self.rule))?;
        let limit = match value.outcome {
            Outcome::Win | Outcome::Loss => self.plies().checked_sub(u32::from(value.plies.0)),
            _ => None,
        };
        let number = self.knots.len() as u32;
        let is_mate = value.outcome == Outcome::Loss && value.plies.0 == 0;
        self.knots.push(Knot { position: position.clone(), limit, is_mate, choice: Choice::Unasked });
        self.numbers.insert(position.clone(), number);
        Ok(number)
    }

    /// The latest ply of the phase at which a position can be won under the rule at all.
    pub fn limit(&self, number: u32) -> Latest {
        self.knots[number as usize].limit
    }

    /// Whether the player to move has been mated.
    pub fn is_mate(&self, number: u32) -> bool {
        self.knots[number as usize].is_mate
    }

    /// The moves allowed to the side to move: the winner by his strategy, with `made` plies of the phase made and goals
    /// that are brought up to date; the defender by his own strategy.
    pub fn allowed(
        &mut self,
        number: u32,
        attack: &Strategy,
        made: u32,
        goals: &mut Goals,
    ) -> Result<Rc<[WebMove]>, EndgameError> {
        let knot = &self.knots[number as usize];
        let outlook = match &knot.choice {
            Choice::Unasked => Rc::new(Outlook::new(self.source, &knot.position)?),
            Choice::Depths(outlook) => Rc::clone(outlook),
            Choice::Defence(steps) => return Ok(Rc::clone(steps)),
        };
        let situation = Situation::at(Rc::clone(&outlook), made, Some(self.rule));
        if outlook.value().is_win() {
            let places = attack.select(&situation, goals)?;
            if attack.minds_the_clock() && matches!(knot.choice, Choice::Unasked) {
                self.knots[number as usize].choice = Choice::Depths(Rc::clone(&outlook));
                self.kept += 1;
            }
            return self.steps(&outlook, &places);
        }
        let mut places = Vec::new();
        if !outlook.moves().is_empty() {
            places = self.defence.select(&situation, &mut Goals::default())?;
        }
        let steps = self.steps(&outlook, &places)?;
        self.knots[number as usize].choice = Choice::Defence(Rc::clone(&steps));
        Ok(steps)
    }

    fn steps(&mut self, outlook: &Outlook<'_>, places: &[usize]) -> Result<Rc<[WebMove]>, EndgameError> {
        let step = |&place: &usize| {
            let mv = outlook.moves()[place];
            let mut after = outlook.position().clone();
            after.play_unchecked(mv);
            Ok(WebMove { mv, to: self.number(&after)?, zeroing: mv.is_zeroing() })
        };
        let steps: Result<Vec<WebMove>, EndgameError> = places.iter().map(step).collect();
        Ok(steps?.into())
    }
}
