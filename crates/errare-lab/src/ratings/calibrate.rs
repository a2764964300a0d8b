//! Calibrating skill against Elo.

use super::input::CalibrationInput;
use super::load::{TurnsRead, warnings};
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_ratings::{Calibration, CalibrationDocument, LeftOut, TurnSet};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Asks for a calibration from games of players of known rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalibrateRequest {
    /// The turns, with the conditions for making the calibration from them.
    pub input: CalibrationInput,
    /// The file to write the calibration to; `-` for stdout.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// A description of the games, for a calibration that others will use; null for the names of the files.
    #[serde(default)]
    pub about: Option<String>,
}

/// A calibration, with the numbers of turns that it does not rest on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CalibrateResponse {
    /// The calibration, as it is in its file.
    #[serde(flatten)]
    pub calibration: CalibrationDocument,
    /// The numbers of turns that do not count.
    pub left_out: LeftOut,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// Reasons why ratings by this calibration mean little, a sentence each; empty if its mileposts are enough.
    #[serde(default)]
    pub warnings: Vec<String>,
}

impl CalibrateResponse {
    pub(crate) fn new(calibration: &Calibration, set: &TurnSet) -> CalibrateResponse {
        CalibrateResponse {
            calibration: calibration.into(),
            left_out: set.left_out,
            read: TurnsRead::new(set),
            warnings: warnings(calibration),
        }
    }
}

impl Operation for CalibrateRequest {
    const NAME: &'static str = "calibrate";
    const ABOUT: &'static str = "Calibrate skill against Elo, from games of players of known rating";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = CalibrateResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: self.input.turns.inputs(), outputs: self.out.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<CalibrateResponse, LabError> {
        let (set, mut calibration) = lab.calibration(&self.input, progress)?;
        if let Some(about) = &self.about {
            let (turns, games) = (set.turns.count(), set.turns.games().len());
            let data = format!("{about}: {turns} turns of {games} games");
            calibration = Arc::new(Calibration { data, ..(*calibration).clone() });
        }
        if let Some(path) = &self.out {
            lab.outside_path(path)?.write_calibration(&calibration, path)?;
        }
        Ok(CalibrateResponse::new(&calibration, &set))
    }
}
