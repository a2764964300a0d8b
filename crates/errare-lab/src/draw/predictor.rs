//! Chances of a person, by the Markov model of an endgame.

use super::{DepthChance, DrawRequest, HOLD};
use crate::error::LabError;
use crate::extent::extent;
use crate::lab::Lab;
use crate::markov_models::ModelQuestion;
use crate::predict::Belief;
use crate::side::Side;
use crate::start::DrawnStart;
use crate::text::Endgame;
use errare_choice::{Depth, State, States};
use errare_endgame::{EndgameError, Forecast, MarkovScope, SolvedModel, StateChances};
use errare_tables::{
    CountRange, Counting, DepthRange, Material, Metric, Outcome, Plies, TableError, TableSource, Value, WantedOutcome,
    statistics, tables_after,
};
use errare_work::Progress;
use shakmaty::{Chess, Color, Position};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of men from which on a prediction is made from a sample of positions, as going through all of them takes
/// minutes.
const MEN_TO_SAMPLE: usize = 5;

/// Number of placements in a sample for a prediction.
const SAMPLE: u64 = 50_000;

const LOST: &str = "the position is lost against best play: what counts is how long it lasts";

/// A predictor of chances for the person of a request.
pub(super) struct Predictor<'a> {
    request: &'a DrawRequest,
    lab: &'a Lab,
    tables: &'a TableSource,
    metric: Metric,
    belief: Belief,
    /// The chances that were computed last, with the endgame and the side that they belong to.
    known: Option<((Material, Color), EndgameChances)>,
}

/// The chances from all states of an endgame.
#[derive(Clone)]
struct EndgameChances {
    states: States,
    chances: Arc<StateChances>,
}

impl EndgameChances {
    /// The chance to win a won position, or not to lose one that is not won.
    fn of(&self, state: State) -> Result<f64, LabError> {
        let number = self.states.number(state).ok_or(EndgameError::UnknownState { state })?;
        Ok(match state {
            State::Win(_) => self.chances.won[number],
            State::Draw | State::Loss(_) => 1.0 - self.chances.lost[number],
        })
    }
}

/// The prediction for a position.
#[derive(Default)]
pub(super) struct Predicted {
    pub chance: Option<f64>,
    pub why: Option<String>,
    pub expected_moves: Option<f64>,
    pub sample: Option<u64>,
}

