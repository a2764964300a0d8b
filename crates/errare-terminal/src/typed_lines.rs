//! Lines that a person types.

use errare_work::Progress;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The time between two checks whether a wait for input was interrupted.
const PULSE: Duration = Duration::from_millis(50);

/// The longest line that is read, in bytes; nobody types more.
const MAX_LINE: usize = 4096;

/// The lines of stdin, read by a thread of their own so that a wait for them can be interrupted.
pub struct TypedLines(Receiver<io::Result<String>>);

/// The result of waiting for a line.
pub enum Awaited {
    /// A line, without its line break.
    Line(String),
    /// There are no more lines.
    Over,
    /// Ctrl-C was pressed.
    Interrupted,
}

impl TypedLines {
    /// Reads lines from standard input from now on.
    #[must_use]
    pub fn of_stdin() -> TypedLines {
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
        TypedLines(receiver)
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// If standard input cannot be read.
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

/// Reads the next line, whatever its bytes; what is too long for a line is left out. None at the end.
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
