//! Competence as a function of Elo in one endgame, with players who differ.
//!
//! ln c = a + b z + u, where z is the Elo in units of 400 points from 2000, and u differs from player to player with
//! standard deviation tau. The likelihood of a player is integrated over u, and that of all players maximised over a, b
//! and tau.

use super::observed::{PlayerGames, unit_of};
use errare_work::{Cancelled, Progress};
use rayon::prelude::*;

/// Half the number of points of the integral over u, and their distance in standard deviations.
const HALF_POINTS: i32 = 20;
const POINT_STEP: f64 = 0.175;

/// The smallest positive tau that is tried.
const LEAST_TAU: f64 = 0.02;
const GREATEST_TAU: f64 = 2.0;

/// The steps of numerical derivatives by a and b.
const DERIVATIVE_STEP: f64 = 0.05;

/// A line through the logarithms of competences, with the covariance of its intercept and slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineFit {
    /// The logarithm of the competence at Elo 2000.
    pub a: f64,
    /// The slope for 400 points of Elo.
    pub b: f64,
    /// The standard deviation of players about the line.
    pub tau: f64,
    /// The variances of a and b, and between them their covariance: robust, as each player counts once.
    pub covariance: [f64; 3],
}

/// The logarithm of a player's likelihood, integrated over the deviations of players from the line.
fn log_marginal(games: &PlayerGames, a: f64, b: f64, tau: f64) -> f64 {
    let mut logs = [0.0; 2 * HALF_POINTS as usize + 1];
    for (log, point) in logs.iter_mut().zip(-HALF_POINTS..) {
        let deviation = f64::from(point) * POINT_STEP;
        let shift = a + tau * deviation;
        let seen: f64 = games.iter().map(|game| game.likelihood.at(shift + b * unit_of(game.elo))).sum();
        *log = seen - 0.5 * deviation * deviation;
    }
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - greatest).exp()).sum();
    greatest + sum.ln() + (POINT_STEP / (2.0 * std::f64::consts::PI).sqrt()).ln()
}

fn log_likelihood(players: &[&PlayerGames], [a, b, log_tau]: [f64; 3]) -> f64 {
    let tau = log_tau.exp();
    // Summed in a fixed order, so that the result does not depend on the number of threads.
    let logs: Vec<f64> = players.par_iter().map(|games| log_marginal(games, a, b, tau)).collect();
    logs.iter().sum()
}

/// Fits the line of one endgame and task; none if the players' moves do not determine it.
///
/// # Errors
/// If the work is cancelled.
pub(super) fn fit_line(players: &[&PlayerGames], progress: &dyn Progress) -> Result<Option<LineFit>, Cancelled> {
    let bounded = |[a, b, log_tau]: [f64; 3]| {
        let is_inside = (-1.0..=5.0).contains(&a)
            && (-2.0..=2.0).contains(&b)
            && (LEAST_TAU.ln()..=GREATEST_TAU.ln()).contains(&log_tau);
        if is_inside { -log_likelihood(players, [a, b, log_tau]) } else { f64::INFINITY }
    };
    let start = [2.3, 0.2, -1.0];
    let [a, b, log_tau] = minimum(&bounded, start, [0.3, 0.2, 0.5], progress)?;
    let tau = log_tau.exp();
    progress.proceed()?;
    let h = DERIVATIVE_STEP;
    let at = |da: f64, db: f64| -> Vec<f64> {
        players.par_iter().map(|games| log_marginal(games, a + da * h, b + db * h, tau)).collect()
    };
    let (middle, a_up, a_down) = (at(0.0, 0.0), at(1.0, 0.0), at(-1.0, 0.0));
    let (b_up, b_down, both_up, both_down) = (at(0.0, 1.0), at(0.0, -1.0), at(1.0, 1.0), at(-1.0, -1.0));
    let (mut information, mut meat) = ([0.0; 3], [0.0; 3]);
    for i in 0..players.len() {
        let (score_a, score_b) = ((a_up[i] - a_down[i]) / (2.0 * h), (b_up[i] - b_down[i]) / (2.0 * h));
        let aa = (a_up[i] - 2.0 * middle[i] + a_down[i]) / (h * h);
        let bb = (b_up[i] - 2.0 * middle[i] + b_down[i]) / (h * h);
        let sum = (both_up[i] - 2.0 * middle[i] + both_down[i]) / (h * h);
        let ab = (sum - aa - bb) / 2.0;
        for (total, value) in information.iter_mut().zip([-aa, -ab, -bb]) {
            *total += value;
        }
        for (total, value) in meat.iter_mut().zip([score_a * score_a, score_a * score_b, score_b * score_b]) {
            *total += value;
        }
    }
    Ok(sandwich(information, meat).map(|covariance| LineFit { a, b, tau, covariance }))
}

