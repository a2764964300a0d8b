//! Reading tags: `[Name "value"]`.

use super::{Extent, Lexer, MAX_WORD};
use std::io::{self, Read};

impl<R: Read> Lexer<R> {
    /// Reads the tag after [`Token::Bracket`](super::Token::Bracket).
    ///
    /// Many files do not escape quotation marks. The one that closes the value is therefore the one before the bracket
    /// or the end of the line.
    pub(crate) fn tag(&mut self) -> io::Result<Extent> {
        self.name.clear();
        self.text.clear();
        if std::mem::take(&mut self.in_event_tag) {
            self.name.extend_from_slice(b"Event");
            return self.quoted();
        }
        self.bytes.bump();
        self.skip_blanks()?;
        while let Some(byte) = self.bytes.peek()? {
            if matches!(byte, 0..=b' ' | b'"' | b'[' | b']') {
                break;
            }
            if self.name.len() < MAX_WORD {
                self.name.push(byte);
            }
            self.bytes.bump();
        }
        self.skip_blanks()?;
        if self.bytes.peek()? == Some(b'"') {
            self.bytes.bump();
            return self.quoted();
        }
        let mut extent = Extent::Whole;
        while let Some(byte) = self.bytes.peek()? {
            if byte == b'\n' {
                break;
            }
            self.bytes.bump();
            if byte == b']' {
                break;
            }
            self.keep(byte, &mut extent);
        }
        Ok(extent)
    }

    /// Reads the rest of a tag after its first quotation mark.
    fn quoted(&mut self) -> io::Result<Extent> {
        let mut extent = Extent::Whole;
        while let Some(byte) = self.bytes.peek()? {
            if byte == b'\n' {
                break;
            }
            self.bytes.bump();
            match byte {
                b'\\' => match self.bytes.peek()? {
                    Some(escaped @ (b'"' | b'\\')) => {
                        self.bytes.bump();
                        self.keep(escaped, &mut extent);
                    }
                    _ => self.keep(byte, &mut extent),
                },
                b'"' => {
                    let end = self.text.len();
                    self.keep(byte, &mut extent);
                    while let Some(blank @ (b' ' | b'\t')) = self.bytes.peek()? {
                        self.bytes.bump();
                        self.keep(blank, &mut extent);
                    }
                    let next = self.bytes.peek()?;
                    if matches!(next, None | Some(b'\n' | b']')) {
                        self.text.truncate(end);
                        if next == Some(b']') {
                            self.bytes.bump();
                        }
                        break;
                    }
                }
                _ => self.keep(byte, &mut extent),
            }
        }
        Ok(extent)
    }
}
