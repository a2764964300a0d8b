//! Row-stochastic matrices: the probabilities of going from each state to each other.

use std::convert::Infallible;

/// A square matrix whose rows are probability distributions.
#[derive(Clone, Debug, PartialEq)]
pub struct StochasticMatrix {
    size: usize,
    entries: Vec<f64>,
}

/// Numbers that are not a stochastic matrix, or matrices and distributions of different sizes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The entries are not a square, or there are none.
    #[error("invalid matrix of size {size} with {entries} entries: expected size times size entries, at least one")]
    Shape {
        /// The number of rows.
        size: usize,
        /// The number of entries.
        entries: usize,
    },
    /// An entry is negative, infinite or not a number.
    #[error("invalid probability {value} from state {row} to state {column}: expected a finite number, 0 or greater")]
    Entry {
        /// The state before the step.
        row: usize,
        /// The state after the step.
        column: usize,
        /// The invalid entry.
        value: f64,
    },
    /// The sum of a row is not 1.
    #[error("invalid probabilities from state {row}: expected a sum of 1, found {sum}")]
    Sum {
        /// The state before the step.
        row: usize,
        /// The sum of the row's entries.
        sum: f64,
    },
    /// Two matrices, or a matrix and a distribution, are of different sizes.
    #[error("expected {expected} states, found {found}")]
    Size {
        /// The size of the matrix.
        expected: usize,
        /// The size of the other matrix or of the distribution.
        found: usize,
    },
}

/// The greatest difference from 1 of a row's sum: an average over millions of choices has some rounding error.
const TOLERANCE: f64 = 1e-9;

impl StochasticMatrix {
    /// Makes a matrix of its entries, row by row. Rows whose sum differs from 1 by rounding are normalised.
    ///
    /// # Errors
    /// If the entries are not a square, if one is not a probability, or if the sum of a row is not 1.
    pub fn new(size: usize, mut entries: Vec<f64>) -> Result<StochasticMatrix, MatrixError> {
        if size == 0 || size.checked_mul(size) != Some(entries.len()) {
            return Err(MatrixError::Shape { size, entries: entries.len() });
        }
        for (row, probabilities) in entries.chunks_exact(size).enumerate() {
            if let Some(column) = probabilities.iter().position(|value| !(value.is_finite() && *value >= 0.0)) {
                return Err(MatrixError::Entry { row, column, value: probabilities[column] });
            }
            let sum: f64 = probabilities.iter().sum();
            if (sum - 1.0).abs() > TOLERANCE {
                return Err(MatrixError::Sum { row, sum });
            }
        }
        normalise(size, &mut entries);
        Ok(StochasticMatrix { size, entries })
    }

