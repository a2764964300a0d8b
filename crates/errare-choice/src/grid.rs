//! The finite set of competences that an observer thinks possible.

use crate::competence::Competence;
use std::fmt;

/// Evenly spaced competences, written c_min(delta)c_max as in the papers.
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

/// Why numbers make no grid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GridError {
    /// Not finite, or not in order.
    #[error("invalid grid {min}({step}){max}: expected finite numbers, a step above 0 and an end not before the start")]
    Bounds {
        /// c_min.
        min: f64,
        /// delta.
        step: f64,
        /// c_max.
        max: f64,
    },
    /// The step leads past the end.
    #[error("steps of {step} from {min} do not meet {max}")]
    Step {
        /// c_min.
        min: f64,
        /// delta.
        step: f64,
        /// c_max.
        max: f64,
    },
    /// More points than anybody needs.
    #[error("a grid of {0} points is too fine: at most {limit} are allowed", limit = Grid::MOST)]
    TooFine(f64),
}

impl Grid {
    /// The most points a grid may have.
    pub const MOST: usize = 1_000_000;

    /// c_min(step)c_max, with both ends among the points.
    pub fn new(min: f64, step: f64, max: f64) -> Result<Grid, GridError> {
        if !(min.is_finite() && max.is_finite() && step.is_finite() && step > 0.0 && min <= max) {
            return Err(GridError::Bounds { min, step, max });
        }
        let steps = (max - min) / step;
        if steps >= Grid::MOST as f64 {
            return Err(GridError::TooFine(steps + 1.0));
        }
        // A step such as 0.1 is no binary fraction: it meets the end but for rounding.
        if (steps - steps.round()).abs() > 1e-6 {
            return Err(GridError::Step { min, step, max });
        }
        Ok(Grid { min, step, count: steps.round() as usize + 1 })
    }

    /// How many points.
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

    /// c_j, with j from 0.
    pub fn point(&self, place: usize) -> f64 {
        self.min + place as f64 * self.step
    }

    /// All points, rising.
    pub fn points(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.count).map(|place| self.point(place))
    }

    /// All points as competences, as a [`Spectrum`](crate::Spectrum) takes them.
    pub fn competences(&self) -> Vec<Competence> {
        self.points().filter_map(|c| Competence::new(c).ok()).collect()
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
        for (min, step, max) in [(0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (f64::NAN, 1.0, 2.0), (0.0, 1.0, f64::INFINITY)] {
            assert!(matches!(Grid::new(min, step, max), Err(GridError::Bounds { .. })));
        }
        Ok(())
    }
}
