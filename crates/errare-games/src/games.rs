//! Reading the games of a PGN stream, one after the other.

use crate::error::{Flaw, GamesError};
use crate::game::{Game, MoveNumber, Nag};
use crate::lexer::{Extent, Lexer, Token};
use crate::start::start;
use crate::text::{comment, decode, shown};
use shakmaty::Chess;
use shakmaty::san::{San, SanError};
use std::io::{self, Read};

/// The greatest size of a game in bytes. The longest possible game has fewer than 18,000 plies.
const MAX_GAME: usize = 1 << 24;

/// The approximate size in bytes of a move, comment or tag without its text.
const ITEM: usize = 64;

/// The greatest number of tags: more than any file has, and few enough for linear look-up.
const MAX_TAGS: usize = 1000;

/// The games of a PGN stream.
///
/// Only one game is held at a time. A game that cannot be played through is a [`GamesError::Broken`], after which the
/// next game follows. An I/O error ends the iteration. The stream need not be buffered, and may be compressed by gzip or
/// zstd.
///
/// ```
/// use errare_games::Games;
///
/// let pgn = r#"
/// [White "Fischer"]
/// [Black "Spassky"]
///
/// 1. e4 e5 2. Qh5 Qxh9 3. Bc4 *
///
/// [White "Spassky"]
/// [Black "Fischer"]
///
/// 1. d4 {A pity.} Nf6 *
/// "#;
/// let games: Vec<_> = Games::new(pgn.as_bytes()).collect();
/// let complaint = games[0].as_ref().map(|_| ()).map_err(|error| error.to_string());
/// let expected = "game 1 (Fischer - Spassky), line 5: invalid move 2... Qxh9: expected algebraic notation";
/// assert_eq!(complaint, Err(expected.to_owned()));
/// assert!(games[1].as_ref().is_ok_and(|game| game.moves()[0].comments == ["A pity."]));
/// ```
#[derive(Debug)]
pub struct Games<R> {
    lexer: Lexer<R>,
    /// The number of games read so far.
    number: u64,
    /// The first tag of the next game, where only this tag shows that another game has begun.
    carried: Option<(String, String)>,
    done: bool,
}

impl<R: Read> Games<R> {
    /// Begins to read a stream.
    pub fn new(reader: R) -> Games<R> {
        Games { lexer: Lexer::new(reader), number: 0, carried: None, done: false }
    }

    /// Reads the next game; none at the end of the stream.
    fn read(&mut self) -> io::Result<Option<Result<Game, GamesError>>> {
        loop {
            let mut draft = Draft::new(self.carried.take());
            let ending = self.read_into(&mut draft)?;
            if draft.is_game() {
                self.number += 1;
                return Ok(Some(draft.finish(self.number, self.lexer.line())));
            }
            if ending == Ending::Stream {
                return Ok(None);
            }
        }
    }

    /// Reads to the end of a game, and nothing of the next game except a tag to carry over.
    fn read_into(&mut self, draft: &mut Draft) -> io::Result<Ending> {
        loop {
            match self.lexer.next()? {
                Token::End => return Ok(Ending::Stream),
                Token::Bracket if draft.has_movetext => return Ok(Ending::Game),
                Token::Bracket => {
                    let after_blank_line = self.lexer.after_blank_line();
                    let extent = self.lexer.tag()?;
                    let tag = (decode(self.lexer.name()), decode(self.lexer.text()));
                    // Two games without moves. A blank line alone is not enough: some files have them everywhere.
                    let is_first = tag.0 == "Event" || draft.game.tag(&tag.0).is_some();
                    if after_blank_line && is_first && !draft.game.tags.is_empty() {
                        self.carried = Some(tag);
                        return Ok(Ending::Game);
                    }
                    draft.tag(tag, extent, self.lexer.line());
                }
                Token::Number { number, dots } => {
                    // A game without a result, followed by a game without tags.
                    let begins_anew = number == 1 && dots < 2 && draft.variations == 0 && draft.game.moves().len() > 1;
                    if begins_anew && self.lexer.after_blank_line() {
                        return Ok(Ending::Game);
                    }
                    draft.has_movetext = true;
                }
                Token::Comment(extent) => draft.comment(self.lexer.text(), extent, self.lexer.line()),
                Token::Nag(nag) => draft.nag(nag),
                Token::Open => draft.open(self.lexer.line()),
                Token::Close => draft.close(self.lexer.line()),
                Token::Word => draft.word(self.lexer.text(), self.lexer.line()),
                Token::Result(_) if draft.variations > 0 => {}
                Token::Result(result) => {
                    draft.game.result = Some(result);
                    self.rest_of_result_line(draft)?;
                    return Ok(Ending::Game);
                }
            }
        }
    }

