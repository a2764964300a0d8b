//! Text of an engine made safe to show: no control characters, and no more than fits.

/// Replaces control characters, and characters that change the direction of writing, by spaces. A longer text than
/// `max_bytes` is cut, and ends with ` ...`.
pub(super) fn plain(text: &str, max_bytes: usize) -> String {
    let end = text.floor_char_boundary(max_bytes);
    let shown: String = text[..end].chars().map(|c| if upsets_terminals(c) { ' ' } else { c }).collect();
    if end < text.len() { shown + " ..." } else { shown }
}

fn upsets_terminals(c: char) -> bool {
    // Line separators, and marks that embed, override or isolate a direction of writing.
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_upsets_a_terminal_is_left() {
        assert_eq!(plain("a\u{1b}[31mb\u{7}\u{9b}c\u{202e}d\te", 100), "a [31mb  c d e");
        assert_eq!(plain(&"é".repeat(10), 5), "éé ...");
        assert_eq!(plain("Stockfish 15.1 né", 100), "Stockfish 15.1 né");
    }
}
