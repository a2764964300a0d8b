//! Everybody who has turns, and parts of the list.

use super::refusal::Refusal;
use crate::fit::turns::is_meant;
use errare_ratings::Turns;
use std::collections::{HashMap, HashSet};

/// Players on a page.
pub const PAGE: usize = 200;

/// A player, with what can be told without a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    pub name: String,
    pub games: usize,
    pub turns: usize,
    /// The mean over the games that tell it.
    pub elo: Option<f64>,
    /// The share of first choices.
    pub mm: f64,
    /// The mean loss.
    pub ad: f64,
}

/// Sums over a player's turns.
#[derive(Default)]
struct Sums {
    games: HashSet<usize>,
    turns: usize,
    elo: f64,
    rated_games: usize,
    matches: usize,
    loss: f64,
}

/// All players, those with the most turns first.
#[derive(Debug)]
pub struct Players {
    all: Vec<Player>,
    /// Turns of players whom the games do not name.
    pub nameless_turns: usize,
}

/// Some of the players: those found, page by page.
#[derive(Debug)]
pub struct Found<'a> {
    pub players: Vec<&'a Player>,
    /// How many are found in all.
    pub total: usize,
    /// Which page this is, from 1.
    pub page: usize,
    /// How many there are, at least one.
    pub pages: usize,
}

impl Players {
    pub fn new(turns: &Turns) -> Players {
        let mut sums: HashMap<&str, Sums> = HashMap::new();
        for turn in turns.iter() {
            let player = turn.player();
            let sum = sums.entry(&player.name).or_default();
            sum.turns += 1;
            sum.matches += usize::from(turn.played() == 0);
            sum.loss += turn.loss();
            if sum.games.insert(turn.game_number())
                && let Some(elo) = player.elo
            {
                sum.elo += f64::from(elo);
                sum.rated_games += 1;
            }
        }
        let nameless_turns = sums.remove("").map_or(0, |sum| sum.turns);
        let mut all: Vec<Player> = sums.into_iter().map(|(name, sum)| sum.player(name)).collect();
        all.sort_by(|one, other| other.turns.cmp(&one.turns).then_with(|| one.name.cmp(&other.name)));
        Players { all, nameless_turns }
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Whether there is one of exactly this name.
    pub fn has(&self, name: &str) -> bool {
        self.all.iter().any(|player| player.name == name)
    }

    /// A page of those whose name contains what was typed.
    pub fn find(&self, search: &str, page: usize) -> Result<Found<'_>, Refusal> {
        let found: Vec<&Player> = self.all.iter().filter(|player| is_meant(&player.name, search)).collect();
        let pages = found.len().div_ceil(PAGE).max(1);
        if !(1..=pages).contains(&page) {
            return Err(Refusal::not_found(format!("there is no page {page}: the last is {pages}")));
        }
        let players = found.iter().copied().skip((page - 1) * PAGE).take(PAGE).collect();
        Ok(Found { players, total: found.len(), page, pages })
    }
}

impl Sums {
    fn player(self, name: &str) -> Player {
        let turns = self.turns as f64;
        Player {
            name: name.to_owned(),
            games: self.games.len(),
            turns: self.turns,
            elo: (self.rated_games > 0).then(|| self.elo / self.rated_games as f64),
            mm: self.matches as f64 / turns,
            ad: self.loss / turns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(count: usize) -> Players {
        let player = |number: usize| Player {
            name: format!("Player {number}"),
            games: 1,
            turns: 1,
            elo: None,
            mm: 0.0,
            ad: 0.0,
        };
        Players { all: (0..count).map(player).collect(), nameless_turns: 0 }
    }

    #[test]
    fn long_lists_come_in_pages() {
        let players = players(2 * PAGE + 1);
        let sizes = [1, 2, 3].map(|page| players.find("", page).unwrap().players.len());
        assert_eq!(sizes, [PAGE, PAGE, 1]);
        assert_eq!(players.find("", 3).unwrap().players[0].name, format!("Player {}", 2 * PAGE));
        for page in [0, 4, usize::MAX] {
            assert!(players.find("", page).is_err(), "{page}");
        }
    }

    #[test]
    fn a_search_goes_by_parts_of_names() {
        let players = players(30);
        let found = players.find("YER 1", 1).unwrap();
        assert_eq!((found.total, found.pages), (11, 1));
        let none = players.find("nobody", 1).unwrap();
        assert_eq!((none.total, none.pages), (0, 1));
    }
}