    /// Reads the rest of the result's line. Comments there belong to this game; a tag or a first move begins the next.
    fn rest_of_result_line(&mut self, draft: &mut Draft) -> io::Result<()> {
        while let Some(Token::Comment(extent)) = self.lexer.comment_on_same_line()? {
            draft.comment(self.lexer.text(), extent, self.lexer.line());
        }
        match self.lexer.peek_on_same_line()? {
            None | Some(b'[' | b'1') => Ok(()),
            Some(_) => {
                draft.flaw(self.lexer.line(), Flaw::AfterResult);
                self.lexer.skip_line()
            }
        }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, GamesError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.read().unwrap_or_else(|error| {
            self.done = true;
            Some(Err(error.into()))
        });
        self.done |= next.is_none();
        next
    }
}

/// The reason why reading a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Game,
    Stream,
}

/// A game being read.
///
/// After the first flaw the rest of the game is only searched for its end.
struct Draft {
    game: Game,
    /// The first flaw, with its line and ply.
    flaw: Option<(u64, usize, Flaw)>,
    /// Whether moves have begun, so that a tag belongs to the next game.
    has_movetext: bool,
    /// Whether the start position has been determined from the tags.
    has_start: bool,
    /// The line of the last tag that affects the start position.
    start_line: Option<u64>,
    /// The depth of nested variations.
    variations: usize,
    /// The line on which the outermost open variation begins.
    variation_line: u64,
    /// The approximate size of the game in bytes.
    size: usize,
}

impl Draft {
    fn new(tag: Option<(String, String)>) -> Draft {
        let mut game = Game::new(Chess::default());
        game.tags.extend(tag);
        Draft {
            game,
            flaw: None,
            has_movetext: false,
            has_start: false,
            start_line: None,
            variations: 0,
            variation_line: 0,
            size: 0,
        }
    }

    /// Whether this is a game: comments or a result alone are not.
    fn is_game(&self) -> bool {
        !self.game.tags.is_empty() || !self.game.moves().is_empty() || self.flaw.is_some()
    }

    fn flaw(&mut self, line: u64, flaw: Flaw) {
        if self.flaw.is_none() {
            self.flaw = Some((line, self.game.moves().len(), flaw));
        }
    }

    /// Counts an item of this length, and returns whether it is to be kept.
    fn has_room_for(&mut self, length: usize, extent: Extent, line: u64) -> bool {
        self.size = self.size.saturating_add(length + ITEM);
        if extent == Extent::TooLong || self.size > MAX_GAME {
            self.flaw(line, Flaw::TooLong);
        }
        self.flaw.is_none()
    }

    fn tag(&mut self, tag: (String, String), extent: Extent, line: u64) {
        if self.game.tags.len() >= MAX_TAGS {
            self.flaw(line, Flaw::TooLong);
        }
        if !tag.0.is_empty() && self.has_room_for(tag.0.len() + tag.1.len(), extent, line) {
            if matches!(tag.0.as_str(), "FEN" | "SetUp" | "Variant") {
                self.start_line = Some(line);
            }
            self.game.tags.push(tag);
        }
    }

    fn comment(&mut self, text: &[u8], extent: Extent, line: u64) {
        // A comment before all tags may belong to the file.
        self.has_movetext |= !self.game.tags.is_empty();
        if extent == Extent::Unclosed {
            self.has_movetext = true;
            self.flaw(line, Flaw::OpenComment);
        }
        if self.variations > 0 || !self.has_room_for(text.len(), extent, line) {
            return;
        }
        let comment = comment(&decode(text));
        if !comment.is_empty() {
            match self.game.last_move_mut() {
                Some(played) => played.comments.push(comment),
                None => self.game.comments.push(comment),
            }
        }
    }

    fn nag(&mut self, nag: Option<Nag>) {
        if self.variations == 0
            && self.flaw.is_none()
            && let (Some(nag), Some(played)) = (nag, self.game.last_move_mut())
            && !played.nags.contains(&nag)
        {
            played.nags.push(nag);
        }
    }

    fn open(&mut self, line: u64) {
        self.has_movetext = true;
        if self.variations == 0 {
            self.variation_line = line;
        }
        self.variations = self.variations.saturating_add(1);
    }

    fn close(&mut self, line: u64) {
        match self.variations.checked_sub(1) {
            Some(variations) => self.variations = variations,
            None => self.word(b")", line),
        }
    }

