//! The Player: an agent that plays as the reference player R_c.

use super::{Agent, Judgement};
use crate::error::Result;
use crate::model::Model;
use crate::oracle::{Options, Oracle};
use errare_choice::Competence;
use errare_work::Progress;

/// The agent R_c, which makes each move with a probability in proportion to its preference S_c for where the move
/// leads, times the move's weight.
#[derive(Clone, Debug)]
pub struct Player {
    model: Model,
    competence: Competence,
}

impl Player {
    /// Makes the player of this competence.
    pub fn new(model: Model, competence: Competence) -> Player {
        Player { model, competence }
    }
}

impl Agent for Player {
    fn judge(&mut self, _: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        Ok(Judgement::by_chance(self.model.probabilities(options, self.competence)?))
    }
}
