//! Assessments of the Elo of whoever made the moves of a sample, by the joint model.

use super::fit::JointFit;
use super::model::JointModel;
use super::odds::JointOdds;
use super::traits::Traits;
use crate::error::RatingsError;
use crate::fit::{Draws, central};
use crate::reading::ELO_GRID;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::{Grid, Odds, Posterior, Prior};
use errare_work::Progress;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use std::collections::HashMap;

/// The control by the opponents' moves in the same games: if opponents fell short of their own Elo, the games were
/// hard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// Number of games whose opponents count: both sides were evaluated, and the opponent's Elo is known.
    pub games: usize,
    /// The correction that is taken off the sum of scores.
    score: f64,
}

/// The assessment of an Elo by moves.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The probability of each Elo, all being equally probable beforehand.
    pub posterior: Posterior,
    /// The control by the opponents' moves.
    pub control: Control,
    /// The variance of the sample's score over the variance by the model: the posterior is as much wider.
    pub dispersion: f64,
}

/// Half of a central 95% interval of the normal distribution, in standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The step of the grid's Elos at which likelihoods are computed: between them they are all but cubic.
const STRIDE: usize = 5;

/// The least number of turns in a game for which an opponent counts.
const MIN_CONTROL_TURNS: usize = 10;

/// An Elo with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean of the posterior.
    pub elo: f64,
    /// The standard error of the Elo: of the moves, of the calibration, and of players about their Elo.
    pub se: f64,
    /// The part of the standard error that is due to the moves.
    pub se_sample: f64,
    /// The 95% interval of the Elo.
    pub interval: (f64, f64),
}

impl JointFit {
    /// Estimates the Elo by an assessment, with its error.
    pub fn estimate(&self, assessment: &Assessment) -> Estimate {
        let posterior = &assessment.posterior;
        let (elo, se_sample, (low, high)) = (posterior.mean(), posterior.sd(), posterior.interval(0.95));
        // What the posterior takes as exact: the calibration, and that a player plays as the Elo says.
        let beside = self.precision_at(elo).calibration_se.hypot(self.clusters.player_scatter);
        let half = NORMAL_95 * beside;
        let interval = (elo - (elo - low).hypot(half), elo + (high - elo).hypot(half));
        Estimate { elo, se: se_sample.hypot(beside), se_sample, interval }
    }

    /// The 95% interval of the Elo by drawing games, the calibration taken as exact; none without games.
    ///
    /// # Errors
    /// As [`assess`](JointFit::assess).
    pub fn drawn_interval(
        &self,
        sample: &Sample,
        draws: Draws,
        progress: &dyn Progress,
    ) -> Result<Option<(f64, f64)>, RatingsError> {
        let mut ends: Vec<usize> = Vec::new();
        for game in 0..sample.games() {
            ends.push(ends.last().unwrap_or(&0) + sample.game(game).count());
        }
        let until = self.log_likelihoods(sample, &ends, progress)?;
        let mut random = Pcg64::seed_from_u64(draws.seed);
        let mut elos = Vec::with_capacity(draws.count);
        for _ in 0..draws.count {
            progress.proceed()?;
            let mut logs = vec![0.0; until.first().map_or(0, Vec::len)];
            for _ in 0..ends.len() {
                let game = random.random_range(0..ends.len());
                for (point, log) in logs.iter_mut().enumerate() {
                    *log += until[game][point] - game.checked_sub(1).map_or(0.0, |before| until[before][point]);
                }
            }
            elos.push(self.posterior(&logs, 0.0, self.clusters.side_dispersion)?.mean());
        }
        Ok(central(0.95, elos))
    }

    /// Assesses whoever made the moves of a sample. With `opponents`, the moves of the other side in the same games are
    /// taken into account, as a measure of how hard the games were.
    ///
    /// # Errors
    /// [`RatingsError::Cancelled`] if the work is cancelled; [`RatingsError::Choice`] if losses give no probabilities.
    pub fn assess(
        &self,
        sample: &Sample,
        opponents: bool,
        progress: &dyn Progress,
    ) -> Result<Assessment, RatingsError> {
        let (control, dispersion) = self.surroundings(sample, opponents, progress)?;
        let stops = [sample.count()];
        let logs = self.log_likelihoods(sample, &stops, progress)?.into_iter().next().unwrap_or_default();
        let posterior = self.posterior(&logs, control.score, dispersion)?;
        Ok(Assessment { posterior, control, dispersion })
    }

