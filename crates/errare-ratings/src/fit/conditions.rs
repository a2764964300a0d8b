//! Moment conditions: numbers of each turn that must average to 0 at the fitted skill.

use super::{Fitter, skill};
use crate::error::RatingsError;
use crate::projection::loss_moments;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::Odds;
use errare_work::Progress;

/// Numbers of a turn whose mean over all turns is 0 at the true skill.
pub(crate) trait Conditions: Sync {
    /// Number of conditions.
    fn count(&self) -> usize;

    /// Computes the numbers of one turn, and their derivatives by ln s and ln c.
    fn of_turn(&self, odds: &Odds, turn: Turn<'_>, values: &mut [f64], slopes: &mut [[f64; 2]]);
}

/// The means of conditions over a sample.
#[derive(Clone, Debug)]
pub(crate) struct Means {
    pub values: Vec<f64>,
    pub slopes: Vec<[f64; 2]>,
    /// The covariance of the means over samples of games; empty unless it was asked for.
    pub covariance: Vec<Vec<f64>>,
}

struct Sums {
    turns: f64,
    values: Vec<f64>,
    slopes: Vec<[f64; 2]>,
    covariance: Vec<Vec<f64>>,
    odds: Odds,
    /// Scratch space for one turn, and for one game.
    turn: (Vec<f64>, Vec<[f64; 2]>),
    game: Vec<f64>,
}

/// Computes the means at some place in ln s and ln c, with each game counted as often as `counts` says.
pub(crate) fn means(
    fitter: &Fitter,
    conditions: &impl Conditions,
    sample: &Sample,
    counts: Option<&[u32]>,
    at: [f64; 2],
    with_covariance: bool,
    progress: &dyn Progress,
) -> Result<Means, RatingsError> {
    let skill = skill(at)?;
    let count = conditions.count();
    let rows = if with_covariance { count } else { 0 };
    let make = || Sums {
        turns: 0.0,
        values: vec![0.0; count],
        slopes: vec![[0.0; 2]; count],
        covariance: vec![vec![0.0; count]; rows],
        odds: Odds::default(),
        turn: (vec![0.0; count], vec![[0.0; 2]; count]),
        game: vec![0.0; count],
    };
    let each_game = |sums: &mut Sums, game: usize| {
        let weight = counts.map_or(1.0, |counts| f64::from(counts[game]));
        if weight == 0.0 {
            return Ok(());
        }
        sums.game.fill(0.0);
        for turn in sample.game(game) {
            progress.proceed()?;
            fitter.model.weigh(&mut sums.odds, skill, turn)?;
            let (values, slopes) = &mut sums.turn;
            conditions.of_turn(&sums.odds, turn, values, slopes);
            sums.turns += weight;
            for place in 0..count {
                sums.game[place] += values[place];
                sums.slopes[place][0] += weight * slopes[place][0];
                sums.slopes[place][1] += weight * slopes[place][1];
            }
        }
        for (row, &one) in sums.covariance.iter_mut().zip(&sums.game) {
            row.iter_mut().zip(&sums.game).for_each(|(entry, &other)| *entry += weight * one * other);
        }
        sums.values.iter_mut().zip(&sums.game).for_each(|(sum, &value)| *sum += weight * value);
        Ok(())
    };
    let merge = |sums: &mut Sums, other: Sums| {
        sums.turns += other.turns;
        add(&mut sums.values, &other.values);
        sums.slopes.iter_mut().zip(other.slopes).for_each(|(sum, slope)| {
            sum[0] += slope[0];
            sum[1] += slope[1];
        });
        sums.covariance.iter_mut().zip(&other.covariance).for_each(|(sum, row)| add(sum, row));
    };
    let mut sums = sample.gather(make, each_game, merge)?;
    let turns = sums.turns.max(1.0);
    sums.values.iter_mut().for_each(|value| *value /= turns);
    sums.slopes.iter_mut().for_each(|slope| *slope = slope.map(|value| value / turns));
    // One game more than needed for a mean: the usual correction for few of them.
    let games = sample.games() as f64;
    let few = if games > 1.0 { games / (games - 1.0) } else { 1.0 };
    sums.covariance.iter_mut().flatten().for_each(|entry| *entry *= few / (turns * turns));
    Ok(Means { values: sums.values, slopes: sums.slopes, covariance: sums.covariance })
}

fn add(sum: &mut [f64], other: &[f64]) {
    sum.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
}

/// The conditions of section 6 of Regan and Haworth (2011): R_q - q for q = 0.05 to 0.95. At 0 and 1 it is always 0.
pub(crate) struct Percentiles;

/// The number of steps of q, which is k / 20.
const STEPS: usize = 20;

fn q(step: usize) -> f64 {
    step as f64 / STEPS as f64
}

impl Conditions for Percentiles {
    fn count(&self) -> usize {
        STEPS - 1
    }

    fn of_turn(&self, odds: &Odds, turn: Turn<'_>, values: &mut [f64], slopes: &mut [[f64; 2]]) {
        let played = turn.played();
        let probabilities = odds.probabilities();
        // The interval from p- to p+ that belongs to the played move, and how its ends move.
        let (mut below, mut below_slope) = (0.0, [0.0; 2]);
        for (place, &p) in probabilities[..played].iter().enumerate() {
            let slope = odds.gradient(place);
            below += p;
            if p > 0.0 {
                below_slope[0] += p * slope[0];
                below_slope[1] += p * slope[1];
            }
        }
        let p = probabilities[played];
        let slope = odds.gradient(played);
        for step in 1..STEPS {
            let (value, derivative) = (&mut values[step - 1], &mut slopes[step - 1]);
            // Up as far as the interval lies below q.
            let up = (q(step) - below) / p;
            *derivative = [0.0; 2];
            if below + p <= q(step) {
                *value = 1.0 - q(step);
            } else if below >= q(step) {
                *value = -q(step);
            } else {
                *value = up - q(step);
                *derivative = [0, 1].map(|axis| -below_slope[axis] / p - up * slope[axis]);
            }
        }
    }
}

/// The conditions that mm and ad are as expected: actual less expected.
pub(crate) struct Moments;

impl Conditions for Moments {
    fn count(&self) -> usize {
        2
    }

    fn of_turn(&self, odds: &Odds, turn: Turn<'_>, values: &mut [f64], slopes: &mut [[f64; 2]]) {
        let first = odds.probabilities()[0];
        let matched = if turn.played() == 0 { 1.0 } else { 0.0 };
        values[0] = matched - first;
        values[1] = turn.loss() - loss_moments(odds.probabilities(), turn.losses()).0;
        slopes[0] = odds.gradient(0).map(|slope| -first * slope);
        slopes[1] = [0.0; 2];
        for (place, (&p, &loss)) in odds.probabilities().iter().zip(turn.losses()).enumerate() {
            if p > 0.0 {
                let slope = odds.gradient(place);
                slopes[1][0] -= p * f64::from(loss) * slope[0];
                slopes[1][1] -= p * f64::from(loss) * slope[1];
            }
        }
    }
}

/// Computes (q, R_q) for all q, both ends included.
pub(crate) fn percentiles(
    fitter: &Fitter,
    sample: &Sample,
    at: [f64; 2],
    progress: &dyn Progress,
) -> Result<Vec<(f64, f64)>, RatingsError> {
    let means = means(fitter, &Percentiles, sample, None, at, false, progress)?;
    let inner = means.values.iter().enumerate().map(|(place, value)| (q(place + 1), q(place + 1) + value));
    Ok([(0.0, 0.0)].into_iter().chain(inner).chain([(1.0, 1.0)]).collect())
}
