//! Numbers as text.

/// Formats a number with so many decimals, without a sign at zero.
pub fn decimals(value: f64, count: usize) -> String {
    let text = format!("{value:.count$}");
    match text.strip_prefix('-') {
        Some(positive) if positive.chars().all(|c| c == '0' || c == '.') => positive.to_owned(),
        _ => text,
    }
}

/// Formats a number in scientific notation with so many decimals, as in 2.76e8.
pub fn scientific(value: f64, count: usize) -> String {
    format!("{value:.count$e}")
}

/// Formats a whole number with commas, as in 3,444.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for at in (first..digits.len()).step_by(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&digits[at..at + 3]);
    }
    text
}

/// Joins texts by commas.
pub fn listed<T: ToString>(texts: impl IntoIterator<Item = T>) -> String {
    texts.into_iter().map(|text| text.to_string()).collect::<Vec<_>>().join(", ")
}

/// Formats numbers with so many decimals, joined by commas.
pub fn numbers(values: impl IntoIterator<Item = f64>, count: usize) -> String {
    listed(values.into_iter().map(|value| decimals(value, count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!([decimals(-0.001, 2), decimals(-0.5, 1), decimals(2.0, 0)], ["0.00", "-0.5", "2"]);
        assert_eq!([grouped(7), grouped(1234), grouped(12_345_678), grouped(100)], ["7", "1,234", "12,345,678", "100"]);
        assert_eq!(scientific(2.763e8, 2), "2.76e8");
    }
}
