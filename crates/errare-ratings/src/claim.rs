//! The ratings that moves are compared with.

use crate::turns::Turn;

/// The rating that a player is claimed to have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ClaimedRating {
    /// The player has the rating that each game gives.
    #[default]
    OfEachGame,
    /// The player has one Elo in all games.
    Elo(f64),
}

impl ClaimedRating {
    /// The claimed rating of whoever played a turn, if there is one.
    pub fn of(self, turn: Turn<'_>) -> Option<f64> {
        self.elo().or_else(|| turn.player().elo.map(f64::from))
    }

    /// The one Elo that is claimed for all games, if there is one.
    pub fn elo(self) -> Option<f64> {
        match self {
            ClaimedRating::OfEachGame => None,
            ClaimedRating::Elo(elo) => Some(elo),
        }
    }
}

impl From<Option<f64>> for ClaimedRating {
    fn from(elo: Option<f64>) -> ClaimedRating {
        elo.map_or(ClaimedRating::OfEachGame, ClaimedRating::Elo)
    }
}
