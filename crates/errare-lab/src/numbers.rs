//! Numbers as people read them.

/// Formats a count in groups of three digits: `1,234,567`.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun, which is given in the singular: `1 ply`, `2,000 plies`.
#[must_use]
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(count), if count == 1 { noun.to_owned() } else { plural(noun) })
}

/// The plural of a noun, or of the last word of a phrase.
fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1_u16, "ply"), "1 ply");
        assert_eq!(counted(0_u64, "ply"), "0 plies");
        assert_eq!(counted(2000_usize, "won position"), "2,000 won positions");
        assert_eq!(counted(2_u32, "day"), "2 days");
    }
}
