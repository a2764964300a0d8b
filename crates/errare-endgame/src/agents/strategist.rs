//! The strategist: an agent that follows a strategy of Haworth (2000).

use super::{Agent, Judgement};
use crate::error::Result;
use crate::oracle::{Options, Oracle};
use crate::strategy::{Goals, Situation, Strategy};
use errare_work::Progress;

/// An agent that plays the moves that a strategy allows, by chance among them, with the halfmove clock counting towards
/// a rule.
#[derive(Clone, Debug)]
pub struct Strategist {
    strategy: Strategy,
    rule: Option<u16>,
    goals: Goals,
}

impl Strategist {
    /// Makes a player that follows a strategy under a rule of this many moves, or none.
    pub fn new(strategy: Strategy, rule: Option<u16>) -> Strategist {
        Strategist { strategy, rule, goals: Goals::default() }
    }

    /// The goals that the strategist has adopted.
    pub fn goals(&self) -> &Goals {
        &self.goals
    }
}

impl Agent for Strategist {
    fn judge(&mut self, oracle: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        let situation = Situation::new(&**oracle.source(), &options.position, self.rule)?;
        let places = self.strategy.select(&situation, &mut self.goals)?;
        Ok(Judgement::evenly(options.candidates.len(), &places))
    }

    /// Judging is remembered, because goals are set where a phase begins.
    fn remembers_judging(&self) -> bool {
        true
    }
}
