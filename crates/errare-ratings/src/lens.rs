//! How a player is thought to look at a turn.

use crate::error::RatingsError;
use crate::turns::{Turn, Turns};
use errare_choice::{Formula, Odds, Skill};

/// A formula, and how much the evaluations at each depth count.
///
/// With several depths g is the weighted sum of their g, as section 3 of the paper has it: weaker players see more of
/// the shallow ones. Weights are given, not fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    formula: Formula,
    /// Of sum 1; empty if only the main depth counts.
    weights: Vec<f64>,
}

impl Lens {
    /// With the main depth alone.
    pub fn new(formula: Formula) -> Lens {
        Lens { formula, weights: Vec::new() }
    }

    /// With a weight for each depth of the turns.
    pub fn weighted(formula: Formula, weights: &[f64], turns: &Turns) -> Result<Lens, RatingsError> {
        if weights.len() == turns.depths().len() {
            Lens::with_weights(formula, weights)
        } else {
            Err(RatingsError::Weights { weights: weights.len(), depths: turns.depths().len() })
        }
    }

    /// With these weights, in the order of depths; the main depth alone if there are none.
    pub fn with_weights(formula: Formula, weights: &[f64]) -> Result<Lens, RatingsError> {
        let sum: f64 = weights.iter().sum();
        let is_sensible = weights.iter().all(|&weight| weight >= 0.0) && sum > 0.0 && sum.is_finite();
        if !weights.is_empty() && !is_sensible {
            return Err(RatingsError::Weights { weights: weights.len(), depths: weights.len() });
        }
        Ok(Lens { formula, weights: weights.iter().map(|weight| weight / sum).collect() })
    }

    /// The same with another formula.
    pub fn with_formula(&self, formula: Formula) -> Lens {
        Lens { formula, weights: self.weights.clone() }
    }

    /// The formula.
    pub fn formula(&self) -> Formula {
        self.formula
    }

    /// The weights of the depths; empty for the main depth alone.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The probabilities of the moves of a turn.
    pub fn look(&self, odds: &mut Odds, skill: Skill, turn: Turn<'_>) -> Result<(), RatingsError> {
        self.look_at(odds, skill, |layer| turn.losses_at(layer))
    }

    /// The same, given what the moves lose at each depth.
    pub(crate) fn look_at<'a>(
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
