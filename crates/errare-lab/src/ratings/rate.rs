//! Rating players by their moves alone.

use super::input::{TurnsRequest, draws};
use super::load::{TurnsRead, sample_of, warnings};
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_ratings::{
    Calibration, EndsOutside, Estimator, Rating, RatingOptions, Reading, ReadingSummary, Sample, TurnSet,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Asks for the intrinsic rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateRequest {
    /// The turns of the player.
    pub turns: TurnsRequest,
    /// The calibration file, made by `calibrate`; null for one that comes with the program, if one suits the turns.
    #[serde(default)]
    pub calibration: Option<PathBuf>,
    /// The player: the exact name, or a part that only one name contains; null for everybody together.
    #[serde(default)]
    pub player: Option<String>,
    /// The least number of turns that are rated.
    #[serde(default = "default_min_turns")]
    pub min_turns: usize,
    /// Number of samples of games to draw, for a second interval.
    #[serde(default)]
    pub bootstrap: u32,
    /// Random seed of the draws.
    #[serde(default)]
    pub seed: u64,
    /// The estimator that makes a rating of skill: the joint model, or the line through mileposts.
    #[serde(default)]
    pub estimator: Estimator,
}

pub(super) fn default_min_turns() -> usize {
    RatingOptions::default().min_turns
}

impl RateRequest {
    /// Makes a request to rate everybody together, without draws.
    #[must_use]
    pub fn new(turns: TurnsRequest, calibration: impl Into<PathBuf>) -> RateRequest {
        let (calibration, min_turns) = (Some(calibration.into()), default_min_turns());
        RateRequest {
            turns,
            calibration,
            player: None,
            min_turns,
            bootstrap: 0,
            seed: 0,
            estimator: Estimator::default(),
        }
    }
}

/// A rating of a player by the moves alone.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RateResponse {
    /// The full name of the player, or `everybody`.
    pub player: String,
    /// Number of turns.
    pub turns: usize,
    /// Number of games.
    pub games: usize,
    /// The Intrinsic Performance Rating.
    pub ipr: f64,
    /// The estimator that made the rating.
    pub estimator: Estimator,
    /// Number of games in which the opponents' moves were used as a control for how hard the games were.
    pub control_games: usize,
    /// Whether `ipr` is outside the range of the calibration, so that it is extrapolated.
    pub outside_range: bool,
    /// The range of Elos of the calibration.
    pub calibrated_range: (f64, f64),
    /// The standard error of `ipr`.
    pub se: f64,
    /// The part of the standard error that comes from the sample of moves.
    pub se_sample: f64,
    /// The 95% interval of `ipr`.
    pub interval: (f64, f64),
    /// Which ends of `interval` are outside `calibrated_range`, so that they are extrapolated.
    #[serde(default)]
    pub interval_outside_range: EndsOutside,
    /// The 95% interval by drawing games, the calibration taken as exact; absent without draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_interval: Option<(f64, f64)>,
    /// Which ends of `drawn_interval` are outside `calibrated_range`; absent without draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_interval_outside_range: Option<EndsOutside>,
    /// The sensitivity s: how small a loss is noticed.
    pub s: f64,
    /// The standard error of s.
    pub se_s: f64,
    /// The competence c: how sharply losses are distinguished.
    pub c: f64,
    /// The standard error of c.
    pub se_c: f64,
    /// The loss that is expected of s and c on the calibration's reference set.
    pub expected_ad: f64,
    /// Move-match: the share of turns on which the engine's first choice was played.
    pub mm: f64,
    /// The move-match that the model expects.
    pub mm_expected: f64,
    /// Average difference: the mean loss in pawns, corrected for the size of the evaluation.
    pub ad: f64,
    /// The average difference that the model expects on the same turns.
    pub ad_expected: f64,
    /// The posterior over Elo after 1, 2, 5, 10 moves and so on, and after all of them.
    pub posterior: Vec<ReadingSummary>,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
    /// Reasons why ratings by this calibration mean little, a sentence each; empty if its mileposts are enough.
    #[serde(default)]
    pub warnings: Vec<String>,
}

impl RateResponse {
    pub(super) fn new(
        calibration: &Calibration,
        set: &TurnSet,
        (player, sample): (&str, &Sample),
        rating: &Rating,
        readings: &[Reading],
    ) -> RateResponse {
        let (fit, projection) = (&rating.fit, &rating.fit.projection);
        RateResponse {
            player: player.to_owned(),
            turns: sample.count(),
            games: sample.games(),
            ipr: rating.elo,
            estimator: rating.estimator,
            control_games: rating.control_games,
            outside_range: rating.outside_range,
            calibrated_range: calibration.range(),
            se: rating.se,
            se_sample: rating.se_sample,
            interval: rating.interval,
            interval_outside_range: rating.interval_outside_range,
            drawn_interval: rating.drawn_interval,
            drawn_interval_outside_range: rating.drawn_interval.map(|drawn| calibration.ends_outside_range(drawn)),
            s: fit.skill.s(),
            se_s: fit.se_s(),
            c: fit.skill.c(),
            se_c: fit.se_c(),
            expected_ad: rating.reference_ad,
            mm: projection.mm,
            mm_expected: projection.expected_mm,
            ad: projection.ad,
            ad_expected: projection.expected_ad,
            posterior: readings.iter().map(Reading::summary).collect(),
            read: TurnsRead::new(set),
            warnings: warnings(calibration),
        }
    }
}

impl Operation for RateRequest {
    const NAME: &'static str = "rate";
    const ABOUT: &'static str = "Rate a player by the moves alone";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = RateResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<RateResponse, LabError> {
        let options = RatingOptions {
            min_turns: self.min_turns,
            draws: draws(self.bootstrap, self.seed)?,
            estimator: self.estimator,
        };
        let (calibration, set) = lab.calibrated_turns(self.calibration.as_deref(), &self.turns, progress)?;
        let (player, sample) = sample_of(&set, self.player.as_deref(), progress)?;
        let rating = calibration.rate(&sample, options, progress)?;
        let readings = calibration.readings(&sample, progress)?;
        Ok(RateResponse::new(&calibration, &set, (&player, &sample), &rating, &readings))
    }
}
