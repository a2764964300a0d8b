//! The lines of an engine's output, whatever it writes.

use std::io::{BufRead, BufReader, Read};

/// The longest line that is read whole, in bytes: principal variations take a kilobyte or two.
const MOST_BYTES: usize = 64 << 10;

/// Passes each line to `tell`, until the end or until `tell` returns false. Bytes that are not UTF-8 are replaced. Of a
/// line that is too long the beginning is passed, after a mark, so that it is not taken for an answer.
pub(super) fn lines(source: impl Read, mut tell: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    let mut is_cut = false;
    loop {
        let chunk = match source.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let room = MOST_BYTES - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        is_cut |= part.len() > room;
        let consumed = part.len() + usize::from(end.is_some());
        source.consume(consumed);
        if end.is_some() {
            if !tell(text(&line, is_cut)) {
                return;
            }
            line.clear();
            is_cut = false;
        }
    }
    if !line.is_empty() {
        tell(text(&line, is_cut));
    }
}

fn text(line: &[u8], is_cut: bool) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if is_cut { format!("(overlong) {text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        lines(bytes, |line| {
            found.push(line);
            true
        });
        found
    }

    #[test]
    fn lines_end_as_any_system_ends_them() {
        assert_eq!(read(b"uciok\r\n\nreadyok\nlast"), ["uciok", "", "readyok", "last"]);
    }

    #[test]
    fn no_bytes_upset_the_reader() {
        assert_eq!(read(b"\xff\xfe\nuciok\n"), ["\u{fffd}\u{fffd}", "uciok"]);
        let mut long = vec![b'x'; 5 << 20];
        long.extend_from_slice(b"\nuciok\n");
        let found = read(&long);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with("(overlong) xxx") && found[0].len() < MOST_BYTES + 20);
        assert_eq!(found[1], "uciok");
    }

    #[test]
    fn reading_ends_when_nobody_listens() {
        let mut count = 0;
        lines(&b"a\nb\nc\n"[..], |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1);
    }
}
