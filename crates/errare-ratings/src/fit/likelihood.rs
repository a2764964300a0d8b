//! Maximum-likelihood fits, by quasi-Newton steps.

use super::{Fitter, Optimum, inverted, product, skill};
use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use crate::sample::Sample;
use errare_choice::{Odds, Skill};
use errare_work::Progress;

/// The gradient for each turn below which a search ends: a hundred times less than chance moves it by.
const FLAT: f64 = 1e-8;
const MAX_STEPS: usize = 100;
const LONGEST: f64 = 0.7;

/// The average of -ln of the probability of a turn, with its gradient by ln s and ln c.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    turns: f64,
    value: f64,
    gradient: [f64; 2],
    /// The mean product of turns' gradients.
    by_turn: [[f64; 2]; 2],
    /// The mean product of games' gradients.
    by_game: [[f64; 2]; 2],
}

impl Value {
    fn merge(&mut self, other: Value) {
        self.turns += other.turns;
        self.value += other.value;
        for i in 0..2 {
            self.gradient[i] += other.gradient[i];
            for j in 0..2 {
                self.by_turn[i][j] += other.by_turn[i][j];
                self.by_game[i][j] += other.by_game[i][j];
            }
        }
    }
}

fn add_square(matrix: &mut [[f64; 2]; 2], weight: f64, vector: [f64; 2]) {
    for (i, row) in matrix.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry += weight * vector[i] * vector[j];
        }
    }
}

fn value_of(
    model: &ChoiceModel,
    sample: &Sample,
    counts: Option<&[u32]>,
    skill: Skill,
    progress: &dyn Progress,
) -> Result<Value, RatingsError> {
    let each_game = |state: &mut (Value, Odds), game: usize| {
        let weight = counts.map_or(1.0, |counts| f64::from(counts[game]));
        if weight == 0.0 {
            return Ok(());
        }
        let (sums, odds) = state;
        let mut of_game = [0.0; 2];
        for turn in sample.game(game) {
            progress.proceed()?;
            model.weigh(odds, skill, turn)?;
            let gradient = odds.gradient(turn.played()).map(|slope| -slope);
            sums.turns += weight;
            sums.value -= weight * odds.log_probabilities()[turn.played()];
            (0..2).for_each(|axis| of_game[axis] += gradient[axis]);
            add_square(&mut sums.by_turn, weight, gradient);
        }
        (0..2).for_each(|axis| sums.gradient[axis] += weight * of_game[axis]);
        add_square(&mut sums.by_game, weight, of_game);
        Ok(())
    };
    let (mut found, _) = sample.gather(Default::default, each_game, |one, other| one.0.merge(other.0))?;
    let turns = found.turns.max(1.0);
    found.value /= turns;
    found.gradient = found.gradient.map(|slope| slope / turns);
    found.by_turn = found.by_turn.map(|row| row.map(|entry| entry / turns));
    found.by_game = found.by_game.map(|row| row.map(|entry| entry / (turns * turns)));
    Ok(found)
}

/// The logarithm of the probability of all that was played, for a player of this skill.
pub(crate) fn log_likelihood(
    model: &ChoiceModel,
    sample: &Sample,
    skill: Skill,
    progress: &dyn Progress,
) -> Result<f64, RatingsError> {
    Ok(-value_of(model, sample, None, skill, progress)?.value * sample.count() as f64)
}

