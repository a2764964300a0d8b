//! Operations on turns with engine evaluations: fits of skill, calibration against Elo, ratings, screening, reports.

mod bench;
mod calibrate;
mod fit;
mod honesty;
mod input;
mod load;
mod mileposts;
mod move_screening;
mod periods;
mod players;
mod rate;
mod report;
mod screen;
mod words;

pub use bench::{BenchRequest, RatingBench};
pub use calibrate::{CalibrateRequest, CalibrateResponse};
pub use fit::{BootstrapSummary, FitRequest, FitResponse, FittedGroup, SkippedGroup};
pub use honesty::{HonestyRequest, HonestyResponse, RatingTrialRow, ScreeningTrialRow};
#[cfg(feature = "evaluate")]
pub(crate) use input::check_claim;
pub use input::{CalibrationInput, ChoiceModelRequest, ScaleRequest, TurnsRequest};
#[cfg(feature = "evaluate")]
pub(crate) use load::no_calibration;
pub(crate) use load::{RatingCache, warnings};
pub use load::{TurnsRead, describe_turns};
pub use mileposts::MilepostsResponse;
pub use move_screening::MoveScreening;
pub use periods::{PeriodMilepostRow, PeriodRow, PeriodsRequest, PeriodsResponse};
pub use players::{PlayersRequest, PlayersResponse};
pub use rate::{RateRequest, RateResponse};
pub(crate) use report::PlayerReport;
pub use report::{
    CalibrationBasis, ReportPlayerRequest, ReportPlayerResponse, ReportRatingsRequest, ReportRatingsResponse,
    StudyResponse,
};
pub use screen::{ScoreSummary, ScreenRequest, ScreenResponse, shift_sentence};
pub use words::OWN_CALIBRATION;
pub use words::StudyWords;
#[cfg(feature = "evaluate")]
pub(crate) use words::{CAUTION, beyond, reach_sentence};
