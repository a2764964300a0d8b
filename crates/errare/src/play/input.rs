//! What a person types: moves and commands, line by line.

use errare_work::Progress;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a wait for input looks whether it was interrupted.
const PULSE: Duration = Duration::from_millis(50);

/// The longest line that is read; nobody types more.
const MAX_LINE: usize = 4096;

/// The commands, with what they do.
pub const COMMANDS: [(&str, &str); 9] = [
    ("hint", "show the best moves"),
    ("moves", "show all moves with what they lead to"),
    ("back", "take your last move back"),
    ("flip", "turn the board round"),
    ("draw", "claim a draw, if the move rule or repetition allows it"),
    ("resign", "give the game up"),
    ("save FILE", "write the game as PGN, with comments"),
    ("help", "show this list"),
    ("quit", "stop playing"),
];

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    Hint,
    Moves,
    Back,
    Flip,
    Draw,
    Resign,
    Save(String),
    Help,
    Quit,
    /// Anything else, which should be a move.
    Move(String),
}

impl Typed {
    /// What a line means; none if it is empty.
    pub fn read(line: &str) -> Option<Typed> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => return None,
            ("hint", "") => Typed::Hint,
            ("moves", "") => Typed::Moves,
            ("back", "") => Typed::Back,
            ("flip", "") => Typed::Flip,
            ("draw", "") => Typed::Draw,
            ("resign", "") => Typed::Resign,
            ("save", file) => Typed::Save(file.to_owned()),
            ("help" | "?", "") => Typed::Help,
            ("quit" | "exit", "") => Typed::Quit,
            _ => Typed::Move(line.to_owned()),
        })
    }
}

/// The moves of a text, without move numbers.
pub fn move_words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word };
        rest.to_owned()
    };
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// The lines of stdin, read by a thread of their own so that a wait for them can be interrupted.
pub struct Lines(Receiver<io::Result<String>>);

/// What came of a wait for a line.
pub enum Awaited {
    Line(String),
    /// There are no more lines.
    Over,
    /// Ctrl-C was pressed.
    Interrupted,
}

impl Lines {
    pub fn of_stdin() -> Lines {
        let (sender, receiver) = mpsc::sync_channel(0);
        // The thread ends with its input, or with the program.
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Some(line) = bounded_line(&mut stdin).transpose() {
                let is_broken = line.is_err();
                if sender.send(line).is_err() || is_broken {
                    return;
                }
            }
        });
        Lines(receiver)
    }

    /// Waits for the next line.
    pub fn next(&self, progress: &dyn Progress) -> io::Result<Awaited> {
        loop {
            if progress.is_cancelled() {
                return Ok(Awaited::Interrupted);
            }
            match self.0.recv_timeout(PULSE) {
                Ok(line) => return line.map(Awaited::Line),
                Err(RecvTimeoutError::Disconnected) if progress.is_cancelled() => return Ok(Awaited::Interrupted),
                Err(RecvTimeoutError::Disconnected) => return Ok(Awaited::Over),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The next line, whatever its bytes; what is too long for a line is left out. None at the end.
fn bounded_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut has_any = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok(has_any.then(|| String::from_utf8_lossy(&line).into_owned()));
        }
        has_any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE - line.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_moves() {
        assert_eq!(Typed::read("  "), None);
        assert_eq!(Typed::read(" Hint "), Some(Typed::Hint));
        assert_eq!(Typed::read("?"), Some(Typed::Help));
        assert_eq!(Typed::read("save my game.pgn "), Some(Typed::Save("my game.pgn".to_owned())));
        assert_eq!(Typed::read("Qd5+"), Some(Typed::Move("Qd5+".to_owned())));
        assert_eq!(Typed::read("draw me"), Some(Typed::Move("draw me".to_owned())));
        for (name, _) in COMMANDS {
            assert!(!matches!(Typed::read(name), Some(Typed::Move(_))), "{name}");
        }
    }

    #[test]
    fn moves_of_a_text_have_no_numbers() {
        assert_eq!(move_words("1. Qd5 Kb6 2.Qd6+ 2... Kb7 e2e4"), ["Qd5", "Kb6", "Qd6+", "Kb7", "e2e4"]);
        assert_eq!(move_words(" "), [""; 0]);
    }

    #[test]
    fn long_lines_are_cut_and_bytes_need_not_be_text() {
        let mut text = vec![b'x'; 3 * MAX_LINE];
        text.extend(b"\n\xff\nlast");
        let mut input = &text[..];
        let mut next = || bounded_line(&mut input).expect("a line");
        assert_eq!(next().map(|line| line.len()), Some(MAX_LINE));
        assert_eq!(next().as_deref(), Some("\u{fffd}"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
