//! Chess games as PGN: streamed in, one after the other.
//!
//! [`Games`] reads a stream of any size and holds one game at a time. Every move of a [`Game`] is legal; a game with a
//! move that is not, or that cannot be read, is a [`GamesError`] that says which game, line and move it is, and the
//! next game follows.

mod bytes;
mod error;
mod game;
mod games;
mod lexer;
mod start;
mod text;

pub use error::{Flaw, GamesError};
pub use game::{Game, IllegalMove, MoveNumber, Nag, PlayedMove};
pub use games::Games;
