//! The last lines exchanged with an engine.

use super::plain_text::plain;
use std::collections::VecDeque;
use std::fmt;

/// Number of lines that are remembered.
const MOST_LINES: usize = 24;

/// Number of bytes of a line that are remembered.
const MOST_BYTES: usize = 300;

/// The writer of a line: us or the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// We wrote the line to the engine's standard input.
    Sent,
    /// The engine wrote the line to its standard output.
    Received,
    /// The engine wrote the line to its standard error.
    Complained,
}

/// A line exchanged, cut if it is long. The line is shown after the mark `>` if it was sent, `<` if it was received and
/// `!` if it was written to standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The writer of the line.
    pub direction: Direction,
    /// The text of the line, without control characters.
    pub line: String,
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Complained => '!',
        };
        write!(f, "{mark} {}", self.line)
    }
}

/// The last lines exchanged, oldest first.
#[derive(Debug, Default)]
pub(super) struct Transcript(VecDeque<Exchange>);

impl Transcript {
    pub fn add(&mut self, direction: Direction, line: &str) {
        if self.0.len() == MOST_LINES {
            self.0.pop_front();
        }
        self.0.push_back(Exchange { direction, line: plain(line, MOST_BYTES) });
    }

    pub fn lines(&self) -> Vec<Exchange> {
        self.0.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept_and_long_ones_cut() {
        let mut transcript = Transcript::default();
        (0..100).for_each(|number| transcript.add(Direction::Sent, &format!("go depth {number}")));
        transcript.add(Direction::Received, &"é".repeat(1000));
        transcript.add(Direction::Complained, "bad\u{1b}[31m");
        let lines: Vec<String> = transcript.lines().iter().map(ToString::to_string).collect();
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!(lines[0], "> go depth 78");
        assert_eq!(lines[22], format!("< {} ...", "é".repeat(150)));
        assert_eq!(lines[23], "! bad [31m");
    }
}
