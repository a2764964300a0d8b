//! Players rated by a calibration that has not seen their games.

use super::TrialOptions;
use super::blocks::KnownGames;
use crate::calibration::Calibration;
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::fit::Method;
use crate::joint::JointFit;
use crate::progress::Unreported;
use crate::provenance::PlayerSide;
use crate::rating::{Estimator, RatingOptions};
use crate::sample::Sample;
use crate::turns::Turns;
use errare_work::{Progress, Status};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An estimator that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrialEstimator {
    /// The joint model, controlled by the opponents' moves.
    Joint,
    /// The joint model by the players' own moves alone.
    OwnMoves,
    /// The joint model on moves that it drew itself, for players exactly as strong as their Elo.
    Simulated,
    /// The line through mileposts, skills fitted by a method of Regan and Haworth (2011).
    Mileposts(Method),
}

impl fmt::Display for TrialEstimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrialEstimator::Joint => f.pad("joint, with control"),
            TrialEstimator::OwnMoves => f.pad("joint, own moves"),
            TrialEstimator::Simulated => f.pad("joint, simulated"),
            TrialEstimator::Mileposts(method) => f.pad(&format!("mileposts, {method}")),
        }
    }
}

/// A player of known Elo who was rated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// The mean Elo of the player over the turns.
    pub elo: f64,
    /// Number of turns.
    pub turns: usize,
    /// The rating by the estimator.
    pub rated: f64,
    /// The 95% interval of the rating.
    pub interval: (f64, f64),
}

/// The players that one estimator rated.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimatorTrial {
    /// The estimator that is tried.
    pub estimator: TrialEstimator,
    /// The approximate number of turns that a player was to have.
    pub size: usize,
    /// The players that were rated.
    pub players: Vec<HeldOut>,
}

/// The summary of an estimator's trial.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialSummary {
    /// Number of players, of all repeats together; those of several repeats share games.
    pub players: usize,
    /// The mean number of turns of a player.
    pub turns: f64,
    /// The root of the mean squared error of the ratings, in points.
    pub rms: f64,
    /// The mean error of the ratings, in points.
    pub bias: f64,
    /// The share of 95% intervals that hold the player's Elo.
    pub coverage: f64,
    /// The median width of the intervals, in points.
    pub width: f64,
}

impl EstimatorTrial {
    /// Sums up the errors and the intervals; none without players.
    pub fn summary(&self) -> Option<TrialSummary> {
        let count = self.players.len() as f64;
        let mean = |of: &dyn Fn(&HeldOut) -> f64| self.players.iter().map(of).sum::<f64>() / count;
        let mut widths: Vec<f64> = self.players.iter().map(|player| player.interval.1 - player.interval.0).collect();
        widths.sort_by(f64::total_cmp);
        Some(TrialSummary {
            players: self.players.len(),
            turns: mean(&|player| player.turns as f64),
            rms: mean(&|player| (player.rated - player.elo).powi(2)).sqrt(),
            bias: mean(&|player| player.rated - player.elo),
            coverage: mean(&|player| {
                let (low, high) = player.interval;
                if (low..=high).contains(&player.elo) { 1.0 } else { 0.0 }
            }),
            width: *widths.get(widths.len() / 2)?,
        })
    }
}

/// The trials of all estimators.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOutTrial {
    /// The trials, by estimator and number of turns.
    pub estimators: Vec<EstimatorTrial>,
}

