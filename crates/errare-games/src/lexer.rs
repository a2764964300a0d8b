//! PGN cut into tokens: what is a comment, a tag, a move, and where text cannot be trusted to be any of them.
//!
//! Nothing is refused here, and no token outgrows [`MAX_TEXT`], whatever the stream holds.

use crate::bytes::Bytes;
use crate::game::Nag;
use shakmaty::Outcome;
use std::io::{self, Read};

/// The longest comment or tag that is kept.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// Longer than any move: what is beyond does not make an unreadable word readable.
const MAX_WORD: usize = 256;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// In a comment this is not part of the comment: somebody forgot to close it before the next game.
const NEXT_GAME: &[u8] = b"\n[Event \"";

/// A token. The text of a whole comment or a word is [`Lexer::text`] until the next one is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A bracket, which is still there: [`Lexer::tag`] reads on from it.
    Bracket,
    /// `{...}` or `;...`.
    Comment(Extent),
    /// `12.` or `12...`.
    Number { number: u64, dots: usize },
    /// A move, one hopes.
    Word,
    /// `$1` or `!`; none if it is above 255, and means nothing.
    Nag(Option<Nag>),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0`
    Result(Outcome),
    /// Nothing more.
    End,
}

/// How much of a text there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// It was longer than [`MAX_TEXT`].
    TooLong,
    /// Its end is missing.
    Unclosed,
}

#[derive(Debug)]
pub(crate) struct Lexer<R> {
    bytes: Bytes<R>,
    text: Vec<u8>,
    name: Vec<u8>,
    line: u64,
    after_blank_line: bool,
    /// `[Event "` has been found inside a comment and read.
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

    /// Whether a blank line stands before the last token.
    pub(crate) fn after_blank_line(&self) -> bool {
        self.after_blank_line
    }

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

    /// A comment that begins on the line where the last token ended, if one comes next.
    pub(crate) fn comment_on_same_line(&mut self) -> io::Result<Option<Token>> {
        match self.peek_on_same_line()? {
            Some(byte @ (b'{' | b';')) => self.comment(byte).map(Some),
            _ => Ok(None),
        }
    }

    /// What comes next on the line where the last token ended.
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

    /// Goes to the end of the line, and stays on it.
    pub(crate) fn skip_line(&mut self) -> io::Result<()> {
        while self.bytes.peek()?.is_some_and(|byte| byte != b'\n') {
            self.bytes.bump();
        }
        Ok(())
    }

    /// Reads the tag that begins with the bracket last met.
    ///
    /// Many files do not escape quotation marks: the one that closes the value is the one before the bracket or the
    /// end of the line.
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

    /// The rest of a tag after its first quotation mark.
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
        // How much of `NEXT_GAME` the last bytes are.
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

    /// None for a byte order mark, which is at the beginning of some files, and in the middle where several
    /// have been put together.
    fn word_or_number(&mut self) -> io::Result<Option<Token>> {
        let at_line_start = self.bytes.at_line_start();
        if let Some(number) = self.digits()? {
            match self.bytes.peek()? {
                // `1-0`, `1/2-1/2`, `0-0-0`, and the same with dashes that are not ASCII.
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
            // What cannot stand in a word is a word if nothing else wants it.
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

    /// A run of digits, which is also left in `text` as far as a word may go.
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

    fn single(&mut self, token: Token) -> Token {
        self.bytes.bump();
        token
    }

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

    /// White space, lines that begin with `%`, and control characters: DOS ended its files with one.
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

/// The result that a word is.
fn result(word: &[u8]) -> Option<Outcome> {
    match word {
        b"1/2" => Some(Outcome::Known(shakmaty::KnownOutcome::Draw)),
        [b'0' | b'1' | 0xc2, ..] => {
            let plain = str::from_utf8(word).ok()?.replace(['–', '—'], "-").replace('½', "1/2");
            Outcome::from_ascii(plain.as_bytes()).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Color, KnownOutcome};

    fn tokens(text: &str) -> io::Result<Vec<(Token, String)>> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut tokens = Vec::new();
        loop {
            let mut token = lexer.next()?;
            let text = match token {
                Token::End => return Ok(tokens),
                Token::Bracket => {
                    token = Token::Comment(lexer.tag()?);
                    format!("{}={}", String::from_utf8_lossy(lexer.name()), String::from_utf8_lossy(lexer.text()))
                }
                Token::Comment(_) | Token::Word => String::from_utf8_lossy(lexer.text()).into_owned(),
                _ => String::new(),
            };
            tokens.push((token, text));
        }
    }

    fn texts(text: &str) -> io::Result<Vec<String>> {
        Ok(tokens(text)?.into_iter().map(|(_, text)| text).collect())
    }

    fn kinds(text: &str) -> io::Result<Vec<Token>> {
        Ok(tokens(text)?.into_iter().map(|(token, _)| token).collect())
    }

    #[test]
    fn moves_and_numbers_need_no_space() -> io::Result<()> {
        let number = |number, dots| Token::Number { number, dots };
        assert_eq!(kinds("1.e4 e5 2 . Nf3")?, [number(1, 1), Token::Word, Token::Word, number(2, 0), Token::Word]);
        assert_eq!(kinds("12...0-0(")?, [number(12, 3), Token::Word, Token::Open]);
        assert_eq!(kinds("99999999999999999999999.")?, [number(u64::MAX, 1)]);
        assert_eq!(texts("e4!exd6e.p. Qxh9 }")?, ["e4", "", "exd6e.p.", "Qxh9", "}"]);
        Ok(())
    }

    #[test]
    fn results_are_told_from_numbers_and_castling() -> io::Result<()> {
        let white = Token::Result(Outcome::Known(KnownOutcome::Decisive { winner: Color::White }));
        let black = Token::Result(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }));
        let draw = Token::Result(Outcome::Known(KnownOutcome::Draw));
        assert_eq!(
            kinds("1-0 0-1 0-0 1/2-1/2 ½-½ 1–0 1/2 * 1-2")?,
            [white, black, Token::Word, draw, draw, white, draw, Token::Result(Outcome::Unknown), Token::Word]
        );
        Ok(())
    }

    #[test]
    fn glyphs() -> io::Result<()> {
        let nags: Vec<Token> = [1, 2, 3, 4, 5, 6, 255].map(|nag| Token::Nag(Some(Nag(nag)))).to_vec();
        assert_eq!(kinds("! ? !! ?? !? ?! $255")?, nags);
        assert_eq!(kinds("$256 $ $99999999999999999999")?, [Token::Nag(None); 3]);
        Ok(())
    }

    #[test]
    fn tags_with_and_without_escapes() -> io::Result<()> {
        assert_eq!(
            texts(r#"[ Event  "The \"Big\" Open \\ \x" ][Site "?"]"#)?,
            [r#"Event=The "Big" Open \ \x"#, "Site=?"]
        );
        assert_eq!(
            texts("[Event \"The \"Big\" Open\"  ]\n[Site \"no end\n[Round 3]")?,
            [r#"Event=The "Big" Open"#, "Site=no end", "Round=3"]
        );
        assert_eq!(texts("[\"x\"] [] [")?, ["=x", "=", "="]);
        Ok(())
    }

    #[test]
    fn comments_of_both_kinds_and_escaped_lines() -> io::Result<()> {
        assert_eq!(texts("%no\n{a\n%b}e4;c}\n% no\nd4 %")?, ["a\n%b", "e4", "c}", "d4", "%"]);
        assert_eq!(tokens("{a")?, [(Token::Comment(Extent::Unclosed), "a".to_owned())]);
        Ok(())
    }

    #[test]
    fn blank_lines_are_noticed() -> io::Result<()> {
        for (text, expected) in [("a\nb", false), ("a\n \nb", true), ("a\n%\nb", false), ("a\n%\n\nb", true)] {
            let mut lexer = Lexer::new(text.as_bytes());
            lexer.next()?;
            lexer.next()?;
            assert_eq!(lexer.after_blank_line(), expected, "{text:?}");
        }
        Ok(())
    }

    #[test]
    fn an_open_comment_ends_before_the_next_game() -> io::Result<()> {
        let found = tokens("{a\n[Ev\n\n[Event \"b\"]\ne4")?;
        assert_eq!(found[0].0, Token::Comment(Extent::Unclosed));
        let rest = [(Token::Comment(Extent::Whole), "Event=b".to_owned()), (Token::Word, "e4".to_owned())];
        assert_eq!(found[1..], rest);
        Ok(())
    }

    #[test]
    fn byte_order_marks_are_passed_over() -> io::Result<()> {
        assert_eq!(
            texts("\u{feff}%no\n\u{feff}[Event \"a\"]\n\u{feff}1. e4 \u{feff}2.e5")?,
            ["Event=a", "", "e4", "", "e5"]
        );
        Ok(())
    }

    #[test]
    fn nothing_grows_without_bound() -> io::Result<()> {
        let long = "x".repeat(3 * MAX_TEXT);
        for (text, longest) in
            [(format!("{{{long}}}"), MAX_TEXT), (format!("[A \"{long}\"]"), MAX_TEXT + 2), (long, MAX_WORD)]
        {
            let tokens = tokens(&text)?;
            assert_eq!(tokens.len(), 1);
            assert_eq!(tokens[0].1.len(), longest);
            assert!(matches!(tokens[0].0, Token::Comment(Extent::TooLong) | Token::Word));
        }
        Ok(())
    }
}
