//! The model of a fallible player's choice: a family of preference functions, and habits.

use crate::error::EndgameError;
use crate::habits::Habits;
use crate::oracle::{CandidateMove, Options, tally};
use errare_choice::{
    Candidate, Competence, Kappa, PowerLaw, Preference, PreferenceError, Spectrum, StateRule, States,
    StretchedExponential, Tally, probabilities,
};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// A family of preference functions, one for the states of each endgame.
pub trait Family: Send + Sync {
    /// Returns the preference function for these states.
    ///
    /// # Errors
    /// If the parameters of the family are invalid, or the states too deep.
    fn preference(&self, states: States) -> Result<Box<dyn Preference + Send + Sync>, PreferenceError>;
}

/// The preference functions of Haworth (2003): [`PowerLaw`] with this kappa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaws(pub Kappa);

impl Family for PowerLaws {
    fn preference(&self, states: States) -> Result<Box<dyn Preference + Send + Sync>, PreferenceError> {
        Ok(Box::new(PowerLaw::new(states, self.0)?))
    }
}

/// Preference functions of another shape: [`StretchedExponential`] with this exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchedExponentials(pub f64);

impl Family for StretchedExponentials {
    fn preference(&self, states: States) -> Result<Box<dyn Preference + Send + Sync>, PreferenceError> {
        Ok(Box::new(StretchedExponential::new(states, self.0)?))
    }
}

/// The model of a fallible player, except for the competence. Copies share a cache.
#[derive(Clone)]
pub struct Model {
    family: Arc<dyn Family>,
    habits: Habits,
    rules: Arc<[Box<dyn StateRule + Send + Sync>]>,
    preferences: Arc<RwLock<HashMap<States, Arc<dyn Preference + Send + Sync>>>>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("habits", &self.habits).finish_non_exhaustive()
    }
}

impl Model {
    /// Makes a model of preferences of a family, and habits.
    pub fn new(family: impl Family + 'static, habits: Habits) -> Model {
        let rules = habits.state_rules().into();
        Model { family: Arc::new(family), habits, rules, preferences: Arc::default() }
    }

    /// Makes the model of Haworth (2003).
    pub fn power_law(kappa: Kappa, habits: Habits) -> Model {
        Model::new(PowerLaws(kappa), habits)
    }

    /// The habits of the player.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// The preference function for these states.
    ///
    /// # Errors
    /// If the parameters of the family are invalid, or the states too deep.
    pub fn preference(&self, states: States) -> Result<Arc<dyn Preference + Send + Sync>, EndgameError> {
        if let Some(known) = self.preferences.read().unwrap_or_else(PoisonError::into_inner).get(&states) {
            return Ok(Arc::clone(known));
        }
        let made: Arc<dyn Preference + Send + Sync> = Arc::from(self.family.preference(states)?);
        self.preferences.write().unwrap_or_else(PoisonError::into_inner).insert(states, Arc::clone(&made));
        Ok(made)
    }

    /// The candidates of a position as this player weighs them.
    ///
    /// # Errors
    /// If no move is legal, or a habit makes a weight that is not finite.
    pub fn weigh(&self, options: &Options) -> Result<Vec<Candidate<CandidateMove>>, EndgameError> {
        self.habits.weigh_by(&self.rules, options)
    }

    /// The weights of the candidates, summed by state.
    ///
    /// # Errors
    /// As [`weigh`](Model::weigh).
    pub fn tally(&self, options: &Options) -> Result<Tally, EndgameError> {
        tally(options.states, &self.weigh(options)?)
    }

    /// The probability of each move, for a player of this competence.
    ///
    /// # Errors
    /// As [`weigh`](Model::weigh).
    pub fn probabilities(&self, options: &Options, competence: Competence) -> Result<Vec<f64>, EndgameError> {
        let preference = self.preference(options.states)?;
        Ok(probabilities(&*preference, competence, &self.weigh(options)?)?)
    }
}

/// The spectra of the same competences for the states of all endgames that come up.
#[derive(Debug)]
pub(crate) struct Spectra {
    model: Model,
    competences: Vec<Competence>,
    by_states: RwLock<HashMap<States, Arc<Spectrum>>>,
}

impl Spectra {
    pub fn new(model: Model, competences: Vec<Competence>) -> Spectra {
        Spectra { model, competences, by_states: RwLock::default() }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn competences(&self) -> &[Competence] {
        &self.competences
    }

    pub fn get(&self, states: States) -> Result<Arc<Spectrum>, EndgameError> {
        if let Some(known) = self.by_states.read().unwrap_or_else(PoisonError::into_inner).get(&states) {
            return Ok(Arc::clone(known));
        }
        let preference = self.model.preference(states)?;
        let made = Arc::new(Spectrum::new(&*preference, &self.competences)?);
        self.by_states.write().unwrap_or_else(PoisonError::into_inner).insert(states, Arc::clone(&made));
        Ok(made)
    }
}
