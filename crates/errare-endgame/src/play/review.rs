//! Reviews of finished games: what the moves of each side cost.

use super::{GameMove, PlayedGame};
use crate::assess::INTERVAL_SHARE;
use errare_choice::{Outcome, Posterior};
use shakmaty::Color;
use std::cmp::Reverse;

/// The number of costliest moves that a review names.
const COSTLIEST: usize = 3;

/// The least number of moves that say something about a player's competence for which a review speaks of it.
const LEAST_EVIDENCE: u32 = 5;

/// The review of a finished game.
#[derive(Clone, Debug)]
pub struct Review {
    /// The value of the start for the person.
    pub theory: Outcome,
    /// The result of the game for the person; none if the game could not be finished.
    pub result: Option<Outcome>,
    /// The sum of the person's moves.
    pub human: SideReview,
    /// The sum of the opponent's moves.
    pub opponent: SideReview,
    /// The places of the person's costliest moves, the worst first.
    pub costliest: Vec<usize>,
    /// Whether the moves are enough to speak of the person's competence.
    pub is_enough: bool,
}

/// The sum of one side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideReview {
    /// Number of moves.
    pub moves: u32,
    /// Number of optimal moves.
    pub optimal: u32,
    /// Number of moves of depth given away where the value was kept.
    pub conceded: u32,
    /// Number of moves that gave up the theoretical value.
    pub dropped: u32,
}

impl SideReview {
    fn of<'a>(moves: impl Iterator<Item = &'a GameMove>) -> SideReview {
        moves.fold(SideReview::default(), |sum, mv| SideReview {
            moves: sum.moves + 1,
            optimal: sum.optimal + u32::from(mv.is_optimal()),
            conceded: sum.conceded + u32::from(mv.conceded.unwrap_or(0)),
            dropped: sum.dropped + u32::from(mv.conceded.is_none()),
        })
    }
}

impl Review {
    /// Reviews a game; none if it is not over.
    pub fn of(game: &PlayedGame, human: Color) -> Option<Review> {
        let end = game.end?;
        let result = match (end.reason, end.winner) {
            (super::PlayEndReason::LeftTables(_), _) => None,
            (_, Some(winner)) if winner == human => Some(Outcome::Win),
            (_, Some(_)) => Some(Outcome::Loss),
            (_, None) => Some(Outcome::Draw),
        };
        let by = |color: Color| game.moves.iter().filter(move |mv| mv.turn() == color);
        let mut costly: Vec<usize> = (0..game.moves.len())
            .filter(|&place| game.moves[place].turn() == human && game.moves[place].cost() > (0, 0))
            .collect();
        costly.sort_by_key(|&place| Reverse(game.moves[place].cost()));
        costly.truncate(COSTLIEST);
        Some(Review {
            theory: game.theory(human),
            result,
            human: SideReview::of(by(human)),
            opponent: SideReview::of(by(!human)),
            costliest: costly,
            is_enough: is_enough(&game.posterior, game.informative),
        })
    }
}

/// Whether a number of moves and the belief after them are enough to speak of a competence: at least five moves that
/// said something about it, and nine tenths of the belief within half of what was thought possible.
fn is_enough(posterior: &Posterior, informative: u32) -> bool {
    let (low, high) = posterior.interval(INTERVAL_SHARE);
    let grid = posterior.grid();
    informative >= LEAST_EVIDENCE && high - low <= (grid.max() - grid.min()) / 2.0
}
