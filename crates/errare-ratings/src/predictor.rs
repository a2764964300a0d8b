//! Predictions of choices: the probabilities with which players of some Elo are expected to choose.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::joint::JointOdds;
use crate::turns::Turn;
use errare_choice::{Odds, Skill};
use errare_work::Progress;
use std::collections::HashMap;

/// Predicts the probabilities of moves turn after turn, by the joint model of a calibration or else by its skill curve.
pub(crate) struct Predictor<'a> {
    calibration: &'a Calibration,
    odds: Odds,
    joint: JointOdds,
    /// The skills of Elos that came up, by the bits of the Elo: finding a skill takes a search.
    skills: HashMap<u64, Skill>,
}

impl<'a> Predictor<'a> {
    pub fn new(calibration: &'a Calibration) -> Predictor<'a> {
        Predictor { calibration, odds: Odds::default(), joint: JointOdds::default(), skills: HashMap::new() }
    }

    /// Computes the probabilities of the moves of a turn for a player of an Elo.
    pub fn probabilities(&mut self, elo: f64, turn: Turn<'_>, progress: &dyn Progress) -> Result<&[f64], RatingsError> {
        if let Some(joint) = &self.calibration.joint {
            joint.model.weigh(&mut self.joint, elo, turn, joint.model.traits(turn)?)?;
            return Ok(self.joint.probabilities());
        }
        let skill = match self.skills.get(&elo.to_bits()) {
            Some(&skill) => skill,
            None => *self.skills.entry(elo.to_bits()).or_insert(self.calibration.skill(elo, progress)?),
        };
        self.calibration.model.weigh(&mut self.odds, skill, turn)?;
        Ok(self.odds.probabilities())
    }
}