    /// Assesses moves that the model draws itself on the turns of a sample, for players of the Elos that the games give.
    ///
    /// # Errors
    /// As [`assess`](JointFit::assess).
    pub fn assess_simulated(
        &self,
        sample: &Sample,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<Assessment, RatingsError> {
        let mut random = Pcg64::seed_from_u64(seed);
        let (mut odds, mut joint) = (Odds::default(), JointOdds::default());
        let mut drawn = Vec::with_capacity(sample.count());
        for turn in sample.iter() {
            progress.proceed()?;
            let elo = turn.player().elo.map_or(f64::NAN, f64::from);
            let traits = self.traits(&mut odds, turn)?;
            self.model.weigh(&mut joint, elo, turn, traits)?;
            let mut rest = random.random::<f64>();
            let is_it = |p: &f64| {
                rest -= p;
                rest < 0.0
            };
            drawn.push(joint.probabilities().iter().position(is_it).unwrap_or(0));
        }
        let (first, step, last) = ELO_GRID;
        let elos: Vec<f64> = Grid::new(first, step, last)?.points().collect();
        let logs = self.log_likelihoods_of(&elos, sample, &drawn, &[sample.count()], progress)?;
        let (control, dispersion) = self.surroundings(sample, false, progress)?;
        let posterior = self.posterior(logs.first().map_or(&[][..], Vec::as_slice), 0.0, dispersion)?;
        Ok(Assessment { posterior, control, dispersion })
    }

    /// The posterior over the grid of Elos, from log-likelihoods.
    pub(crate) fn posterior(&self, logs: &[f64], control: f64, dispersion: f64) -> Result<Posterior, RatingsError> {
        let (first, step, last) = ELO_GRID;
        let grid = Grid::new(first, step, last)?;
        let tempered = grid.points().zip(logs).map(|(elo, log)| (log - control * JointModel::units(elo)) / dispersion);
        let mut posterior = Posterior::new(grid, Prior::Uniform)?;
        // No Elo makes any move impossible: the tail sees to that.
        let _ = posterior.observe(&tempered.collect::<Vec<_>>())?;
        Ok(posterior)
    }

    /// The logarithms of the probabilities of the moves up to each stop, for each Elo of the usual grid.
    pub(crate) fn log_likelihoods(
        &self,
        sample: &Sample,
        stops: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<f64>>, RatingsError> {
        let (first, step, last) = ELO_GRID;
        let elos: Vec<f64> = Grid::new(first, step, last)?.points().collect();
        self.log_likelihoods_at(&elos, sample, stops, progress)
    }

    /// The logarithms of the probabilities of the moves up to each stop, for each of some evenly spaced Elos.
    pub(crate) fn log_likelihoods_at(
        &self,
        elos: &[f64],
        sample: &Sample,
        stops: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<f64>>, RatingsError> {
        let played: Vec<usize> = sample.iter().map(Turn::played).collect();
        self.log_likelihoods_of(elos, sample, &played, stops, progress)
    }

    /// The logarithms of the probabilities, up to each stop, of moves that are given by their places turn by turn.
    fn log_likelihoods_of(
        &self,
        elos: &[f64],
        sample: &Sample,
        played: &[usize],
        stops: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<f64>>, RatingsError> {
        let mut odds = Odds::default();
        let traits: Vec<Traits> = sample.iter().map(|turn| self.traits(&mut odds, turn)).collect::<Result<_, _>>()?;
        // The last node is at the last Elo or beyond it.
        let step = if elos.len() > 1 { elos[1] - elos[0] } else { 1.0 };
        let count = elos.len().saturating_sub(1).div_ceil(STRIDE) + 1;
        let nodes: Vec<Vec<f64>> = (0..count)
            .into_par_iter()
            .map(|node| {
                let elo = elos.first().unwrap_or(&0.0) + step * (node * STRIDE) as f64;
                let (mut odds, mut sum, mut found) = (JointOdds::default(), 0.0, Vec::with_capacity(stops.len()));
                for (done, (turn, &traits)) in sample.iter().zip(&traits).enumerate() {
                    progress.proceed()?;
                    found.extend(stops.iter().filter(|&&stop| stop == done).map(|_| sum));
                    self.model.weigh(&mut odds, elo, turn, traits)?;
                    sum += odds.probabilities()[played[done]].ln();
                }
                found.extend(stops.iter().filter(|&&stop| stop == sample.count()).map(|_| sum));
                Ok(found)
            })
            .collect::<Result<_, RatingsError>>()?;
        let of_stop = |stop: usize| {
            let known: Vec<f64> = nodes.iter().map(|node| node[stop]).collect();
            (0..elos.len()).map(|point| cubic(&known, point as f64 / STRIDE as f64)).collect()
        };
        Ok((0..stops.len()).map(of_stop).collect())
    }

    fn traits(&self, odds: &mut Odds, turn: Turn<'_>) -> Result<Traits, RatingsError> {
        Traits::new(odds, &self.model.core, |layer| turn.losses_at(layer), turn.ply())
    }

    /// The variance of the sample's score over the variance by the model, without a control.
    pub(crate) fn dispersion(&self, sample: &Sample, progress: &dyn Progress) -> Result<f64, RatingsError> {
        Ok(self.surroundings(sample, false, progress)?.1)
    }

    /// Finds the control by opponents, and the dispersion of the sample's score.
    ///
    /// Scores of a side have the variance `side_dispersion` times what the model says, and those of the two sides of a
    /// game a correlation. Both sides in the sample add to the variance; the opponent's score, times the regression on
    /// it, takes from it.
    fn surroundings(
        &self,
        sample: &Sample,
        opponents: bool,
        progress: &dyn Progress,
    ) -> Result<(Control, f64), RatingsError> {
        let correlation = self.clusters.correlation;
        let mut rest: HashMap<usize, Vec<Turn<'_>>> = HashMap::new();
        if opponents {
            let games: std::collections::HashSet<usize> = (0..sample.games())
                .filter_map(|game| sample.game(game).next())
                .map(|turn| turn.game_number())
                .collect();
            for turn in sample.source().iter().filter(|turn| games.contains(&turn.game_number())) {
                rest.entry(turn.game_number()).or_default().push(turn);
            }
        }
        let (mut control, mut variance) = (Control::default(), 0.0);
        let (mut odds, mut joint) = (Odds::default(), JointOdds::default());
        for game in 0..sample.games() {
            let Some(first) = sample.game(game).next() else { continue };
            let own = sample.game(game).filter(|turn| turn.side() == first.side()).count() as f64;
            let both = sample.game(game).count() as f64 - own;
            variance += own + both + 2.0 * correlation * (own * both).sqrt();
            let Some(all) = rest.get(&first.game_number()).filter(|_| both == 0.0) else { continue };
            let others: Vec<_> = all.iter().filter(|turn| turn.side() != first.side()).collect();
            let Some(elo) = others.first().and_then(|turn| turn.player().elo).map(f64::from) else { continue };
            if others.len() < MIN_CONTROL_TURNS {
                continue;
            }
            let mut score = 0.0;
            for turn in &others {
                progress.proceed()?;
                let traits = self.traits(&mut odds, **turn)?;
                self.model.weigh(&mut joint, elo, **turn, traits)?;
                score += self.model.by_x(joint.gradient(turn.played()));
            }
            control.games += 1;
            control.score += correlation * (own / others.len() as f64).sqrt() * score;
            variance -= correlation * correlation * own;
        }
        let turns = sample.count().max(1) as f64;
        Ok((control, self.clusters.side_dispersion * variance / turns))
    }
}

/// Interpolates a value at a place between known ones, by the cubic through the four nearest.
fn cubic(known: &[f64], place: f64) -> f64 {
    if known.len() < 4 {
        return known.get(place.round() as usize).copied().unwrap_or(f64::NAN);
    }
    let start = (place.floor() as usize).saturating_sub(1).min(known.len() - 4);
    let at = place - start as f64;
    let weight =
        |i: usize| (0..4).filter(|&j| j != i).map(|j| (at - j as f64) / (i as f64 - j as f64)).product::<f64>();
    (0..4).map(|i| weight(i) * known[start + i]).sum()
}

#[cfg(test)]
mod tests {
    use super::cubic;

    #[test]
    fn cubics_are_exact_for_cubics() {
        let f = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x - 0.1 * x * x * x;
        let known: Vec<f64> = (0..7).map(|x| f(f64::from(x))).collect();
        for place in [0.0, 0.4, 1.0, 2.6, 5.8, 6.0] {
            assert!((cubic(&known, place) - f(place)).abs() < 1e-12, "{place}");
        }
    }
}
