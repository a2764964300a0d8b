//! Agents: players that can be given a position and asked for a move.

mod draft;
mod elo_player;
mod emulator;
mod engine_player;
mod engine_pool;
mod infallible;
mod levy;
mod list;
mod player;
mod predator;
mod scope;
mod spec;
mod strategist;

pub use draft::{AgentDraft, AgentParameters};
pub use elo_player::EloPlayer;
pub use emulator::Emulator;
pub use engine_player::EnginePlayer;
pub use engine_pool::EnginePool;
pub use infallible::{Infallible, Ties};
pub use levy::{Levy, error_chance};
pub use list::{AgentInfo, AgentKind, Parameter};
pub use player::Player;
pub use predator::{Belief, Predator, Scope};
pub use scope::ScopeError;
pub use spec::{AgentSetting, AgentSpec, AgentSpecError, Opponent};
pub use strategist::Strategist;

use crate::error::EndgameError;
use crate::oracle::{Options, Oracle};
use errare_choice::pick;
use errare_work::Progress;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A player that chooses moves, and observes those that are made.
///
/// An agent draws no random numbers itself: it gives each move a probability, and [`Judgement::pick`] draws one. So the
/// same seed gives the same game. A UCI engine names one move, which has the probability 1.
pub trait Agent: Send {
    /// The probability that the agent makes each of the moves, and the figures by which it compares them.
    ///
    /// # Errors
    /// If no move is legal, a table is missing or damaged, or the work is cancelled.
    fn judge(&mut self, oracle: &Oracle, options: &Options, progress: &dyn Progress)
    -> Result<Judgement, EndgameError>;

    /// Observes a move that has been made in the game, by the agent itself (`own`) or by the other side.
    ///
    /// # Errors
    /// If no such move exists, or the agent cannot learn from it.
    fn watch(&mut self, _options: &Options, _chosen: usize, _own: bool) -> Result<(), EndgameError> {
        Ok(())
    }

    /// Whether judging a position changes how the agent judges later positions.
    fn remembers_judging(&self) -> bool {
        false
    }
}

/// The opinion of an agent about the moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The probability of each move, by its place; of sum 1.
    pub probabilities: Vec<f64>,
    /// The meaning of the figures, for an agent that compares moves by figures.
    pub figure: Option<Figure>,
    /// The figure of each move, by its place; none for moves that were not considered.
    pub figures: Vec<Option<f64>>,
}

/// The quantity by which an agent compares moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Figure {
    /// The expected depth after the opponent's reply, in moves of the winner. Where the value may change hands it is
    /// the expected number of the state as the winner numbers them: a draw comes after the deepest win.
    Depth,
    /// The chance that the opponent gives up the draw.
    DropsDraw,
    /// The competence that an Analyser would infer.
    Apparent,
}

impl Figure {
    /// The name of the figure in headings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Depth => "expected depth",
            Figure::DropsDraw => "chance of giving up the draw",
            Figure::Apparent => "apparent competence",
        }
    }
}

/// Refuses odd numbers of plies, and more than 64, which would take too long.
fn check_plies(plies: u16) -> Result<(), EndgameError> {
    if (2..=64).contains(&plies) && plies.is_multiple_of(2) { Ok(()) } else { Err(EndgameError::Plies(plies)) }
}

impl Judgement {
    /// The place of the move that a random number from 0 to 1 picks.
    ///
    /// # Errors
    /// If no move has a probability, which is a bug of the agent.
    pub fn pick(&self, draw: f64) -> Result<usize, EndgameError> {
        pick(&self.probabilities, draw).ok_or(EndgameError::NoProbability)
    }

    /// The place of the move that a seed picks.
    ///
    /// # Errors
    /// As [`pick`](Judgement::pick).
    pub fn pick_by_seed(&self, seed: u64) -> Result<usize, EndgameError> {
        self.pick(Pcg64::seed_from_u64(seed).random())
    }

    /// A judgement by probabilities alone.
    fn by_chance(probabilities: Vec<f64>) -> Judgement {
        let figures = vec![None; probabilities.len()];
        Judgement { probabilities, figure: None, figures }
    }

    /// A judgement that chooses evenly among these moves.
    fn evenly(count: usize, places: &[usize]) -> Judgement {
        let mut probabilities = vec![0.0; count];
        places.iter().for_each(|&place| probabilities[place] = 1.0 / places.len() as f64);
        Judgement::by_chance(probabilities)
    }

    /// A judgement that chooses evenly among the moves whose figure is greatest, but for rounding.
    fn greatest(
        figure: Figure,
        figures: Vec<Option<f64>>,
        merit: impl Fn(f64) -> f64,
    ) -> Result<Judgement, EndgameError> {
        let merits = || figures.iter().flatten().map(|&figure| merit(figure));
        let best = merits().fold(f64::NEG_INFINITY, f64::max);
        // Sums in another order may differ in the last digits: of themselves, or of what they are the difference of.
        let slack = match figure {
            Figure::Depth | Figure::DropsDraw => 1e-11 * best.abs(),
            Figure::Apparent => 1e-9,
        };
        let is_best = |figure: &Option<f64>| figure.is_some_and(|figure| merit(figure) >= best - slack);
        let places: Vec<usize> = (0..figures.len()).filter(|&place| is_best(&figures[place])).collect();
        if places.is_empty() {
            return Err(EndgameError::NoProbability);
        }
        let Judgement { probabilities, .. } = Judgement::evenly(figures.len(), &places);
        Ok(Judgement { probabilities, figure: Some(figure), figures })
    }
}
