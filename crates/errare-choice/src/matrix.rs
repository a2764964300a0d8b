//! Row-stochastic matrices: the probabilities of going from each state to each.

/// A square matrix whose rows are probability distributions.
#[derive(Clone, Debug, PartialEq)]
pub struct StochasticMatrix {
    size: usize,
    entries: Vec<f64>,
}

/// Numbers that make no matrix or distribution, or none that fits.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MatrixError {
    /// Not a square, or empty.
    #[error("{entries} entries do not make a square of size {size}")]
    Shape {
        /// The size.
        size: usize,
        /// The number of entries.
        entries: usize,
    },
    /// An entry is negative or no number.
    #[error("the entry {value} from state {row} to state {column} is no probability")]
    Entry {
        /// From.
        row: usize,
        /// To.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// A row does not add up to 1.
    #[error("the probabilities from state {row} add up to {sum}")]
    Sum {
        /// From.
        row: usize,
        /// Their sum.
        sum: f64,
    },
    /// Two things of different size.
    #[error("{found} states where {expected} were expected")]
    Size {
        /// The size of the one.
        expected: usize,
        /// The size of the other.
        found: usize,
    },
}

/// How far the sum of a row may be from 1: an average over millions of choices carries some rounding.
const TOLERANCE: f64 = 1e-9;

impl StochasticMatrix {
    /// From the entries, row by row. Rows that do not quite add up to 1 are made to.
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

    /// Where nothing changes: a player who only waits, or an infallible defender of a lost cause.
    pub fn identity(size: usize) -> Result<StochasticMatrix, MatrixError> {
        let mut entries = vec![0.0; size * size];
        entries.iter_mut().step_by(size + 1).for_each(|entry| *entry = 1.0);
        StochasticMatrix::new(size, entries)
    }

    /// The number of states.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The probabilities from a state.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn row(&self, from: usize) -> &[f64] {
        &self.entries[from * self.size..(from + 1) * self.size]
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.entries.chunks_exact(self.size)
    }

    /// First a step of this matrix, then one of the other: their product.
    ///
    /// The game of two players is the one's matrix, then the other's, both over the same numbering of states (see
    /// [`reversed`](StochasticMatrix::reversed)).
    pub fn then(&self, other: &StochasticMatrix) -> Result<StochasticMatrix, MatrixError> {
        self.same_size(other.size)?;
        let entries = self.rows().flat_map(|row| other.push(row)).collect();
        Ok(StochasticMatrix { size: self.size, entries })
    }

    /// The same steps with the states numbered backwards, as the other side sees them.
    pub fn reversed(&self) -> StochasticMatrix {
        StochasticMatrix { size: self.size, entries: self.entries.iter().rev().copied().collect() }
    }

    /// So many steps at once.
    pub fn power(&self, steps: u64) -> Result<StochasticMatrix, MatrixError> {
        let mut power = StochasticMatrix::identity(self.size)?;
        let mut square = self.clone();
        let mut rest = steps;
        while rest > 0 {
            if rest & 1 == 1 {
                power = power.then(&square)?;
            }
            rest >>= 1;
            if rest > 0 {
                square = square.then(&square)?;
                // Squaring doubles what a row is off by: sixty times that would be more than everything.
                normalise(square.size, &mut square.entries);
            }
        }
        Ok(power)
    }

    /// Where one is after so many steps, having started from this distribution: p M^k.
    ///
    /// # Errors
    /// If the distribution is over another number of states.
    pub fn after(&self, start: &[f64], steps: u64) -> Result<Vec<f64>, MatrixError> {
        self.try_after(start, steps, || Ok(()))
    }

    /// As [`after`](StochasticMatrix::after), asking before every step whether to go on.
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
            return Ok(self.power(steps)?.push(start));
        }
        (0..steps).try_fold(start.to_vec(), |distribution, _| {
            proceed()?;
            Ok(self.push(&distribution))
        })
    }

    /// p M.
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
        assert_eq!(matrix.power(2)?, matrix.then(&matrix)?);
        assert_eq!(matrix.power(0)?, StochasticMatrix::identity(3)?);
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
