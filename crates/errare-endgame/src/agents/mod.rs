//! Agents: whoever can be given a position and asked for a move.

mod emulator;
mod infallible;
mod levy;
mod player;
mod predator;
mod spec;
mod strategist;

pub use emulator::Emulator;
pub use infallible::{Infallible, Ties};
pub use levy::{Levy, error_chance};
pub use player::Player;
pub use predator::{Belief, Predator, Scope};
pub use spec::{AgentSpec, AgentSpecError, Setting};
pub use strategist::Strategist;

use crate::error::EndgameError;
use crate::oracle::{Options, Oracle};

/// Chooses moves, by chance where it must, and watches the game.
///
/// An agent draws no random numbers itself: it tells how likely each move is, and [`pick`](errare_choice::pick) does
/// the rest. So the same seed gives the same game.
pub trait Agent: Send {
    /// How likely the agent is to make each of the moves, and the figures it goes by.
    fn judge(&mut self, oracle: &Oracle, options: &Options) -> Result<Judgement, EndgameError>;

    /// A move has been made in the game, by the agent itself (`own`) or by the other side.
    fn watch(&mut self, _options: &Options, _chosen: usize, _own: bool) -> Result<(), EndgameError> {
        Ok(())
    }
}

/// What an agent makes of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// By place of the move; of sum 1.
    pub probabilities: Vec<f64>,
    /// What the figures are, for an agent that goes by figures.
    pub figure: Option<Figure>,
    /// By place of the move; none for moves that were not considered.
    pub figures: Vec<Option<f64>>,
}

/// What an agent compares moves by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The expected depth after the opponent's reply, in moves of the winner. Where the value may change hands it is
    /// the expected number of the state as the winner numbers them: a draw comes after the deepest win.
    Depth,
    /// The chance that the opponent lets go of the draw.
    LettingGo,
    /// The competence that an onlooker would see.
    Apparent,
}

impl Figure {
    /// For headings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Depth => "expected depth",
            Figure::LettingGo => "chance of letting go",
            Figure::Apparent => "apparent competence",
        }
    }
}

/// An even number of plies; more than 64 nobody waits for.
fn check_plies(plies: u16) -> Result<(), EndgameError> {
    if (2..=64).contains(&plies) && plies.is_multiple_of(2) { Ok(()) } else { Err(EndgameError::Plies(plies)) }
}

impl Judgement {
    /// By probabilities alone.
    fn by_chance(probabilities: Vec<f64>) -> Judgement {
        let figures = vec![None; probabilities.len()];
        Judgement { probabilities, figure: None, figures }
    }

    /// Evenly among these moves.
    fn evenly(count: usize, places: &[usize]) -> Judgement {
        let mut probabilities = vec![0.0; count];
        places.iter().for_each(|&place| probabilities[place] = 1.0 / places.len() as f64);
        Judgement::by_chance(probabilities)
    }

    /// Evenly among the moves whose figure is greatest, or as good as.
    fn greatest(
        figure: Figure,
        figures: Vec<Option<f64>>,
        merit: impl Fn(f64) -> f64,
    ) -> Result<Judgement, EndgameError> {
        let merits = || figures.iter().flatten().map(|&figure| merit(figure));
        let best = merits().fold(f64::NEG_INFINITY, f64::max);
        // Sums in another order may differ in the last digits: of themselves, or of what they are the difference of.
        let slack = match figure {
            Figure::Depth | Figure::LettingGo => 1e-11 * best.abs(),
            Figure::Apparent => 1e-9,
        };
        let is_best = |figure: &Option<f64>| figure.is_some_and(|figure| merit(figure) >= best - slack);
        let places: Vec<usize> = (0..figures.len()).filter(|&place| is_best(&figures[place])).collect();
        if places.is_empty() {
            return Err(EndgameError::NoMove);
        }
        let Judgement { probabilities, .. } = Judgement::evenly(figures.len(), &places);
        Ok(Judgement { probabilities, figure: Some(figure), figures })
    }
}
