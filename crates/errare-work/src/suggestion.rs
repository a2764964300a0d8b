//! Suggestions in messages about an unknown word: the known word that was probably meant.

/// Formats a question after the known word nearest to `word`, as in `; did you mean dtm?`, to be put at the end of an
/// error message.
///
/// Empty if no known word is near, or if several are equally near: a wrong guess helps nobody. Letter case does not
/// matter.
///
/// ```
/// use errare_work::did_you_mean;
/// assert_eq!(did_you_mean("dmt", ["dtm", "dtc", "dtz"]), "; did you mean dtm?");
/// assert_eq!(did_you_mean("dtx", ["dtm", "dtc", "dtz"]), "");
/// ```
#[must_use]
pub fn did_you_mean<W: AsRef<str>>(word: &str, known: impl IntoIterator<Item = W>) -> String {
    // Longer words are not typing errors, and comparing them takes time.
    const LONGEST: usize = 40;
    let wanted = word.trim().to_lowercase();
    if wanted.is_empty() || wanted.chars().count() > LONGEST {
        return String::new();
    }
    // One slip in a short word, two in a longer one.
    let slips = if wanted.chars().count() < 6 { 1 } else { 2 };
    let mut nearest: Option<(usize, String)> = None;
    let mut is_tied = false;
    for candidate in known {
        let candidate = candidate.as_ref();
        let distance = strsim::osa_distance(&wanted, &candidate.to_lowercase());
        match &nearest {
            Some((least, _)) if distance > *least => {}
            Some((least, _)) if distance == *least => is_tied = true,
            _ => (nearest, is_tied) = (Some((distance, candidate.to_owned())), false),
        }
    }
    match nearest {
        Some((distance, candidate)) if distance <= slips && !is_tied => format!("; did you mean {candidate}?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn a_slip_is_forgiven_and_a_guess_is_not_made() {
        let known = ["player", "infallible", "predator", "levy"];
        assert_eq!(did_you_mean("playr", known), "; did you mean player?");
        assert_eq!(did_you_mean("Infalible", known), "; did you mean infallible?");
        assert_eq!(did_you_mean("levi", known), "; did you mean levy?");
        for word in ["", "bishop", "p", "x".repeat(500).as_str()] {
            assert_eq!(did_you_mean(word, known), "", "{word}");
        }
    }
}
