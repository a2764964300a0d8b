//! The finite set of competences that an observer considers.

use crate::competence::Competence;
use std::fmt;

/// Evenly spaced competences, written c_min(delta)c_max as in Haworth (2003).
///
/// ```
/// use errare_choice::Grid;
/// let grid = Grid::new(0.0, 1.0, 50.0)?;
/// assert_eq!((grid.to_string().as_str(), grid.count()), ("0(1)50", 51));
/// # Ok::<(), errare_choice::GridError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    min: f64,
    step: f64,
    count: usize,
}

/// Numbers that are not a valid grid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The numbers are not competences, or not in order.
    #[error(
        "invalid grid {min}({step}){max}: expected numbers from -{most:e} to {most:e}, a positive step and an end not \
         below the start",
        most = Competence::MAX
    )]
    Bounds {
        /// The start c_min.
        min: f64,
        /// The step delta.
        step: f64,
        /// The end c_max.
        max: f64,
    },
    /// The end is not a whole number of steps from the start.
    #[error("invalid grid {min}({step}){max}: expected an end that is a whole number of steps from the start")]
    Step {
        /// The start c_min.
        min: f64,
        /// The step delta.
        step: f64,
        /// The end c_max.
        max: f64,
    },
    /// The grid has too many points.
    #[error("invalid grid of {0} points: expected at most {max}", max = Grid::MAX_POINTS)]
    TooFine(f64),
}

impl Grid {
    /// The greatest number of points that a grid may have.
    pub const MAX_POINTS: usize = 1_000_000;

    /// Makes the grid c_min(step)c_max, with both ends among the points.
    ///
    /// # Errors
    /// If the numbers are not finite competences or not in order, if the end is not a whole number of steps from the start, or if
    /// there are more than [`Grid::MAX_POINTS`] points.
    pub fn new(min: f64, step: f64, max: f64) -> Result<Grid, GridError> {
        let is_finite = |c: f64| c.is_finite() && Competence::is_valid(c);
        if !(is_finite(min) && is_finite(max) && step.is_finite() && step > 0.0 && min <= max) {
            return Err(GridError::Bounds { min, step, max });
        }
        let steps = (max - min) / step;
        if steps >= Grid::MAX_POINTS as f64 {
            return Err(GridError::TooFine(steps + 1.0));
        }
        // A step such as 0.1 is not a binary fraction: it meets the end only up to rounding.
        if (steps - steps.round()).abs() > 1e-6 {
            return Err(GridError::Step { min, step, max });
        }
        Ok(Grid { min, step, count: steps.round() as usize + 1 })
    }

    /// The number of points.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The least point.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// The distance between neighbours.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The greatest point.
    pub fn max(&self) -> f64 {
        self.point(self.count - 1)
    }

    /// The point c_j, with j from 0.
    pub fn point(&self, j: usize) -> f64 {
        self.min + j as f64 * self.step
    }

    /// All points, increasing.
    pub fn points(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.count).map(|j| self.point(j))
    }

    /// All points as competences, as a [`Spectrum`](crate::Spectrum) takes them.
    pub fn competences(&self) -> Vec<Competence> {
        self.points().map(Competence::of_number).collect()
    }
}

/// 0(1)50, as in Haworth (2003).
impl Default for Grid {
    fn default() -> Grid {
        Grid { min: 0.0, step: 1.0, count: 51 }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}){}", self.min, self.step, self.max())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_and_what_is_none() -> Result<(), GridError> {
        assert_eq!(Grid::new(0.0, 0.1, 50.0)?.count(), 501);
        assert_eq!(Grid::new(0.0, 1.0, 50.0)?, Grid::default());
        assert_eq!(Grid::new(-5.0, 2.5, 5.0)?.points().collect::<Vec<_>>(), [-5.0, -2.5, 0.0, 2.5, 5.0]);
        assert_eq!(Grid::new(3.0, 1.0, 3.0)?.count(), 1);
        assert!(matches!(Grid::new(0.0, 3.0, 50.0), Err(GridError::Step { .. })));
        assert!(matches!(Grid::new(0.0, 1e-9, 50.0), Err(GridError::TooFine(_))));
        for (min, step, max) in
            [(0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (f64::NAN, 1.0, 2.0), (0.0, 1.0, f64::INFINITY), (-1e308, 1e308, 1e308)]
        {
            assert!(matches!(Grid::new(min, step, max), Err(GridError::Bounds { .. })));
        }
        Ok(())
    }
}