    /// The matrix of a step that changes nothing.
    fn identity(size: usize) -> StochasticMatrix {
        let mut entries = vec![0.0; size * size];
        entries.iter_mut().step_by(size + 1).for_each(|entry| *entry = 1.0);
        StochasticMatrix { size, entries }
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The probabilities of going from a state to each other.
    ///
    /// # Panics
    /// If the state does not exist.
    pub fn row(&self, from: usize) -> &[f64] {
        &self.entries[from * self.size..(from + 1) * self.size]
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.entries.chunks_exact(self.size)
    }

    /// Multiplies two matrices: first a step of this one, then a step of the other.
    ///
    /// In a game of two players one matrix follows the other, both over the same numbering of states (see
    /// [`reversed`](StochasticMatrix::reversed)).
    ///
    /// # Errors
    /// If the matrices are of different sizes.
    pub fn then(&self, other: &StochasticMatrix) -> Result<StochasticMatrix, MatrixError> {
        self.same_size(other.size)?;
        Ok(self.times(other))
    }

    /// The product with a matrix of the same size.
    fn times(&self, other: &StochasticMatrix) -> StochasticMatrix {
        let Ok(product) = self.try_times(other, &mut || Ok::<(), Infallible>(()));
        product
    }

    /// The product with a matrix of the same size. `proceed` is asked before each row.
    fn try_times<E>(
        &self,
        other: &StochasticMatrix,
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<StochasticMatrix, E> {
        let mut entries = Vec::with_capacity(self.entries.len());
        for row in self.rows() {
            proceed()?;
            entries.extend(other.push(row));
        }
        Ok(StochasticMatrix { size: self.size, entries })
    }

    /// The matrix with the states numbered backwards, as the other side sees them.
    pub fn reversed(&self) -> StochasticMatrix {
        StochasticMatrix { size: self.size, entries: self.entries.iter().rev().copied().collect() }
    }

    /// The matrix of a number of steps at once.
    pub fn power(&self, steps: u64) -> StochasticMatrix {
        let Ok(power) = self.try_power(steps, &mut || Ok::<(), Infallible>(()));
        power
    }

    /// As [`power`](StochasticMatrix::power), asking before each row of a product whether to go on.
    fn try_power<E>(&self, steps: u64, proceed: &mut impl FnMut() -> Result<(), E>) -> Result<StochasticMatrix, E> {
        let mut power = StochasticMatrix::identity(self.size);
        let mut square = self.clone();
        let mut rest = steps;
        while rest > 0 {
            if rest & 1 == 1 {
                power = power.try_times(&square, proceed)?;
            }
            rest >>= 1;
            if rest > 0 {
                square = square.try_times(&square, proceed)?;
                // Each squaring doubles the error of a row's sum: after sixty of them nothing would be left of it.
                normalise(square.size, &mut square.entries);
            }
        }
        Ok(power)
    }

    /// The distribution p M^k after k steps from the distribution p.
    ///
    /// # Errors
    /// If the distribution has not one number for each state.
    pub fn after(&self, start: &[f64], steps: u64) -> Result<Vec<f64>, MatrixError> {
        self.try_after(start, steps, || Ok(()))
    }

    /// As [`after`](StochasticMatrix::after), asking before every step, and every row of a product, whether to go
    /// on.
    ///
    /// # Errors
    /// As [`after`](StochasticMatrix::after), and the error by which `proceed` stops the work.
    pub fn try_after<E: From<MatrixError>>(
        &self,
        start: &[f64],
        steps: u64,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<f64>, E> {
        self.same_size(start.len())?;
        // Squaring costs a product of matrices for each binary digit.
        if steps > 128 * self.size as u64 {
            return Ok(self.try_power(steps, &mut proceed)?.push(start));
        }
        (0..steps).try_fold(start.to_vec(), |distribution, _| {
            proceed()?;
            Ok(self.push(&distribution))
        })
    }

    /// The distribution p M after one step.
    fn push(&self, distribution: &[f64]) -> Vec<f64> {
        let mut pushed = vec![0.0; self.size];
        for (probability, row) in distribution.iter().zip(self.rows()).filter(|(probability, _)| **probability != 0.0) {
            pushed.iter_mut().zip(row).for_each(|(sum, entry)| *sum += probability * entry);
        }
        pushed
    }

    fn same_size(&self, found: usize) -> Result<(), MatrixError> {
        if found == self.size { Ok(()) } else { Err(MatrixError::Size { expected: self.size, found }) }
    }
}

/// Divides every row by its sum.
fn normalise(size: usize, entries: &mut [f64]) {
    for row in entries.chunks_exact_mut(size) {
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|entry| *entry /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_matrix() {
        assert!(matches!(StochasticMatrix::new(0, vec![]), Err(MatrixError::Shape { .. })));
        assert!(matches!(StochasticMatrix::new(2, vec![1.0; 3]), Err(MatrixError::Shape { .. })));
        let negative = StochasticMatrix::new(2, vec![1.0, 0.0, -0.5, 1.5]);
        assert_eq!(negative, Err(MatrixError::Entry { row: 1, column: 0, value: -0.5 }));
        assert!(matches!(StochasticMatrix::new(1, vec![f64::NAN]), Err(MatrixError::Entry { .. })));
        assert!(matches!(StochasticMatrix::new(2, vec![1.0, 0.0, 0.5, 0.4]), Err(MatrixError::Sum { row: 1, .. })));
    }

    #[test]
    fn steps_by_hand() -> Result<(), MatrixError> {
        let matrix = StochasticMatrix::new(3, vec![1.0, 0.0, 0.0, 0.5, 0.25, 0.25, 0.0, 0.5, 0.5])?;
        assert_eq!(matrix.after(&[0.0, 0.0, 1.0], 2)?, [0.25, 0.375, 0.375]);
        assert_eq!(matrix.then(&matrix)?.row(2), [0.25, 0.375, 0.375]);
        assert_eq!(matrix.power(2), matrix.then(&matrix)?);
        assert_eq!(matrix.power(0), StochasticMatrix::identity(3));
        assert_eq!(matrix.reversed().row(0), [0.5, 0.5, 0.0]);
        assert_eq!(matrix.reversed().reversed(), matrix);
        let far = matrix.after(&[0.0, 0.0, 1.0], u64::MAX)?;
        assert!((far[0] - 1.0).abs() < 1e-12 && far[2] < 1e-12, "{far:?}");
        // Thirds do not add up exactly, and it takes 1e13 steps to get away: still nothing is lost or won on the way.
        let third = 1.0 / 3.0;
        let slow = vec![1.0, 0.0, 0.0, 1e-13, third, 2.0 * third - 1e-13, 0.0, 0.7, 0.3];
        let end = StochasticMatrix::new(3, slow)?.after(&[0.0, 0.0, 1.0], 1 << 62)?;
        assert!((end[0] - 1.0).abs() < 1e-12, "{end:?}");
        assert_eq!(matrix.after(&[1.0], 1), Err(MatrixError::Size { expected: 3, found: 1 }));
        Ok(())
    }
}
