//! Labels above a frame, like flags: each begins at its mark and flies to the right, as low as it can.

/// A place on the horizontal axis worth pointing at.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub x: f64,
    pub label: String,
}

/// The row of each flag, counted upwards from the frame, given where its pole stands and how wide it is, from left
/// to right.
///
/// A flag flies above every pole it would touch, so that no pole crosses a flag and no two flags meet.
pub fn rows(flags: &[(f64, f64)]) -> Vec<usize> {
    let mut rows = vec![0; flags.len()];
    for (index, (pole, width)) in flags.iter().enumerate().rev() {
        let touched = flags[index + 1..].iter().take_while(|(other, _)| *other < pole + width).count();
        rows[index] = rows[index + 1..][..touched].iter().map(|row| row + 1).max().unwrap_or(0);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_rise_above_the_poles_they_would_touch() {
        assert!(rows(&[]).is_empty());
        assert_eq!(rows(&[(0.0, 10.0), (20.0, 10.0)]), [0, 0]);
        assert_eq!(rows(&[(0.0, 10.0), (5.0, 10.0), (14.0, 10.0)]), [2, 1, 0]);
        assert_eq!(rows(&[(0.0, 30.0), (5.0, 1.0), (14.0, 10.0)]), [1, 0, 0]);
        assert_eq!(rows(&[(3.0, 5.0), (3.0, 5.0)]), [1, 0]);
    }
}
