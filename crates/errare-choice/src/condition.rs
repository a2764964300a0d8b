//! The condition number: how much a solution can change with its equations.

use nalgebra::{DMatrix, SVD};

/// Condition numbers in the 2-norm: the greatest singular value of a matrix times that of its inverse.
///
/// The inverse comes from the elimination, which does not lose digits, so the number is right beyond 1e16, where the
/// smallest singular value of the matrix itself would be rounding.
///
/// It bounds how much a *relative change in norm* of the matrix can matter, and what an ordinary solver may lose. The
/// lengths found here do not lose that much: they depend on the relative accuracy of each single probability of
/// leaving a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// Of I - Q, where Q is the part of the matrix between transient states.
    pub transient: f64,
    /// Of the second paper's A: I - M over all states, but with the rows of the absorbing ones those of the identity.
    pub fixed: f64,
}

/// The greatest singular value; infinite if it cannot be had.
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
