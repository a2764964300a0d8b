//! Forecasts: how long a contest will take, and how likely it is won in time.

use crate::error::EndgameError;
use crate::markov::{Contest, MarkovModel};
use errare_choice::Condition;
use errare_work::{Progress, Status};

/// The expectations of the Markov model of an endgame, from one state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The expected number of moves to the end.
    pub length: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The chance that the fallible side has won after at most so many moves, for each number asked about.
    pub won_within: Vec<f64>,
    /// The chance that it has lost after at most so many moves, for each number asked about.
    pub lost_within: Vec<f64>,
    /// The worst condition number of the equations solved.
    pub condition: f64,
}

impl Forecast {
    /// A forecast for a fallible side, to move in the state of this number, whose competence has these probabilities,
    /// against an infallible opponent.
    ///
    /// Probabilities are those of the model's competences, in their order; they need not add up to 1.
    ///
    /// # Errors
    /// If the probabilities do not fit the competences, a chain cannot be solved, or the work is cancelled.
    pub fn new(
        model: &MarkovModel,
        probabilities: &[f64],
        from: usize,
        within: &[u32],
        progress: &dyn Progress,
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
            progress.proceed()?;
            progress.report(&Status::new("solving", "chains").at(lane as u64, probabilities.len() as u64));
            let share = probability / sum;
            let outlook = LaneForecast::new(&model.against_infallible(lane)?, from, within, progress)?;
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
        if forecast.length.is_nan() || square.is_nan() {
            return Err(EndgameError::NotANumber("expected length of a contest"));
        }
        // A contest that may never end has no finite deviation, nor has one whose square is too great for a number.
        let is_finite = square.is_finite() && forecast.length.is_finite();
        let variance = if is_finite { square - forecast.length.powi(2) } else { f64::INFINITY };
        forecast.sd = variance.max(0.0).sqrt();
        Ok(forecast)
    }
}

/// A forecast for one competence.
struct LaneForecast {
    length: f64,
    sd: f64,
    won_within: Vec<f64>,
    lost_within: Vec<f64>,
    condition: Condition,
}

impl LaneForecast {
    fn new(
        contest: &Contest,
        from: usize,
        within: &[u32],
        progress: &dyn Progress,
    ) -> Result<LaneForecast, EndgameError> {
        let chain = contest.chain_from(from);
        let solution = chain.solve()?;
        let [won, lost] = contest.states().absorbing();
        let chances = |into: usize| -> Result<Vec<f64>, EndgameError> {
            if !chain.is_absorbing(into) {
                return Ok(vec![0.0; within.len()]);
            }
            let chance = |&moves: &u32| -> Result<f64, EndgameError> {
                Ok(chain.try_within(&[into], moves as usize, || Ok::<_, EndgameError>(progress.proceed()?))?[from])
            };
            within.iter().map(chance).collect()
        };
        Ok(LaneForecast {
            length: solution.lengths[from],
            sd: solution.sds[from],
            won_within: chances(won)?,
            lost_within: chances(lost)?,
            condition: solution.condition,
        })
    }
}
