//! Predictions for a position: the Markov model of its endgame, solved from its state on.

use crate::error::EndgameError;
use crate::forecast::{Forecast, ForecastHorizon};
use crate::markov::{MarkovModel, MarkovScope};
use crate::model::Model;
use crate::oracle::{Oracle, number};
use crate::solved_model::SolvedModel;
use errare_choice::{Competence, Depth, State};
use errare_tables::{Extent, Material, Metric, TableSource, tables_after};
use errare_work::Progress;
use shakmaty::{Chess, Color, Position};
use std::sync::Arc;

/// A question about a position: the time that a fallible side takes to win, and the chance that it wins in time.
#[derive(Clone, Debug)]
pub struct PredictionQuestion {
    /// The position asked about.
    pub position: Chess,
    /// The metric that players play to.
    pub metric: Metric,
    /// The model of the side that errs.
    pub model: Model,
    /// The competences that the side that errs may have, increasing.
    pub competences: Vec<Competence>,
    /// The probabilities of the competences, which need not add up to 1.
    pub probabilities: Vec<f64>,
    /// The side that errs; by default the winner, in a drawn position the side that is weaker by its men.
    pub fallible: Option<Color>,
    /// Numbers of moves, counted from the last capture or pawn move, within which to win.
    pub within: Vec<u32>,
    /// The positions of the endgame that the model is made from.
    pub extent: Extent,
}

/// The prediction of a Markov model for a position.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The side that errs.
    pub fallible: Color,
    /// The state of the position as the side that errs sees it.
    pub state: State,
    /// Number of moves that the side that errs can still make within each number asked about, by the halfmove clock.
    pub left: Vec<u32>,
    /// The predicted lengths and chances.
    pub forecast: Forecast,
}

impl PredictionQuestion {
    /// The tables that the answer needs, that of the position first.
    pub fn tables(&self) -> Vec<(Material, Metric)> {
        tables_after(Material::of_board(self.position.board()).0, &[self.metric])
    }

    /// Refuses a question that no answer can be found to, before any table is built.
    ///
    /// # Errors
    /// As [`MarkovModel::check`].
    pub fn check(&self) -> Result<(), EndgameError> {
        MarkovModel::check(self.metric, &self.model, &self.competences)
    }

    /// Predicts lengths and chances by a model made from the tables.
    ///
    /// # Errors
    /// As [`check`](PredictionQuestion::check), or if the probabilities do not fit the competences, a table is missing or
    /// damaged, or the work is cancelled.
    pub fn answer(&self, tables: &TableSource, progress: &dyn Progress) -> Result<Prediction, EndgameError> {
        let make = |scope: MarkovScope| -> Result<_, EndgameError> {
            let markov = MarkovModel::of_tables(tables, scope, &self.model, &self.competences, progress)?;
            Ok(Arc::new(SolvedModel::new(markov)))
        };
        self.place(tables)?.answer(make, progress)
    }

    /// Looks up the position of the question.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn place(&self, tables: &TableSource) -> Result<PlacedQuestion<'_>, EndgameError> {
        let (material, swapped) = Material::of_board(self.position.board());
        let turn = self.position.turn();
        let state = Oracle::new(tables.source(), self.metric).state(&self.position)?;
        let weaker = if swapped { Color::White } else { Color::Black };
        let fallible = self.fallible.unwrap_or(match state {
            State::Win(_) => turn,
            State::Loss(_) => turn.other(),
            State::Draw => weaker,
        });
        // The table knows the side named first as White.
        let side = if swapped { fallible.other() } else { fallible };
        let state = if fallible == turn { state } else { state.reversed() };
        Ok(PlacedQuestion { question: self, material, side, fallible, state })
    }

    /// The part of a number of moves that is left to each side: plies alternate, and so may end with either side's
    /// move.
    fn horizon(&self, moves: u32, errs_first: bool) -> ForecastHorizon {
        let plies = moves.saturating_mul(2).saturating_sub(self.position.halfmoves());
        // The chain begins with the side that errs; what the other side plays before that is not counted.
        let plies = if errs_first { plies } else { plies.saturating_sub(1) };
        ForecastHorizon { own: plies.div_ceil(2), replies: plies / 2 }
    }
}

/// A question about a position whose value is known.
#[derive(Clone, Copy, Debug)]
pub struct PlacedQuestion<'a> {
    question: &'a PredictionQuestion,
    material: Material,
    side: Color,
    /// The side that errs.
    pub fallible: Color,
    /// The state of the position as the side that errs sees it.
    pub state: State,
}

impl PlacedQuestion<'_> {
    /// Predicts lengths and chances by the model that `model` gives for the endgame. The model has to have the
    /// competences of the question; it may have others.
    ///
    /// # Errors
    /// As [`PredictionQuestion::answer`], and if the model cannot be had or lacks a competence.
    pub fn answer<M>(&self, model: M, progress: &dyn Progress) -> Result<Prediction, EndgameError>
    where
        M: FnOnce(MarkovScope) -> Result<Arc<SolvedModel>, EndgameError>,
    {
        let PlacedQuestion { question, fallible, state, .. } = *self;
        let errs_first = fallible == question.position.turn();
        let scope =
            MarkovScope { material: self.material, metric: question.metric, side: self.side, extent: question.extent };
        let solved = model(scope)?;
        let probabilities =
            solved.spread(&question.competences, &question.probabilities).ok_or(EndgameError::Belief)?;
        // An infallible side to move brings its own win a move nearer before the other one can err.
        let (seen, made) = match state {
            State::Loss(depth) if !errs_first => (State::Loss(Depth(depth.0.saturating_sub(1))), 1),
            other => (other, 0),
        };
        let horizons: Vec<ForecastHorizon> =
            question.within.iter().map(|&moves| question.horizon(moves, errs_first)).collect();
        let from = number(solved.model().states(), seen)?;
        let mut forecast = Forecast::new(&solved, &probabilities, from, &horizons, progress)?;
        forecast.length += f64::from(made);
        let left = horizons.iter().map(|horizon| horizon.own).collect();
        Ok(Prediction { fallible, state, left, forecast })
    }
}
