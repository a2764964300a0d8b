//! What the moves of a sample say of the Elo of whoever made them, by the joint model.

use super::fit::JointFit;
use super::model::JointModel;
use super::odds::JointOdds;
use super::traits::Traits;
use crate::error::RatingsError;
use crate::reading::ELO_GRID;
use crate::sample::Sample;
use crate::turns::Turn;
use errare_choice::{Grid, Odds, Posterior, Prior};
use errare_work::Progress;
use rayon::prelude::*;
use std::collections::HashMap;

/// What opponents did in the same games: if they fell short of their own Elo, the games were hard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// Number of games whose opponents count: both sides were evaluated, and the opponent's Elo is known.
    pub games: usize,
    /// What is taken off the sum of scores.
    score: f64,
}

/// What moves say of an Elo.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// How probable each Elo is, all being equally probable beforehand.
    pub posterior: Posterior,
    /// What the opponents' moves were used for.
    pub control: Control,
    /// The variance of the sample's score over what the model says: the posterior is as much wider.
    pub dispersion: f64,
}

/// Likelihoods are computed at every fifth Elo of the grid: between them they are all but cubic.
const STRIDE: usize = 5;

/// An opponent with fewer turns in a game says nothing about it.
const MIN_CONTROL_TURNS: usize = 10;

impl JointFit {
    /// Assesses whoever made the moves of a sample. With `opponents`, the moves of the other side in the same games
    /// are taken into account: they say how hard the games were.
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

    /// The posterior of log-likelihoods on the grid of Elos.
    pub(crate) fn posterior(&self, logs: &[f64], control: f64, dispersion: f64) -> Result<Posterior, RatingsError> {
        let (first, step, last) = ELO_GRID;
        let grid = Grid::new(first, step, last)?;
        let tempered = grid.points().zip(logs).map(|(elo, log)| (log - control * JointModel::units(elo)) / dispersion);
        let mut posterior = Posterior::new(grid, Prior::Uniform)?;
        // No Elo makes any move impossible: the tail sees to that.
        let _ = posterior.observe(&tempered.collect::<Vec<_>>())?;
        Ok(posterior)
    }

    /// The logarithms of the probabilities of the moves up to each stop, for each Elo of the grid.
    pub(crate) fn log_likelihoods(
        &self,
        sample: &Sample,
        stops: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<Vec<f64>>, RatingsError> {
        let (first, step, last) = ELO_GRID;
        let points = Grid::new(first, step, last)?.points().count();
        let mut odds = Odds::default();
        let traits: Vec<Traits> = sample.iter().map(|turn| self.traits(&mut odds, turn)).collect::<Result<_, _>>()?;
        let nodes: Vec<Vec<f64>> = (0..points.div_ceil(STRIDE))
            .into_par_iter()
            .map(|node| {
                let elo = first + step * (node * STRIDE) as f64;
                let (mut odds, mut sum, mut found) = (JointOdds::default(), 0.0, Vec::with_capacity(stops.len()));
                for (done, (turn, &traits)) in sample.iter().zip(&traits).enumerate() {
                    progress.proceed()?;
                    found.extend(stops.iter().filter(|&&stop| stop == done).map(|_| sum));
                    self.model.weigh(&mut odds, elo, turn, traits)?;
                    sum += odds.probabilities()[turn.played()].ln();
                }
                found.extend(stops.iter().filter(|&&stop| stop == sample.count()).map(|_| sum));
                Ok(found)
            })
            .collect::<Result<_, RatingsError>>()?;
        let of_stop = |stop: usize| {
            let known: Vec<f64> = nodes.iter().map(|node| node[stop]).collect();
            (0..points).map(|point| cubic(&known, point as f64 / STRIDE as f64)).collect()
        };
        Ok((0..stops.len()).map(of_stop).collect())
    }

    fn traits(&self, odds: &mut Odds, turn: Turn<'_>) -> Result<Traits, RatingsError> {
        Traits::new(odds, &self.model.core, |layer| turn.losses_at(layer), turn.ply())
    }

    /// The control by opponents, and the dispersion of the sample's score.
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

/// The value at a place between known ones, by the cubic through the four nearest.
fn cubic(known: &[f64], place: f64) -> f64 {
    if known.len() < 4 {
        return known.get(place as usize).copied().unwrap_or(f64::NAN);
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
