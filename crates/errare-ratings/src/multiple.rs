//! Chances that take into account how many scores, or how many players, are looked at.

use crate::normal::upper_tail;

/// The probability that the greater of two standard normal scores with this correlation is z or more.
///
/// ```
/// use errare_ratings::greater_of_two;
/// // Independent scores: 1 - Phi(2)^2. Equal ones: 1 - Phi(2).
/// assert!((greater_of_two(2.0, 0.0) - 0.04498).abs() < 1e-4);
/// assert!((greater_of_two(2.0, 1.0) - 0.02275).abs() < 1e-4);
/// ```
pub fn greater_of_two(z: f64, correlation: f64) -> f64 {
    let correlation = correlation.clamp(-1.0, 1.0);
    let rest = (1.0 - correlation * correlation).sqrt();
    if rest < 1e-3 {
        return if correlation > 0.0 { upper_tail(z) } else { (2.0 * upper_tail(z)).min(1.0) };
    }
    // P(either >= z) = P(one >= z) + P(one < z, other >= z); the second by Simpson's rule over the first score.
    const STEPS: u32 = 400;
    let (from, to) = ((z - 16.0).min(-8.0), z);
    let step = (to - from) / f64::from(STEPS);
    let density = |t: f64| (-0.5 * t * t).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let both = |place: u32| {
        let t = from + step * f64::from(place);
        density(t) * upper_tail((z - correlation * t) / rest)
    };
    let weight = |place: u32| if place % 2 == 1 { 4.0 } else { 2.0 };
    let inner: f64 = (1..STEPS).map(|place| weight(place) * both(place)).sum();
    (upper_tail(z) + (both(0) + inner + both(STEPS)) * step / 3.0).min(1.0)
}

/// The adjusted probabilities of Benjamini and Hochberg (1995), in the order of the given ones: if all players whose
/// adjusted probability is at most q are picked out, a share of at most q of them is expected to be there by chance.
///
/// ```
/// let adjusted = errare_ratings::benjamini_hochberg(&[0.01, 0.5, 0.02, 0.04]);
/// let rounded: Vec<f64> = adjusted.iter().map(|p| (p * 1e4).round() / 1e4).collect();
/// assert_eq!(rounded, [0.04, 0.5, 0.04, 0.0533]);
/// ```
pub fn benjamini_hochberg(probabilities: &[f64]) -> Vec<f64> {
    let count = probabilities.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| probabilities[other].total_cmp(&probabilities[one]));
    let mut adjusted = vec![1.0; count];
    let mut least: f64 = 1.0;
    for (place, &index) in order.iter().enumerate() {
        least = least.min(probabilities[index] * count as f64 / (count - place) as f64);
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_of_two_lies_between_one_score_and_twice_its_chance() {
        for z in [-1.0, 0.0, 1.0, 2.0, 3.0, 5.0] {
            let mut last = f64::INFINITY;
            for correlation in [-0.9, -0.5, 0.0, 0.5, 0.9] {
                let found = greater_of_two(z, correlation);
                assert!(found >= upper_tail(z) * (1.0 - 1e-9) && found <= 2.0 * upper_tail(z) + 1e-9, "{z} {found}");
                assert!(found <= last + 1e-9, "it falls with the correlation: {z} {correlation}");
                last = found;
            }
            let independent = 1.0 - (1.0 - upper_tail(z)).powi(2);
            assert!((greater_of_two(z, 0.0) - independent).abs() < 1e-7, "{z}");
        }
    }

    #[test]
    fn adjusted_probabilities_of_the_example_of_1995() {
        // Benjamini and Hochberg (1995), section 3.2: at q = 0.05 the first four of fifteen are picked out.
        let given = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        let adjusted = benjamini_hochberg(&given);
        assert_eq!(adjusted.iter().filter(|&&p| p <= 0.05).count(), 4);
        assert!(adjusted.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(benjamini_hochberg(&[]), Vec::<f64>::new());
    }
}
