//! Intrinsic ratings: how good players are by the moves they choose, as an engine sees them.
//!
//! The model is that of K. W. Regan and G. McC. Haworth, *Intrinsic chess ratings* (AAAI 2011: "the paper").

mod calibration;
mod columns;
mod error;
pub mod evaluate;
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
mod record;
mod reference;
mod row;
mod sample;
mod scale_fit;
mod screening;
mod selection;
mod turn_file;
mod turns;

pub use calibration::{Calibration, Milepost};
pub use error::RatingsError;
pub use evaluation::{Evaluation, Scale};
pub use fit::{Bootstrap, Fit, Fitter, Method, MethodError};
pub use lens::Lens;
pub use line::Line;
pub use merge::{MergeError, Merged, merge};
pub use normal::upper_tail;
pub use projection::Projection;
pub use provenance::{Engine, Game, Player, Side};
pub use rating::{Rating, RatingTerms};
pub use record::Record;
pub use reference::Reference;
pub use row::{GameName, TurnRow};
pub use sample::Sample;
pub use scale_fit::{ScaleFit, estimate_scale};
pub use screening::{Scores, Screening, Trace, Widening};
pub use selection::{LeftOut, Selection};
pub use turn_file::{TurnFile, TurnFormat, TurnRows, TurnWriter};
pub use turns::{MoveText, Turn, Turns, TurnsBuilder};
