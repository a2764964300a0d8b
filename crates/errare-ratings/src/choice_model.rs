//! The model of choice: how a player of some skill chooses a move.

use crate::error::RatingsError;
use crate::turns::{Turn, Turns};
use errare_choice::{Formula, Odds, Skill};

/// The model of how players choose: a formula, and the weights of the depths at which moves were evaluated.
///
/// With several depths g is the weighted sum of their g, as in section 3 of Regan and Haworth (2011): weaker players
/// see more of the shallow ones. Weights are given, not fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceModel {
    formula: Formula,
    /// The weights of the depths, of sum 1; empty if only the main depth counts.
    weights: Vec<f64>,
}

impl ChoiceModel {
    /// Makes a model in which only the main depth counts.
    pub fn new(formula: Formula) -> ChoiceModel {
        ChoiceModel { formula, weights: Vec::new() }
    }

    /// Makes a model with a weight for each depth of the turns; if there are none, only the main depth counts.
    ///
    /// # Errors
    /// [`RatingsError::Weights`] if there is not one weight for each depth, or the weights are not sensible.
    pub fn for_turns(formula: Formula, weights: &[f64], turns: &Turns) -> Result<ChoiceModel, RatingsError> {
        if weights.is_empty() || weights.len() == turns.depths().len() {
            ChoiceModel::with_weights(formula, weights)
        } else {
            Err(RatingsError::Weights { weights: weights.len(), depths: turns.depths().len() })
        }
    }

    /// Makes a model with these weights, in the order of depths; if there are none, only the main depth counts.
    ///
    /// # Errors
    /// [`RatingsError::Weights`] if a weight is negative or not finite, or if all are 0.
    pub fn with_weights(formula: Formula, weights: &[f64]) -> Result<ChoiceModel, RatingsError> {
        let sum: f64 = weights.iter().sum();
        let is_sensible = weights.iter().all(|&weight| weight >= 0.0) && sum > 0.0 && sum.is_finite();
        if !weights.is_empty() && !is_sensible {
            return Err(RatingsError::Weights { weights: weights.len(), depths: weights.len() });
        }
        Ok(ChoiceModel { formula, weights: weights.iter().map(|weight| weight / sum).collect() })
    }

    /// Returns a model with the same weights and another formula.
    #[must_use]
    pub fn with_formula(&self, formula: Formula) -> ChoiceModel {
        ChoiceModel { formula, weights: self.weights.clone() }
    }

    /// The formula that turns losses into probabilities.
    pub fn formula(&self) -> Formula {
        self.formula
    }

    /// The weights of the depths; empty if only the main depth counts.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Computes the probabilities of the moves of a turn.
    ///
    /// # Errors
    /// [`RatingsError::Choice`] if the losses give no probabilities.
    pub fn weigh(&self, odds: &mut Odds, skill: Skill, turn: Turn<'_>) -> Result<(), RatingsError> {
        self.weigh_losses(odds, skill, |layer| turn.losses_at(layer))
    }

    /// Computes the probabilities of moves from what they lose at each depth.
    pub(crate) fn weigh_losses<'a>(
        &self,
        odds: &mut Odds,
        skill: Skill,
        losses: impl Fn(usize) -> &'a [f32],
    ) -> Result<(), RatingsError> {
        if self.weights.is_empty() {
            return Ok(odds.weigh(self.formula, skill, losses(0))?);
        }
        let judges = self.weights.iter().enumerate().map(|(layer, &weight)| (weight, losses(layer)));
        Ok(odds.weigh_by_judges(self.formula, skill, &judges.collect::<Vec<_>>())?)
    }
}