/// The inverse of a symmetric matrix of two rows, as upper triangle; none if it is not positive definite.
pub(super) fn inverse([aa, ab, bb]: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = aa * bb - ab * ab;
    let is_positive = aa > 0.0 && determinant > 1e-12 * aa * bb.abs();
    is_positive.then(|| [bb / determinant, -ab / determinant, aa / determinant])
}

/// The robust covariance: the inverse information around the variance of the scores.
fn sandwich(information: [f64; 3], meat: [f64; 3]) -> Option<[f64; 3]> {
    let [p, q, r] = inverse(information)?;
    let [x, y, z] = meat;
    let (top, bottom) = ([p * x + q * y, p * y + q * z], [q * x + r * y, q * y + r * z]);
    Some([top[0] * p + top[1] * q, top[0] * q + top[1] * r, bottom[0] * q + bottom[1] * r])
}

/// The minimum of a function of three numbers by the method of Nelder and Mead.
fn minimum(
    f: &dyn Fn([f64; 3]) -> f64,
    start: [f64; 3],
    steps: [f64; 3],
    progress: &dyn Progress,
) -> Result<[f64; 3], Cancelled> {
    const TURNS: usize = 400;
    const PRECISION: f64 = 1e-6;
    let mut simplex: Vec<([f64; 3], f64)> = vec![(start, f(start))];
    for i in 0..3 {
        let mut corner = start;
        corner[i] += steps[i];
        simplex.push((corner, f(corner)));
    }
    let mix = |one: [f64; 3], two: [f64; 3], share: f64| -> [f64; 3] {
        std::array::from_fn(|i| one[i] + share * (two[i] - one[i]))
    };
    for _ in 0..TURNS {
        progress.proceed()?;
        simplex.sort_by(|one, two| one.1.total_cmp(&two.1));
        if simplex[3].1 - simplex[0].1 < PRECISION {
            break;
        }
        let centre: [f64; 3] = std::array::from_fn(|i| (simplex[0].0[i] + simplex[1].0[i] + simplex[2].0[i]) / 3.0);
        let worst = simplex[3];
        let tried = |share: f64| {
            let corner = mix(centre, worst.0, share);
            (corner, f(corner))
        };
        let reflected = tried(-1.0);
        simplex[3] = if reflected.1 < simplex[0].1 {
            let expanded = tried(-2.0);
            if expanded.1 < reflected.1 { expanded } else { reflected }
        } else if reflected.1 < simplex[2].1 {
            reflected
        } else {
            let contracted = if reflected.1 < worst.1 { tried(-0.5) } else { tried(0.5) };
            if contracted.1 < worst.1.min(reflected.1) {
                contracted
            } else {
                let best = simplex[0].0;
                for corner in &mut simplex[1..3] {
                    corner.0 = mix(best, corner.0, 0.5);
                    corner.1 = f(corner.0);
                }
                let corner = mix(best, worst.0, 0.5);
                (corner, f(corner))
            }
        };
    }
    simplex.sort_by(|one, two| one.1.total_cmp(&two.1));
    Ok(simplex[0].0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_work::Silent;

    #[test]
    fn a_minimum_is_found() {
        let f = |[x, y, z]: [f64; 3]| (x - 1.0).powi(2) + 3.0 * (y + 2.0 * x).powi(2) + (z - y).powi(2);
        let [x, y, z] = minimum(&f, [0.0; 3], [1.0; 3], &Silent).expect("not cancelled");
        assert!((x - 1.0).abs() < 1e-2 && (y + 2.0).abs() < 1e-2 && (z + 2.0).abs() < 1e-2, "{x} {y} {z}");
    }

    #[test]
    fn inverses_and_sandwiches_are_those_of_matrices() {
        assert_eq!(inverse([2.0, 0.0, 4.0]), Some([0.5, 0.0, 0.25]));
        assert_eq!(inverse([1.0, 1.0, 1.0]), None);
        // Where the model is right, the variance of the scores is the information.
        let found = sandwich([2.0, 1.0, 3.0], [2.0, 1.0, 3.0]).expect("a covariance");
        for (found, expected) in found.iter().zip([0.6, -0.2, 0.4]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
