//! Fitting the joint model by maximum likelihood, with errors clustered by game.

use super::clusters::{Clusters, SideScore, side_scores};
use super::matrix::{self, Matrix};
use super::model::{JointModel, MOST_PARAMETER, PARAMETERS, by_parameters};
use super::odds::JointOdds;
use super::precision::{PrecisionAt, precision};
use super::traits::Traits;
use crate::choice_model::ChoiceModel;
use crate::error::{RatingsError, Refusal};
use crate::sample::Sample;
use crate::screening::Widening;
use errare_work::{Progress, Status};

/// The least number of games of players of known Elo that a joint model needs.
pub const MIN_JOINT_GAMES: usize = 30;

/// The least number of turns of players of known Elo that a joint model needs.
pub const MIN_JOINT_TURNS: usize = 1000;

/// A fitted joint model, and how far it can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFit {
    /// The fitted joint model.
    pub model: JointModel,
    /// Number of turns of players of known Elo.
    pub turns: usize,
    /// Number of games with players of known Elo.
    pub games: usize,
    /// The mean logarithm of the probability of a played move.
    pub log_likelihood: f64,
    /// The range of Elos in which the model was fitted: all but half a per cent of the turns at each end.
    pub range: (f64, f64),
    /// Measures of how turns of one game, and the two sides of it, go together.
    pub clusters: Clusters,
    /// The error that the calibration adds to a rating, and the information of a turn, by Elo.
    pub precision: Vec<PrecisionAt>,
    /// Factors by which mm and ad vary more from side to side of games than by the model, as estimated.
    pub widening: Widening,
}

/// The parameters from which a fit starts: fits of players from 1900 to 2700 by Stockfish 15.1 at depth 10.
const START: [f64; PARAMETERS] = [-1.6, -0.24, 0.0, 0.0, 0.0, 0.0, -0.43, 0.02, -2.1, -0.4, 0.0, 0.0, 0.0, 0.0];

const MAX_STEPS: usize = 60;

/// The gain in log-likelihood that a step must promise, over all turns: far below what any reader would notice.
const FINE: f64 = 1e-7;

/// The turns that a model is fitted to, with the numbers that do not change during the fit.
pub(super) struct Rated<'a> {
    pub sample: &'a Sample,
    /// The traits of each turn of the source, by its index; those of other turns are 0.
    pub traits: Vec<Traits>,
}

impl<'a> Rated<'a> {
    pub fn new(sample: &'a Sample, core: &ChoiceModel, progress: &dyn Progress) -> Result<Rated<'a>, RatingsError> {
        let mut odds = errare_choice::Odds::default();
        let mut traits = vec![Traits::default(); sample.source().count()];
        for turn in sample.iter() {
            progress.proceed()?;
            traits[turn.index()] = Traits::new(&mut odds, core, |layer| turn.losses_at(layer), turn.ply())?;
        }
        Ok(Rated { sample, traits })
    }
}

/// The log-likelihood and its derivatives.
struct Value {
    log_likelihood: f64,
    gradient: Vec<f64>,
    by_turn: Matrix,
    by_game: Matrix,
}

impl Rated<'_> {
    fn value(&self, model: &JointModel, progress: &dyn Progress) -> Result<Value, RatingsError> {
        let make = || {
            let (one, other) = (matrix::zeros(PARAMETERS), matrix::zeros(PARAMETERS));
            let value = Value { log_likelihood: 0.0, gradient: vec![0.0; PARAMETERS], by_turn: one, by_game: other };
            (value, JointOdds::default())
        };
        let each_game = |state: &mut (Value, JointOdds), game: usize| {
            let (sums, odds) = state;
            let mut of_game = vec![0.0; PARAMETERS];
            for turn in self.sample.game(game) {
                progress.proceed()?;
                let Some(elo) = turn.player().elo.map(f64::from) else { continue };
                let traits = self.traits[turn.index()];
                model.weigh(odds, elo, turn, traits)?;
                sums.log_likelihood += odds.probabilities()[turn.played()].ln();
                let slopes = by_parameters(odds.gradient(turn.played()), JointModel::units(elo), traits);
                of_game.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
                matrix::add_square(&mut sums.by_turn, &slopes);
            }
            sums.gradient.iter_mut().zip(&of_game).for_each(|(sum, slope)| *sum += slope);
            matrix::add_square(&mut sums.by_game, &of_game);
            Ok(())
        };
        let merge = |one: &mut (Value, JointOdds), (other, _): (Value, JointOdds)| {
            let sums = &mut one.0;
            sums.log_likelihood += other.log_likelihood;
            sums.gradient.iter_mut().zip(&other.gradient).for_each(|(sum, slope)| *sum += slope);
            matrix::add(&mut sums.by_turn, &other.by_turn);
            matrix::add(&mut sums.by_game, &other.by_game);
        };
        Ok(self.sample.gather(make, each_game, merge)?.0)
    }

