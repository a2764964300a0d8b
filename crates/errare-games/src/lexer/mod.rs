//! The lexer, which cuts PGN into tokens.
//!
//! It rejects nothing, and no token is longer than [`MAX_TEXT`], whatever the stream holds.

mod tag;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use token::{Extent, Token};

use crate::bytes::Bytes;
use crate::game::Nag;
use shakmaty::Outcome;
use std::io::{self, Read};
use token::result;

/// The longest comment or tag that is kept.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// The longest word that is kept: longer than any move, so that a cut word is never taken for one.
const MAX_WORD: usize = 256;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The beginning of a game, which ends an unclosed comment.
const NEXT_GAME: &[u8] = b"\n[Event \"";

/// The lexer of a PGN stream.
#[derive(Debug)]
pub(crate) struct Lexer<R> {
    bytes: Bytes<R>,
    text: Vec<u8>,
    name: Vec<u8>,
    line: u64,
    after_blank_line: bool,
    /// Whether `[Event "` has been consumed inside a comment, so that a tag goes on here.
    in_event_tag: bool,
}

impl<R: Read> Lexer<R> {
    pub(crate) fn new(reader: R) -> Lexer<R> {
        Lexer {
            bytes: Bytes::new(reader),
            text: Vec::new(),
            name: Vec::new(),
            line: 1,
            after_blank_line: false,
            in_event_tag: false,
        }
    }

    /// The text of the last comment, word or tag value.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The name of the last tag.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    /// The line that the last token begins on.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Whether a blank line precedes the last token.
    pub(crate) fn after_blank_line(&self) -> bool {
        self.after_blank_line
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self) -> io::Result<Token> {
        loop {
            if self.in_event_tag {
                return Ok(Token::Bracket);
            }
            self.skip_space()?;
            self.line = self.bytes.line();
            let Some(byte) = self.bytes.peek()? else { return Ok(Token::End) };
            return Ok(match byte {
                b'[' => Token::Bracket,
                b'{' | b';' => self.comment(byte)?,
                b'$' => self.numeric_nag()?,
                b'!' | b'?' => self.suffix(byte)?,
                b'(' => self.single(Token::Open),
                b')' => self.single(Token::Close),
                b'*' => self.single(Token::Result(Outcome::Unknown)),
                b'.' => {
                    self.bytes.bump();
                    continue;
                }
                _ => match self.word_or_number()? {
                    Some(token) => token,
                    None => continue,
                },
            });
        }
    }

    /// Reads a comment that begins on the line where the last token ended, if that comes next.
    pub(crate) fn comment_on_same_line(&mut self) -> io::Result<Option<Token>> {
        match self.peek_on_same_line()? {
            Some(byte @ (b'{' | b';')) => self.comment(byte).map(Some),
            _ => Ok(None),
        }
    }

    /// The next byte on the line where the last token ended that is not white space; none at the end of the line.
    pub(crate) fn peek_on_same_line(&mut self) -> io::Result<Option<u8>> {
        if self.in_event_tag {
            return Ok(Some(b'['));
        }
        while let Some(byte) = self.bytes.peek()? {
            match byte {
                b'\n' => break,
                0..=b' ' => self.bytes.bump(),
                _ => {
                    self.line = self.bytes.line();
                    return Ok(Some(byte));
                }
            }
        }
        Ok(None)
    }

    /// Skips the rest of the line, but not its end.
    pub(crate) fn skip_line(&mut self) -> io::Result<()> {
        while self.bytes.peek()?.is_some_and(|byte| byte != b'\n') {
            self.bytes.bump();
        }
        Ok(())
    }

    fn comment(&mut self, opening: u8) -> io::Result<Token> {
        self.bytes.bump();
        self.text.clear();
        let mut extent = Extent::Whole;
        if opening == b';' {
            while let Some(byte) = self.bytes.peek()? {
                if byte == b'\n' {
                    break;
                }
                self.bytes.bump();
                self.keep(byte, &mut extent);
            }
            return Ok(Token::Comment(extent));
        }
        // The number of bytes of `NEXT_GAME` that the last bytes match.
        let mut matched = 0;
        while let Some(byte) = self.bytes.peek()? {
            self.bytes.bump();
            if byte == b'}' {
                return Ok(Token::Comment(extent));
            }
            matched = if byte == NEXT_GAME[matched] { matched + 1 } else { usize::from(byte == NEXT_GAME[0]) };
            if matched == NEXT_GAME.len() {
                self.in_event_tag = true;
                break;
            }
            self.keep(byte, &mut extent);
        }
        Ok(Token::Comment(Extent::Unclosed))
    }