impl HeldOutTrial {
    /// Rates players of known Elo by calibrations that have not seen their games.
    ///
    /// # Errors
    /// A [`Refusal`] if the turns of players of known Elo are too few for folds; [`RatingsError::Cancelled`] if the work
    /// is cancelled.
    pub fn new(
        turns: &Arc<Turns>,
        model: &ChoiceModel,
        options: &TrialOptions,
        progress: &dyn Progress,
    ) -> Result<HeldOutTrial, RatingsError> {
        let known = KnownGames::new(turns);
        let mut trial = HeldOutTrial { estimators: Vec::new() };
        let folds = options.folds.max(2);
        let rounds = (options.sizes.len() * options.repeats * folds) as u64;
        let mut done = 0;
        for &size in &options.sizes {
            for repeat in 0..options.repeats {
                let seed = options.seed.wrapping_add(repeat as u64);
                let blocks = known.blocks(size, folds, seed);
                for fold in 0..folds {
                    progress.report(&Status::new("rating held-out players", "folds").at(done, rounds));
                    done += 1;
                    let held_out: Vec<_> = blocks.iter().filter(|block| block.fold == fold).collect();
                    if held_out.is_empty() {
                        continue;
                    }
                    let others = known.others(&blocks, fold);
                    let quiet = Unreported(progress);
                    let joint = JointFit::new(&others, model, &quiet)?;
                    let paper = if options.with_mileposts && repeat == 0 {
                        Method::ALL.map(|method| by_mileposts(&others, model, method, &quiet)).into_iter().collect()
                    } else {
                        Ok(Vec::new())
                    };
                    let paper: Vec<Calibration> = paper.map(|found: Vec<_>| found.into_iter().flatten().collect())?;
                    for block in held_out {
                        for side in [PlayerSide::White, PlayerSide::Black] {
                            let sample = known.side(&block.games, side);
                            let seed = seed ^ (block.games[0] as u64) << 8;
                            trial.add_joint(&joint, &sample, size, seed, &quiet)?;
                            trial.add_mileposts(&paper, &sample, size, &quiet)?;
                        }
                    }
                }
            }
        }
        if trial.estimators.is_empty() {
            let (games, turns) = (known.games.len(), known.games.values().map(Vec::len).sum());
            return Err(Refusal::TooFewElos { games, turns }.into());
        }
        Ok(trial)
    }

    fn add_joint(
        &mut self,
        joint: &JointFit,
        sample: &Sample,
        size: usize,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<(), RatingsError> {
        let found = [
            (TrialEstimator::Joint, joint.assess(sample, true, progress)?),
            (TrialEstimator::OwnMoves, joint.assess(sample, false, progress)?),
            (TrialEstimator::Simulated, joint.assess_simulated(sample, seed, progress)?),
        ];
        for (estimator, assessment) in found {
            let estimate = joint.estimate(&assessment);
            self.add(estimator, size, sample, estimate.elo, estimate.interval);
        }
        Ok(())
    }

    fn add_mileposts(
        &mut self,
        calibrations: &[Calibration],
        sample: &Sample,
        size: usize,
        progress: &dyn Progress,
    ) -> Result<(), RatingsError> {
        let options = RatingOptions { min_turns: 1, estimator: Estimator::Mileposts, ..RatingOptions::default() };
        for calibration in calibrations {
            let rating = calibration.rate(sample, options, progress)?;
            let estimator = TrialEstimator::Mileposts(calibration.method);
            self.add(estimator, size, sample, rating.elo, rating.interval);
        }
        Ok(())
    }

    fn add(&mut self, estimator: TrialEstimator, size: usize, sample: &Sample, rated: f64, interval: (f64, f64)) {
        let elos = sample.iter().filter_map(|turn| turn.player().elo).map(f64::from);
        let player =
            HeldOut { elo: elos.sum::<f64>() / sample.count().max(1) as f64, turns: sample.count(), rated, interval };
        let found = self.estimators.iter_mut().find(|found| found.estimator == estimator && found.size == size);
        match found {
            Some(found) => found.players.push(player),
            None => self.estimators.push(EstimatorTrial { estimator, size, players: vec![player] }),
        }
    }
}

/// Makes the calibration by mileposts; none if the turns make none.
fn by_mileposts(
    sample: &Sample,
    model: &ChoiceModel,
    method: Method,
    progress: &dyn Progress,
) -> Result<Option<Calibration>, RatingsError> {
    match Calibration::by_mileposts(sample, model.clone(), method, String::new(), progress) {
        Ok(found) => Ok(Some(found)),
        Err(RatingsError::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}
