//! Forecasts: the length of a contest, and the chances to win or lose it in time.

use crate::error::EndgameError;
use crate::solved_model::SolvedModel;
use errare_choice::Condition;
use errare_work::{Progress, Status};

/// The expectations of the Markov model of an endgame, from one state on.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The expected number of moves to the end.
    pub length: f64,
    /// The standard deviation of the number of moves.
    pub sd: f64,
    /// The chance that the fallible side has won after at most each number of moves asked about.
    pub won_within: Vec<f64>,
    /// The chance that the fallible side has lost after at most each number of moves asked about.
    pub lost_within: Vec<f64>,
    /// The worst condition number of the equations solved.
    pub condition: f64,
}

/// The moves within which a contest is to be over, from a move of the fallible side on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForecastHorizon {
    /// Number of moves of the fallible side.
    pub own: u32,
    /// Number of replies of the opponent: as many, or one less.
    pub replies: u32,
}

impl ForecastHorizon {
    /// Makes a horizon of the same number of moves for both sides.
    pub fn moves(moves: u32) -> ForecastHorizon {
        ForecastHorizon { own: moves, replies: moves }
    }
}

impl Forecast {
    /// Makes a forecast for a fallible side, to move in the state of this number, whose competence has these
    /// probabilities, against an infallible opponent.
    ///
    /// Probabilities are those of the model's competences, in their order; they need not add up to 1.
    ///
    /// # Errors
    /// If the probabilities do not fit the competences, a chain cannot be solved, or the work is cancelled.
    pub fn new(
        model: &SolvedModel,
        probabilities: &[f64],
        from: usize,
        within: &[ForecastHorizon],
        progress: &dyn Progress,
    ) -> Result<Forecast, EndgameError> {
        let sum = model.check_belief(probabilities)?;
        let mut forecast = Forecast {
            length: 0.0,
            sd: 0.0,
            won_within: vec![0.0; within.len()],
            lost_within: vec![0.0; within.len()],
            condition: 1.0,
        };
        let mut lengths: Vec<WeighedLength> = Vec::new();
        for (lane, &probability) in probabilities.iter().enumerate().filter(|&(_, &p)| p > 0.0) {
            progress.proceed()?;
            progress.report(&Status::new("solving", "chains").at(lane as u64, probabilities.len() as u64));
            let share = probability / sum;
            let found = LaneForecast::new(model, lane, from, within, progress)?;
            lengths.push(WeighedLength { share, length: found.length, sd: found.sd });
            for (sum, chance) in forecast.won_within.iter_mut().zip(found.won_within) {
                *sum += share * chance;
            }
            for (sum, chance) in forecast.lost_within.iter_mut().zip(found.lost_within) {
                *sum += share * chance;
            }
            forecast.condition = forecast.condition.max(found.condition.fixed);
        }
        (forecast.length, forecast.sd) = mixed(&lengths);
        Ok(forecast)
    }
}

/// The length of a contest for one of several competences, with the probability of the competence.
struct WeighedLength {
    /// The probability of the competence.
    share: f64,
    length: f64,
    sd: f64,
}

/// The mean and the standard deviation of a length that is one of several lengths by chance.
///
/// Squares are taken of shares of the mean, so that they stay in the range of numbers; and deviations are added, rather
/// than squares subtracted, which would leave nothing but rounding of long contests.
fn mixed(lengths: &[WeighedLength]) -> (f64, f64) {
    let mean: f64 = lengths.iter().map(|lane| lane.share * lane.length).sum();
    if !mean.is_finite() || mean == 0.0 {
        return (mean, mean);
    }
    let square = |lane: &WeighedLength| (lane.sd / mean).powi(2) + ((lane.length - mean) / mean).powi(2);
    let variance: f64 = lengths.iter().map(|lane| lane.share * square(lane)).sum();
    (mean, mean * variance.sqrt())
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
        model: &SolvedModel,
        lane: usize,
        from: usize,
        within: &[ForecastHorizon],
        progress: &dyn Progress,
    ) -> Result<LaneForecast, EndgameError> {
        let solved = model.contest(lane)?;
        let solution = solved.solution(from, progress)?;
        let chain = solved.contest.chain_from(from);
        let [won, lost] = solved.contest.states().absorbing();
        // The fallible side wins by a move of its own.
        let won_within = within.iter().map(|horizon| Ok(solved.reached(from, won, horizon.own, progress)?[from]));
        let lost_within = within.iter().map(|horizon| -> Result<f64, EndgameError> {
            let chances = solved.reached(from, lost, horizon.replies, progress)?;
            if horizon.own == horizon.replies || !chain.is_absorbing(lost) || chain.is_absorbing(from) {
                return Ok(chances[from]);
            }
            // A last move without a reply loses only if it loses at once.
            let own_moves = model.model().matrix(lane)?;
            let start: Vec<f64> = (0..chances.len()).map(|state| f64::from(u8::from(state == from))).collect();
            let proceed = || Ok::<_, EndgameError>(progress.proceed()?);
            let states = chain.matrix().try_after(&start, horizon.replies.into(), proceed)?;
            let still_on = states.iter().enumerate().filter(|&(state, _)| !chain.is_absorbing(state));
            Ok(chances[from] + still_on.map(|(state, chance)| chance * own_moves.row(state)[lost]).sum::<f64>())
        });
        Ok(LaneForecast {
            length: solution.lengths[from],
            sd: solution.sds[from],
            won_within: won_within.collect::<Result<_, EndgameError>>()?,
            lost_within: lost_within.collect::<Result<_, _>>()?,
            condition: solution.condition,
        })
    }
}
