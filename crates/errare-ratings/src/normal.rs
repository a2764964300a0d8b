//! Tails of the normal distribution.

/// The probability that a standard normal variable exceeds z.
///
/// ```
/// // One in 44 beyond two standard deviations.
/// assert!((1.0 / errare_ratings::upper_tail(2.0) - 43.96).abs() < 0.01);
/// ```
pub fn upper_tail(z: f64) -> f64 {
    if z.is_nan() {
        return f64::NAN;
    }
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let size = z.abs();
    let beyond = if size < 3.0 {
        // The series of the integral from 0: z + z^3/3 + z^5/15 + ...
        let (mut term, mut sum, mut odd) = (size, size, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= size * size / odd;
            sum += term;
        }
        0.5 - density * sum
    } else {
        // Laplace's continued fraction, from far enough in.
        density / (1..=60).rev().fold(size, |rest, k| size + f64::from(k) / rest)
    };
    if z < 0.0 { 1.0 - beyond } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::upper_tail;

    #[test]
    fn known_tails() {
        // NIST Handbook of Statistical Methods, table 1.3.6.7.1, and Abramowitz and Stegun, table 26.1.
        for (z, expected) in [(0.0, 0.5), (1.0, 0.158_655_253_931), (1.96, 0.024_997_895_1), (3.0, 1.349_898_031_6e-3)]
        {
            assert!((upper_tail(z) / expected - 1.0).abs() < 1e-8, "{z}");
            assert!((upper_tail(-z) - (1.0 - expected)).abs() < 1e-10);
        }
        for (z, expected) in [(4.0, 3.167_124_183e-5), (5.0, 2.866_515_72e-7), (10.0, 7.619_853_02e-24)] {
            assert!((upper_tail(z) / expected - 1.0).abs() < 1e-8, "{z}");
        }
        assert_eq!(upper_tail(f64::INFINITY), 0.0);
    }
}
