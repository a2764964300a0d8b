//! The Markov model of an endgame: the probability that a player of each competence goes from one state to another.

use crate::error::EndgameError;
use crate::model::Model;
use crate::oracle::{arrival_state, state, states_of_endgame};
use errare_choice::{
    AbsorbingChain, Competence, RuleError, Spectrum, State, StateRule, States, StochasticMatrix, Tally, Transitions,
};
use errare_tables::{
    Arrival, Extent, Library, Material, Metric, Source, Surveyor, TableSource, Value, survey, survey_source,
};
use errare_work::Progress;
use shakmaty::Color;

/// The Markov matrix M_c of one side of an endgame, for several c, averaged over every legal placement on the 64
/// squares.
///
/// States are numbered as the side sees them, from its quickest win at 0. Beyond the last there is one more, which no
/// move leaves: a draw by conversion or stalemate, after which there is nothing left to play for. (Under DTM a win goes
/// on beyond a conversion, and counts in the same states.)
///
/// DTR is refused. The winner's best move need not lower it, so its states do not tell how far a contest has come, and
/// R_inf, who knows states alone, is not the infallible player.
#[derive(Clone, Debug)]
pub struct MarkovModel {
    states: States,
    competences: Vec<Competence>,
    transitions: Transitions,
    /// The part of the probability of a draw that is a draw by conversion, by state before the move, then by competence.
    dead_draws: Vec<f64>,
}

/// The positions that a Markov model is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkovScope {
    /// The endgame that is modelled.
    pub material: Material,
    /// The metric that players play to.
    pub metric: Metric,
    /// The side whose moves are modelled, White being the side named first.
    pub side: Color,
    /// The extent of the survey: all positions, or a sample of them.
    pub extent: Extent,
}

/// The greatest number of competences of a Markov model, which needs a number for each pair of states and competence.
pub const MAX_COMPETENCES: usize = 1000;

impl MarkovModel {
    /// Refuses a metric, player or list of competences for which no model can be made, before any table is built.
    ///
    /// # Errors
    /// If the metric is DTR, the model has leanings, or there are too many competences.
    pub fn check(metric: Metric, model: &Model, competences: &[Competence]) -> Result<(), EndgameError> {
        if metric == Metric::Dtr {
            return Err(EndgameError::MarkovMetric);
        }
        if !model.habits().leanings.is_empty() {
            return Err(EndgameError::Leanings);
        }
        if competences.len() > MAX_COMPETENCES {
            return Err(EndgameError::TooManyCompetences { found: competences.len() });
        }
        Ok(())
    }

    /// Makes the model from all positions of an endgame of our tables with this side to move, White being the side
    /// named first.
    ///
    /// # Errors
    /// As [`check`](MarkovModel::check), or if a table is missing or damaged, or the work is cancelled.
    pub fn new(
        library: &Library,
        material: Material,
        metric: Metric,
        side: Color,
        model: &Model,
        competences: &[Competence],
        progress: &dyn Progress,
    ) -> Result<MarkovModel, EndgameError> {
        let scope = MarkovScope { material, metric, side, extent: Extent::Whole };
        let recorder = Recorder::new(library, scope, model, competences, progress)?;
        let sheets = survey(library, material, metric, side, &recorder, progress)?;
        recorder.add_up(sheets)
    }

    /// Makes the model from positions of an endgame in the tables of any source, move by move.
    ///
    /// # Errors
    /// As [`new`](MarkovModel::new).
    pub fn of_source(
        source: &dyn Source,
        scope: MarkovScope,
        model: &Model,
        competences: &[Competence],
        progress: &dyn Progress,
    ) -> Result<MarkovModel, EndgameError> {
        let recorder = Recorder::new(source, scope, model, competences, progress)?;
        let MarkovScope { material, metric, side, extent } = scope;
        let sheets = survey_source(source, material, metric, side, extent, &recorder, progress)?;
        recorder.add_up(sheets)
    }

    /// Makes the model from positions of an endgame in the quickest way that these tables allow.
    ///
    /// # Errors
    /// As [`new`](MarkovModel::new).
    pub fn of_tables(
        tables: &TableSource,
        scope: MarkovScope,
        model: &Model,
        competences: &[Competence],
        progress: &dyn Progress,
    ) -> Result<MarkovModel, EndgameError> {
        match (tables.our_library(), scope) {
            (Some(library), MarkovScope { material, metric, side, extent: Extent::Whole }) => {
                MarkovModel::new(library, material, metric, side, model, competences, progress)
            }
            _ => MarkovModel::of_source(&*tables.source(), scope, model, competences, progress),
        }
    }

    /// The states of the endgame, as the side modelled sees them.
    pub fn states(&self) -> States {
        self.states
    }

