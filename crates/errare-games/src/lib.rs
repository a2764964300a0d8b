//! Chess games as PGN: streamed in, annotated, written out.
//!
//! [`Games`] reads a stream of any size and holds one game at a time. Every move of a [`Game`] is legal. A game with an
//! illegal or unreadable move becomes a [`GamesError`] that names the game, the line and the move, and reading goes on
//! with the next game. [`write_game`] writes a game in export format, optionally with an [`Annotation`] for each move;
//! its output reads back as the same game. [`SeenGames`] recognises copies of games by their [`GameIdentity`].
//!
//! ```
//! use errare_games::{Annotation, Games, write_game};
//! use shakmaty::Position;
//!
//! let pgn = "[White \"Browne\"]\n[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n\n1. Kb7 Re7+ 2. Kc6 *";
//! for game in Games::new(pgn.as_bytes()) {
//!     let game = game?;
//!     let replies: Vec<Annotation> = game
//!         .positions()
//!         .map(|(_, before, _)| Annotation {
//!             comment: Some(format!("one of {}", before.legal_moves().len())),
//!             ..Annotation::default()
//!         })
//!         .collect();
//!     write_game(&mut std::io::stdout(), &game, &replies)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod error;
mod foreign;
mod game;
mod games;
mod identity;
mod lexer;
mod start;
mod text;
mod write;

pub use error::{Flaw, GamesError};
pub use foreign::ForeignFormat;
pub use game::{Game, IllegalMove, MoveNumber, Nag, PlayedMove};
pub use games::Games;
pub use identity::{GameIdentity, SeenGames, Sighting};
pub use write::{Annotation, write_game};
