//! Probabilities of moves by the joint model, with derivatives.

use super::model::TailedSkill;
use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use errare_choice::Odds;

/// The scale of the tail, in which moves have shares (1 + loss/SCALE)^-POWER. Fitting both numbers gains less than
/// 0.0003 nats a turn.
const TAIL_SCALE: f64 = 0.3;

/// The probabilities of the moves of one turn. The value is meant to be reused, so that nothing is allocated anew.
#[derive(Clone, Debug, Default)]
pub struct JointOdds {
    core: Odds,
    /// The probabilities of the tail alone.
    tail: Vec<f64>,
    weight: f64,
    probabilities: Vec<f64>,
}

impl JointOdds {
    pub(crate) fn weigh<'a>(
        &mut self,
        core: &ChoiceModel,
        at: TailedSkill,
        losses: impl Fn(usize) -> &'a [f32],
    ) -> Result<(), RatingsError> {
        core.weigh_losses(&mut self.core, at.skill, &losses)?;
        self.weight = at.tail;
        self.tail.clear();
        self.tail.extend(losses(0).iter().map(|&loss| (1.0 + f64::from(loss) / TAIL_SCALE).powi(-2)));
        let sum: f64 = self.tail.iter().sum();
        self.tail.iter_mut().for_each(|share| *share /= sum);
        let mixed = self.core.probabilities().iter().zip(&self.tail);
        self.probabilities.clear();
        self.probabilities.extend(mixed.map(|(core, tail)| (1.0 - at.tail) * core + at.tail * tail));
        Ok(())
    }

    /// Lends the room for the probabilities of the core, to be used by others meanwhile.
    pub(crate) fn scratch(&mut self) -> &mut Odds {
        &mut self.core
    }

    /// The probability of each move, in the order of the losses.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The derivatives of the logarithm of a move's probability by ln s, ln c and the logit of the tail's weight.
    ///
    /// # Panics
    /// If no move has this index.
    pub fn gradient(&self, index: usize) -> [f64; 3] {
        let (core, tail, all) = (self.core.probabilities()[index], self.tail[index], self.probabilities[index]);
        let [by_s, by_c] = self.core.gradient(index);
        let share = (1.0 - self.weight) * core / all;
        // What has no probability in the core has no influence there, however steep it is.
        let of_core = |slope: f64| if share > 0.0 { share * slope } else { 0.0 };
        [of_core(by_s), of_core(by_c), self.weight * (1.0 - self.weight) * (tail - core) / all]
    }
}
