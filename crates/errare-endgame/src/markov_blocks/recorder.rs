//! The record of one side's moves in one block.

use super::{Blocks, Mover};
use crate::error::EndgameError;
use crate::oracle::{arrival_state, rank, state};
use errare_choice::{RuleError, Spectrum, State, StateRule, Tally};
use errare_tables::{Arrival, Material, Surveyor, Value};
use shakmaty::Color;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// A recorder of where one side goes from the states of a block.
pub(super) struct Recorder<'b> {
    blocks: &'b Blocks,
    /// The place of the block among all blocks.
    place: usize,
    /// Whether the side that moves is the modelled one.
    is_own: bool,
    choice: Choice,
}

enum Choice {
    Fallible {
        spectrum: Spectrum,
        rules: Vec<Box<dyn StateRule + Send + Sync>>,
        /// The number, in this endgame and as the mover sees it, of each state of all blocks.
        numbers: Vec<usize>,
    },
    Infallible(RwLock<Merits>),
}

/// The merit of a move for a player who does not err: the state, and the rank among moves to the same state.
type Merit = (State, (i32, i32));

/// The classes of arrivals, which tell moves to the same state apart.
#[derive(Default)]
struct Merits {
    classes: HashMap<(usize, (i32, i32)), u16>,
    /// The merit of each class, and the number of the state that it leads to.
    list: Vec<(Merit, usize)>,
}

/// The record of a part of the block.
pub(super) struct Sheet {
    /// Sums of probabilities, by state of the block before the move, state after it, and competence.
    pub sums: Vec<f64>,
    /// The error of a position that could not be recorded.
    pub failure: Option<RuleError>,
    tally: Option<Tally>,
    /// Probabilities by the mover's state and competence.
    chances: Vec<f64>,
    /// Number of moves to each of the mover's states.
    moves: Vec<f64>,
}

/// The class of a position that ends the contest, or from which nothing is left to play for.
const OVER: u16 = u16::MAX - 1;

impl<'b> Recorder<'b> {
    /// Prepares to record the moves of a side in the block at a place.
    ///
    /// # Errors
    /// If the model has no preferences for the states of the block.
    pub fn new(blocks: &'b Blocks, place: usize, mover: Color, kind: Mover<'_>) -> Result<Recorder<'b>, EndgameError> {
        let is_own = mover == blocks.side;
        let choice = match kind {
            Mover::Infallible => Choice::Infallible(RwLock::default()),
            Mover::Fallible(model, competences) => {
                let states = blocks.list[place].states;
                let states = if is_own { states } else { states.reversed() };
                let number = |number| states.clamped_number(seen(blocks.state(number), is_own));
                Choice::Fallible {
                    spectrum: Spectrum::new(&*model.preference(states)?, competences)?,
                    rules: model.habits().state_rules(),
                    numbers: (0..blocks.count()).map(number).collect(),
                }
            }
        };
        Ok(Recorder { blocks, place, is_own, choice })
    }

    /// The class of an arrival in a block; `None` stands for the bare kings.
    fn class(&self, arrival: Arrival, block: Option<usize>) -> u16 {
        let state = arrival_state(self.blocks.metric, &arrival);
        let number = match block.filter(|_| !arrival.stalemate) {
            Some(block) => self.blocks.number(block, seen(state, self.is_own)),
            None => self.blocks.drawn(),
        };
        let Choice::Infallible(merits) = &self.choice else { return number as u16 };
        let rank = rank(self.blocks.metric, &arrival.ranked(self.blocks.metric));
        if let Some(&class) = merits.read().unwrap_or_else(PoisonError::into_inner).classes.get(&(number, rank)) {
            return class;
        }
        let mut merits = merits.write().unwrap_or_else(PoisonError::into_inner);
        let Merits { classes, list } = &mut *merits;
        *classes.entry((number, rank)).or_insert_with(|| {
            list.push(((state, rank), number));
            (list.len() - 1) as u16
        })
    }
}

/// Converts a state from the mover's view to the modelled side's, or the other way round.
fn seen(state: State, is_own: bool) -> State {
    if is_own { state } else { state.reversed() }
}

impl Surveyor for Recorder<'_> {
    type Sheet = Sheet;

    fn sheet(&self) -> Sheet {
        let states = self.blocks.list[self.place].states;
        let (lanes, tally) = match &self.choice {
            Choice::Fallible { spectrum, .. } => (spectrum.competences().len(), Some(Tally::new(spectrum.states()))),
            Choice::Infallible(_) => (1, None),
        };
        Sheet {
            sums: vec![0.0; states.count() * self.blocks.count() * lanes],
            failure: None,
            tally,
            chances: vec![0.0; states.count() * lanes],
            moves: vec![0.0; states.count()],
        }
    }

    fn position(&self, value: Value) -> u16 {
        let state = seen(state(self.blocks.metric, &value), self.is_own);
        let (number, block) = (self.blocks.number(self.place, state), self.blocks.list[self.place]);
        let row = number.checked_sub(block.start).filter(|&row| row < block.states.count());
        row.map_or(OVER, |row| row as u16)
    }

    fn arrival(&self, arrival: Arrival) -> u16 {
        self.class(arrival, Some(self.place))
    }

    fn conversion(&self, arrival: Arrival, into: Material, swapped: bool) -> u16 {
        let turned = self.blocks.list[self.place].swapped != swapped;
        self.class(arrival, self.blocks.find(into, turned))
    }

    fn record(&self, sheet: &mut Sheet, position: u16, arrivals: &[u16], times: f64) {
        if arrivals.is_empty() || position == OVER {
            return;
        }
        let total = self.blocks.count();
        match &self.choice {
            Choice::Infallible(merits) => {
                let merits = merits.read().unwrap_or_else(PoisonError::into_inner);
                let merit = |class: u16| merits.list[usize::from(class)];
                let Some(best) = arrivals.iter().map(|&class| merit(class).0).max() else { return };
                let best = || arrivals.iter().map(|&class| merit(class)).filter(|&(merit, _)| merit == best);
                let share = times / best().count() as f64;
                let row = &mut sheet.sums[usize::from(position) * total..][..total];
                best().for_each(|(_, number)| row[number] += share);
            }
            Choice::Fallible { spectrum, rules, numbers } => {
                let Sheet { sums, failure, tally: Some(tally), chances, moves } = sheet else { return };
                tally.clear();
                for &class in arrivals {
                    let number = numbers[usize::from(class)];
                    tally.add(number, 1.0);
                    moves[number] += 1.0;
                }
                let applied: Vec<&dyn StateRule> = rules.iter().map(|rule| &**rule as &dyn StateRule).collect();
                if let Err(error) = tally.weigh(&applied) {
                    failure.get_or_insert(error);
                    return;
                }
                spectrum.add_probabilities(tally, times, chances);
                let lanes = spectrum.competences().len();
                let row = &mut sums[usize::from(position) * total * lanes..][..total * lanes];
                for &class in arrivals {
                    let number = numbers[usize::from(class)];
                    let share = 1.0 / moves[number];
                    let into = &mut row[usize::from(class) * lanes..][..lanes];
                    let chances = &chances[number * lanes..][..lanes];
                    into.iter_mut().zip(chances).for_each(|(sum, chance)| *sum += share * chance);
                }
                for &class in arrivals {
                    let number = numbers[usize::from(class)];
                    moves[number] = 0.0;
                    chances[number * lanes..][..lanes].fill(0.0);
                }
            }
        }
    }
}
