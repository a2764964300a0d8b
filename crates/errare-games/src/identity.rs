//! Identities of games: which games are copies of one.

use crate::game::Game;
use sha2::{Digest, Sha256};
use shakmaty::EnPassantMode;
use shakmaty::fen::Epd;
use std::collections::HashSet;

/// A digest of what a game shares with its copies: players, date, start position and moves.
///
/// Collections that were put together from several sources often hold a game more than once, with other spellings of
/// event and site and with other comments. These do not count. Where the date is not known, event and round do: games
/// that programs played against each other have no date, and may be alike move by move without being copies.
///
/// ```
/// use errare_games::{Game, Games};
/// let identity = |pgn: &str| Games::new(pgn.as_bytes()).flatten().next().map(|game: Game| game.identity());
/// let one = "[White \"A\"]\n[Black \"B\"]\n[Date \"1978.12.01\"]\n[Event \"Match\"]\n\n1. e4 {Best.} e5 *";
/// let copy = "[Event \"A match\"]\n[Date \"1978.12.01\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0";
/// assert!(identity(one).is_some() && identity(one) == identity(copy));
/// assert_ne!(identity(one), identity(&copy.replace("e5", "e6")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameIdentity(u128);

/// The byte that stands for no square and for no piece.
const NONE: u8 = u8::MAX;

impl Game {
    /// The identity of the game, which it shares with its copies only.
    pub fn identity(&self) -> GameIdentity {
        let mut digest = Sha256::new();
        let mut text = |text: &str| {
            // The length keeps texts that follow each other apart.
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        };
        text(self.white().unwrap_or_default());
        text(self.black().unwrap_or_default());
        match self.known("Date") {
            Some(date) => text(date),
            None => {
                text("");
                text(self.known("Event").unwrap_or_default());
                text(self.known("Round").unwrap_or_default());
            }
        }
        text(&Epd::from_position(self.start(), EnPassantMode::Legal).to_string());
        for played in self.moves() {
            let from = played.mv.from().map_or(NONE, u8::from);
            let promotion = played.mv.promotion().map_or(NONE, u8::from);
            digest.update([from, u8::from(played.mv.to()), promotion]);
        }
        let digest: [u8; 32] = digest.finalize().into();
        let (first, _) = digest.split_at(16);
        GameIdentity(first.iter().fold(0, |number, &byte| number << 8 | u128::from(byte)))
    }
}

/// Recognises copies of games, in bounded memory.
#[derive(Clone, Debug)]
pub struct SeenGames {
    identities: HashSet<GameIdentity>,
    limit: usize,
}

/// Whether a game has been seen before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sighting {
    /// The game is new, and will be recognised.
    First,
    /// The game is a copy of one that was seen before.
    Copy,
    /// The game is not a copy of those that are remembered; the memory is full.
    Unremembered,
}

impl SeenGames {
    /// The number of games that are remembered by default: they take 70 MB.
    pub const LIMIT: usize = 3_500_000;

    /// Makes an empty memory with room for this many games.
    pub fn with_limit(limit: usize) -> SeenGames {
        SeenGames { identities: HashSet::new(), limit }
    }

    /// Looks a game up, and remembers it if there is room.
    pub fn see(&mut self, game: &Game) -> Sighting {
        let identity = game.identity();
        if self.identities.contains(&identity) {
            Sighting::Copy
        } else if self.identities.len() < self.limit {
            self.identities.insert(identity);
            Sighting::First
        } else {
            Sighting::Unremembered
        }
    }
}

impl Default for SeenGames {
    fn default() -> SeenGames {
        SeenGames::with_limit(SeenGames::LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;

    fn game(tags: &[(&str, &str)], moves: &str) -> Game {
        let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
        let pgn = format!("{tags}\n{moves} *\n");
        Games::new(pgn.as_bytes()).next().expect("a game").expect("a legal game")
    }

    #[test]
    fn players_date_start_and_moves_make_a_game() {
        let tags = [("White", "A"), ("Black", "B"), ("Date", "2001.02.03"), ("Event", "X"), ("Round", "1")];
        let one = game(&tags, "1. e4 e5").identity();
        let with = |place: usize, value: &'static str| {
            let mut tags = tags;
            tags[place].1 = value;
            game(&tags, "1. e4 e5").identity()
        };
        // Event and round do not count where there is a date.
        assert_eq!([with(3, "Y"), with(4, "2"), with(0, " A ")], [one; 3]);
        for other in [with(0, "C"), with(1, "A"), with(2, "2001.02.04"), game(&tags, "1. e4").identity()] {
            assert_ne!(other, one);
        }
        // Names do not run into each other.
        let names = |white, black| game(&[("White", white), ("Black", black)], "1. e4").identity();
        assert_ne!(names("AB", "C"), names("A", "BC"));
        // The start position counts, its counters do not.
        let start = |fen| game(&[("FEN", fen)], "1. Kb7").identity();
        assert_eq!(start("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"), start("K3r3/8/5k2/Q7/8/8/8/8 w - - 4 1"));
        assert_ne!(start("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"), start("K3r3/8/5k2/8/Q7/8/8/8 w - - 0 1"));
    }

    #[test]
    fn without_a_date_event_and_round_tell_games_apart() {
        let undated =
            |event, round| game(&[("Date", "????.??.??"), ("Event", event), ("Round", round)], "1. e4 e5").identity();
        assert_eq!(undated("X", "1"), undated("X", "1"));
        assert_ne!(undated("X", "1"), undated("X", "2"));
        assert_ne!(undated("X", "1"), undated("Y", "1"));
    }

    #[test]
    fn memory_is_bounded() {
        let mut seen = SeenGames::with_limit(1);
        let (one, other) = (game(&[], "1. e4"), game(&[], "1. d4"));
        assert_eq!(
            [&one, &other, &one, &other].map(|game| seen.see(game)),
            [Sighting::First, Sighting::Unremembered, Sighting::Copy, Sighting::Unremembered,]
        );
    }
}