    /// The competences of the model, increasing.
    pub fn competences(&self) -> &[Competence] {
        &self.competences
    }

    /// Number of placements in a state, up to a common factor.
    ///
    /// # Panics
    /// If no such state exists.
    pub fn weight(&self, from: usize) -> f64 {
        self.transitions.recorded(from)
    }

    /// The number of the state that a draw by conversion leads to.
    pub fn dead_draw(&self) -> usize {
        self.states.count()
    }

    /// The matrix M_c for the competence at a place of the list.
    ///
    /// A state that no position of the endgame has (deep wins after a promotion under DTM), or none of a sample, is left
    /// without error: a win comes a move nearer, and nothing is left to play for in a draw.
    ///
    /// # Panics
    /// If no such place exists.
    ///
    /// # Errors
    /// If the rows are not probability distributions.
    pub fn matrix(&self, lane: usize) -> Result<StochasticMatrix, EndgameError> {
        let (count, draw) = (self.states.count(), self.states.draw());
        let gathered = self.transitions.matrix(lane)?;
        let mut entries = Vec::with_capacity((count + 1) * (count + 1));
        for (from, row) in gathered.rows().enumerate() {
            let start = entries.len();
            entries.extend_from_slice(row);
            entries.push(0.0);
            let row = &mut entries[start..];
            let weight = self.transitions.recorded(from);
            if weight > 0.0 && !self.states.absorbing().contains(&from) {
                let dead = self.dead_draws[from * self.competences.len() + lane] / weight;
                row[count] = dead.min(row[draw]);
                row[draw] -= row[count];
                continue;
            }
            let to = match from {
                0 => 0,
                from if from < draw => from - 1,
                from if from == draw => count,
                from => from,
            };
            row.fill(0.0);
            row[to] = 1.0;
        }
        entries.extend(std::iter::repeat_n(0.0, count));
        entries.push(1.0);
        Ok(StochasticMatrix::new(count + 1, entries)?)
    }

    /// The contest of the modelled side, to move, with an opponent who does not err.
    ///
    /// # Panics
    /// If no such place exists.
    ///
    /// # Errors
    /// As [`matrix`](MarkovModel::matrix).
    pub fn against_infallible(&self, lane: usize) -> Result<Contest, EndgameError> {
        Contest::new(self.states, self.matrix(lane)?.then(&infallible_opponent(self.states)?)?)
    }

    /// The contest of the modelled side, to move, with another fallible player: the model of the other side.
    ///
    /// # Panics
    /// If there are no such places.
    ///
    /// # Errors
    /// As [`matrix`](MarkovModel::matrix).
    pub fn against(&self, lane: usize, other: &MarkovModel, other_lane: usize) -> Result<Contest, EndgameError> {
        Contest::new(self.states, self.matrix(lane)?.then(&reversed(&other.matrix(other_lane)?)?)?)
    }
}

/// A matrix of the other side in our numbering; the state beyond the last remains the same.
fn reversed(matrix: &StochasticMatrix) -> Result<StochasticMatrix, EndgameError> {
    let count = matrix.size() - 1;
    let turned = |state: usize| if state == count { count } else { count - 1 - state };
    let entries = (0..=count).flat_map(|from| (0..=count).map(move |to| matrix.row(turned(from))[turned(to)]));
    Ok(StochasticMatrix::new(count + 1, entries.collect())?)
}

/// The matrix of an infallible opponent: a loss keeps its depth, a draw stays, and a win comes a move nearer at every move.
fn infallible_opponent(states: States) -> Result<StochasticMatrix, EndgameError> {
    let size = states.count() + 1;
    let mut entries = vec![0.0; size * size];
    for from in 0..size {
        let is_loss = from > states.draw() && from + 2 < size;
        let to = if is_loss { from + 1 } else { from };
        entries[from * size + to] = 1.0;
    }
    Ok(StochasticMatrix::new(size, entries)?)
}

/// A contest as a chain of states, each step a move of either side.
#[derive(Clone, Debug)]
pub struct Contest {
    states: States,
    /// The chain of all states, and of the draw by conversion.
    whole: AbsorbingChain,
    /// The chain of the wins alone, if they are never given up.
    wins: Option<AbsorbingChain>,
}

impl Contest {
    fn new(states: States, matrix: StochasticMatrix) -> Result<Contest, EndgameError> {
        let wins = states.draw();
        let kept = (0..wins).all(|from| matrix.row(from)[wins..].iter().all(|&chance| chance == 0.0));
        let entries = || (0..wins).flat_map(|from| matrix.row(from)[..wins].iter().copied()).collect();
        let alone = || Ok::<_, EndgameError>(AbsorbingChain::new(StochasticMatrix::new(wins, entries())?, &[0])?);
        let alone = if kept { Some(alone()?) } else { None };
        let [first, last] = states.absorbing();
        Ok(Contest { states, whole: AbsorbingChain::new(matrix, &[first, last, last + 1])?, wins: alone })
    }

