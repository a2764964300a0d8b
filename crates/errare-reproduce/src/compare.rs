//! Comparison of numbers: when a computed one agrees with a printed one.

use crate::numerals::{decimals, scientific};

/// The rule of agreement, in sentences for readers.
pub const RULE: &str = "A computed number agrees if it rounds to the printed digits. A mean of random games agrees if it lies \
within three standard errors of the difference; an extreme of random games agrees if no more than six of our games lie beyond it. A statement \
in words agrees if the computation beside it bears it out.";

/// A number as it is printed: its value, and the unit of its last digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedNumber {
    /// The printed value.
    pub value: f64,
    unit: f64,
    /// Number of digits after the point, in the mantissa if there is an exponent.
    places: usize,
    is_scientific: bool,
}

impl PrintedNumber {
    /// Reads a printed number, with commas between thousands or an exponent; "about" before it is left out.
    pub fn read(text: &str) -> Option<PrintedNumber> {
        let text = text.trim().trim_start_matches("about ").replace(',', "");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let places = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len());
        let exponent: i32 = exponent.parse().ok()?;
        let unit = 10f64.powi(exponent - i32::try_from(places).ok()?);
        Some(PrintedNumber { value: text.parse().ok()?, unit, places, is_scientific: text.contains('e') })
    }

    /// Reads all numbers of a text, which commas and spaces separate.
    pub fn all(text: &str) -> Option<Vec<PrintedNumber>> {
        text.split(", ").map(PrintedNumber::read).collect()
    }

    /// Whether a computed number rounds to the printed digits.
    pub fn agrees(&self, computed: f64) -> bool {
        (computed / self.unit).round() == (self.value / self.unit).round()
    }

    /// Formats a computed number with two digits more than print, but without a point if both are whole numbers.
    pub fn computed(&self, value: f64) -> String {
        if self.is_scientific {
            scientific(value, self.places + 2)
        } else if self.places == 0 && (value - value.round()).abs() < 1e-9 {
            decimals(value, 0)
        } else {
            decimals(value, self.places + 2)
        }
    }

    /// Formats the difference to a computed number, computed less printed.
    pub fn difference(&self, computed: f64) -> String {
        let difference = computed - self.value;
        let text = if self.is_scientific { scientific(difference, self.places + 1) } else { self.computed(difference) };
        if text.starts_with('-') || text.chars().all(|c| matches!(c, '0' | '.')) { text } else { format!("+{text}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PrintedNumber {
        PrintedNumber::read(text).expect("a number")
    }

    #[test]
    fn rounding_decides() {
        assert!(read("97.20").agrees(97.196) && !read("97.20").agrees(97.194));
        assert!(read("3,444").agrees(3444.4) && !read("3,444").agrees(3458.27));
        assert!(read("4e8").agrees(3.6e8) && !read("4e8").agrees(2.76e8));
        assert!(read("about 15").agrees(15.4) && !read("about 15").agrees(15.6));
        assert!(!read("31").agrees(30.0) && read("-0.004").agrees(-0.004));
        assert_eq!(PrintedNumber::read("curve"), None);
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!(
            (read("97.20").computed(97.1958), read("97.20").difference(97.1958)),
            ("97.1958".into(), "-0.0042".into())
        );
        assert_eq!((read("31").computed(31.0), read("31").difference(31.0)), ("31".into(), "0".into()));
        assert_eq!(
            (read("4e8").computed(2.763e8), read("4e8").difference(2.763e8)),
            ("2.76e8".into(), "-1.2e8".into())
        );
        assert_eq!(read("16").difference(15.81), "-0.19");
    }
}
