//! Cells of CSV: numbers in full, and texts that no spreadsheet takes for a formula.

use std::borrow::Cow;

/// Formats a value as a cell, which is empty if there is none.
pub fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Formats a number with all its digits: the shortest text that reads back as the same number, with an exponent where
/// it would else be a row of zeros. Infinite numbers are `inf` and `-inf`; what is not a number is an empty cell.
#[must_use]
pub fn exact(number: f64) -> String {
    match number.abs() {
        size if size.is_nan() => String::new(),
        0.0 => "0".to_owned(),
        size if size.is_finite() && !(1e-5..1e16).contains(&size) => format!("{number:e}"),
        _ => number.to_string(),
    }
}

/// Formats a cell as it is written to CSV. A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or a
/// carriage return for a formula, and may run it; such a text gets a `'` in front, unless it is a number.
pub(crate) fn protected(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_short() {
        let numbers = [0.0, -0.0, 0.5, 20.0, -3.25, 1e-30, 2.0e21, 1.0 / 3.0, f64::INFINITY, f64::NEG_INFINITY];
        let texts = ["0", "0", "0.5", "20", "-3.25", "1e-30", "2e21", "0.3333333333333333", "inf", "-inf"];
        for (number, text) in numbers.into_iter().zip(texts) {
            assert_eq!(exact(number), text);
            assert_eq!(text.parse::<f64>(), Ok(number));
        }
    }

    #[test]
    fn texts_are_not_formulas() {
        for text in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-"] {
            assert_eq!(protected(text), format!("'{text}"));
        }
        for text in ["", "-3.25", "+1e5", "-inf", "Browne, Walter", "8/8 w - - 0 1", "e4=Q"] {
            assert_eq!(protected(text), text);
        }
    }
}
