//! The mileposts of turns that are kept: the calibration, and the page on it as data.

use super::calibrate::CalibrateResponse;
use crate::pages::PageBlock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A calibration as `calibrate` gives it, with the contents of the page of `report-ratings`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MilepostsResponse {
    /// The calibration made from the turns.
    #[serde(flatten)]
    pub calibration: CalibrateResponse,
    /// The contents of the page: the mileposts beside those of Regan and Haworth (2011), the line to Elo, how well the
    /// model fits, with all cautions.
    pub page: Vec<PageBlock>,
}