    /// Climbs to the greatest likelihood. The products of turns' gradients stand for the second derivatives.
    fn climb(&self, core: &ChoiceModel, progress: &dyn Progress) -> Result<(JointModel, Value), RatingsError> {
        let at = |parameters: [f64; PARAMETERS]| JointModel::from_parameters(core.clone(), parameters);
        let mut parameters = START;
        let mut here = self.value(&at(parameters), progress)?;
        let mut damping = 1e-3;
        for step in 0..MAX_STEPS {
            progress.report(&Status { done: step as u64, ..Status::new("fitting the joint model", "steps") });
            let (mut damped, mut gradient) = (here.by_turn.clone(), here.gradient.clone());
            for place in 0..PARAMETERS {
                damped[place][place] = damped[place][place] * (1.0 + damping) + 1e-9;
                // A parameter that would go beyond its bound stays there, and the others climb on without it.
                if parameters[place] * gradient[place].signum() >= MOST_PARAMETER {
                    gradient[place] = 0.0;
                    for other in (0..PARAMETERS).filter(|&other| other != place) {
                        (damped[place][other], damped[other][place]) = (0.0, 0.0);
                    }
                }
            }
            let Some(inverse) = matrix::inverse(&damped) else { break };
            let step = matrix::apply(&inverse, &gradient);
            let promised: f64 = step.iter().zip(&gradient).map(|(one, other)| one * other).sum();
            if promised < FINE {
                break;
            }
            let mut next = parameters;
            for (value, step) in next.iter_mut().zip(&step) {
                *value = (*value + step.clamp(-1.0, 1.0)).clamp(-MOST_PARAMETER, MOST_PARAMETER);
            }
            let there = self.value(&at(next), progress)?;
            if there.log_likelihood > here.log_likelihood {
                (parameters, here) = (next, there);
                damping = (damping / 10.0).max(1e-6);
            } else if damping > 1e6 {
                break;
            } else {
                damping *= 10.0;
            }
        }
        Ok((at(parameters), here))
    }

    /// The second derivatives of the log-likelihood, negated, by differences of gradients.
    fn curvature(&self, model: &JointModel, progress: &dyn Progress) -> Result<Matrix, RatingsError> {
        const WIDTH: f64 = 1e-4;
        let parameters = model.parameters();
        let mut found = matrix::zeros(PARAMETERS);
        for place in 0..PARAMETERS {
            progress.report(&Status::new("estimating the model's errors", "steps").at(place as u64, PARAMETERS as u64));
            let gradient = |shift: f64| -> Result<Vec<f64>, RatingsError> {
                let mut moved = parameters;
                moved[place] += shift;
                let model = JointModel::from_parameters(model.core.clone(), moved);
                Ok(self.value(&model, progress)?.gradient)
            };
            let (above, below) = (gradient(WIDTH)?, gradient(-WIDTH)?);
            for (row, (one, other)) in above.iter().zip(&below).enumerate() {
                // Both halves of the symmetric matrix share what rounding leaves.
                let entry = -0.5 * (one - other) / (2.0 * WIDTH);
                found[row][place] += entry;
                found[place][row] += entry;
            }
        }
        Ok(found)
    }
}

