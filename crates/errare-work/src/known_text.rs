//! Texts that stand for something unknown, as in the tags of games.

/// A text without the white space around it; none if it stands for something unknown: if it is empty, or nothing but
/// `?`, `.` and `-`, as `?`, `????.??.??` and `-` are.
///
/// ```
/// use errare_work::known_text;
/// assert_eq!(known_text(" Browne, Walter "), Some("Browne, Walter"));
/// assert_eq!(["", " ", "?", "????.??.??", "-"].map(known_text), [None; 5]);
/// assert_eq!(known_text("1978.??.??"), Some("1978.??.??"));
/// ```
#[must_use]
pub fn known_text(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| text.contains(|c| !matches!(c, '?' | '.' | '-')))
}