    fn numeric_nag(&mut self) -> io::Result<Token> {
        self.bytes.bump();
        let digits = self.digits()?;
        Ok(Token::Nag(digits.and_then(|number| u8::try_from(number).ok()).map(Nag)))
    }

    fn suffix(&mut self, first: u8) -> io::Result<Token> {
        self.bytes.bump();
        let second = self.bytes.peek()?.filter(|byte| matches!(byte, b'!' | b'?'));
        if second.is_some() {
            self.bytes.bump();
        }
        Ok(Token::Nag(Some(match (first, second) {
            (b'!', None) => Nag::GOOD,
            (b'!', Some(b'!')) => Nag::BRILLIANT,
            (b'!', Some(_)) => Nag::SPECULATIVE,
            (_, None) => Nag::MISTAKE,
            (_, Some(b'!')) => Nag::DUBIOUS,
            (_, Some(_)) => Nag::BLUNDER,
        })))
    }

    /// Reads a word or number; none for a byte order mark, which begins some files, and occurs in the middle where
    /// several files were joined.
    fn word_or_number(&mut self) -> io::Result<Option<Token>> {
        let at_line_start = self.bytes.at_line_start();
        if let Some(number) = self.digits()? {
            match self.bytes.peek()? {
                // `1-0`, `1/2-1/2`, `0-0-0`, also with dashes that are not ASCII.
                Some(b'-' | b'/' | 0x80..) => {}
                _ => {
                    let mut dots = 0;
                    while self.bytes.peek()? == Some(b'.') {
                        self.bytes.bump();
                        dots += 1;
                    }
                    return Ok(Some(Token::Number { number, dots }));
                }
            }
        }
        while let Some(byte) = self.bytes.peek()? {
            let ends =
                matches!(byte, 0..=b' ' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'!' | b'?' | b'$' | b';' | b'*');
            // A byte that ends words is a word of its own if no token begins with it.
            if ends && !self.text.is_empty() {
                break;
            }
            if self.text.len() < MAX_WORD {
                self.text.push(byte);
            }
            self.bytes.bump();
            if self.text == BYTE_ORDER_MARK {
                self.bytes.set_at_line_start(at_line_start);
                return Ok(None);
            }
            if ends {
                break;
            }
        }
        Ok(Some(result(&self.text).map_or(Token::Word, Token::Result)))
    }

    /// Reads digits as a number, and keeps them in `text` up to the length of a word.
    fn digits(&mut self) -> io::Result<Option<u64>> {
        self.text.clear();
        let mut number = None;
        while let Some(byte @ b'0'..=b'9') = self.bytes.peek()? {
            self.bytes.bump();
            if self.text.len() < MAX_WORD {
                self.text.push(byte);
            }
            number = Some(number.unwrap_or(0_u64).saturating_mul(10).saturating_add(u64::from(byte - b'0')));
        }
        Ok(number)
    }

    /// Consumes the one byte of a token.
    fn single(&mut self, token: Token) -> Token {
        self.bytes.bump();
        token
    }

    /// Adds a byte to the text, or notes that the text is too long.
    fn keep(&mut self, byte: u8, extent: &mut Extent) {
        if self.text.len() < MAX_TEXT {
            self.text.push(byte);
        } else {
            *extent = Extent::TooLong;
        }
    }

    fn skip_blanks(&mut self) -> io::Result<()> {
        while let Some(b' ' | b'\t') = self.bytes.peek()? {
            self.bytes.bump();
        }
        Ok(())
    }

    /// Skips white space, lines that begin with `%`, and control characters, such as the one that ends DOS files.
    fn skip_space(&mut self) -> io::Result<()> {
        let mut line_ends = 0_u32;
        while let Some(byte) = self.bytes.peek()? {
            match byte {
                b'%' if self.bytes.at_line_start() => {
                    self.skip_line()?;
                    line_ends = line_ends.saturating_sub(1);
                    continue;
                }
                b'\n' => line_ends = line_ends.saturating_add(1),
                0..=b' ' => {}
                _ => break,
            }
            self.bytes.bump();
        }
        self.after_blank_line = line_ends > 1;
        Ok(())
    }
}
