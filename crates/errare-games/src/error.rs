//! What can be wrong with games, in words that name the game and the place.

use std::fmt;
use std::io;

/// Why there is no game here.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The stream cannot be read. No game follows.
    #[error("the games cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A game that cannot be played through. The next one may be all right.
    #[error("game {number}{}, line {line}: {flaw}", Parenthesis(title))]
    Broken {
        /// Its number in the stream, from 1.
        number: u64,
        /// What is known of players, event and date, as in [`Game::title`](crate::Game::title).
        title: String,
        /// The line on which the flaw is, from 1.
        line: u64,
        /// How many moves had been played.
        ply: usize,
        /// What is wrong.
        flaw: Flaw,
    },
}

/// What is wrong with a game.
///
/// Moves are given with their number, as in `23... Qxh9`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// No such move can be made.
    #[error("{0} is illegal")]
    Illegal(String),
    /// More than one move fits.
    #[error("{0} is ambiguous")]
    Ambiguous(String),
    /// Not a move in algebraic notation.
    #[error("{0} is not a move")]
    Unreadable(String),
    /// The position to begin with is none.
    #[error("the game cannot begin with the FEN `{fen}`: {reason}")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `SetUp` announces a position and there is none.
    #[error("the tag SetUp announces a position, but there is no FEN")]
    NoFen,
    /// Not chess as we know it.
    #[error("the variant `{0}` is not supported")]
    Variant(String),
    /// A comment without an end.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation without an end.
    #[error("the variation that begins here is not closed")]
    OpenVariation,
    /// Something other than a comment on the line of the result.
    #[error("text follows the result")]
    AfterResult,
    /// A comment, a tag or the whole game is longer than we are ready to keep.
    #[error("the game is too long to be true")]
    TooLong,
}

struct Parenthesis<'a>(&'a str);

impl fmt::Display for Parenthesis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0) }
    }
}
