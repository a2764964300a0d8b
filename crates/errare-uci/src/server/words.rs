//! Reads a line word by word.

/// The words of a line, with access to the rest of the line.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a>(pub &'a str);

impl<'a> Words<'a> {
    /// The rest of the line, without the space around it.
    pub fn rest(&self) -> &'a str {
        self.0.trim()
    }

    /// The next word, without moving past it.
    pub fn peek(mut self) -> Option<&'a str> {
        self.next()
    }

    /// Skips words up to and including this one; returns false if it does not occur.
    pub fn skip_past(&mut self, word: &str) -> bool {
        self.any(|found| found == word)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Reads a number: a negative one counts as 0, and one that is too large as the greatest there is.
pub fn number(word: &str) -> Option<u64> {
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if is_negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}
