//! Intrinsic ratings: how good players are by the moves they choose, as an engine sees them.
//!
//! The model is that of K. W. Regan and G. McC. Haworth, *Intrinsic chess ratings* (AAAI 2011: "the paper").
//!
//! A [`TurnFile`] gives [`Record`]s, [`TurnsBuilder`] makes [`Turns`] of those that count, and a [`Sample`] is whatever
//! part of them something is to be said about. A [`Fitter`] finds the skill that explains it, a [`Calibration`] maps
//! skill to Elo, rates and screens.
//!
//! ```
//! use errare_choice::{Formula, Odds, Skill};
//! use errare_ratings::*;
//!
//! let line = r#"{"fen": "8/5k2/8/8/8/8/4R3/4K3 w - - 0 40", "ply": 78, "played": "e2e3",
//!               "lines": [["e2e5", 120], ["e2e3", 110], ["e1d1", -20]]}"#.replace('\n', " ");
//! let mut builder = TurnsBuilder::new(Scale::default(), Selection::default(), Engine::default());
//! for record in TurnFile::new(line.as_bytes())? {
//!     builder.add(record?)?;
//! }
//! let (turns, left_out) = builder.finish();
//! assert_eq!((turns.count(), left_out.total()), (1, 0));
//! // ln 2.2 - ln 2.1, the scale being corrected.
//! assert!((turns.turn(0).loss() - 0.0465).abs() < 1e-4);
//! let mut odds = Odds::default();
//! Lens::new(Formula::PAPER).look(&mut odds, Skill::new(0.1, 0.5)?, turns.turn(0))?;
//! assert!(odds.probabilities()[0] > odds.probabilities()[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibration;
mod columns;
mod course;
mod cross_check;
mod error;
mod evaluation;
mod fit;
mod jsonl;
mod lens;
mod line;
mod merge;
mod normal;
mod projection;
mod provenance;
mod rating;
mod reading;
mod record;
mod reference;
mod row;
mod sample;
mod scale_fit;
mod screening;
mod selection;
mod student;
mod turn_file;
mod turn_output;
mod turns;

pub use calibration::{Calibration, Milepost};
pub use course::Course;
pub use cross_check::CrossCheck;
pub use error::RatingsError;
pub use evaluation::{Evaluation, EvaluationError, Scale};
pub use fit::{Bootstrap, Fit, Fitter, Method, MethodError};
pub use lens::Lens;
pub use line::Line;
pub use merge::{MergeError, Merged, merge_turn_files};
pub use normal::upper_tail;
pub use projection::Projection;
pub use provenance::{Engine, Game, Player, Side};
pub use rating::{Rating, RatingTerms};
pub use reading::Reading;
pub use record::Record;
pub use reference::Reference;
pub use row::{GameName, TurnRow, parse_elo};
pub use sample::Sample;
pub use scale_fit::{ScaleFit, estimate_scale};
pub use screening::{Scores, Screening, Trace, Widening};
pub use selection::{LeftOut, Selection, Selector};
pub use turn_file::{TurnFile, TurnFormat, TurnPlace, TurnRows, TurnWriter};
pub use turn_output::TurnOutput;
pub use turns::{MoveText, Turn, Turns, TurnsBuilder};