impl<'a> Predictor<'a> {
    pub fn new(
        request: &'a DrawRequest,
        lab: &'a Lab,
        tables: &'a TableSource,
        metric: Metric,
        belief: Belief,
    ) -> Predictor<'a> {
        Predictor { request, lab, tables, metric, belief, known: None }
    }

    /// The belief about the person, in words as responses report it.
    pub fn in_words(&self) -> String {
        self.belief.in_words.clone()
    }

    /// Finds the start whose depth has the chance nearest to the one wanted, and all depths with their chances. Chances
    /// need not fall with depth, so all of them are compared; of equals the least depth is taken.
    pub fn choose_depth(
        &mut self,
        wanted: f64,
        start: DrawnStart,
        progress: &dyn Progress,
    ) -> Result<(DrawnStart, Vec<DepthChance>), LabError> {
        let outcome = wanted_outcome(start.human, start.outcome)?;
        if start.depth.is_some_and(|depth| depth.to_string().ends_with('p')) {
            return Err(LabError::request("give the depth in moves, not in plies, to look for a chance"));
        }
        let Endgame { material, swapped } = start.endgame;
        let side = if swapped { Color::from(start.human).other() } else { start.human.into() };
        let chances = self.chances(material, side, progress)?;
        let mut depths = Vec::new();
        for (depth, positions) in self.positions(start, outcome, side, progress)? {
            let state = depth.map_or(State::Draw, |depth| State::Win(Depth(depth)));
            depths.push(DepthChance { depth, chance: chances.of(state)?, positions });
        }
        let distance = |row: &&DepthChance| (row.chance - wanted).abs();
        let nearest = depths.iter().min_by(|one, two| distance(one).total_cmp(&distance(two)));
        let Some(nearest) = nearest else { return Err(start.none_like_that(self.metric)) };
        let depth = nearest.depth.map(|depth| DepthRange::of_moves(CountRange::exactly(depth)));
        Ok((DrawnStart { depth, outcome: Some(WantedOutcome::ToMove(outcome)), ..start }, depths))
    }

    /// Predicts the chance to manage a position with the person to move, whose state is known, or why it cannot be
    /// predicted.
    pub fn predict(&mut self, position: &Chess, state: State, progress: &dyn Progress) -> Result<Predicted, LabError> {
        let (material, swapped) = Material::of_board(position.board());
        let side = if swapped { position.turn().other() } else { position.turn() };
        let predicted = Predicted { sample: sample(material), ..Predicted::default() };
        if let State::Loss(_) = state {
            let moves = self.with_model(material, side, progress, |solved, probabilities| {
                let from = solved.model().states().number(state).ok_or(EndgameError::UnknownState { state })?;
                Ok(Forecast::new(solved, probabilities, from, &[], progress)?.length)
            })?;
            let expected_moves = Some(moves).filter(|moves| moves.is_finite());
            return Ok(Predicted { why: Some(LOST.to_owned()), expected_moves, ..predicted });
        }
        Ok(Predicted { chance: Some(self.chances(material, side, progress)?.of(state)?), ..predicted })
    }

    /// Works with the model of one side of an endgame, White being the side named first, and the probabilities of its
    /// competences.
    fn with_model<T>(
        &self,
        material: Material,
        side: Color,
        progress: &dyn Progress,
        work: impl Fn(&SolvedModel, &[f64]) -> Result<T, EndgameError>,
    ) -> Result<T, LabError> {
        let question = ModelQuestion {
            request: &self.request.model,
            hold: HOLD,
            tables: self.tables,
            competences: &self.belief.competences,
        };
        let scope = MarkovScope { material, metric: self.metric, side, extent: extent(sample(material), 0) };
        let needed = tables_after(material, &[self.metric]);
        Ok(self.tables.with_tables(&needed, progress, || -> Result<T, EndgameError> {
            let solved = self.lab.markov_models().model(&question, scope, progress)?;
            let probabilities = solved.spread(&self.belief.competences, &self.belief.probabilities);
            work(&solved, &probabilities.ok_or(EndgameError::Belief)?)
        })?)
    }

    /// Computes the chances from all states of an endgame for one side, White being the side named first.
    fn chances(
        &mut self,
        material: Material,
        side: Color,
        progress: &dyn Progress,
    ) -> Result<EndgameChances, LabError> {
        if let Some((_, chances)) = self.known.as_ref().filter(|known| known.0 == (material, side)) {
            return Ok(chances.clone());
        }
        let chances = self.with_model(material, side, progress, |solved, probabilities| {
            let chances = Arc::new(StateChances::new(solved, probabilities, self.request.within, progress)?);
            Ok(EndgameChances { states: solved.model().states(), chances })
        })?;
        self.known = Some(((material, side), chances.clone()));
        Ok(chances)
    }

    /// Counts the positions of an outcome with this side to move, by depth in moves.
    fn positions(
        &self,
        start: DrawnStart,
        outcome: Outcome,
        side: Color,
        progress: &dyn Progress,
    ) -> Result<BTreeMap<Option<u16>, u64>, LabError> {
        let material = start.endgame.material;
        let tables = self.lab.tables()?;
        let counted = self.lab.position_counts().get_or_make((material, self.metric), || {
            tables.with_tables(&[(material, self.metric)], progress, || -> Result<_, TableError> {
                let table = tables.library().open(material, self.metric)?;
                Ok(Arc::new(statistics(&table, Counting::Once, false, progress)?))
            })
        })?;
        let mut positions = BTreeMap::new();
        for (&(found, Plies(plies)), &count) in &counted.sides.get(side).histogram {
            let value = Value::new(found, plies);
            let is_in_range = start.depth.is_none_or(|depth| depth.contains(&value, self.metric));
            if found == outcome && count > 0 && is_in_range {
                *positions.entry(value.winner_moves(self.metric).map(|moves| moves.0)).or_insert(0) += count;
            }
        }
        Ok(positions)
    }
}

/// Number of placements that a prediction for an endgame is made from; none if it is made from all of them.
fn sample(material: Material) -> Option<u64> {
    (material.men() >= MEN_TO_SAMPLE).then_some(SAMPLE)
}

/// The outcome, for the person, of positions among which a chance is looked for.
fn wanted_outcome(human: Side, outcome: Option<WantedOutcome>) -> Result<Outcome, LabError> {
    match outcome {
        None | Some(WantedOutcome::ToMove(Outcome::Win)) => Ok(Outcome::Win),
        Some(WantedOutcome::WonBy(color)) if color == human.into() => Ok(Outcome::Win),
        Some(WantedOutcome::ToMove(Outcome::Draw)) => Ok(Outcome::Draw),
        Some(other) => Err(LabError::Request(format!(
            "invalid outcome {other} with a chance: expected win or draw, as a lost position cannot be saved against \
             best play"
        ))),
    }
}
