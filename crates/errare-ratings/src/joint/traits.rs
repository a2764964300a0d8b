//! Traits of turns, which make them harder or easier for everybody.

use crate::choice_model::ChoiceModel;
use crate::error::RatingsError;
use crate::projection::loss_moments;
use errare_choice::{Odds, Skill};

/// Traits of a turn that change how well players of any Elo choose. All traits are about 0 at an ordinary turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traits {
    /// The difficulty: the logarithm of the loss that a fixed player would expect, in pawns.
    pub difficulty: f64,
    /// The mobility: the logarithm of the number of legal moves.
    pub mobility: f64,
    /// The lateness in the game: moves made, in units of twenty.
    pub lateness: f64,
    /// The clarity of the best move: the loss by the second best, in pawns.
    pub clarity: f64,
}

/// Number of traits.
pub(crate) const TRAITS: usize = 4;

/// The player whose expected loss measures difficulty: near the middle of the players that are rated.
const FIXED_PLAYER: (f64, f64) = (0.19, 0.65);

/// The loss, in pawns, that is added to expected losses, so that turns on which nothing can be lost are not infinitely
/// easy.
const LEAST_LOSS: f64 = 0.02;

/// The traits of an ordinary turn, which are subtracted: the logarithms of an expected loss of 0.12 pawns and of thirty
/// moves; move 26; a second best move that loses 0.3 pawns.
const ORDINARY: [f64; TRAITS] = [-2.0, 3.4, 1.3, 0.3];

/// The greatest loss by the second best move that counts, in pawns: more makes no difference to how clear the best move
/// is.
const CLEAR: f32 = 2.0;

/// The ply that later ones count as: few games go on, and these are endgames.
const LAST_PLY: u16 = 120;

impl Traits {
    /// Computes the traits of a turn, from the losses by its moves at each depth and the plies made before it.
    pub(crate) fn new<'a>(
        odds: &mut Odds,
        core: &ChoiceModel,
        losses: impl Fn(usize) -> &'a [f32],
        ply: u16,
    ) -> Result<Traits, RatingsError> {
        core.weigh_losses(odds, Skill::new(FIXED_PLAYER.0, FIXED_PLAYER.1)?, &losses)?;
        let (expected, _) = loss_moments(odds.probabilities(), losses(0));
        Ok(Traits {
            difficulty: (expected + LEAST_LOSS).ln() - ORDINARY[0],
            mobility: (losses(0).len() as f64).ln() - ORDINARY[1],
            lateness: f64::from(ply.min(LAST_PLY)) / 40.0 - ORDINARY[2],
            clarity: f64::from(second_least(losses(0)).min(CLEAR)) - ORDINARY[3],
        })
    }

    pub(crate) fn values(self) -> [f64; TRAITS] {
        [self.difficulty, self.mobility, self.lateness, self.clarity]
    }
}

/// The second least of some losses, in any order; 0 if there are fewer than two.
fn second_least(losses: &[f32]) -> f32 {
    let (mut least, mut second) = (f32::INFINITY, f32::INFINITY);
    for &loss in losses {
        if loss < least {
            (least, second) = (loss, least);
        } else if loss < second {
            second = loss;
        }
    }
    if second.is_finite() { second } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::second_least;

    #[test]
    fn the_second_least_is_found_in_any_order() {
        assert_eq!(second_least(&[0.0, 0.25, 1.0]), 0.25);
        assert_eq!(second_least(&[1.0, 0.0, 0.5]), 0.5);
        assert_eq!(second_least(&[0.0, 0.0, 3.0]), 0.0);
        assert_eq!((second_least(&[0.0]), second_least(&[])), (0.0, 0.0));
    }
}
