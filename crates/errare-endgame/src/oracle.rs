//! Positions as choices: the state that each move leads to, by the tables of a source in a metric.

use crate::error::EndgameError;
use errare_choice::{Candidate, Depth, State, States, Tally};
use errare_tables::{Arrival, Material, Metric, Outcome, Source, Value, deepest, successors};
use errare_work::{Progress, Silent};
use shakmaty::{Chess, Color, Move, Position};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A move, with its properties besides the state that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateMove {
    /// The move itself.
    pub mv: Move,
    /// Whether the move changes the material.
    pub converting: bool,
    /// The rank among moves to the same state, greater being better: under DTR only the moves of the best rank make
    /// progress.
    pub rank: (i32, i32),
}

/// A position as a choice between moves.
#[derive(Clone, Debug)]
pub struct Options {
    /// The position in which to choose.
    pub position: Chess,
    /// The value of the position for the side to move.
    pub state: State,
    /// The states of the endgame, seen by the side to move.
    pub states: States,
    /// All legal moves, in the generator's order, each of weight 1, with the states they lead to.
    pub candidates: Vec<Candidate<CandidateMove>>,
}

impl Options {
    /// The best state that a move leads to; none without a move.
    pub fn best(&self) -> Option<State> {
        self.candidates.iter().map(Candidate::state).max()
    }

    /// The places of the moves that lead to the best state; under DTR of those among them that make progress: the least
    /// DTR in plies, then the shortest way to the end of the phase.
    pub fn optimal(&self) -> Vec<usize> {
        let merit = |candidate: &Candidate<CandidateMove>| (candidate.state(), candidate.choice().rank);
        let best = self.candidates.iter().map(merit).max();
        self.places(|candidate| Some(merit(candidate)) == best)
    }

    /// The places of the moves that keep the theoretical value.
    pub fn keeping(&self) -> Vec<usize> {
        let value = self.best().map(State::outcome);
        self.places(|candidate| Some(candidate.state().outcome()) == value)
    }

    fn places(&self, wanted: impl Fn(&Candidate<CandidateMove>) -> bool) -> Vec<usize> {
        self.candidates.iter().enumerate().filter(|(_, candidate)| wanted(candidate)).map(|(place, _)| place).collect()
    }

    /// The place of a move among the legal moves.
    pub fn find(&self, mv: Move) -> Option<usize> {
        self.candidates.iter().position(|candidate| candidate.choice().mv == mv)
    }

    /// Number of moves of depth that the move at a place concedes against the best; none if it changes the theoretical
    /// value.
    ///
    /// # Panics
    /// If no such place exists.
    pub fn conceded(&self, place: usize) -> Option<u16> {
        let after = self.candidates[place].state();
        match (self.best().unwrap_or(after), after) {
            (State::Win(Depth(best)), State::Win(Depth(after))) => Some(after - best),
            (State::Draw, State::Draw) => Some(0),
            (State::Loss(Depth(best)), State::Loss(Depth(after))) => Some(best - after),
            _ => None,
        }
    }

    /// The position after the move at a place.
    ///
    /// # Panics
    /// If no such place exists.
    pub fn after(&self, place: usize) -> Chess {
        let mut after = self.position.clone();
        after.play_unchecked(self.candidates[place].choice().mv);
        after
    }

    /// The number of a state among the states of the endgame: 0 is the best.
    pub(crate) fn number(&self, state: State) -> Result<usize, EndgameError> {
        number(self.states, state)
    }
}

/// The number of a state among these states; an oracle gives no others.
pub(crate) fn number(states: States, state: State) -> Result<usize, EndgameError> {
    states.number(state).ok_or(EndgameError::UnknownState { state })
}

/// Sums the weights of candidates by state.
pub(crate) fn tally(states: States, weighed: &[Candidate<CandidateMove>]) -> Result<Tally, EndgameError> {
    let mut tally = Tally::new(states);
    for candidate in weighed {
        tally.add(number(states, candidate.state())?, candidate.weight());
    }
    Ok(tally)
}

/// An oracle that turns positions into choices: the value of each move by the tables of a source, read in a metric.
///
/// Values under a move rule are those of the rule: a win that the rule spoils is a draw.
pub struct Oracle {
    source: Arc<dyn Source>,
    metric: Metric,
    /// The states of each endgame, as the side named first sees them.
    states: RwLock<HashMap<Material, States>>,
}

impl Oracle {
    /// Makes an oracle that reads these tables in this metric.
    pub fn new(source: Arc<dyn Source>, metric: Metric) -> Oracle {
        Oracle { source, metric, states: RwLock::default() }
    }

