//! The turning point of a game: the person's costliest move, seen as a choice.

use super::{PlayConditions, PlayedGame, Review};
use crate::error::EndgameError;

/// The person's costliest move in a finished game: how many moves were as good as could be, and how likely a similar
/// player finds them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// The place of the move among the moves of the game.
    pub place: usize,
    /// Number of legal moves.
    pub legal: usize,
    /// Number of moves that kept the theoretical value.
    pub keeping: usize,
    /// Number of optimal moves.
    pub optimal: usize,
    /// The chance that a player keeps the value whose competence is believed to be what the game says of the person.
    pub keeping_chance: f64,
    /// The chance that a player of that competence makes an optimal move.
    pub optimal_chance: f64,
    /// Whether the opponent's next move kept what this move gave away: the value, or else the depth.
    pub is_exploited: bool,
}

impl TurningPoint {
    /// Finds the turning point of a game; none if no move of the person cost anything, or the game is not over.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn of(conditions: &PlayConditions, game: &PlayedGame) -> Result<Option<TurningPoint>, EndgameError> {
        let review = Review::of(game, conditions.human);
        let Some(place) = review.and_then(|review| review.costliest.first().copied()) else { return Ok(None) };
        let Some(made) = game.moves.get(place) else { return Ok(None) };
        let options = conditions.oracle.options(&made.position)?;
        let chances = conditions.setting.analysis.belief(&game.posterior).replies(&options)?;
        let chance = |places: &[usize]| places.iter().map(|&place| chances[place]).sum::<f64>().clamp(0.0, 1.0);
        let (keeping, optimal) = (options.keeping(), options.optimal());
        let is_exploited = game.moves.get(place + 1).is_some_and(|reply| match made.conceded {
            None => reply.conceded.is_some(),
            Some(_) => reply.conceded == Some(0),
        });
        Ok(Some(TurningPoint {
            place,
            legal: options.candidates.len(),
            keeping: keeping.len(),
            optimal: optimal.len(),
            keeping_chance: chance(&keeping),
            optimal_chance: chance(&optimal),
            is_exploited,
        }))
    }
}
