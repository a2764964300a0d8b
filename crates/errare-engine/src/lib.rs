//! A fallible practice partner as a UCI chess engine.
//!
//! Where endgame tables know a position an [`Agent`](errare_endgame::Agent) plays; elsewhere a fallible player chooses
//! among moves that a small search, or another engine, has evaluated. A [`WholeGame`] is played in the same way without a chess
//! program.
//!
//! ```
//! use errare_engine::Engine;
//! use errare_tables::{Library, Tables};
//! use std::io::{self, Cursor};
//!
//! let folder = tempfile::tempdir()?;
//! let mut engine = Engine::new(Tables::new(Library::new(folder.path()), 1 << 30));
//! engine.set_option("Competence", "12")?;
//! // A chess program speaks through a pipe; a text does too.
//! engine.run(Cursor::new("uci\nisready\nquit\n"), io::sink())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod control;
mod dialogue;
mod elo_advice;
mod engine;
mod fallback;
mod game;
mod game_agent;
mod judged_position;
mod open_play;
mod openings;
mod options;
mod play_settings;
mod scores;
mod search;
mod search_thread;
mod table_builder;
mod table_cache;
mod whole_game;
mod writer;

pub use advice::AdvisedMove;
pub use engine::{Engine, RunError};
pub use game::{GameError, GameSoFar};
pub use open_play::{OWN_DEPTH, OpenPlayError, OpenPlayer, OwnSearch};
pub use options::SetOptionError;
pub use whole_game::{Adviser, Chances, Seat, TableJudge, WholeGame, WholePlayed};
