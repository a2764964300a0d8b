//! Text as it comes from files and goes into files and messages.

/// How much of a text from a file a message repeats.
const SHOWN: usize = 60;

/// UTF-8 where it is that, and otherwise Latin-1, which the PGN standard prescribes. Never fails.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A comment as we keep and write it: words with single spaces between them, and nothing that would close it early.
///
/// Lines are wrapped anew when a game is written, so white space in a comment cannot mean anything.
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

/// The beginning of a text, fit for a message on a terminal.
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
