//! A player like people of some Elo, by the competence that they show.

use super::{Agent, Judgement};
use crate::assess::Task;
use crate::competence_scale::CompetenceScale;
use crate::error::{EndgameError, Result};
use crate::habits::Habits;
use crate::model::Model;
use crate::oracle::{Options, Oracle};
use errare_choice::{Competence, Kappa};
use errare_tables::Material;
use errare_work::Progress;

/// An agent that plays as R_c, where c is the competence of typical players of an Elo in the endgame on the board, as
/// attackers in won positions and as defenders in others. In another metric than that of the scale, and in endgames of
/// which no games are known, this is an approximation.
#[derive(Clone, Debug)]
pub struct EloPlayer {
    scale: &'static CompetenceScale,
    model: Model,
    elo: u16,
}

impl EloPlayer {
    /// Makes a player like people of this Elo.
    ///
    /// # Errors
    /// If the scale that comes with the program cannot be read, which is a bug.
    pub fn new(elo: u16) -> Result<EloPlayer> {
        let scale = CompetenceScale::shipped().ok_or(EndgameError::Internal("the competence scale is damaged"))?;
        let kappa = Kappa::new(scale.kappa).map_err(|_| EndgameError::Internal("the competence scale has no kappa"))?;
        Ok(EloPlayer { scale, model: Model::power_law(kappa, Habits::default()), elo })
    }

    /// The competence with which the agent plays in a position.
    ///
    /// # Errors
    /// If the scale has no competence for the task, which is a bug.
    pub fn competence(&self, options: &Options) -> Result<Competence> {
        let (material, _) = Material::of_board(shakmaty::Position::board(&options.position));
        let found = self.scale.competence(material, Task::of(options.state), f64::from(self.elo));
        let found = found.ok_or(EndgameError::Internal("the competence scale lacks a task"))?;
        Ok(Competence::new(found.value)?)
    }
}

impl Agent for EloPlayer {
    fn judge(&mut self, _: &Oracle, options: &Options, _: &dyn Progress) -> Result<Judgement> {
        Ok(Judgement::by_chance(self.model.probabilities(options, self.competence(options)?)?))
    }
}
