//! The parameters of the joint model.

use super::odds::JointOdds;
use super::traits::{TRAITS, Traits};
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::turns::Turn;
use errare_choice::{Odds, Skill};

/// Number of parameters: intercept and slope of ln s, of ln c and of the logit of w, and two for each trait.
pub const PARAMETERS: usize = 6 + 2 * TRAITS;

/// The greatest size of a parameter that makes sense: e^20 pawns. Where nobody blunders, nothing else keeps the
/// parameters of the tail finite.
pub(crate) const MOST_PARAMETER: f64 = 20.0;

/// The Elo at which intercepts hold, and the number of points that a slope is for.
const CENTRE: f64 = 2300.0;
const UNIT: f64 = 400.0;

/// Skill as a smooth function of Elo, with a heavy tail for blunders.
///
/// With x = (Elo - 2300)/400: ln s = a_0 + a_1 x + traits, ln c = b_0 + b_1 x, logit w = g_0 + g_1 x + traits.
#[derive(Clone, Debug, PartialEq)]
pub struct JointModel {
    /// The formula of the moves that are not from the tail.
    pub core: ChoiceModel,
    /// The parameters of ln s: at 2300, by 400 points of Elo, by each trait.
    pub log_s: [f64; 2 + TRAITS],
    /// The parameters of ln c: at 2300, by 400 points of Elo.
    pub log_c: [f64; 2],
    /// The parameters of the logit of the tail's weight w: at 2300, by 400 points of Elo, by each trait.
    pub logit_tail: [f64; 2 + TRAITS],
}

/// The skill with which a turn is played: s and c, and the weight of the tail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TailedSkill {
    /// The sensitivity s and the competence c.
    pub skill: Skill,
    /// The probability w with which a move comes from the heavy tail.
    pub tail: f64,
}

/// The range of Elos that the model may be asked about; its lines lead to nothing beyond them.
const ELOS: std::ops::RangeInclusive<f64> = 0.0..=5000.0;

impl JointModel {
    /// Makes a model from its parameters, in the order of the fields.
    pub(crate) fn from_parameters(core: ChoiceModel, parameters: [f64; PARAMETERS]) -> JointModel {
        const S: usize = 2 + TRAITS;
        let mut model = JointModel { core, log_s: [0.0; S], log_c: [0.0; 2], logit_tail: [0.0; S] };
        model.log_s.copy_from_slice(&parameters[..S]);
        model.log_c.copy_from_slice(&parameters[S..S + 2]);
        model.logit_tail.copy_from_slice(&parameters[S + 2..]);
        model
    }

    /// The parameters in the order of the fields.
    pub(crate) fn parameters(&self) -> [f64; PARAMETERS] {
        let mut all = [0.0; PARAMETERS];
        let values = self.log_s.iter().chain(&self.log_c).chain(&self.logit_tail);
        all.iter_mut().zip(values).for_each(|(place, value)| *place = *value);
        all
    }

    /// The x of an Elo: the number of units of 400 points by which it is above 2300.
    pub(crate) fn units(elo: f64) -> f64 {
        (elo - CENTRE) / UNIT
    }

    /// Number of points of Elo in a unit of x.
    pub(crate) const UNIT: f64 = UNIT;

    /// The skill with which players of an Elo play a turn of these traits.
    ///
    /// # Errors
    /// [`Refusal::OutsideRange`] if the Elo is below 0 or above 5000.
    pub fn skill(&self, elo: f64, traits: Traits) -> Result<TailedSkill, RatingsError> {
        if !ELOS.contains(&elo) {
            return Err(Refusal::OutsideRange { elo }.into());
        }
        let x = JointModel::units(elo);
        let line = |of: &[f64]| {
            let by_traits: f64 = of[2..].iter().zip(traits.values()).map(|(slope, value)| slope * value).sum();
            of[0] + of[1] * x + by_traits
        };
        // Far beyond any player, yet with room for arithmetic.
        let log_s = line(&self.log_s).clamp(-12.0, 6.0);
        let log_c = line(&self.log_c).clamp(-3.0, 3.0);
        let skill = Skill::new(log_s.exp(), log_c.exp())?;
        Ok(TailedSkill { skill, tail: 1.0 / (1.0 + (-line(&self.logit_tail)).exp()) })
    }

    /// The traits of a turn.
    ///
    /// # Errors
    /// [`RatingsError::Choice`] if its losses give no probabilities.
    pub fn traits(&self, turn: Turn<'_>) -> Result<Traits, RatingsError> {
        Traits::new(&mut Odds::default(), &self.core, |layer| turn.losses_at(layer), turn.ply())
    }

    /// Computes the probabilities with which players of an Elo choose the moves of a turn.
    ///
    /// # Errors
    /// [`Refusal::OutsideRange`] if the Elo is below 0 or above 5000; [`RatingsError::Choice`] if the losses give no
    /// probabilities.
    pub fn weigh(&self, odds: &mut JointOdds, elo: f64, turn: Turn<'_>, traits: Traits) -> Result<(), RatingsError> {
        odds.weigh(&self.core, self.skill(elo, traits)?, |layer| turn.losses_at(layer))
    }

    /// Computes the probabilities with which players of an Elo choose moves, by the losses of the moves and the number
    /// of plies made before.
    ///
    /// # Errors
    /// As [`weigh`](JointModel::weigh).
    pub fn weigh_losses(&self, odds: &mut JointOdds, elo: f64, losses: &[f32], ply: u16) -> Result<(), RatingsError> {
        let traits = Traits::new(odds.scratch(), &self.core, |_| losses, ply)?;
        odds.weigh(&self.core, self.skill(elo, traits)?, |_| losses)
    }

    /// The derivative of the logarithm of a probability by x, from its derivatives by ln s, ln c and the logit of w.
    pub(crate) fn by_x(&self, [by_s, by_c, by_tail]: [f64; 3]) -> f64 {
        self.log_s[1] * by_s + self.log_c[1] * by_c + self.logit_tail[1] * by_tail
    }
}

/// The derivatives by all parameters, from those by ln s, ln c and the logit of w.
pub(crate) fn by_parameters([by_s, by_c, by_tail]: [f64; 3], x: f64, traits: Traits) -> [f64; PARAMETERS] {
    let mut all = [0.0; PARAMETERS];
    let mut design = [1.0, x, 0.0, 0.0, 0.0, 0.0];
    design[2..].copy_from_slice(&traits.values());
    let products = design.map(|value| by_s * value).into_iter().chain([by_c, by_c * x]);
    let products = products.chain(design.map(|value| by_tail * value));
    all.iter_mut().zip(products).for_each(|(place, value)| *place = value);
    all
}
