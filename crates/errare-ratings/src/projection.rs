//! Move-match and average difference: what was, and what was to be expected.

use crate::error::RatingsError;
use crate::lens::Lens;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::{Odds, Skill};

/// The paper's two statistics, actual and predicted.
///
/// mm is the share of turns on which the engine's first choice was played, ad the mean loss in pawns, corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Turns.
    pub turns: usize,
    /// Actual mm.
    pub mm: f64,
    /// Predicted mm.
    pub expected_mm: f64,
    /// The standard deviation of mm by the model: the root of the sum of p_0 (1 - p_0), over the number of turns.
    pub sd_mm: f64,
    /// Actual ad.
    pub ad: f64,
    /// Predicted ad.
    pub expected_ad: f64,
    /// The standard deviation of ad by the model.
    pub sd_ad: f64,
}

/// Sums over turns.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    turns: usize,
    mm: [f64; 3],
    ad: [f64; 3],
}

impl Sums {
    fn add(&mut self, odds: &Odds, turn: Turn<'_>) {
        let first = odds.probabilities()[0];
        let matched = if turn.played() == 0 { 1.0 } else { 0.0 };
        let (mean, square) = loss_moments(odds, turn.losses());
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

    fn projection(&self) -> Projection {
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

/// The expected loss of a turn, and that of its square.
pub(crate) fn loss_moments(odds: &Odds, losses: &[f32]) -> (f64, f64) {
    let mut moments = (0.0, 0.0);
    for (&probability, &loss) in odds.probabilities().iter().zip(losses) {
        let loss = f64::from(loss);
        moments.0 += probability * loss;
        moments.1 += probability * loss * loss;
    }
    moments
}

impl Projection {
    /// Of a sample, for a player of this skill.
    pub fn new(sample: &Sample<'_>, lens: &Lens, skill: Skill) -> Result<Projection, RatingsError> {
        let each_game = |state: &mut (Sums, Odds), game: usize| {
            for turn in sample.game(game) {
                lens.look(&mut state.1, skill, turn)?;
                state.0.add(&state.1, turn);
            }
            Ok(())
        };
        let (sums, _) = sample.gather(Default::default, each_game, |one, other| one.0.merge(other.0))?;
        Ok(sums.projection())
    }

    /// Of single turns, each with the skill of who played it.
    pub fn of_turns<'a>(
        turns: impl IntoIterator<Item = (Turn<'a>, Skill)>,
        lens: &Lens,
    ) -> Result<Projection, RatingsError> {
        let (mut sums, mut odds) = (Sums::default(), Odds::default());
        for (turn, skill) in turns {
            lens.look(&mut odds, skill, turn)?;
            sums.add(&odds, turn);
        }
        Ok(sums.projection())
    }
}
