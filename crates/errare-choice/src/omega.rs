//! The Wright omega function on the real line.

/// Solves w + ln w = x for w > 0: Lambert's W of e^x, without the overflow of e^x.
///
/// Below about -745 the answer underflows to 0.
pub(crate) fn omega(x: f64) -> f64 {
    // Here ln w is smaller than the rounding error, and squares might overflow.
    if x > 1e18 {
        return x;
    }
    // The first two terms of the series at either end; both are within a third between.
    let mut w = if x < 1.0 {
        let e = x.exp();
        e / (1.0 + e)
    } else {
        x - x.ln() * x / (1.0 + x)
    };
    if w == 0.0 {
        return 0.0;
    }
    // The iteration of Fritsch, Shafer and Crowley: of fourth order, so two steps give all digits.
    for _ in 0..2 {
        let rest = x - w - w.ln();
        let more = 1.0 + w;
        let twice = 2.0 * more * (more + 2.0 / 3.0 * rest);
        w *= 1.0 + rest / more * (twice - rest) / (twice - 2.0 * rest);
    }
    w
}

#[cfg(test)]
mod tests {
    use super::omega;

    #[test]
    fn it_solves_its_equation() {
        for step in -7000..7000 {
            let x = f64::from(step) / 10.0;
            let w = omega(x);
            // An error of w in its last digit moves w + ln w by this much.
            let digit = f64::EPSILON * (1.0 + w + x.abs());
            assert!((w + w.ln() - x).abs() < 4.0 * digit, "{x}: {w}");
        }
        assert!((omega(1.0) - 1.0).abs() < 1e-15);
        // Lambert's W(1), the omega constant.
        assert!((omega(0.0) - 0.567_143_290_409_783_8).abs() < 1e-15);
        for x in [1e6, 1e100, 1e300] {
            assert!((omega(x) + omega(x).ln() - x).abs() <= 4.0 * f64::EPSILON * x);
        }
        assert_eq!(omega(-1e300), 0.0);
    }
}
