//! Endgames that learn from each other: slopes are drawn towards a common one, as far as their errors allow.

use super::fit::{LineFit, inverse};

/// The mean of numbers that each have an error, and the spread of the numbers beyond their errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommonValue {
    /// The mean of the numbers.
    pub mean: f64,
    /// Standard error of the mean.
    pub se: f64,
    /// The standard deviation of the numbers themselves, without their errors.
    pub spread: f64,
}

impl CommonValue {
    /// Estimates the mean and spread of values with their variances, by the moments of DerSimonian and Laird (1986).
    pub(super) fn of(values: &[(f64, f64)]) -> CommonValue {
        let sum = |f: &dyn Fn(f64, f64) -> f64| values.iter().map(|&(value, variance)| f(value, variance)).sum::<f64>();
        let weight = sum(&|_, variance| 1.0 / variance);
        let mean = sum(&|value, variance| value / variance) / weight;
        let heterogeneity = sum(&|value, variance| (value - mean).powi(2) / variance);
        let scale = weight - sum(&|_, variance| variance.powi(-2)) / weight;
        let excess = heterogeneity - (values.len() as f64 - 1.0);
        let spread = if scale > 0.0 { (excess / scale).max(0.0) } else { 0.0 };
        let weight = sum(&|_, variance| 1.0 / (variance + spread));
        let mean = sum(&|value, variance| value / (variance + spread)) / weight;
        CommonValue { mean, se: weight.recip().sqrt(), spread: spread.sqrt() }
    }
}

/// Draws the slope of an endgame's line towards the common slope; the intercept follows as far as the two are
/// correlated.
pub(super) fn shrunk(line: LineFit, slope: CommonValue) -> LineFit {
    let prior = slope.spread.powi(2) + slope.se.powi(2);
    let posterior = || {
        let [aa, ab, bb] = inverse(line.covariance)?;
        let precision = [aa, ab, bb + 1.0 / prior];
        let covariance = inverse(precision)?;
        let (x, y) = (aa * line.a + ab * line.b, ab * line.a + bb * line.b + slope.mean / prior);
        let (a, b) = (covariance[0] * x + covariance[1] * y, covariance[1] * x + covariance[2] * y);
        Some(LineFit { a, b, covariance, ..line })
    };
    posterior().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_agree_have_no_spread_and_others_have() {
        let alike = CommonValue::of(&[(1.0, 0.04), (1.1, 0.04), (0.9, 0.04)]);
        assert!((alike.mean - 1.0).abs() < 1e-12 && alike.spread == 0.0, "{alike:?}");
        assert!((alike.se - (0.04_f64 / 3.0).sqrt()).abs() < 1e-12);
        let unlike = CommonValue::of(&[(0.0, 0.01), (1.0, 0.01), (2.0, 0.01)]);
        // The sample variance is 1, of which 0.01 is error.
        assert!((unlike.mean - 1.0).abs() < 1e-12 && (unlike.spread.powi(2) - 0.99).abs() < 1e-9, "{unlike:?}");
    }

    #[test]
    fn an_uncertain_slope_is_drawn_to_the_common_one_and_a_certain_one_is_not() {
        let slope = CommonValue { mean: 0.2, se: 0.0, spread: 0.1 };
        let line = |variance: f64| LineFit { a: 2.0, b: 0.6, tau: 0.3, covariance: [0.01, 0.0, variance] };
        let (vague, sure) = (shrunk(line(0.1), slope), shrunk(line(1e-4), slope));
        assert!((vague.b - (0.6 * 0.01 + 0.2 * 0.1) / 0.11).abs() < 1e-9 && (vague.a - 2.0).abs() < 1e-12);
        assert!(sure.b > 0.59);
        // Where intercept and slope are estimated together, moving one moves the other.
        let tilted = LineFit { covariance: [0.01, 0.02, 0.1], ..line(0.1) };
        assert!(shrunk(tilted, slope).a < 2.0);
    }
}