    /// The metric that values are read in.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The source of the values.
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// The states of an endgame, as the side named first sees them.
    ///
    /// Where depths count beyond a conversion (DTM, DTR), those of the endgames after it are states of this endgame too.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn states(&self, material: Material) -> Result<States, EndgameError> {
        self.prepare(material, &Silent)
    }

    /// Finds the states of an endgame as [`states`](Oracle::states) does, with progress: tables that others made do not
    /// hold the depths of the deepest wins, and finding them may take a while.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is cancelled.
    pub fn prepare(&self, material: Material, progress: &dyn Progress) -> Result<States, EndgameError> {
        if let Some(&known) = self.states.read().unwrap_or_else(PoisonError::into_inner).get(&material) {
            return Ok(known);
        }
        let states = states_of_endgame(&*self.source, material, self.metric, progress)?;
        self.states.write().unwrap_or_else(PoisonError::into_inner).insert(material, states);
        Ok(states)
    }

    /// Looks up the moves of a position, each with the state it leads to.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn options(&self, position: &Chess) -> Result<Options, EndgameError> {
        let states = self.states_of(position)?;
        let value = self.source.value(position, self.metric)?;
        let candidates = successors(&*self.source, position, self.metric)?
            .iter()
            .map(|successor| {
                let rank = rank(self.metric, &successor.ranked(self.metric));
                let candidate = CandidateMove { mv: successor.mv, converting: successor.converting, rank };
                Candidate::new(candidate, states.clamp(arrival_state(self.metric, &successor.arrival())))
            })
            .collect();
        // The deepest win of a table that others made is known only within bounds, and another endgame may have deeper ones.
        let state = states.clamp(state(self.metric, &value));
        Ok(Options { position: position.clone(), state, states, candidates })
    }

    /// The state of a position for the side to move.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn state(&self, position: &Chess) -> Result<State, EndgameError> {
        let value = self.source.value(position, self.metric)?;
        Ok(self.states_of(position)?.clamp(state(self.metric, &value)))
    }

    /// The states of a position's endgame, as the side to move sees them.
    fn states_of(&self, position: &Chess) -> Result<States, EndgameError> {
        let (material, swapped) = Material::of_board(position.board());
        let states = self.states(material)?;
        Ok(if (position.turn() == Color::White) == swapped { states.reversed() } else { states })
    }
}

/// The states of an endgame, as the side named first sees them.
pub(crate) fn states_of_endgame(
    source: &dyn Source,
    material: Material,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<States, EndgameError> {
    let mut most = deepest(source, material, metric, progress)?;
    if matches!(metric, Metric::Dtm | Metric::Dtr) {
        for (conversion, swapped) in material.oriented_conversions() {
            let there = deepest(source, conversion, metric, progress)?;
            let there = if swapped { there.into_swapped() } else { there };
            most.white = most.white.max(there.white);
            most.black = most.black.max(there.black);
        }
    }
    Ok(States::new(Depth(most.white.0), Depth(most.black.0)))
}

/// Ranks moves to the same state under DTR: by the plies of the position reached, which the state counts in moves, then by
/// the plies to the end of the phase. Every phase comes to an end then, as `tests/progress.rs` shows.
pub(crate) fn rank(metric: Metric, ranked: &Value) -> (i32, i32) {
    let sign = match (metric, ranked.outcome) {
        (Metric::Dtr, outcome) if outcome.is_win() => -1,
        (Metric::Dtr, outcome) if outcome.is_loss() => 1,
        _ => 0,
    };
    (sign * i32::from(ranked.plies.0), sign * i32::from(ranked.phase.0))
}

/// Converts the value of a position to a state, for the side whose value it is.
pub(crate) fn state(metric: Metric, value: &Value) -> State {
    let depth = || Depth(value.winner_moves(metric).map_or(0, |moves| moves.0));
    match value.outcome {
        Outcome::Win => State::Win(depth()),
        Outcome::Loss => State::Loss(depth()),
        Outcome::CursedWin | Outcome::Draw | Outcome::BlessedLoss => State::Draw,
    }
}

/// The state that a move leads to, for the side that made it.
///
/// The depth is that of the position reached, in moves of the winner. It is 0 where the move itself reaches the goal of
/// the metric.
pub(crate) fn arrival_state(metric: Metric, arrival: &Arrival) -> State {
    let there = Value { outcome: arrival.value.outcome.reversed(), ..arrival.value };
    let reached = match metric {
        Metric::Dtc => arrival.converting,
        Metric::Dtz | Metric::DtzRule(_) => arrival.zeroing,
        Metric::Dtm | Metric::Dtr => false,
    };
    match state(metric, &there).reversed() {
        State::Win(_) if reached => State::Win(Depth(0)),
        State::Loss(_) if reached => State::Loss(Depth(0)),
        other => other,
    }
}
