//! Measured honesty: the accuracy of ratings and screening on games that the calibration has not seen.

use super::input::CalibrationInput;
use super::load::TurnsRead;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_ratings::{
    Detection, EstimatorTrial, HeldOutTrial, ScreeningTrial, TrialOptions, TrialSummary, Widening, greater_of_two,
    upper_tail,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the accuracy of ratings and screening on games that the calibration has not seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HonestyRequest {
    /// The turns of players of known Elo, with the conditions for making calibrations from them.
    pub input: CalibrationInput,
    /// The approximate numbers of turns that rated players have.
    #[serde(default = "default_sizes")]
    pub sizes: Vec<usize>,
    /// Number of times that games are divided into folds.
    #[serde(default = "default_repeats")]
    pub repeats: usize,
    /// Random seed of folds, simulated moves and drawn players.
    #[serde(default = "default_seed")]
    pub seed: u64,
}

fn default_sizes() -> Vec<usize> {
    TrialOptions::default().sizes
}

fn default_repeats() -> usize {
    TrialOptions::default().repeats
}

fn default_seed() -> u64 {
    TrialOptions::default().seed
}

/// The greatest number of repeats.
const MAX_REPEATS: usize = 1000;

/// The accuracy of ratings and screening on games that the calibration has not seen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HonestyResponse {
    /// A description of the turns.
    pub data: String,
    /// Number of folds that games were divided into.
    pub folds: usize,
    /// Number of times that games were divided into folds.
    pub repeats: usize,
    /// Random seed.
    pub seed: u64,
    /// Results of rating players of known Elo, by estimator and number of turns.
    pub ratings: Vec<RatingTrialRow>,
    /// The factors that widen standard deviations in screening, estimated.
    pub widening: Widening,
    /// The factors of K. W. Regan, for comparison.
    pub published_widening: Widening,
    /// The correlation between both scores of one side of a game.
    pub score_correlation: f64,
    /// Results of screening players of known Elo, as they are and with help.
    pub screening: Vec<ScreeningTrialRow>,
    /// Facts that were noticed while turns were read.
    #[serde(flatten)]
    pub read: TurnsRead,
}

/// The results of rating players by one estimator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatingTrialRow {
    /// The name of the estimator.
    pub estimator: String,
    /// The errors and the intervals of the players rated.
    #[serde(flatten)]
    pub summary: TrialSummary,
    /// The median width of intervals divided by the root of the mean squared error.
    pub width_by_rms: f64,
}

/// The results of screening players with a number of turns who are helped on a share of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScreeningTrialRow {
    /// Number of turns of each player.
    pub turns: usize,
    /// The share of turns on which the engine's first choice is played; 0 for honest players.
    pub helped: f64,
    /// Number of players drawn.
    pub players: usize,
    /// The bound of z beyond which players are counted.
    pub bound: f64,
    /// The share of players whose z by mm is at the bound or beyond.
    pub mm: f64,
    /// The share of players whose z by ad is at the bound or beyond.
    pub ad: f64,
    /// The share of honest players beyond the bound in one given score, if the model is exact.
    pub nominal: f64,
    /// The share of players with the greater z at the bound or beyond.
    pub either: f64,
    /// The share of honest players with the greater z beyond the bound, if the model is exact.
    pub either_nominal: f64,
    /// The share of players with the greater z beyond the bound, by the factors of K. W. Regan.
    pub either_published: f64,
}

impl Operation for HonestyRequest {
    const NAME: &'static str = "honesty";
    const ABOUT: &'static str = "Measure how ratings and screening do on games that the calibration has not seen";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = HonestyResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<HonestyResponse, LabError> {
        if self.sizes.is_empty() || self.sizes.contains(&0) || !(1..=MAX_REPEATS).contains(&self.repeats) {
            return Err(LabError::request("invalid trial: expected numbers of turns above 0, and 1 to 1000 repeats"));
        }
        let set = lab.turns(&self.input.turns, self.input.scale.scale()?, progress)?;
        let model = self.input.model.model(&set.turns)?;
        let options = TrialOptions {
            sizes: self.sizes.clone(),
            repeats: self.repeats,
            seed: self.seed,
            ..TrialOptions::default()
        };
        let ratings = HeldOutTrial::new(&set.turns, &model, &options, progress)?;
        let screening = ScreeningTrial::new(&set.turns, &model, &options, progress)?;
        Ok(HonestyResponse {
            data: set.data.clone(),
            folds: options.folds,
            repeats: options.repeats,
            seed: options.seed,
            ratings: ratings.estimators.iter().filter_map(RatingTrialRow::new).collect(),
            widening: screening.widening,
            published_widening: Widening::default(),
            score_correlation: screening.score_correlation,
            screening: screening
                .detections
                .iter()
                .flat_map(|found| ScreeningTrialRow::rows(found, screening.score_correlation))
                .collect(),
            read: TurnsRead::new(&set),
        })
    }
}

impl RatingTrialRow {
    fn new(trial: &EstimatorTrial) -> Option<RatingTrialRow> {
        let summary = trial.summary()?;
        let width_by_rms = summary.width / summary.rms;
        Some(RatingTrialRow { estimator: trial.estimator.to_string(), summary, width_by_rms })
    }
}

impl ScreeningTrialRow {
    fn rows(found: &Detection, correlation: f64) -> Vec<ScreeningTrialRow> {
        let row = |(place, bound): (usize, f64)| ScreeningTrialRow {
            turns: found.turns,
            helped: found.helped,
            players: found.players,
            bound,
            mm: found.mm[place],
            ad: found.ad[place],
            nominal: upper_tail(bound),
            either: found.either[place],
            either_nominal: greater_of_two(bound, correlation),
            either_published: found.either_published[place],
        };
        ScreeningTrial::BOUNDS.into_iter().enumerate().map(row).collect()
    }
}
