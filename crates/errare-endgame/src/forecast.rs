//! The Predictor: how long it will take, and how likely it is to succeed in time.

use crate::error::EndgameError;
use crate::markov::{Contest, MarkovModel};
use errare_choice::Condition;

/// What the Markov model of an endgame expects from one state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The expected number of moves to the end.
    pub length: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The chance that the fallible side has won after at most so many moves, for each number asked about.
    pub won_within: Vec<f64>,
    /// The same for losing.
    pub lost_within: Vec<f64>,
    /// The worst condition of the equations solved.
    pub condition: f64,
}

impl Forecast {
    /// For a fallible side, to move in the state of this number, whose competence has these probabilities, against an
    /// infallible opponent.
    ///
    /// Probabilities are those of the model's competences, in their order; they need not add up to 1.
    pub fn new(
        model: &MarkovModel,
        probabilities: &[f64],
        from: usize,
        within: &[u32],
    ) -> Result<Forecast, EndgameError> {
        let sum: f64 = probabilities.iter().sum();
        let proper = probabilities.iter().all(|p| p.is_finite() && *p >= 0.0) && sum > 0.0;
        if probabilities.len() != model.competences().len() || !proper {
            return Err(EndgameError::Belief);
        }
        let mut forecast = Forecast {
            length: 0.0,
            sd: 0.0,
            won_within: vec![0.0; within.len()],
            lost_within: vec![0.0; within.len()],
            condition: 1.0,
        };
        let mut square = 0.0;
        for (lane, &probability) in probabilities.iter().enumerate().filter(|&(_, &p)| p > 0.0) {
            let share = probability / sum;
            let outlook = Outlook::new(&model.against_infallible(lane)?, from, within)?;
            forecast.length += share * outlook.length;
            square += share * (outlook.sd.powi(2) + outlook.length.powi(2));
            for (sum, chance) in forecast.won_within.iter_mut().zip(outlook.won_within) {
                *sum += share * chance;
            }
            for (sum, chance) in forecast.lost_within.iter_mut().zip(outlook.lost_within) {
                *sum += share * chance;
            }
            forecast.condition = forecast.condition.max(outlook.condition.fixed);
        }
        let variance = square - forecast.length.powi(2);
        forecast.sd = if variance.is_nan() { f64::INFINITY } else { variance.max(0.0).sqrt() };
        Ok(forecast)
    }
}

/// The same for one competence.
struct Outlook {
    length: f64,
    sd: f64,
    won_within: Vec<f64>,
    lost_within: Vec<f64>,
    condition: Condition,
}

impl Outlook {
    fn new(contest: &Contest, from: usize, within: &[u32]) -> Result<Outlook, EndgameError> {
        let chain = contest.chain_from(from);
        let solution = chain.solve()?;
        let [won, lost] = contest.states().absorbing();
        let chances = |into: usize| -> Result<Vec<f64>, EndgameError> {
            if !chain.is_absorbing(into) {
                return Ok(vec![0.0; within.len()]);
            }
            within.iter().map(|&moves| Ok(chain.within(&[into], moves as usize)?[from])).collect()
        };
        Ok(Outlook {
            length: solution.lengths[from],
            sd: solution.sds[from],
            won_within: chances(won)?,
            lost_within: chances(lost)?,
            condition: solution.condition,
        })
    }
}
