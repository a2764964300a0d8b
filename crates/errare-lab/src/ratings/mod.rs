//! Operations on turns with engine evaluations: fits of skill, calibration against Elo, ratings, screening, reports.

mod bench;
mod calibrate;
mod fit;
mod input;
mod load;
mod players;
mod rate;
mod report;
mod screen;

pub use bench::{BenchRequest, RatingBench};
pub use calibrate::{CalibrateRequest, CalibrateResponse};
pub use fit::{BootstrapSummary, FitRequest, FitResponse, FittedGroup, SkippedGroup};
pub use input::{CalibrationInput, ChoiceModelRequest, ScaleRequest, TurnsRequest};
pub(crate) use load::{RatingCache, warnings};
pub use load::{TurnsRead, describe_turns};
pub use players::{PlayersRequest, PlayersResponse};
pub use rate::{RateRequest, RateResponse};
pub(crate) use report::PlayerReport;
pub use report::{
    CalibrationBasis, ReportPlayerRequest, ReportPlayerResponse, ReportRatingsRequest, ReportRatingsResponse,
    StudyResponse,
};
pub use screen::{MoveScreening, ScoreSummary, ScreenRequest, ScreenResponse, shift_sentence};
