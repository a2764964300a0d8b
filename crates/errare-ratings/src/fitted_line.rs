//! Straight lines through points.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A line fitted by least squares: y = intercept + slope x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FittedLine {
    /// The intercept: y at x = 0.
    pub intercept: f64,
    /// The slope: change of y per unit of x.
    pub slope: f64,
    /// The standard deviation of the points about the line; 0 for two points.
    pub scatter: f64,
    /// Number of points.
    pub points: usize,
    /// The mean x of the points.
    pub mean_x: f64,
    /// The sum of squared deviations of x from its mean.
    pub spread_x: f64,
}

impl FittedLine {
    /// Fits a line through points; none unless they have at least two different x.
    pub fn through(points: &[(f64, f64)]) -> Option<FittedLine> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
        let spread_x: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let slope = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread_x;
        let intercept = mean_y - slope * mean_x;
        if points.len() < 2 || !slope.is_finite() {
            return None;
        }
        let squares: f64 = points.iter().map(|(x, y)| (y - intercept - slope * x).powi(2)).sum();
        let scatter = if points.len() > 2 { (squares / (count - 2.0)).sqrt() } else { 0.0 };
        Some(FittedLine { intercept, slope, scatter, points: points.len(), mean_x, spread_x })
    }

    /// The value y of the line at x.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// The standard error of y at x, from the scatter of the points.
    pub fn se_at(&self, x: f64) -> f64 {
        self.scatter * (1.0 / self.points as f64 + (x - self.mean_x).powi(2) / self.spread_x).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::FittedLine;

    #[test]
    fn a_textbook_line() {
        // Anscombe's first set (The American Statistician 27, 1973): y = 3.00 + 0.500 x, residual sum of squares 13.76.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let line = FittedLine::through(&points).expect("different x");
        assert!((line.intercept - 3.0).abs() < 0.005 && (line.slope - 0.5).abs() < 0.0005);
        assert!((line.scatter.powi(2) * 9.0 - 13.76).abs() < 0.005);
        // Its standard error of the slope is 0.118, and that of the intercept 1.125.
        assert!((line.scatter / line.spread_x.sqrt() - 0.118).abs() < 0.0005);
        assert!((line.se_at(0.0) - 1.125).abs() < 0.0005);
        assert_eq!(FittedLine::through(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(FittedLine::through(&[(1.0, 2.0)]), None);
    }
}
