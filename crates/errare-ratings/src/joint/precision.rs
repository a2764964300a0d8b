//! The precision of ratings by a joint model: the error that the calibration adds, and the information of a turn.

use super::fit::Rated;
use super::matrix::{self, Matrix};
use super::model::{JointModel, PARAMETERS, by_parameters};
use super::odds::JointOdds;
use crate::error::RatingsError;
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The precision of ratings at an Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PrecisionAt {
    /// The Elo.
    pub elo: f64,
    /// The standard error that the calibration adds to a rating at this Elo, in points.
    pub calibration_se: f64,
    /// The standard error of a rating from one turn, if the model were right and turns independent, in points. That of n
    /// turns is this over the root of n, times the root of the dispersion.
    pub turn_se: f64,
}

/// The Elos that are listed.
const ELOS: [u16; 17] =
    [1000, 1200, 1400, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2300, 2400, 2500, 2600, 2700, 2800, 3000];

/// The greatest number of turns on which expectations are taken.
const TURNS: usize = 1000;

pub(super) fn precision(
    rated: &Rated<'_>,
    model: &JointModel,
    covariance: &Matrix,
    progress: &dyn Progress,
) -> Result<Vec<PrecisionAt>, RatingsError> {
    let part = rated.sample.thinned(TURNS);
    let mut odds = JointOdds::default();
    let mut found = Vec::new();
    for elo in ELOS.map(f64::from) {
        let x = JointModel::units(elo);
        let (mut information, mut with) = (0.0, vec![0.0; PARAMETERS]);
        for turn in part.iter() {
            progress.proceed()?;
            let traits = rated.traits[turn.index()];
            model.weigh(&mut odds, elo, turn, traits)?;
            for index in 0..turn.moves() {
                let (p, slopes) = (odds.probabilities()[index], odds.gradient(index));
                if p > 0.0 {
                    let score = model.by_x(slopes);
                    information += p * score * score;
                    let all = by_parameters(slopes, x, traits);
                    with.iter_mut().zip(all).for_each(|(sum, slope)| *sum += p * score * slope);
                }
            }
        }
        // By how much x moves with each parameter, the moves being what they are.
        let moves: Vec<f64> = with.iter().map(|value| -value / information).collect();
        let mean = information / part.count().max(1) as f64;
        found.push(PrecisionAt {
            elo,
            calibration_se: JointModel::UNIT * matrix::quadratic(covariance, &moves).max(0.0).sqrt(),
            turn_se: JointModel::UNIT / mean.sqrt(),
        });
    }
    Ok(found)
}

impl PrecisionAt {
    pub(super) fn between(listed: &[PrecisionAt], elo: f64) -> PrecisionAt {
        let after = listed.iter().position(|at| at.elo >= elo);
        let (one, other) = match (after, listed.last()) {
            (Some(place), _) => (listed[place.saturating_sub(1)], listed[place]),
            (None, Some(last)) => (*last, *last),
            (None, None) => return PrecisionAt { elo, calibration_se: f64::INFINITY, turn_se: f64::INFINITY },
        };
        let share = if other.elo > one.elo { ((elo - one.elo) / (other.elo - one.elo)).clamp(0.0, 1.0) } else { 0.0 };
        let mix = |one: f64, other: f64| one + share * (other - one);
        PrecisionAt {
            elo,
            calibration_se: mix(one.calibration_se, other.calibration_se),
            turn_se: mix(one.turn_se, other.turn_se),
        }
    }
}
