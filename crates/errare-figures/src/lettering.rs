//! Estimates of how wide text is. The font is the reader's, so these are for the wider ones in use.

use std::borrow::Cow;

/// Font size of titles in pixels.
pub const TITLE: f64 = 15.0;
/// Font size of axis labels in pixels.
pub const LABEL: f64 = 13.0;
/// Font size of everything else in pixels.
pub const SMALL: f64 = 12.0;

/// The estimated width in pixels of a text in a font of this size.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// The width of a letter, as a share of the font size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' | 'f' | 't' | 'r' | '(' | ')' => 0.4,
        '\u{2070}'..='\u{207f}' | '\u{b2}' | '\u{b3}' | '\u{b9}' => 0.45,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '\u{2026}' => 1.0,
        'A'..='Z' | '+' | '<' | '=' | '>' | '\u{d7}' | '\u{2212}' => 0.8,
        '\u{2e80}'.. => 1.1,
        _ => 0.64,
    }
}

/// The greatest width of these texts in the smallest font; 0 if there are none.
pub fn widest(texts: impl IntoIterator<Item: AsRef<str>>) -> f64 {
    texts.into_iter().map(|text| width(text.as_ref(), SMALL)).fold(0.0, f64::max)
}

/// The text, or as much of its beginning as fits into `room` pixels, with an ellipsis.
pub fn fit(text: &str, size: f64, room: f64) -> Cow<'_, str> {
    if width(text, size) <= room {
        return Cow::Borrowed(text);
    }
    let room = room - width("\u{2026}", size);
    let mut taken = 0.0;
    let kept = text.chars().take_while(|&letter| {
        taken += em(letter) * size;
        taken <= room
    });
    let kept: String = kept.collect();
    Cow::Owned(format!("{}\u{2026}", kept.trim_end()))
}

/// The text in lines of `room` pixels at most, broken between words; the last of `most` lines is cut if it is too long.
pub fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_full = lines.len() == most;
        match lines.last_mut() {
            Some(line) if is_full || width(line, size) + width(" ", size) + width(word, size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fit(line, size, room).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_between_words() {
        let text = "rook and pawn against rook";
        assert_eq!(wrap(text, 10.0, 1000.0, 3), [text]);
        assert_eq!(wrap(text, 10.0, 90.0, 3), ["rook and pawn", "against rook"]);
        let cut = wrap(text, 10.0, 70.0, 2);
        assert!(cut.len() == 2 && cut[1].ends_with('\u{2026}') && width(&cut[1], 10.0) <= 70.0, "{cut:?}");
        assert!(wrap("", 10.0, 90.0, 2).is_empty());
    }

    #[test]
    fn text_is_cut_only_where_it_does_not_fit() {
        assert_eq!(fit("rook", 10.0, 100.0), "rook");
        assert_eq!(fit("rook and pawn against rook", 10.0, 50.0), "rook an\u{2026}");
        assert!(width(&fit("rook and pawn against rook", 10.0, 50.0), 10.0) <= 50.0);
        assert_eq!(fit("rook", 10.0, -5.0), "\u{2026}");
    }
}
