//! Condition numbers: how much a solution can change with its equations.

use nalgebra::{DMatrix, SVD};

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

/// Computes the greatest singular value; infinite if the decomposition does not converge.
pub(crate) fn norm(matrix: DMatrix<f64>) -> f64 {
    if matrix.is_empty() {
        return 1.0;
    }
    // Scaled by hand: entries of an inverse may be so great that their squares are not finite.
    let greatest = matrix.iter().fold(0.0_f64, |greatest, entry| greatest.max(entry.abs()));
    if !greatest.is_finite() {
        return f64::INFINITY;
    }
    if greatest == 0.0 {
        return 0.0;
    }
    match SVD::try_new(matrix / greatest, false, false, f64::EPSILON, 10_000) {
        Some(svd) => svd.singular_values.max() * greatest,
        None => f64::INFINITY,
    }
}
