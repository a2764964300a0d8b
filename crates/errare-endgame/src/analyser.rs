//! The Analyser: infers the competence of a player from moves.

use crate::agents::Belief;
use crate::error::EndgameError;
use crate::model::{Model, Spectra};
use crate::oracle::Options;
use errare_choice::{Grid, Posterior, Prior, Update};
use std::sync::Arc;

/// The conditions by which competence is assessed: a model, a grid of competences, and a prior. Analysers of one
/// analysis share it.
#[derive(Clone, Debug)]
pub struct Analysis {
    spectra: Arc<Spectra>,
    prior: Posterior,
}

impl Analysis {
    /// Makes an analysis by this model, over the competences of a grid.
    ///
    /// # Errors
    /// If the prior does not fit the grid.
    pub fn new(model: Model, grid: Grid, prior: Prior) -> Result<Analysis, EndgameError> {
        let prior = Posterior::new(grid, prior)?;
        Ok(Analysis { spectra: Arc::new(Spectra::new(model, grid.competences())), prior })
    }

    /// The model of the players analysed.
    pub fn model(&self) -> &Model {
        self.spectra.model()
    }

    /// The belief before the first move.
    pub fn prior(&self) -> &Posterior {
        &self.prior
    }

    /// Makes an analyser that has observed no move.
    pub fn analyser(&self) -> Analyser {
        self.analyser_with(self.prior.clone())
    }

    /// Makes an analyser that goes on from a posterior over the same grid.
    pub fn analyser_with(&self, posterior: Posterior) -> Analyser {
        Analyser { spectra: Arc::clone(&self.spectra), posterior }
    }

    /// The belief of a Predator about its opponent, from a posterior over the same grid.
    pub fn belief(&self, posterior: &Posterior) -> Belief {
        Belief::shared(Arc::clone(&self.spectra), posterior.probabilities().to_vec())
    }

    /// The logarithm of the probability, at each point of the grid, of going to the state that a move leads to.
    ///
    /// The share of the move among those to the same state does not depend on the competence, and is left out.
    ///
    /// # Errors
    /// If no such move exists.
    pub fn log_likelihoods(&self, options: &Options, chosen: usize) -> Result<Vec<f64>, EndgameError> {
        log_likelihoods(&self.spectra, options, chosen)
    }
}

/// An Analyser, which infers the competence of one player, move by move.
#[derive(Clone, Debug)]
pub struct Analyser {
    spectra: Arc<Spectra>,
    posterior: Posterior,
}

impl Analyser {
    /// The current belief about the player.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// Learns from the move of this place, which the player has chosen. Nothing is learned from a move that the model
    /// calls impossible.
    ///
    /// # Errors
    /// If no such move exists.
    pub fn observe(&mut self, options: &Options, chosen: usize) -> Result<Update, EndgameError> {
        self.learn(&log_likelihoods(&self.spectra, options, chosen)?)
    }

    /// Learns from a move whose [log likelihoods](Analysis::log_likelihoods) are known.
    ///
    /// # Errors
    /// If there is not one likelihood for each point of the grid.
    pub fn learn(&mut self, log_likelihoods: &[f64]) -> Result<Update, EndgameError> {
        Ok(self.posterior.observe(log_likelihoods)?)
    }
}

pub(crate) fn log_likelihoods(spectra: &Spectra, options: &Options, chosen: usize) -> Result<Vec<f64>, EndgameError> {
    let mut likelihoods = vec![0.0; spectra.competences().len()];
    let weighed = spectra.model().weigh(options)?;
    let unknown = EndgameError::UnknownPlace { place: chosen, count: weighed.len() };
    let candidate = weighed.get(chosen).ok_or(unknown)?;
    if !candidate.is_open() {
        likelihoods.fill(f64::NEG_INFINITY);
        return Ok(likelihoods);
    }
    let tally = crate::oracle::tally(options.states, &weighed)?;
    spectra.get(options.states)?.log_likelihoods(&tally, options.number(candidate.state())?, &mut likelihoods);
    Ok(likelihoods)
}
