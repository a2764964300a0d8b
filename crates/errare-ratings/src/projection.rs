//! Move-match and average difference, actual and expected.

use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::{Odds, Skill};
use errare_work::Progress;

/// The two statistics of Regan and Haworth (2011), actual and expected.
///
/// Move-match (mm) is the share of turns on which the engine's first choice was played; average
/// difference (ad) is the mean loss in pawns, corrected for the size of the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Number of turns.
    pub turns: usize,
    /// The actual mm.
    pub mm: f64,
    /// The mm that the model expects.
    pub expected_mm: f64,
    /// The standard deviation of mm by the model: the root of the sum of p_0 (1 - p_0), over the number of turns.
    pub sd_mm: f64,
    /// The actual ad.
    pub ad: f64,
    /// The ad that the model expects on the same turns.
    pub expected_ad: f64,
    /// The standard deviation of ad by the model.
    pub sd_ad: f64,
}

/// Sums over turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    turns: usize,
    mm: [f64; 3],
    ad: [f64; 3],
}

impl Sums {
    /// Adds a turn, whose moves have these probabilities.
    pub(crate) fn add(&mut self, probabilities: &[f64], turn: Turn<'_>) {
        let first = probabilities[0];
        let matched = if turn.played() == 0 { 1.0 } else { 0.0 };
        let (mean, square) = loss_moments(probabilities, turn.losses());
        self.turns += 1;
        for (sum, value) in self.mm.iter_mut().zip([matched, first, first * (1.0 - first)]) {
            *sum += value;
        }
        for (sum, value) in self.ad.iter_mut().zip([turn.loss(), mean, (square - mean * mean).max(0.0)]) {
            *sum += value;
        }
    }

    fn merge(&mut self, other: Sums) {
        self.turns += other.turns;
        self.mm.iter_mut().zip(other.mm).for_each(|(sum, value)| *sum += value);
        self.ad.iter_mut().zip(other.ad).for_each(|(sum, value)| *sum += value);
    }

    pub(crate) fn projection(&self) -> Projection {
        let turns = self.turns.max(1) as f64;
        Projection {
            turns: self.turns,
            mm: self.mm[0] / turns,
            expected_mm: self.mm[1] / turns,
            sd_mm: self.mm[2].sqrt() / turns,
            ad: self.ad[0] / turns,
            expected_ad: self.ad[1] / turns,
            sd_ad: self.ad[2].sqrt() / turns,
        }
    }
}

/// Computes the expected loss of a turn, and the expectation of its square.
pub(crate) fn loss_moments(probabilities: &[f64], losses: &[f32]) -> (f64, f64) {
    let mut moments = (0.0, 0.0);
    for (&probability, &loss) in probabilities.iter().zip(losses) {
        let loss = f64::from(loss);
        moments.0 += probability * loss;
        moments.1 += probability * loss * loss;
    }
    moments
}

impl Projection {
    /// Computes the statistics of a sample, for a player of this skill.
    ///
    /// # Errors
    /// [`RatingsError::Cancelled`]; [`RatingsError::Choice`] if losses give no probabilities.
    pub fn new(
        sample: &Sample,
        model: &ChoiceModel,
        skill: Skill,
        progress: &dyn Progress,
    ) -> Result<Projection, RatingsError> {
        let each_game = |state: &mut (Sums, Odds), game: usize| {
            for turn in sample.game(game) {
                progress.proceed()?;
                model.weigh(&mut state.1, skill, turn)?;
                state.0.add(state.1.probabilities(), turn);
            }
            Ok(())
        };
        let (sums, _) = sample.gather(Default::default, each_game, |one, other| one.0.merge(other.0))?;
        Ok(sums.projection())
    }
}
