//! Identities of games by their turns: two games are one if they have the same players, date and moves.
//!
//! Turns are what is left of a game, perhaps without its opening; whole games are compared in errare-games.

use crate::row::TurnRow;
use errare_work::known_text;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The identity of a game wherever it comes from: its players, its date and its moves.
///
/// The numbers that files give their games, their events and ratings play no part: copies of a game often differ in
/// them.
///
/// ```
/// use errare_ratings::{TurnGameIdentity, MoveDigest};
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
/// let mut moves = MoveDigest::default();
/// moves.add(0, start, "e2e4");
/// let one = TurnGameIdentity::new("Fischer", "Spassky", "1972.07.11", moves);
/// assert_eq!(one, TurnGameIdentity::new(" Fischer", "Spassky ", "1972.07.11", moves));
/// assert_ne!(one, TurnGameIdentity::new("Fischer", "Spassky", "1972.07.13", moves));
/// assert_eq!(TurnGameIdentity::new("Fischer", "?", "1972.07.11", moves), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TurnGameIdentity {
    white: String,
    black: String,
    date: String,
    moves: MoveDigest,
}

impl TurnGameIdentity {
    /// The identity of a game; none unless both players are named, as games of unknown players cannot be distinguished.
    #[must_use]
    pub fn new(white: &str, black: &str, date: &str, moves: MoveDigest) -> Option<TurnGameIdentity> {
        let (white, black) = (known_text(white)?.to_owned(), known_text(black)?.to_owned());
        let date = known_text(date).unwrap_or_default().to_owned();
        Some(TurnGameIdentity { white, black, date, moves })
    }

    /// The identity of the game that all of these turns are from; none if it has no turns, or a player is not named.
    #[must_use]
    pub fn of_turns<'a>(turns: impl IntoIterator<Item = &'a TurnRow>) -> Option<TurnGameIdentity> {
        let mut turns = turns.into_iter().peekable();
        let first = *turns.peek()?;
        let mut moves = MoveDigest::default();
        turns.for_each(|turn| moves.add(turn.ply, &turn.position(), &turn.played));
        let text = |field: &'a Option<String>| field.as_deref().unwrap_or_default();
        TurnGameIdentity::new(text(&first.white), text(&first.black), text(&first.date), moves)
    }
}

/// A digest of the moves of a game in a few bytes, whatever the order in which they are added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveDigest {
    count: u64,
    /// The sum of the hashes of all moves.
    sum: u64,
}

impl MoveDigest {
    /// Adds a move, by the number of plies before it, the position (a FEN without its counters) and the move in UCI
    /// notation.
    pub fn add(&mut self, ply: u16, position: &str, played: &str) {
        let mut hasher = DefaultHasher::new();
        (ply, position, played).hash(&mut hasher);
        self.count += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }

    /// Whether no move was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_counts_but_not_their_order() {
        let digest = |moves: &[(u16, &str, &str)]| {
            let mut digest = MoveDigest::default();
            moves.iter().for_each(|&(ply, position, played)| digest.add(ply, position, played));
            digest
        };
        let [one, two] = [(0, "start", "e2e4"), (1, "later", "e7e5")];
        assert_eq!(digest(&[one, two]), digest(&[two, one]));
        for other in [
            vec![one],
            vec![one, one],
            vec![one, two, two],
            vec![one, (1, "later", "e7e6")],
            vec![one, (3, "later", "e7e5")],
        ] {
            assert_ne!(digest(&[one, two]), digest(&other), "{other:?}");
        }
        assert!(digest(&[]).is_empty() && !digest(&[one]).is_empty());
    }

    #[test]
    fn unknown_dates_are_alike_and_unknown_players_are_nobody() {
        let game = |white, black, date| TurnGameIdentity::new(white, black, date, MoveDigest::default());
        assert_eq!(game("A", "B", "????.??.??"), game("A", "B", ""));
        assert_ne!(game("A", "B", "2007.??.??"), game("A", "B", ""));
        assert_ne!(game("A", "B", ""), game("B", "A", ""));
        for nobody in ["", " ", "?"] {
            assert_eq!((game(nobody, "B", ""), game("A", nobody, "")), (None, None));
        }
    }
}
