//! Comparing a player's moves with a claimed rating.

use super::input::{TurnsRequest, check_claim, check_positive};
use super::load::{TurnsRead, find_player, warnings};
use super::move_screening::MoveScreening;
use crate::error::LabError;
use crate::lab::Lab;
use crate::numbers::grouped;
use crate::operation::{Exposure, Operation};
use errare_ratings::{Calibration, CalibrationShift, PlayerScreening, Scores, ScreeningOptions, TurnSet, Widening};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Asks for a comparison of a player's moves with those of a claimed rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScreenRequest {
    /// The turns of the player.
    pub turns: TurnsRequest,
    /// The calibration file, made by `calibrate`; null for one that comes with the program, if one suits the turns.
    #[serde(default)]
    pub calibration: Option<PathBuf>,
    /// The player: the exact name, or a part that only one name contains.
    pub player: String,
    /// The rating to compare with; null for the rating of each game.
    #[serde(default)]
    pub claimed: Option<f64>,
    /// The factors that widen standard deviations for what the model leaves out; null for those of the calibration.
    #[serde(default)]
    pub widening: Option<Widening>,
    /// The least number of turns that are screened.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
}

fn default_min_turns() -> usize {
    ScreeningOptions::default().min_turns
}

impl ScreenRequest {
    /// Makes a request to compare the moves of a player with the rating of each game.
    #[must_use]
    pub fn new(turns: TurnsRequest, calibration: impl Into<PathBuf>, player: impl Into<String>) -> ScreenRequest {
        let (calibration, player) = (Some(calibration.into()), player.into());
        let (widening, min_turns) = (None, default_min_turns());
        ScreenRequest { turns, calibration, player, claimed: None, widening, min_turns }
    }
}

/// The comparison of a player's moves with those of a claimed rating. It is never a verdict.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScreenResponse {
    /// The full name of the player.
    pub player: String,
    /// The rating that moves were compared with; null for the rating of each game.
    pub claimed: Option<f64>,
    /// Whether a rating that moves were compared with is outside the range of the calibration, so that what is expected
    /// of it is extrapolated.
    pub outside_range: bool,
    /// The range of Elos of the calibration.
    pub calibrated_range: (f64, f64),
    /// The factors that widened standard deviations.
    pub widening: Widening,
    /// The factors of K. W. Regan, for comparison.
    pub published_widening: Widening,
    /// The probability that the greater z is as great or greater for players who are as strong as claimed, if the model is
    /// exact.
    pub chance: f64,
    /// Number of turns left out because the player's rating is not known.
    pub unrated_turns: usize,
    /// The scores of all games.
    pub overall: ScoreSummary,
    /// The scores of each game.
    pub games: Vec<ScoreSummary>,
    /// The scores of the opponents' moves against their own ratings; null if none of these is known.
    pub opponents: Option<ScoreSummary>,
    /// The z-scores if the calibration is off by its standard error.
    pub if_calibration_off: CalibrationShift,
    /// An explanation of what the z-scores of all games mean, and what they do not show.
    pub note: String,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// Reasons why comparisons by this calibration mean little, a sentence each; empty if its mileposts are enough.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The moves of the player, one by one.
    pub trace: Vec<MoveScreening>,
}

/// Expected and actual statistics of some turns, with z-scores.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScoreSummary {
    /// A description of the game, `all`, or `opponents`.
    pub game: String,
    /// Number of turns.
    pub turns: usize,
    /// Move-match: the share of turns on which the engine's first choice was played.
    pub mm: f64,
    /// The move-match that is expected of the rating.
    pub mm_expected: f64,
    /// The standard deviation of the move-match by the model, not widened.
    pub mm_sd: f64,
    /// Number of widened standard deviations by which mm is above expectation.
    pub z_mm: f64,
    /// Average difference: the mean loss in pawns, corrected for the size of the evaluation.
    pub ad: f64,
    /// The average difference that is expected of the rating.
    pub ad_expected: f64,
    /// The standard deviation of the average difference by the model, not widened.
    pub ad_sd: f64,
    /// Number of widened standard deviations by which ad is below expectation.
    pub z_ad: f64,
}

impl Operation for ScreenRequest {
    const NAME: &'static str = "screen";
    const ABOUT: &'static str = "Compare a player's moves with a claimed rating";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = ScreenResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ScreenResponse, LabError> {
        check_claim(self.claimed)?;
        if let Some(widening) = self.widening {
            check_positive("factor of mm", widening.mm)?;
            check_positive("factor of ad", widening.ad)?;
        }
        let (calibration, set) = lab.calibrated_turns(self.calibration.as_deref(), &self.turns, progress)?;
        let player = find_player(&set, &self.player, progress)?;
        let options =
            ScreeningOptions { claim: self.claimed.into(), widening: self.widening, min_turns: self.min_turns };
        let found = calibration.screen_player(&set.turns, &player, options, progress)?;
        Ok(ScreenResponse::new(&calibration, &set, &found))
    }
}

impl ScreenResponse {
    pub(super) fn new(calibration: &Calibration, set: &TurnSet, found: &PlayerScreening) -> ScreenResponse {
        let PlayerScreening { player, options, outside_range, screening, opponents, shift, .. } = found;
        let turns = &set.turns;
        let game = |(game, scores): &(usize, Scores)| ScoreSummary::new(turns.games()[*game].to_string(), scores);
        ScreenResponse {
            player: player.clone(),
            claimed: options.claim.elo(),
            outside_range: *outside_range,
            calibrated_range: calibration.range(),
            widening: found.widening,
            published_widening: Widening::default(),
            chance: found.chance,
            unrated_turns: screening.unrated,
            overall: ScoreSummary::new("all".to_owned(), &screening.overall),
            games: screening.games.iter().map(game).collect(),
            opponents: opponents.as_ref().map(|found| ScoreSummary::new("opponents".to_owned(), &found.overall)),
            if_calibration_off: *shift,
            note: found.note(),
            read: TurnsRead::new(set),
            warnings: warnings(calibration),
            trace: screening.trace.iter().map(|trace| MoveScreening::new(turns, trace)).collect(),
        }
    }
}

impl ScoreSummary {
    fn new(game: String, scores: &Scores) -> ScoreSummary {
        let projection = scores.projection;
        ScoreSummary {
            game,
            turns: projection.turns,
            mm: projection.mm,
            mm_expected: projection.expected_mm,
            mm_sd: projection.sd_mm,
            z_mm: scores.z_mm,
            ad: projection.ad,
            ad_expected: projection.expected_ad,
            ad_sd: projection.sd_ad,
            z_ad: scores.z_ad,
        }
    }
}

/// Describes in a sentence how the calibration's own error shifts the z-scores.
#[must_use]
pub fn shift_sentence(shift: &CalibrationShift) -> String {
    let CalibrationShift { elo, z_mm, z_ad } = shift;
    format!(
        "The calibration may itself be off by {} points (one standard error): then z is between {:+.2} and {:+.2} (mm), \
         {:+.2} and {:+.2} (ad).",
        grouped(elo.round() as u64),
        z_mm.0,
        z_mm.1,
        z_ad.0,
        z_ad.1
    )
}
