//! Text from outside made safe for a terminal: names in games, engines, files and arguments may hold anything.

use std::borrow::Cow;

/// Text with everything escaped that a terminal would obey instead of showing: control characters (C0, DEL, C1), line and
/// paragraph separators, and marks that change the direction of writing. Line breaks stay.
pub fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && is_obeyed(c))
}

/// As [`safe`], for a text that has to stay on one line.
pub fn safe_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_obeyed)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            safe.extend(c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_instead() {
        assert_eq!(safe("\u{1b}[2J\u{7}\r\t\u{7f}\u{9b}31m"), "\\u{1b}[2J\\u{7}\\r\\t\\u{7f}\\u{9b}31m");
        assert_eq!(safe("a\u{202e}b\u{2066}c\u{200f}"), "a\\u{202e}b\\u{2066}c\\u{200f}");
        assert_eq!(safe("one\ntwo"), "one\ntwo");
        assert_eq!(safe_line("one\ntwo"), "one\\ntwo");
        for plain in ["Müller, Karsten", "棋 ♔ e\u{301}", "\\ 'quoted'"] {
            assert!(matches!(safe(plain), Cow::Borrowed(text) if text == plain));
        }
    }
}
