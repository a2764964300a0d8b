//! Condition numbers: how much a solution can change with its equations.

/// Condition numbers in the 2-norm: the greatest singular value of a matrix times that of its inverse.
///
/// The inverse comes from the elimination, which does not lose digits, so the number is correct even beyond 1e16, where
/// the smallest singular value of the matrix itself would be rounding error.
///
/// It bounds how much a *relative change in norm* of the matrix can matter, and how many digits an ordinary solver may
/// lose. The lengths computed here do not lose that many: they depend on the relative accuracy of each single
/// probability of leaving a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The condition of I - Q, where Q is the part of the matrix between transient states.
    pub transient: f64,
    /// The condition of the matrix A of Andrist and Haworth (2005): I - M over all states, in which absorbing states
    /// have the rows of the identity.
    pub fixed: f64,
}

/// A square matrix, row by row.
pub(crate) struct Square {
    size: usize,
    entries: Vec<f64>,
}

impl Square {
    /// Makes a matrix of its entries by row and column.
    pub fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Square {
        let entries = (0..size * size).map(|place| entry(place / size, place % size)).collect();
        Square { size, entries }
    }

    /// The entry of a row and a column.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..][..self.size]
    }

    /// The greatest singular value; infinite if an entry is. `proceed` is asked before each row of the work.
    pub fn norm<E>(&self, proceed: &mut impl FnMut() -> Result<(), E>) -> Result<f64, E> {
        if self.size == 0 {
            return Ok(1.0);
        }
        // Scaled by hand: entries of an inverse may be so great that their squares are not finite.
        let greatest = self.entries.iter().fold(0.0_f64, |greatest, entry| greatest.max(entry.abs()));
        if !greatest.is_finite() {
            return Ok(f64::INFINITY);
        }
        if greatest == 0.0 {
            return Ok(0.0);
        }
        // The greatest eigenvalue of A A' is the square of what is wanted, to nearly as many digits.
        let mut entries = Vec::with_capacity(self.entries.len());
        for one in 0..self.size {
            proceed()?;
            entries.extend((0..self.size).map(|two| -> f64 {
                let products = self.row(one).iter().zip(self.row(two)).map(|(a, b)| (a / greatest) * (b / greatest));
                products.sum()
            }));
        }
        let gram = Square { size: self.size, entries };
        Ok(gram.tridiagonal(proceed)?.greatest_eigenvalue().sqrt() * greatest)
    }

    /// Reflects a symmetric matrix to a tridiagonal one with the same eigenvalues (Householder).
    fn tridiagonal<E>(mut self, proceed: &mut impl FnMut() -> Result<(), E>) -> Result<Tridiagonal, E> {
        let size = self.size;
        let mut beside = Vec::with_capacity(size);
        for pivot in 0..size.saturating_sub(1) {
            proceed()?;
            let below = pivot + 1;
            let mut normal: Vec<f64> = (below..size).map(|row| self.at(row, pivot)).collect();
            let length = dot(&normal, &normal).sqrt();
            if length == 0.0 {
                beside.push(0.0);
                continue;
            }
            // Away from the axis, so that nothing cancels.
            let target = if normal[0] > 0.0 { -length } else { length };
            beside.push(target);
            normal[0] -= target;
            let half = dot(&normal, &normal) / 2.0;
            let images: Vec<f64> = (below..size).map(|row| dot(&self.row(row)[below..], &normal) / half).collect();
            let share = dot(&images, &normal) / (2.0 * half);
            let shifts: Vec<f64> = images.iter().zip(&normal).map(|(image, part)| image - share * part).collect();
            for (row, (part, shift)) in normal.iter().zip(&shifts).enumerate() {
                let entries = &mut self.entries[(below + row) * size + below..][..size - below];
                for ((entry, other), other_shift) in entries.iter_mut().zip(&normal).zip(&shifts) {
                    *entry -= part * other_shift + shift * other;
                }
            }
        }
        Ok(Tridiagonal { diagonal: (0..size).map(|row| self.at(row, row)).collect(), beside })
    }
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(a, b)| a * b).sum()
}

/// A symmetric matrix with entries on the diagonal and beside it.
struct Tridiagonal {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
}

impl Tridiagonal {
    /// Halves an interval that holds the greatest eigenvalue until it is as narrow as rounding allows.
    fn greatest_eigenvalue(&self) -> f64 {
        let beside = |row: usize| self.beside.get(row).map_or(0.0, |entry| entry.abs());
        let disc = |(row, centre): (usize, &f64)| {
            let radius = beside(row) + if row > 0 { beside(row - 1) } else { 0.0 };
            (centre - radius, centre + radius)
        };
        let discs = self.diagonal.iter().enumerate().map(disc);
        let (mut low, mut high) = discs.fold((f64::MAX, f64::MIN), |(low, high), (l, h)| (low.min(l), high.max(h)));
        loop {
            let middle = low + (high - low) / 2.0;
            if middle <= low || middle >= high {
                return high;
            }
            if self.has_greater(middle) { low = middle } else { high = middle }
        }
    }

    /// Whether an eigenvalue is greater than the number: then a pivot of T - xI is positive (Sylvester's law of inertia).
    fn has_greater(&self, number: f64) -> bool {
        let mut pivot = 0.0;
        for (row, centre) in self.diagonal.iter().enumerate() {
            let carried = if row > 0 { self.beside[row - 1] * self.beside[row - 1] / pivot } else { 0.0 };
            pivot = centre - number - carried;
            if pivot > 0.0 {
                return true;
            }
            if pivot == 0.0 {
                pivot = -f64::MIN_POSITIVE;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Square;
    use std::convert::Infallible;

    fn norm(square: &Square) -> f64 {
        let Ok(norm) = square.norm(&mut || Ok::<(), Infallible>(()));
        norm
    }

    #[test]
    fn norms_of_matrices_whose_singular_values_are_known() {
        let norm = |size, entries: &[f64]| norm(&Square::new(size, |row, column| entries[row * size + column]));
        assert_eq!(norm(0, &[]), 1.0);
        assert_eq!(norm(2, &[0.0; 4]), 0.0);
        assert_eq!(norm(1, &[-3.0]), 3.0);
        assert_eq!(norm(1, &[f64::INFINITY]), f64::INFINITY);
        // (3 0; 4 5) has the singular values sqrt(45) and sqrt(5).
        assert!((norm(2, &[3.0, 0.0, 4.0, 5.0]) - 45.0_f64.sqrt()).abs() < 1e-14);
        // A rotation, scaled so that squares of entries are not finite.
        let (sin, cos) = 0.7_f64.sin_cos();
        assert!((norm(2, &[cos * 1e300, -sin * 1e300, sin * 1e300, cos * 1e300]) / 1e300 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_norm_of_a_second_difference_is_known() {
        // 2 on the diagonal and -1 beside it: the eigenvalues are 2 - 2 cos(k pi / (n + 1)).
        for size in [2_u16, 3, 10, 126] {
            let entry = |row: usize, column: usize| match row.abs_diff(column) {
                0 => 2.0,
                1 => -1.0,
                _ => 0.0,
            };
            let angle = std::f64::consts::PI * f64::from(size) / f64::from(size + 1);
            let expected = 2.0 - 2.0 * angle.cos();
            let found = norm(&Square::new(size.into(), entry));
            assert!((found - expected).abs() < 1e-13 * expected, "{size}: {found} {expected}");
        }
    }
}
