//! Labels above a frame: each stands at a vertical line and extends to the right, as low as it can without touching
//! another line or label.

/// A place on the horizontal axis to point out with a vertical line.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The place of the mark on the horizontal axis.
    pub x: f64,
    /// The label beside the mark's line; may be empty.
    pub label: String,
}

/// The row of each label, counted upwards from the frame. Given are the place of its line and its width, from left to
/// right.
///
/// A label stands above every line it would touch, so that no line crosses a label and no two labels meet.
pub fn rows(labels: &[(f64, f64)]) -> Vec<usize> {
    let mut rows = vec![0; labels.len()];
    for (index, (at, width)) in labels.iter().enumerate().rev() {
        let touched = labels[index + 1..].iter().take_while(|(other, _)| *other < at + width).count();
        rows[index] = rows[index + 1..][..touched].iter().map(|row| row + 1).max().unwrap_or(0);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_rise_above_the_lines_they_would_touch() {
        assert!(rows(&[]).is_empty());
        assert_eq!(rows(&[(0.0, 10.0), (20.0, 10.0)]), [0, 0]);
        assert_eq!(rows(&[(0.0, 10.0), (5.0, 10.0), (14.0, 10.0)]), [2, 1, 0]);
        assert_eq!(rows(&[(0.0, 30.0), (5.0, 1.0), (14.0, 10.0)]), [1, 0, 0]);
        assert_eq!(rows(&[(3.0, 5.0), (3.0, 5.0)]), [1, 0]);
    }
}
