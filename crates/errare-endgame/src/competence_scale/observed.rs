//! Observed players: what games show of competence, as likelihoods over a grid of logarithms.

use crate::analyser::log_likelihoods;
use crate::assess::Task;
use crate::error::EndgameError;
use crate::model::{Model, Spectra};
use crate::oracle::Options;
use errare_choice::Competence;
use errare_tables::Material;
use std::collections::HashMap;
use std::sync::Arc;

/// The least and the greatest competence of the grid, in logarithms, and its step. Competences outside are taken for the
/// nearest end.
const LEAST: f64 = -std::f64::consts::LN_2;
const STEP: f64 = 0.05;
const POINTS: usize = 107;

/// The Elo at which the line of an endgame has its intercept, and the Elo points of its slope.
pub(super) const MIDDLE_ELO: f64 = 2000.0;
pub(super) const ELO_UNIT: f64 = 400.0;

/// Converts an Elo to units of 400 points from 2000.
pub(super) fn unit_of(elo: f64) -> f64 {
    (elo - MIDDLE_ELO) / ELO_UNIT
}

/// An endgame with the player's task in it.
pub type EndingTask = (Material, Task);

/// The logarithm of the likelihood of moves, for each competence of the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLikelihood(Vec<f64>);

impl LogLikelihood {
    fn flat() -> LogLikelihood {
        LogLikelihood(vec![0.0; POINTS])
    }

    /// The log likelihood at a logarithm of competence, interpolated smoothly: by cubics through four points (Catmull
    /// and Rom, 1974). Between straight lines there would be no second derivative, by which errors are estimated.
    pub(super) fn at(&self, log_c: f64) -> f64 {
        let place = ((log_c - LEAST) / STEP).clamp(0.0, (POINTS - 1) as f64);
        let below = (place as usize).min(POINTS - 2);
        let t = place - below as f64;
        let (one, two) = (self.0[below], self.0[below + 1]);
        let before = if below == 0 { 2.0 * one - two } else { self.0[below - 1] };
        let after = self.0.get(below + 2).copied().unwrap_or(2.0 * two - one);
        let (rise, bend) = (two - before, 2.0 * before - 5.0 * one + 4.0 * two - after);
        one + 0.5 * t * (rise + t * (bend + t * (3.0 * (one - two) + after - before)))
    }
}

/// One game of a player in one endgame with one task.
#[derive(Clone, Debug)]
pub struct PlayerGame {
    /// The player's rating at the time, in Elo.
    pub elo: f64,
    /// Number of moves with a real choice.
    pub choices: u64,
    pub(super) likelihood: LogLikelihood,
}

/// All games of a player in one endgame with one task.
pub type PlayerGames = Vec<PlayerGame>;

/// The observations of many games, by endgame and task, and by player.
#[derive(Clone, Debug, Default)]
pub struct ObservedPlayers {
    pub(super) by_ending: HashMap<EndingTask, HashMap<String, PlayerGames>>,
}

/// An observer of the moves of games by one model.
#[derive(Clone)]
pub struct CompetenceObserver {
    spectra: Arc<Spectra>,
}

/// The difference between the log likelihoods of competences up to which a move with a choice says nothing.
const NOTHING: f64 = 1e-9;

impl CompetenceObserver {
    /// Makes an observer of players of this model.
    ///
    /// # Errors
    /// If a competence of the grid is invalid, which is a bug.
    pub fn new(model: Model) -> Result<CompetenceObserver, EndgameError> {
        let competences = (0..POINTS).map(|point| Competence::new((LEAST + STEP * point as f64).exp()));
        let competences = competences.collect::<Result<Vec<Competence>, _>>()?;
        Ok(CompetenceObserver { spectra: Arc::new(Spectra::new(model, competences)) })
    }

    /// The likelihood of a move that was chosen; none where nothing can be learned from it: it was the only one, all
    /// lead to the same state, or the model calls it impossible.
    ///
    /// # Errors
    /// If no such move exists.
    pub fn observe(&self, options: &Options, chosen: usize) -> Result<Option<LogLikelihood>, EndgameError> {
        let logs = log_likelihoods(&self.spectra, options, chosen)?;
        let (least, most) =
            logs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &log| (least.min(log), most.max(log)));
        Ok((least.is_finite() && most - least > NOTHING).then_some(LogLikelihood(logs)))
    }
}

impl ObservedPlayers {
    /// Adds the moves of one player in one game, as one likelihood for each move with a choice. A game of a player in
    /// an endgame with a task is added once.
    pub fn add(&mut self, ending: EndingTask, player: &str, elo: f64, moves: &[LogLikelihood]) {
        if moves.is_empty() {
            return;
        }
        let mut likelihood = LogLikelihood::flat();
        for LogLikelihood(logs) in moves {
            likelihood.0.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
        }
        let games = self.by_ending.entry(ending).or_default().entry(player.to_owned()).or_default();
        games.push(PlayerGame { elo, choices: moves.len() as u64, likelihood });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likelihood_is_interpolated_smoothly() {
        // A parabola is met exactly between the ends.
        let parabola = |log_c: f64| -3.0 * (log_c - 2.0).powi(2);
        let points = (0..POINTS).map(|point| parabola(LEAST + STEP * point as f64));
        let likelihood = LogLikelihood(points.collect());
        for log_c in [-0.4, 0.0, 0.123, 1.999, 2.5, 4.4] {
            assert!((likelihood.at(log_c) - parabola(log_c)).abs() < 1e-9, "{log_c}");
        }
        assert_eq!(likelihood.at(99.0), likelihood.0[POINTS - 1]);
        assert_eq!(likelihood.at(-99.0), likelihood.0[0]);
    }
}