impl JointFit {
    /// Fits the model to the turns of a sample whose players have an Elo.
    ///
    /// # Errors
    /// [`Refusal::TooFewElos`] if there are fewer than 30 games or 1,000 turns of players of known Elo;
    /// [`Refusal::NoTrend`] if they show no rise of skill with Elo beyond chance; [`RatingsError::Cancelled`] if the work
    /// is cancelled.
    pub fn new(sample: &Sample, core: &ChoiceModel, progress: &dyn Progress) -> Result<JointFit, RatingsError> {
        let known = Sample::listed(
            sample.source(),
            sample.iter().filter(|turn| turn.player().elo.is_some()).map(|turn| turn.index()),
        );
        let (turns, games) = (known.count(), known.games());
        if games < MIN_JOINT_GAMES || turns < MIN_JOINT_TURNS {
            return Err(Refusal::TooFewElos { games, turns }.into());
        }
        let rated = Rated::new(&known, core, progress)?;
        let (model, value) = rated.climb(core, progress)?;
        let bread = matrix::inverse(&rated.curvature(&model, progress)?).ok_or(Refusal::NoTrend)?;
        let covariance = matrix::product(&matrix::product(&bread, &value.by_game), &bread);
        let sides = side_scores(&rated, &model, progress)?;
        let clusters = Clusters::new(&sides);
        let widening = widening(&sides);
        let fit = JointFit {
            turns,
            games,
            log_likelihood: value.log_likelihood / turns as f64,
            range: range(&known),
            clusters,
            precision: precision(&rated, &model, &covariance, progress)?,
            widening,
            model,
        };
        // Along the curve, a step up by one unit must be a step up in skill by more than chance.
        let middle = 0.5 * (fit.range.0 + fit.range.1);
        let doubt = fit.precision_at(middle).calibration_se;
        if doubt.is_finite() && doubt < fit.range.1 - fit.range.0 { Ok(fit) } else { Err(Refusal::NoTrend.into()) }
    }

    /// Number of points of Elo in a unit of the model's x.
    pub(crate) const UNIT: f64 = JointModel::UNIT;

    /// The scores of every side of every game of a sample, at the players' own Elos.
    pub(crate) fn side_scores(&self, sample: &Sample, progress: &dyn Progress) -> Result<Vec<SideScore>, RatingsError> {
        side_scores(&Rated::new(sample, &self.model.core, progress)?, &self.model, progress)
    }

    /// The precision at an Elo, interpolated between the listed Elos by a line, and beyond them that of the nearest.
    pub fn precision_at(&self, elo: f64) -> PrecisionAt {
        PrecisionAt::between(&self.precision, elo)
    }
}

/// The range of Elos in which all but half a per cent of the turns at each end lie.
fn range(sample: &Sample) -> (f64, f64) {
    let mut elos: Vec<u16> = sample.iter().filter_map(|turn| turn.player().elo).collect();
    elos.sort_unstable();
    let at = |share: f64| elos.get((share * elos.len() as f64) as usize).copied().map_or(f64::NAN, f64::from);
    (at(0.005), at(0.995))
}

/// Estimates how much more mm and ad vary, from side to side of games, than by the model's own variance.
fn widening(sides: &[SideScore]) -> Widening {
    let factor = |of: fn(&SideScore) -> (f64, f64)| {
        let (squares, variance) =
            sides.iter().map(of).fold((0.0, 0.0), |sum, (miss, variance)| (sum.0 + miss * miss, sum.1 + variance));
        if variance > 0.0 { (squares / variance).sqrt() } else { 1.0 }
    };
    Widening { mm: factor(|side| side.mm), ad: factor(|side| side.ad) }
}