    /// The states of the endgame, as the side that moves first sees them.
    pub fn states(&self) -> States {
        self.states
    }

    /// The chain that starts from the wins, by depth from 0: of the wins alone if they are never given up, else of all
    /// states.
    pub fn chain(&self) -> &AbsorbingChain {
        self.wins.as_ref().unwrap_or(&self.whole)
    }

    /// The smallest chain that has a state.
    pub fn chain_from(&self, state: usize) -> &AbsorbingChain {
        if state < self.states.draw() { self.chain() } else { &self.whole }
    }
}

/// A recorder of the transitions that a survey finds.
struct Recorder {
    metric: Metric,
    states: States,
    spectrum: Spectrum,
    rules: Vec<Box<dyn StateRule + Send + Sync>>,
}

struct Sheet {
    transitions: Transitions,
    dead_draws: Vec<f64>,
    tally: Tally,
    chances: Vec<f64>,
    /// The error of the first position that could not be recorded.
    failure: Option<RuleError>,
}

impl Recorder {
    fn new(
        source: &dyn Source,
        scope: MarkovScope,
        model: &Model,
        competences: &[Competence],
        progress: &dyn Progress,
    ) -> Result<Recorder, EndgameError> {
        MarkovModel::check(scope.metric, model, competences)?;
        let states = states_of_endgame(source, scope.material, scope.metric, progress)?;
        let states = if scope.side == Color::White { states } else { states.reversed() };
        let spectrum = Spectrum::new(&*model.preference(states)?, competences)?;
        Ok(Recorder { metric: scope.metric, states, spectrum, rules: model.habits().state_rules() })
    }

    /// The class of a draw by conversion, beyond the numbers of the states.
    fn dead_draw(&self) -> u16 {
        self.states.count() as u16
    }

    fn add_up(&self, sheets: Vec<Sheet>) -> Result<MarkovModel, EndgameError> {
        let mut whole = self.sheet();
        for sheet in sheets {
            if let Some(failure) = sheet.failure {
                return Err(failure.into());
            }
            whole.transitions.merge(&sheet.transitions);
            whole.dead_draws.iter_mut().zip(&sheet.dead_draws).for_each(|(sum, more)| *sum += more);
        }
        Ok(MarkovModel {
            states: self.states,
            competences: self.spectrum.competences().to_vec(),
            transitions: whole.transitions,
            dead_draws: whole.dead_draws,
        })
    }

    fn clamped(&self, state: State) -> u16 {
        self.states.clamped_number(state) as u16
    }
}

impl Surveyor for Recorder {
    type Sheet = Sheet;

    fn sheet(&self) -> Sheet {
        let lanes = self.spectrum.competences().len();
        Sheet {
            transitions: Transitions::new(&self.spectrum),
            dead_draws: vec![0.0; self.states.count() * lanes],
            tally: Tally::new(self.states),
            chances: vec![0.0; lanes],
            failure: None,
        }
    }

    fn position(&self, value: Value) -> u16 {
        self.clamped(state(self.metric, &value))
    }

    fn arrival(&self, arrival: Arrival) -> u16 {
        match arrival_state(self.metric, &arrival) {
            State::Draw if arrival.converting || arrival.stalemate => self.dead_draw(),
            state => self.clamped(state),
        }
    }

    fn record(&self, sheet: &mut Sheet, position: u16, arrivals: &[u16], times: f64) {
        let Sheet { transitions, dead_draws, tally, chances, failure } = sheet;
        tally.clear();
        let draw = self.states.draw();
        let mut dead = 0_u32;
        for &arrival in arrivals {
            let is_dead = arrival == self.dead_draw();
            dead += u32::from(is_dead);
            tally.add(if is_dead { draw } else { usize::from(arrival) }, 1.0);
        }
        if arrivals.is_empty() {
            return;
        }
        let drawing = tally.weight(draw);
        let applied: Vec<&dyn StateRule> = self.rules.iter().map(|rule| &**rule as &dyn StateRule).collect();
        if let Err(error) = tally.weigh(&applied) {
            failure.get_or_insert(error);
            return;
        }
        transitions.record(&self.spectrum, usize::from(position), tally, times);
        if dead > 0 && tally.weight(draw) > 0.0 {
            self.spectrum.expectations(tally, |number| f64::from(u8::from(number == draw)), chances);
            let lanes = chances.len();
            let row = &mut dead_draws[usize::from(position) * lanes..][..lanes];
            let share = f64::from(dead) / drawing * times;
            row.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += share * *chance);
        }
    }
}
