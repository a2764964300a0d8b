//! Text from files: decoding, comments, and excerpts for messages.

/// The number of characters of a text that a message repeats.
const SHOWN: usize = 60;

/// Decodes UTF-8 if the bytes are valid UTF-8, and otherwise Latin-1, which the PGN standard prescribes. Never fails.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Normalises a comment: words separated by single spaces, without a `}` that would close the comment early.
///
/// Lines are wrapped anew when a game is written, so white space in a comment is not significant.
pub(crate) fn comment(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    if words.contains('}') { words.replace('}', ")") } else { words }
}

/// The beginning of a text, without control characters, for a message on a terminal.
pub(crate) fn shown(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_read_where_utf_8_fails() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller"), "Müller");
    }

    #[test]
    fn comments_lose_line_ends_and_closing_braces() {
        assert_eq!(comment("  a\r\n b\tc } "), "a b c )");
        assert_eq!(comment(" \n "), "");
    }

    #[test]
    fn messages_stay_short_and_harmless() {
        assert_eq!(shown("Qxh9"), "Qxh9");
        assert_eq!(shown("\x1b[2J"), "\u{fffd}[2J");
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), SHOWN + 1);
    }
}
