//! The tokens of PGN.

use crate::game::Nag;
use shakmaty::Outcome;

/// A token of PGN. The text of a comment or word is [`Lexer::text`](super::Lexer::text) until the next token is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// The `[` of a tag, which [`Lexer::tag`](super::Lexer::tag) reads.
    Bracket,
    /// A comment: `{...}` or `;...`.
    Comment(Extent),
    /// The number of a move: `12.` or `12...`.
    Number { number: u64, dots: usize },
    /// Any other word, usually a move.
    Word,
    /// A glyph, `$1` or `!`; none for a number above 255, which has no meaning.
    Nag(Option<Nag>),
    /// The beginning of a variation, `(`.
    Open,
    /// The end of a variation, `)`.
    Close,
    /// The result of the game, such as `1-0`.
    Result(Outcome),
    /// The end of the stream.
    End,
}

/// Whether a text is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The text is complete.
    Whole,
    /// The text was cut at [`MAX_TEXT`](super::MAX_TEXT).
    TooLong,
    /// The end of the text is missing.
    Unclosed,
}

/// Parses a word as the result of a game.
pub(super) fn result(word: &[u8]) -> Option<Outcome> {
    match word {
        b"1/2" => Some(Outcome::Known(shakmaty::KnownOutcome::Draw)),
        [b'0' | b'1' | 0xc2, ..] => {
            let plain = str::from_utf8(word).ok()?.replace(['–', '—'], "-").replace('½', "1/2");
            Outcome::from_ascii(plain.as_bytes()).ok()
        }
        _ => None,
    }
}