pub(crate) fn search(
    fitter: &Fitter,
    sample: &Sample,
    counts: Option<&[u32]>,
    from: Optimum,
    progress: &dyn Progress,
) -> Result<Optimum, RatingsError> {
    let value = |at: [f64; 2]| value_of(&fitter.model, sample, counts, skill(at)?, progress);
    let free = fitter.free();
    let (mut at, _) = fitter.bounded(from.at);
    let mut here = value(at)?;
    let mut inverse = from.inverse;
    if inverse[0][0] <= 0.0 {
        // The mean product of gradients is near the second derivatives where the model is near the truth.
        inverse = inverted(here.by_turn, free).unwrap_or([[1.0, 0.0], [0.0, if free == 2 { 1.0 } else { 0.0 }]]);
    }
    let mut is_settled = false;
    'steps: for steps in 0..MAX_STEPS {
        progress.report(&fitter.status(steps));
        if here.gradient[..free].iter().all(|slope| slope.abs() < FLAT) {
            is_settled = true;
            break;
        }
        let mut step = [0, 1].map(|i| -inverse[i][0] * here.gradient[0] - inverse[i][1] * here.gradient[1]);
        let longest = step[0].abs().max(step[1].abs());
        if longest > LONGEST {
            step = step.map(|part| part * LONGEST / longest);
        }
        let (next, there) = loop {
            let (next, is_outside) = fitter.bounded([at[0] + step[0], at[1] + step[1]]);
            let moved = [next[0] - at[0], next[1] - at[1]];
            if moved.iter().all(|part| part.abs() < 1e-10) {
                // As low as digits allow, or held at the edge.
                is_settled = !is_outside;
                break 'steps;
            }
            let there = value(next)?;
            let promised = moved[0] * here.gradient[0] + moved[1] * here.gradient[1];
            if there.value <= here.value + 1e-4 * promised {
                break (next, there);
            }
            step = step.map(|part| part / 4.0);
        };
        learn(&mut inverse, [next[0] - at[0], next[1] - at[1]], here.gradient, there.gradient, free);
        (at, here) = (next, there);
    }
    Ok(Optimum { at, is_settled, inverse })
}

/// Updates the inverse of the second derivatives by the rule of Broyden, Fletcher, Goldfarb and Shanno, unless the
/// curvature along the step is none.
fn learn(inverse: &mut [[f64; 2]; 2], step: [f64; 2], before: [f64; 2], after: [f64; 2], free: usize) {
    let mut change = [after[0] - before[0], after[1] - before[1]];
    if free == 1 {
        change[1] = 0.0;
    }
    let curvature = step[0] * change[0] + step[1] * change[1];
    if curvature <= 1e-14 {
        return;
    }
    let turned = [0, 1].map(|i| inverse[i][0] * change[0] + inverse[i][1] * change[1]);
    let squared = change[0] * turned[0] + change[1] * turned[1];
    for i in 0..2 {
        for j in 0..2 {
            inverse[i][j] += (1.0 + squared / curvature) * step[i] * step[j] / curvature
                - (turned[i] * step[j] + step[i] * turned[j]) / curvature;
        }
    }
}

/// The covariance of ln s and ln c: H^-1 V H^-1, where H are second derivatives and V is that of the gradient, by game.
pub(crate) fn covariance(
    fitter: &Fitter,
    sample: &Sample,
    at: [f64; 2],
    progress: &dyn Progress,
) -> Result<[[f64; 2]; 2], RatingsError> {
    const WIDTH: f64 = 1e-4;
    let value = |at: [f64; 2]| value_of(&fitter.model, sample, None, skill(at)?, progress);
    let mut hessian = [[0.0; 2]; 2];
    for axis in 0..fitter.free() {
        let beside = |by: f64| -> Result<Value, RatingsError> {
            let mut there = at;
            there[axis] += by;
            value(there)
        };
        let (above, below) = (beside(WIDTH)?, beside(-WIDTH)?);
        let slopes = [0, 1].map(|other| (above.gradient[other] - below.gradient[other]) / (2.0 * WIDTH));
        // Half from either side of the diagonal, so that it is symmetric.
        for (other, slope) in slopes.into_iter().enumerate() {
            hessian[axis][other] += slope / 2.0;
            hessian[other][axis] += slope / 2.0;
        }
    }
    let Some(bread) = inverted(hessian, fitter.free()) else { return Ok([[f64::INFINITY; 2]; 2]) };
    let games = sample.games() as f64;
    let few = if games > 1.0 { games / (games - 1.0) } else { 1.0 };
    let filling = value(at)?.by_game.map(|row| row.map(|entry| entry * few));
    Ok(product(product(bread, filling), bread))
}
