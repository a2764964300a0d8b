//! Lines from outside, of any bytes and any length.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes. The longest game that the rules allow fits.
pub const LONGEST: usize = 256 << 10;

/// A line of input, or the mark of one that is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputLine {
    /// The text of the line; bytes that are not UTF-8 are replaced.
    Text(String),
    /// The line was longer than [`LONGEST`]; nothing of it is kept.
    TooLong,
}

/// Reads lines, holding no more than one in memory.
#[derive(Debug)]
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    /// Makes an iterator over the lines of a reader.
    pub fn new(reader: R) -> Lines<R> {
        Lines(reader)
    }

    /// Reads the next line, without its end; none at the end of the input.
    fn read(&mut self) -> io::Result<Option<InputLine>> {
        let mut bytes = Vec::new();
        let (mut is_something, mut is_too_long) = (false, false);
        loop {
            let found = match self.0.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                found => found?,
            };
            if found.is_empty() {
                break;
            }
            is_something = true;
            let end = found.iter().position(|&byte| byte == b'\n');
            let part = &found[..end.unwrap_or(found.len())];
            is_too_long |= bytes.len() + part.len() > LONGEST;
            if !is_too_long {
                bytes.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.0.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(match (is_something, is_too_long) {
            (false, _) => None,
            (true, true) => Some(InputLine::TooLong),
            (true, false) => Some(InputLine::Text(String::from_utf8_lossy(&bytes).into_owned())),
        })
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<InputLine>;

    fn next(&mut self) -> Option<io::Result<InputLine>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<InputLine> {
        // A small buffer, so that lines come in pieces.
        Lines::new(BufReader::with_capacity(7, bytes)).collect::<io::Result<_>>().expect("bytes can be read")
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_of_any_bytes_come_as_text() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"uci\nisready"), [text("uci"), text("isready")]);
        assert_eq!(lines(b"\n\nuci\r\n"), [text(""), text(""), text("uci\r")]);
        assert_eq!(lines(b"\xff\xfe uci\n"), [text("\u{fffd}\u{fffd} uci")]);
    }

    #[test]
    fn a_line_beyond_the_bound_is_passed_over_and_the_next_one_read() {
        let long = |length| [vec![b'x'; length], b"\nuci\n".to_vec()].concat();
        assert_eq!(lines(&long(LONGEST)), [text(&"x".repeat(LONGEST)), text("uci")]);
        assert_eq!(lines(&long(LONGEST + 1)), [InputLine::TooLong, text("uci")]);
        assert_eq!(lines(&vec![b'x'; LONGEST + 1]), [InputLine::TooLong]);
    }
}
