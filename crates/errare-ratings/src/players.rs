//! The players of some turns.

use crate::player_name::{PlayerNameError, contains, find_player};
use crate::turns::Turns;
use errare_work::{Cancelled, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Number of players on a page of the list.
pub const PLAYERS_PER_PAGE: usize = 200;

/// A player with the statistics that need no fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerSummary {
    /// The player's name.
    pub name: String,
    /// Number of games.
    pub games: usize,
    /// Number of turns.
    pub turns: usize,
    /// The mean rating over the games that give one; null if none does.
    pub elo: Option<f64>,
    /// The share of turns on which the engine's first choice was played.
    pub mm: f64,
    /// The mean loss in pawns, corrected for the size of the evaluation.
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

/// All players of some turns, those with the most turns first.
#[derive(Clone, Debug)]
pub struct Players {
    all: Vec<PlayerSummary>,
    /// Number of turns of players whom the games do not name.
    pub nameless_turns: usize,
}

/// One page of a list of players.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayersPage {
    /// The players on the page.
    pub players: Vec<PlayerSummary>,
    /// Number of players on all pages.
    pub total: usize,
    /// The number of the page, from 1.
    pub page: usize,
    /// Number of pages, at least one.
    pub pages: usize,
}

/// A page beyond the end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no page {page}: the last is {pages}")]
pub struct NoSuchPage {
    /// The number of the page that was asked for, from 1.
    pub page: usize,
    /// Number of pages.
    pub pages: usize,
}

impl Players {
    /// Lists the players of turns.
    ///
    /// # Errors
    /// [`Cancelled`] if the work is cancelled.
    pub fn new(turns: &Turns, progress: &dyn Progress) -> Result<Players, Cancelled> {
        let mut sums: HashMap<&str, Sums> = HashMap::new();
        for turn in turns.iter() {
            progress.proceed()?;
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
        let mut all: Vec<PlayerSummary> = sums.into_iter().map(|(name, sum)| sum.player(name)).collect();
        all.sort_by(|one, other| other.turns.cmp(&one.turns).then_with(|| one.name.cmp(&other.name)));
        Ok(Players { all, nameless_turns })
    }

    /// All players, those with the most turns first.
    pub fn all(&self) -> &[PlayerSummary] {
        &self.all
    }

    /// Finds the player whom a text names, by the rule of [`find_player`].
    ///
    /// # Errors
    /// As [`find_player`].
    pub fn find(&self, text: &str) -> Result<&str, PlayerNameError> {
        find_player(self.all.iter().map(|player| player.name.as_str()), text)
    }

    /// Lists the players whose name contains a text, regardless of case, page by page.
    ///
    /// # Errors
    /// [`NoSuchPage`] if the list has fewer pages.
    pub fn search(&self, text: &str, page: usize) -> Result<PlayersPage, NoSuchPage> {
        let found: Vec<&PlayerSummary> = self.all.iter().filter(|player| contains(&player.name, text)).collect();
        let pages = found.len().div_ceil(PLAYERS_PER_PAGE).max(1);
        if !(1..=pages).contains(&page) {
            return Err(NoSuchPage { page, pages });
        }
        let players = found.iter().skip((page - 1) * PLAYERS_PER_PAGE).take(PLAYERS_PER_PAGE);
        Ok(PlayersPage { players: players.copied().cloned().collect(), total: found.len(), page, pages })
    }
}

impl Sums {
    fn player(self, name: &str) -> PlayerSummary {
        let turns = self.turns as f64;
        PlayerSummary {
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
        let player = |number: usize| PlayerSummary {
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
        let players = players(2 * PLAYERS_PER_PAGE + 1);
        let sizes = [1, 2, 3].map(|page| players.search("", page).expect("a page").players.len());
        assert_eq!(sizes, [PLAYERS_PER_PAGE, PLAYERS_PER_PAGE, 1]);
        let last = players.search("", 3).expect("a page");
        assert_eq!(last.players[0].name, format!("Player {}", 2 * PLAYERS_PER_PAGE));
        for page in [0, 4, usize::MAX] {
            assert_eq!(players.search("", page), Err(NoSuchPage { page, pages: 3 }));
        }
    }

    #[test]
    fn searches_match_parts_of_names() {
        let players = players(30);
        let found = players.search("YER 1", 1).expect("a page");
        assert_eq!((found.total, found.pages), (11, 1));
        let none = players.search("nobody", 1).expect("a page");
        assert_eq!((none.total, none.pages), (0, 1));
    }
}
