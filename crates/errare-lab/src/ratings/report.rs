//! Pages in HTML on mileposts and on players, with the data behind them.

use super::calibrate::CalibrateResponse;
use super::input::{CalibrationInput, TurnsRequest, check_claim};
use super::load::find_player;
use super::rate::{RateResponse, default_min_turns};
use super::screen::ScreenResponse;
use super::words::StudyWords;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use crate::pages::{Page, PlottedChart, milepost_page, player_charts, player_page};
use errare_ratings::{Calibration, PlayerScreening, PlayerStudy, RatedPlayer, Rating, Refusal, StudyOptions, TurnSet};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Asks for a page on the mileposts of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportRatingsRequest {
    /// The turns, with the conditions for making the calibration from them.
    pub input: CalibrationInput,
    /// The file to write the page to; `-` for stdout.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

/// A page on the mileposts of a calibration.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReportRatingsResponse {
    /// The title of the page.
    pub title: String,
    /// The page as HTML, in a document that needs no other files.
    pub html: String,
    /// The calibration that the page shows.
    pub calibration: CalibrateResponse,
}

impl Operation for ReportRatingsRequest {
    const NAME: &'static str = "report-ratings";
    const ABOUT: &'static str = "Make a page on the mileposts of a calibration";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ReportRatingsResponse;

    fn files(&self) -> WorkFiles {
        WorkFiles { inputs: self.input.turns.inputs(), outputs: self.out.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ReportRatingsResponse, LabError> {
        let (set, calibration) = lab.calibration(&self.input, progress)?;
        let page = milepost_page(&calibration, &set, progress)?;
        let (title, html) = written(lab, &page, self.out.as_deref())?;
        Ok(ReportRatingsResponse { title, html, calibration: CalibrateResponse::new(&calibration, &set) })
    }
}

/// Asks for a page on a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportPlayerRequest {
    /// The turns of the player.
    pub turns: TurnsRequest,
    /// The player: the exact name, or a part that only one name contains.
    pub player: String,
    /// The calibration file, made by `calibrate`; null for one that comes with the program, if one suits the turns.
    #[serde(default)]
    pub calibration: Option<PathBuf>,
    /// The rating to compare with; null for the rating of each game.
    #[serde(default)]
    pub claimed: Option<f64>,
    /// The least number of turns that are rated.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
    /// The file to write the page to; `-` for stdout.
    #[serde(default)]
    pub out: Option<PathBuf>,
}

impl ReportPlayerRequest {
    /// Makes a request to compare the moves of a player with the rating of each game.
    #[must_use]
    pub fn new(turns: TurnsRequest, calibration: impl Into<PathBuf>, player: impl Into<String>) -> ReportPlayerRequest {
        let (calibration, player, min_turns) = (Some(calibration.into()), player.into(), default_min_turns());
        ReportPlayerRequest { turns, calibration, player, claimed: None, min_turns, out: None }
    }
}

/// A page on a player.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReportPlayerResponse {
    /// The title of the page: the player's full name.
    pub title: String,
    /// The page as HTML, in a document that needs no other files.
    pub html: String,
    /// The study that the page shows.
    pub study: StudyResponse,
}

/// The study of one player: the rating, and the moves compared with a claimed rating.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyResponse {
    /// The calibration that the rating rests on.
    pub calibration: CalibrationBasis,
    /// The intrinsic rating, as `rate` gives it.
    pub rating: RateResponse,
    /// The moves compared with a rating, as `screen` gives it; null if there is no rating to compare with.
    pub screening: Option<ScreenResponse>,
    /// Sentences on what the rating rests on, and what it does not show.
    pub words: StudyWords,
    /// The charts of the page, as data: the rating on the calibration line, and the posteriors if there are any.
    pub charts: Vec<PlottedChart>,
}

/// The calibration that a rating rests on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationBasis {
    /// A description of the games that the calibration was made from.
    pub data: String,
    /// Whether the calibration was made from the turns that are rated, the player's own among them.
    pub from_these_turns: bool,
}

impl Operation for ReportPlayerRequest {
    const NAME: &'static str = "report-player";
    const ABOUT: &'static str = "Make a page on a player: the rating, and the moves compared with a rating";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ReportPlayerResponse;

    fn files(&self) -> WorkFiles {
        let inputs = self.turns.inputs().into_iter().chain(self.calibration.clone()).collect();
        WorkFiles { inputs, outputs: self.out.iter().cloned().collect() }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ReportPlayerResponse, LabError> {
        check_claim(self.claimed)?;
        let (calibration, set) = lab.calibrated_turns(self.calibration.as_deref(), &self.turns, progress)?;
        let player = find_player(&set, &self.player, progress)?;
        let options = StudyOptions { claim: self.claimed.into(), min_turns: self.min_turns };
        let study = calibration.study(&set.turns, &player, options, progress)?;
        let report = PlayerReport::new(&calibration, &set, &study, false)?;
        let (title, html) = written(lab, &report.page(), self.out.as_deref())?;
        Ok(ReportPlayerResponse { title, html, study: report.response() })
    }
}

/// A study that can be shown, as a page or as data.
pub(crate) struct PlayerReport<'a> {
    pub calibration: &'a Calibration,
    pub set: &'a TurnSet,
    pub study: &'a PlayerStudy,
    pub rating: &'a Rating,
    /// The comparison with a rating; none if no rating is known or claimed.
    pub screening: Option<&'a PlayerScreening>,
    pub from_these_turns: bool,
}

impl<'a> PlayerReport<'a> {
    /// Makes a report, which is possible if there is a rating, and any claimed rating is within reach.
    pub fn new(
        calibration: &'a Calibration,
        set: &'a TurnSet,
        study: &'a PlayerStudy,
        from_these_turns: bool,
    ) -> Result<PlayerReport<'a>, Refusal> {
        let rating = study.rated.rating.as_ref().map_err(Refusal::clone)?;
        let screening = match &study.screening {
            Ok(screening) => Some(screening),
            Err(Refusal::NoClaim { .. }) => None,
            Err(refusal) => return Err(refusal.clone()),
        };
        Ok(PlayerReport { calibration, set, study, rating, screening, from_these_turns })
    }

    pub fn page(&self) -> Page {
        player_page(self)
    }

    pub fn words(&self) -> StudyWords {
        StudyWords::new(self)
    }

    pub fn response(&self) -> StudyResponse {
        let RatedPlayer { player, sample, readings, .. } = &*self.study.rated;
        StudyResponse {
            calibration: CalibrationBasis {
                data: self.calibration.data.clone(),
                from_these_turns: self.from_these_turns,
            },
            rating: RateResponse::new(self.calibration, self.set, (player, sample), self.rating, readings),
            screening: self.screening.map(|found| ScreenResponse::new(self.calibration, self.set, found)),
            words: self.words(),
            charts: player_charts(self),
        }
    }
}

/// Returns the title and the text of a page, which is written to a file if one is given.
pub(super) fn written(lab: &Lab, page: &Page, out: Option<&Path>) -> Result<(String, String), LabError> {
    let html = page.html();
    if let Some(path) = out {
        lab.outside_path(path)?.write(path, &html)?;
    }
    Ok((page.title().to_owned(), html))
}
