//! The bytes of a stream one at a time, with line ends made alike and lines counted.

use errare_work::Unpacked;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

/// The size of the read buffer: large enough that reading costs little beside parsing.
const BUFFER: usize = 1 << 16;

/// A stream, unpacked if it is compressed, in which CR LF, CR and LF are all `\n`.
#[derive(Debug)]
pub(crate) struct Bytes<R> {
    reader: BufReader<Unpacked<R>>,
    line: u64,
    at_line_start: bool,
    after_cr: bool,
}

impl<R: Read> Bytes<R> {
    pub(crate) fn new(reader: R) -> Bytes<R> {
        let reader = BufReader::with_capacity(BUFFER, Unpacked::new(reader));
        Bytes { reader, line: 1, at_line_start: true, after_cr: false }
    }

    /// The next byte, without consuming it; none at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let byte = match self.reader.fill_buf() {
                Ok(buffer) => buffer.first().copied(),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            match byte {
                Some(b'\n') if self.after_cr => {
                    self.after_cr = false;
                    self.reader.consume(1);
                }
                Some(b'\r') => return Ok(Some(b'\n')),
                byte => return Ok(byte),
            }
        }
    }

    /// Consumes the byte that was peeked at.
    #[inline]
    pub(crate) fn bump(&mut self) {
        let Some(&byte) = self.reader.buffer().first() else {
            debug_assert!(false, "bump without a byte that was peeked at");
            return;
        };
        self.after_cr = byte == b'\r';
        self.at_line_start = matches!(byte, b'\r' | b'\n');
        self.line += u64::from(self.at_line_start);
        self.reader.consume(1);
    }

    /// The number of the line that the next byte is on, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Whether the next byte is the first of its line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.at_line_start
    }

    /// Restores the state before a byte order mark, which must not count as a part of its line.
    pub(crate) fn set_at_line_start(&mut self, at_line_start: bool) {
        self.at_line_start = at_line_start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, after an interruption each.
    struct Dripping<'a>(&'a [u8], bool);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let (&byte, rest) = match self.0.split_first() {
                Some(split) => split,
                None => return Ok(0),
            };
            buffer[0] = byte;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn line_ends_are_alike_and_counted() -> io::Result<()> {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc"] {
            let mut bytes = Bytes::new(Dripping(text.as_bytes(), false));
            let mut seen = Vec::new();
            while let Some(byte) = bytes.peek()? {
                seen.push((byte, bytes.line(), bytes.at_line_start()));
                bytes.bump();
            }
            let expected = [
                (b'a', 1, true),
                (b'\n', 1, false),
                (b'b', 2, true),
                (b'\n', 2, false),
                (b'\n', 3, true),
                (b'c', 4, true),
            ];
            assert_eq!(seen, expected, "{text:?}");
        }
        Ok(())
    }
}
