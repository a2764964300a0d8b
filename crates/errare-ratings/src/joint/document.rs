//! A fitted joint model as JSON.

use super::clusters::Clusters;
use super::fit::JointFit;
use super::model::{JointModel, MOST_PARAMETER};
use super::precision::PrecisionAt;
use super::traits::TRAITS;
use crate::calibration_file::{CalibrationError, check};
use crate::choice_model::ChoiceModel;
use crate::screening::Widening;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The JSON object of a fitted joint model, whose formula is that of the calibration.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct JointDocument {
    /// The parameters of ln s: at 2300, by 400 points of Elo, by difficulty, by mobility, by lateness, by clarity.
    log_s: Vec<f64>,
    /// The parameters of ln c: at 2300, by 400 points of Elo.
    log_c: [f64; 2],
    /// The parameters of the logit of the tail's weight: at 2300, by 400 points of Elo, by difficulty, by mobility, by
    /// lateness, by clarity.
    logit_tail: Vec<f64>,
    /// Number of turns of players of known Elo.
    turns: usize,
    /// Number of games with players of known Elo.
    games: usize,
    /// The mean logarithm of the probability of a played move.
    log_likelihood: f64,
    /// The range of Elos in which the model was fitted.
    range: (f64, f64),
    /// Measures of how turns of one game go together.
    clusters: Clusters,
    /// The precision of ratings by Elo.
    precision: Vec<PrecisionAt>,
    /// The factors by which mm and ad vary more than by the model, as estimated.
    widening: Widening,
}

impl From<&JointFit> for JointDocument {
    fn from(fit: &JointFit) -> JointDocument {
        let JointModel { log_s, log_c, logit_tail, .. } = fit.model;
        JointDocument {
            log_s: log_s.to_vec(),
            log_c,
            logit_tail: logit_tail.to_vec(),
            turns: fit.turns,
            games: fit.games,
            log_likelihood: fit.log_likelihood,
            range: fit.range,
            clusters: fit.clusters,
            precision: fit.precision.clone(),
            widening: fit.widening,
        }
    }
}

/// The greatest number of Elos that are listed with their precision.
const MAX_LISTED: usize = 1000;

impl JointDocument {
    /// Returns the fit, if all its numbers make sense.
    pub(crate) fn fit(self, core: &ChoiceModel) -> Result<JointFit, CalibrationError> {
        let parameters = self.log_s.iter().chain(&self.log_c).chain(&self.logit_tail);
        for &value in parameters {
            check("parameter of the joint model", value, "a number from -20 to 20", value.abs() <= MOST_PARAMETER)?;
        }
        let (low, high) = self.range;
        check(
            "range of Elos",
            low,
            "two Elos from 0 to 5000, the lower first",
            0.0 <= low && low < high && high <= 5000.0,
        )?;
        let Clusters { dispersion, side_dispersion, correlation, player_scatter, score_correlation, .. } =
            self.clusters;
        for value in [dispersion, side_dispersion, self.widening.mm, self.widening.ad] {
            check("factor of the joint model", value, "a number from 0.01 to 100", (0.01..=100.0).contains(&value))?;
        }
        check("correlation", correlation, "a number from 0 to 0.9", (0.0..=0.9).contains(&correlation))?;
        check(
            "scatter of players",
            player_scatter,
            "a number from 0 to 1000",
            (0.0..=1000.0).contains(&player_scatter),
        )?;
        let is_correlation = (-1.0..=1.0).contains(&score_correlation);
        check("correlation of scores", score_correlation, "a number from -1 to 1", is_correlation)?;
        let Clusters { player_variance, player_variance_se, .. } = self.clusters;
        for value in [self.log_likelihood, player_variance, player_variance_se] {
            check("number of the joint model", value, "a number between -1e9 and 1e9", value.abs() <= 1e9)?;
        }
        let listed = self.precision.len();
        check("number of Elos", listed as f64, "1 to 1000", (1..=MAX_LISTED).contains(&listed))?;
        for at in &self.precision {
            let errors = [at.calibration_se, at.turn_se];
            let is_good = (0.0..=10_000.0).contains(&at.elo) && errors.iter().all(|error| (0.0..=1e9).contains(error));
            check("precision at an Elo", at.elo, "an Elo with standard errors from 0 to 1e9", is_good)?;
        }
        Ok(JointFit {
            model: JointModel {
                core: core.clone(),
                log_s: slopes(&self.log_s)?,
                log_c: self.log_c,
                logit_tail: slopes(&self.logit_tail)?,
            },
            turns: self.turns,
            games: self.games,
            log_likelihood: self.log_likelihood,
            range: self.range,
            clusters: self.clusters,
            precision: self.precision,
            widening: self.widening,
        })
    }
}

/// The number of traits of the first joint models.
const FIRST_TRAITS: usize = 3;

/// Checks an intercept and slopes. In calibrations of earlier versions the last trait is missing, and makes no
/// difference.
fn slopes(given: &[f64]) -> Result<[f64; 2 + TRAITS], CalibrationError> {
    let is_known = [2 + FIRST_TRAITS, 2 + TRAITS].contains(&given.len());
    check("number of slopes of the joint model", given.len() as f64, "5 or 6", is_known)?;
    let mut all = [0.0; 2 + TRAITS];
    all[..given.len()].copy_from_slice(given);
    Ok(all)
}