    fn word(&mut self, word: &[u8], line: u64) {
        self.has_movetext = true;
        if self.variations > 0 || self.flaw.is_some() {
            return;
        }
        self.settle_start(line);
        if !self.has_room_for(0, Extent::Whole, line) || is_ornament(word) {
            return;
        }
        match parse_move(word).map(|san| san.to_move(self.game.end())) {
            Some(Ok(mv)) => self.game.push_legal(mv),
            Some(Err(SanError::IllegalSan)) => self.flaw(line, Flaw::Illegal(self.numbered(word))),
            Some(Err(SanError::AmbiguousSan)) => self.flaw(line, Flaw::Ambiguous(self.numbered(word))),
            None => self.flaw(line, Flaw::Unreadable(self.numbered(word))),
        }
    }

    fn numbered(&self, word: &[u8]) -> String {
        format!("{} {}", MoveNumber::after(self.game.start(), self.game.moves().len()), shown(&decode(word)))
    }

    /// Determines the start position when it is first needed: all tags have been read then.
    fn settle_start(&mut self, line: u64) {
        if !std::mem::replace(&mut self.has_start, true) {
            match start(&self.game) {
                Ok(start) => self.game.restart(start),
                Err(flaw) => self.flaw(self.start_line.unwrap_or(line), flaw),
            }
        }
    }

    fn finish(mut self, number: u64, line: u64) -> Result<Game, GamesError> {
        self.settle_start(line);
        if self.variations > 0 {
            self.flaw(self.variation_line, Flaw::OpenVariation);
        }
        self.game.number = number;
        match self.flaw {
            None => Ok(self.game),
            Some((line, ply, flaw)) => Err(GamesError::Broken { number, title: self.game.title(), line, ply, flaw }),
        }
    }
}

/// Parses a move in algebraic notation, also in some common nonstandard forms.
fn parse_move(word: &[u8]) -> Option<San> {
    San::from_ascii(word).ok().or_else(|| parse_loose(word))
}

/// Parses nonstandard notation: castling with zeros, `e8Q`, `exd6e.p.`, `Qh5++`, `Qg7mate`.
fn parse_loose(word: &[u8]) -> Option<San> {
    let mut word = str::from_utf8(word).ok()?;
    for ending in [".", "e.p", "ep", "mate", "#", "+", "+"] {
        word = word.strip_suffix(ending).unwrap_or(word);
    }
    match word {
        "0-0" => return San::from_ascii(b"O-O").ok(),
        "0-0-0" => return San::from_ascii(b"O-O-O").ok(),
        _ => {}
    }
    match word.split_at_checked(word.len().saturating_sub(1)) {
        Some((pawn, piece @ ("Q" | "R" | "B" | "N"))) if pawn.ends_with(['1', '8']) => {
            San::from_ascii(format!("{pawn}={piece}").as_bytes()).ok()
        }
        _ => San::from_ascii(word.as_bytes()).ok(),
    }
}

/// Whether a word is a mark beside a move that can be ignored: `e.p.`, `+-`, `=`. A null move, `--`, is not.
fn is_ornament(word: &[u8]) -> bool {
    matches!(word, b"e.p." | b"ep" | b"ep.")
        || word != b"--" && word.iter().all(|byte| matches!(byte, b'+' | b'-' | b'=' | b'/' | b'#' | b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_people_write_them() {
        let same = [
            ("O-O+", "0-0+"),
            ("O-O-O", "0-0-0"),
            ("e8=Q#", "e8Q#"),
            ("exd1=N", "exd1N+"),
            ("exd6", "exd6e.p."),
            ("exd6", "exd6ep"),
            ("Qh5", "Qh5++"),
            ("Qg7", "Qg7mate"),
            ("Nf3", "Nf3."),
        ];
        for (strict, loose) in same {
            assert_eq!(parse_move(loose.as_bytes()), San::from_ascii(strict.as_bytes()).ok(), "{loose}");
            assert!(parse_move(loose.as_bytes()).is_some(), "{loose}");
        }
        for none in ["", "Qxh9", "e9", "hello", "0-0-0-0", "N8N", "\u{2655}h5", ")", "Q"] {
            assert_eq!(parse_move(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn a_game_that_never_ends_takes_bounded_memory() {
        for (endless, most) in [
            ("Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_GAME / ITEM / 2), MAX_GAME / ITEM),
            ("[Event \"?\"]".repeat(2 * MAX_TAGS), 0),
            (format!("e4 {}", "{word}".repeat(MAX_GAME / ITEM)), 1),
        ] {
            let games: Vec<_> = Games::new(endless.as_bytes()).collect();
            assert!(
                matches!(&games[..], [Err(GamesError::Broken { flaw: Flaw::TooLong, ply, .. })] if *ply <= most),
                "{}",
                &endless[..20]
            );
        }
    }
}
