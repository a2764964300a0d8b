//! A choice reduced to the weight that leads to each state.

use crate::candidate::checked_weight;
use crate::rule::{Overview, RuleError, StateRule, Weighing};
use crate::state::States;

/// The total weight of the choices that lead to each state, w_j in Haworth (2003).
///
/// The probabilities of *states* depend on nothing else, and there are far fewer states to go to than choices. A tally
/// is meant to be filled, used and cleared many times, and touches only the memory that it needs.
#[derive(Clone, Debug)]
pub struct Tally {
    states: States,
    weights: Vec<f64>,
    /// The states with a positive weight, in the order of their arrival.
    open: Vec<usize>,
    /// The best state that any choice leads to, even one of weight 0.
    best: Option<usize>,
    /// A buffer for the weights after a rule.
    made: Vec<f64>,
}

impl Tally {
    /// Makes an empty tally.
    pub fn new(states: States) -> Tally {
        Tally { states, weights: vec![0.0; states.count()], open: Vec::new(), best: None, made: Vec::new() }
    }

    /// The states that weights are summed by.
    pub fn states(&self) -> States {
        self.states
    }

    /// Empties the tally.
    pub fn clear(&mut self) {
        for &number in &self.open {
            self.weights[number] = 0.0;
        }
        self.open.clear();
        self.best = None;
    }

    /// Adds a choice that leads to the state with this number. With weight 0 it only counts as the best state that
    /// rules see.
    ///
    /// # Panics
    /// If no state has this number. Weights must be finite and not negative.
    pub fn add(&mut self, number: usize, weight: f64) {
        debug_assert!(checked_weight(weight).is_ok(), "{weight}");
        let total = &mut self.weights[number];
        if *total == 0.0 && weight > 0.0 {
            self.open.push(number);
        }
        *total += weight;
        self.best = Some(self.best.map_or(number, |best| best.min(number)));
    }

    /// The numbers of the states with a positive weight, in no particular order.
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// The total weight of the choices that lead to the state with this number.
    pub fn weight(&self, number: usize) -> f64 {
        self.weights[number]
    }

    /// The numbers of the best and the worst state with a positive weight; none if there are none.
    pub fn extremes(&self) -> Option<(usize, usize)> {
        let best = self.open.iter().min()?;
        let worst = self.open.iter().max()?;
        Some((*best, *worst))
    }

    /// Applies rules in their order, as [`weigh`](crate::weigh) does, but an error leaves the rules before it applied.
    ///
    /// # Errors
    /// If there is nothing to choose from, or if a rule would give an invalid weight.
    pub fn weigh(&mut self, rules: &[&dyn StateRule]) -> Result<Weighing, RuleError> {
        let states = self.states;
        let state = |number: usize| states.state(number).ok_or(RuleError::Internal(number));
        let best = self.best.filter(|_| !self.open.is_empty()).ok_or(RuleError::Nothing)?;
        let overview = Overview { best: state(best)? };
        let mut weighing = Weighing::default();
        for (place, rule) in rules.iter().enumerate() {
            self.made.clear();
            for &number in &self.open {
                let weight = checked_weight(self.weights[number] * rule.factor(&overview, state(number)?))
                    .map_err(|error| RuleError::Weight { rule: rule.name().to_owned(), weight: error.0 })?;
                self.made.push(weight);
            }
            if self.made.iter().all(|&weight| weight == 0.0) {
                weighing.stepped_aside.push(place);
                continue;
            }
            for (&number, &weight) in self.open.iter().zip(&self.made) {
                self.weights[number] = weight;
            }
            let weights = &self.weights;
            self.open.retain(|&number| weights[number] > 0.0);
        }
        Ok(weighing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{AvoidLoss, KeepValue};
    use crate::state::Depth;

    #[test]
    fn rules_and_clearing() -> Result<(), RuleError> {
        let mut tally = Tally::new(States::new(Depth(3), Depth(3)));
        assert_eq!(tally.weigh(&[]), Err(RuleError::Nothing));
        for (number, weight) in [(2, 1.0), (3, 1.0), (2, 2.0), (4, 1.0), (5, 0.0)] {
            tally.add(number, weight);
        }
        assert_eq!(tally.open(), [2, 3, 4]);
        assert!(tally.weigh(&[&KeepValue])?.stepped_aside.is_empty());
        assert_eq!((tally.open(), tally.weight(2), tally.weight(4)), (&[2, 3][..], 3.0, 0.0));
        assert_eq!(tally.extremes(), Some((2, 3)));
        tally.clear();
        assert_eq!((tally.extremes(), tally.weight(2)), (None, 0.0));
        tally.add(6, 1.0);
        assert_eq!(tally.weigh(&[&KeepValue, &AvoidLoss])?.stepped_aside, [1]);
        Ok(())
    }
}
