//! A Markov model whose contests are solved once, for many forecasts.

use crate::error::EndgameError;
use crate::forecast::ForecastHorizon;
use crate::markov::{Contest, MarkovModel};
use errare_choice::{Competence, Solution};
use errare_work::{Progress, Status};
use std::sync::{Arc, OnceLock};

/// A Markov model, and for each of its competences the contest with an infallible opponent and its solutions, each
/// computed when it is first needed. Threads can share the model.
#[derive(Debug)]
pub struct SolvedModel {
    model: MarkovModel,
    lanes: Vec<OnceLock<Arc<SolvedContest>>>,
}

impl SolvedModel {
    /// Makes a model of which nothing is solved yet.
    pub fn new(model: MarkovModel) -> SolvedModel {
        let lanes = model.competences().iter().map(|_| OnceLock::new()).collect();
        SolvedModel { model, lanes }
    }

    /// The Markov model behind the solutions.
    pub fn model(&self) -> &MarkovModel {
        &self.model
    }

    /// The bytes that the model takes when all its contests are solved, approximately.
    pub fn bytes(&self) -> usize {
        // The sums of transitions, a chain of all states, and one of the wins; solutions have a few numbers for each state.
        const NUMBERS: usize = 3;
        let states = self.model.states().count() + 1;
        self.lanes.len() * NUMBERS * states * (states + 8) * size_of::<f64>()
    }

    /// The probabilities of these competences as probabilities of all competences of the model; none if the model lacks one
    /// of them, or there is not a probability for each.
    pub fn spread(&self, competences: &[Competence], probabilities: &[f64]) -> Option<Vec<f64>> {
        if competences.len() != probabilities.len() {
            return None;
        }
        let mut spread = vec![0.0; self.lanes.len()];
        for (competence, probability) in competences.iter().zip(probabilities) {
            spread[self.model.competences().iter().position(|known| known == competence)?] += probability;
        }
        Some(spread)
    }

    /// The contest for the competence at a place of the list.
    pub(crate) fn contest(&self, lane: usize) -> Result<Arc<SolvedContest>, EndgameError> {
        let place = self.lanes.get(lane).ok_or(EndgameError::Belief)?;
        if let Some(known) = place.get() {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(SolvedContest {
            contest: self.model.against_infallible(lane)?,
            from_wins: OnceLock::new(),
            from_others: OnceLock::new(),
        });
        // Another thread may have been quicker; then its contest stays.
        Ok(Arc::clone(place.get_or_init(|| made)))
    }

    /// Checks that probabilities fit the competences, and gives their sum.
    pub(crate) fn check_belief(&self, probabilities: &[f64]) -> Result<f64, EndgameError> {
        let sum: f64 = probabilities.iter().sum();
        let proper = probabilities.iter().all(|p| p.is_finite() && *p >= 0.0) && sum > 0.0;
        if probabilities.len() != self.lanes.len() || !proper {
            return Err(EndgameError::Belief);
        }
        Ok(sum)
    }
}

/// A contest with an infallible opponent, with its solutions.
#[derive(Debug)]
pub(crate) struct SolvedContest {
    pub contest: Contest,
    from_wins: OnceLock<Solution>,
    from_others: OnceLock<Solution>,
}

impl SolvedContest {
    /// The solution of the smallest chain that has a state.
    pub fn solution(&self, from: usize, progress: &dyn Progress) -> Result<&Solution, EndgameError> {
        let place = if from < self.contest.states().draw() { &self.from_wins } else { &self.from_others };
        if let Some(known) = place.get() {
            return Ok(known);
        }
        let solution = self.contest.chain_from(from).try_solve(|| Ok::<_, EndgameError>(progress.proceed()?))?;
        Ok(place.get_or_init(|| solution))
    }

    /// The chance of having reached an end after at most so many moves, by state of the smallest chain that has the
    /// state `from`.
    pub fn reached(
        &self,
        from: usize,
        into: usize,
        moves: u32,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, EndgameError> {
        let chain = self.contest.chain_from(from);
        if !chain.is_absorbing(into) {
            return Ok(vec![0.0; chain.matrix().size()]);
        }
        chain.try_within(&[into], moves as usize, || Ok::<_, EndgameError>(progress.proceed()?))
    }
}

/// The chances of a fallible side, to move, to have won or lost in time, by the number of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateChances {
    /// The chance to have won, by state.
    pub won: Vec<f64>,
    /// The chance to have lost, by state.
    pub lost: Vec<f64>,
}

impl StateChances {
    /// Works out the chances within as many moves of each side, from every state, for a fallible side whose competence
    /// has these probabilities against an infallible opponent. The chances equal those of
    /// [`Forecast`](crate::Forecast), digit for digit.
    ///
    /// # Errors
    /// If the probabilities do not fit the competences, or the work is cancelled.
    pub fn new(
        model: &SolvedModel,
        probabilities: &[f64],
        moves: u32,
        progress: &dyn Progress,
    ) -> Result<StateChances, EndgameError> {
        let sum = model.check_belief(probabilities)?;
        let states = model.model().states();
        let (count, draw, [won, lost]) = (states.count(), states.draw(), states.absorbing());
        let ForecastHorizon { own, replies } = ForecastHorizon::moves(moves);
        let mut chances = StateChances { won: vec![0.0; count], lost: vec![0.0; count] };
        for (lane, &probability) in probabilities.iter().enumerate().filter(|&(_, &p)| p > 0.0) {
            progress.proceed()?;
            progress.report(&Status::new("solving", "chains").at(lane as u64, probabilities.len() as u64));
            let share = probability / sum;
            let contest = model.contest(lane)?;
            for (sums, into, moves) in [(&mut chances.won, won, own), (&mut chances.lost, lost, replies)] {
                let from_wins = contest.reached(0, into, moves, progress)?;
                sums.iter_mut().zip(&from_wins).take(draw).for_each(|(sum, chance)| *sum += share * chance);
                let is_one_chain = from_wins.len() > draw;
                let from_others =
                    if is_one_chain { from_wins } else { contest.reached(draw, into, moves, progress)? };
                sums.iter_mut().zip(&from_others).skip(draw).for_each(|(sum, chance)| *sum += share * chance);
            }
        }
        Ok(chances)
    }
}
