//! Student's t: how wide an interval must be if the standard error itself rests on few points.

use std::f64::consts::FRAC_PI_2;

/// Half of a central 95% interval in standard errors, for so many degrees of freedom.
pub(crate) fn half_width(freedom: f64) -> f64 {
    const NORMAL: f64 = 1.959_963_984_540_054;
    if freedom > 40.0 {
        // The first terms of Cornish and Fisher's expansion about the normal distribution.
        let z = NORMAL;
        return z
            + (z.powi(3) + z) / (4.0 * freedom)
            + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom.powi(2));
    }
    // With t = tan(angle) sqrt(freedom) the density is a power of the cosine.
    let freedom = freedom.max(1.0);
    let mass = |from: f64, to: f64| -> f64 {
        const STEPS: u32 = 256;
        let step = (to - from) / f64::from(STEPS);
        let density = |place: u32| (from + step * f64::from(place)).cos().max(0.0).powf(freedom - 1.0);
        let simpson = |place: u32| if place % 2 == 1 { 4.0 } else { 2.0 };
        let inner: f64 = (1..STEPS).map(|place| simpson(place) * density(place)).sum();
        (density(0) + inner + density(STEPS)) * step / 3.0
    };
    let all = mass(0.0, FRAC_PI_2);
    // Newton's steps. The density falls with the angle, so that each ends before the quantile, and comes much closer to it.
    let mut angle = 0.0_f64;
    for _ in 0..60 {
        let step = (0.95 * all - mass(0.0, angle)) / angle.cos().powf(freedom - 1.0);
        angle += step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    angle.tan() * freedom.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabled_quantiles() {
        // NIST Handbook of Statistical Methods, table 1.3.6.7.2, column 0.975.
        let table =
            [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (40, 2.021)];
        for (freedom, expected) in table.into_iter().chain([(41, 2.020), (60, 2.000), (100, 1.984), (1_000_000, 1.960)])
        {
            let found = half_width(f64::from(freedom));
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found}");
        }
        // One and two degrees of freedom have quantiles in closed form.
        let exact = [(1.0, (0.95 * FRAC_PI_2).tan()), (2.0, 0.95 * (2.0 / (4.0 * 0.975 * 0.025_f64)).sqrt())];
        for (freedom, expected) in exact {
            assert!((half_width(freedom) - expected).abs() < 1e-8, "{freedom}: {}", half_width(freedom));
        }
        // In between, and below what a t-distribution is used for.
        assert!(half_width(2.5) < half_width(2.0) && half_width(2.5) > half_width(3.0));
        assert_eq!(half_width(0.0), half_width(1.0));
    }
}
