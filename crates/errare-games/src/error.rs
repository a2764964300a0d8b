//! Errors of PGN streams, which name the game and the line.

use std::fmt;
use std::io;

/// A game, or a whole stream, that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The stream cannot be read. No game follows.
    #[error("cannot read the games: {0}")]
    Io(#[from] io::Error),
    /// One game is invalid. The next game follows.
    #[error("game {number}{}, line {line}: {flaw}", Parenthesis(title))]
    Broken {
        /// The number of the game in the stream, from 1.
        number: u64,
        /// Players, event and date as far as known, as in [`Game::title`](crate::Game::title).
        title: String,
        /// The line of the flaw, from 1.
        line: u64,
        /// The number of moves that were played before the flaw.
        ply: usize,
        /// The flaw that makes the game invalid.
        flaw: Flaw,
    },
}

/// A flaw that makes a game invalid.
///
/// Moves are given with their number, as in `23... Qxh9`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A move is not legal in the position.
    #[error("illegal move {0}")]
    Illegal(String),
    /// Several legal moves match the notation.
    #[error("ambiguous move {0}")]
    Ambiguous(String),
    /// A word is not a move in algebraic notation.
    #[error("invalid move {0}: expected algebraic notation")]
    Unreadable(String),
    /// The FEN of the start position is not valid.
    #[error("invalid FEN `{fen}`: {reason}")]
    Fen {
        /// The value of the tag.
        fen: String,
        /// The reason why it is not valid.
        reason: String,
    },
    /// The tag `SetUp` announces a position, but there is no FEN.
    #[error("missing FEN: the tag SetUp announces a start position")]
    NoFen,
    /// The tag `Variant` names a variant of chess that is not supported.
    #[error("unsupported variant `{0}`")]
    Variant(String),
    /// A comment is not closed.
    #[error("unclosed comment: expected `}}` before the next game")]
    OpenComment,
    /// A variation is not closed.
    #[error("unclosed variation: expected `)` before the end of the game")]
    OpenVariation,
    /// The line of the result goes on with something other than a comment.
    #[error("unexpected text after the result")]
    AfterResult,
    /// A comment, a tag or the whole game exceeds the limits on memory.
    #[error("too long: expected at most 16 MiB a game, 1 MiB a comment or tag, and 1000 tags")]
    TooLong,
}

/// Shows a text in parentheses, and nothing for an empty text.
struct Parenthesis<'a>(&'a str);

impl fmt::Display for Parenthesis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0) }
    }
}
