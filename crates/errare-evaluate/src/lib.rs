//! From games to evaluated turns: an engine is asked about every turn that counts, once, and its answers are cached.
//!
//! An [`EvaluationJob`] walks through the same games three times: to find what the cache does not know, to have engines
//! answer that in any order, and to write turns in the order of games from the cache alone. So what is written depends
//! neither on the number of engines nor on how often the work was interrupted.
//!
//! ```no_run
//! use errare_evaluate::{EvaluationJob, GameEvaluation, GameSource, Lines, Rules};
//! use errare_work::Silent;
//! use std::num::NonZeroUsize;
//! use std::time::Duration;
//!
//! let evaluation = GameEvaluation {
//!     games: vec![GameSource::File("games.pgn".into())],
//!     rules: Rules::default(),
//!     whose: None,
//!     engine: "stockfish".parse()?,
//!     depth: 10,
//!     lines: Lines::All,
//!     patience: Duration::from_secs(600),
//!     workers: NonZeroUsize::MIN,
//!     cache: "evaluations.sqlite".into(),
//! };
//! let job = EvaluationJob { evaluation, folder: "turns".into(), jsonl: false };
//! let summary = job.run(&Silent)?;
//! println!("{} turns of {} games", summary.written, summary.survey.games);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`GameEvaluation`] does the same without turn files, for games in files or in memory, and can evaluate the turns of
//! one player alone. A [`PositionEvaluation`] does so for single positions, [`merge()`] puts shares of such work together, and
//! [`audit()`] checks that nothing is missing or double in what came of it.

mod audit;
mod cache;
mod candidate;
mod collection;
mod crew;
mod error;
mod evaluation_run;
mod examiner;
mod fingerprint;
mod job;
mod merge;
mod position;
mod preset;
mod question;
mod setup;
mod shard;
mod source;

pub use audit::{Audit, audit};
pub use collection::{Rules, Survey, Whose};
pub use errare_uci::client::{EngineSpec, Lines, OptionSetting};
pub use error::EvaluateError;
pub use evaluation_run::{EvaluatedGames, GameEvaluation, Summary};
pub use job::{EvaluationJob, turn_files};
pub use merge::{MergeSummary, is_cache_name, merge};
pub use position::{PositionEvaluation, PositionEvaluator};
pub use preset::{Preset, PresetError};
pub use shard::{Shard, ShardError};
pub use source::{GameSource, player_names};
