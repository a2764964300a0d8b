//! Small symmetric systems of equations.

/// A square matrix, row by row.
pub(crate) type Matrix = Vec<Vec<f64>>;

pub(crate) fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// Adds the product of a vector with itself.
pub(crate) fn add_square(matrix: &mut Matrix, vector: &[f64]) {
    for (row, &one) in matrix.iter_mut().zip(vector) {
        row.iter_mut().zip(vector).for_each(|(entry, &other)| *entry += one * other);
    }
}

pub(crate) fn add(matrix: &mut Matrix, other: &Matrix) {
    let entries = matrix.iter_mut().flatten().zip(other.iter().flatten());
    entries.for_each(|(entry, &value)| *entry += value);
}

/// The inverse of a symmetric positive definite matrix, by Cholesky's factors; none if it is not positive definite.
pub(crate) fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut lower = zeros(size);
    for i in 0..size {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = matrix[i][j] - known;
            if i == j {
                if !(rest > 1e-13 * matrix[i][i].abs() && rest.is_finite()) {
                    return None;
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    let mut found = zeros(size);
    for column in 0..size {
        let mut at = vec![0.0; size];
        for i in column..size {
            let unit = if i == column { 1.0 } else { 0.0 };
            let known: f64 = (column..i).map(|k| lower[i][k] * at[k]).sum();
            at[i] = (unit - known) / lower[i][i];
        }
        for i in (0..size).rev() {
            let known: f64 = (i + 1..size).map(|k| lower[k][i] * at[k]).sum();
            at[i] = (at[i] - known) / lower[i][i];
        }
        found.iter_mut().zip(&at).for_each(|(row, &value)| row[column] = value);
    }
    Some(found)
}

pub(crate) fn apply(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(one, other)| one * other).sum()).collect()
}

/// The product of two square matrices.
pub(crate) fn product(one: &Matrix, two: &Matrix) -> Matrix {
    let size = two.len();
    let entry = |row: &[f64], j: usize| row.iter().zip(two).map(|(value, other)| value * other[j]).sum();
    one.iter().map(|row| (0..size).map(|j| entry(row, j)).collect()).collect()
}

/// The quadratic form v'Mv.
pub(crate) fn quadratic(matrix: &Matrix, vector: &[f64]) -> f64 {
    apply(matrix, vector).iter().zip(vector).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_one() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -0.2], vec![0.5, -0.2, 2.0]];
        let Some(found) = inverse(&matrix) else { panic!("it is positive definite") };
        for (i, row) in product(&matrix, &found).iter().enumerate() {
            for (j, &entry) in row.iter().enumerate() {
                assert!((entry - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12, "{i} {j} {entry}");
            }
        }
        assert_eq!(inverse(&vec![vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert!((quadratic(&matrix, &[1.0, 0.0, 2.0]) - (4.0 + 2.0 + 8.0)).abs() < 1e-12);
    }
}
