//! The Player: an agent that plays as the reference player R_c.

use super::{Agent, Judgement};
use crate::error::Result;
use crate::model::Model;
use crate::oracle::{Options, Oracle};
use errare_choice::Competence;
use errare_work::Progress;

/// R_c: moves with probability in proportion to its preference S_c for where they lead, times their weight.
#[derive(Clone, Debug)]
pub struct Player {
    model: Model,
    competence: Competence,
}

impl Player {
    /// The player of this competence.
    pub fn new(model: Model, competence: Competence) -> Player {
        Player { model, competence }
    }
}

impl Agent for Player {
    fn judge(&mut self, _: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        Ok(Judgement::by_chance(self.model.probabilities(options, self.competence)?))
    }
}
