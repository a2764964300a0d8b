//! The order of players in a table.

use super::response::RatedPlayerRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The order of players: by name from A, or by a number from the greatest. Players without the number come last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayerSort {
    /// By the rating of the moves.
    #[default]
    Ipr,
    /// By the name of the player.
    Player,
    /// By the mean rating that the games give.
    Elo,
    /// By the number of games.
    Games,
    /// By the number of turns.
    Turns,
    /// By the number of standard deviations by which the moves are better than is to be expected of the rating.
    Z,
    /// By the share of first choices.
    Mm,
    /// By the mean loss, from the least.
    Ad,
}

impl PlayerSort {
    const ALL: [(PlayerSort, &'static str); 8] = [
        (PlayerSort::Ipr, "ipr"),
        (PlayerSort::Player, "player"),
        (PlayerSort::Elo, "elo"),
        (PlayerSort::Games, "games"),
        (PlayerSort::Turns, "turns"),
        (PlayerSort::Z, "z"),
        (PlayerSort::Mm, "mm"),
        (PlayerSort::Ad, "ad"),
    ];

    /// Compares two rows; rows that agree come in the order of turns, the most first, then of names.
    pub(super) fn compare(self, one: &RatedPlayerRow, other: &RatedPlayerRow) -> Ordering {
        let value = |row: &RatedPlayerRow| match self {
            PlayerSort::Ipr => row.ipr,
            PlayerSort::Player => None,
            PlayerSort::Elo => row.elo,
            PlayerSort::Games => Some(row.games as f64),
            PlayerSort::Turns => Some(row.turns as f64),
            PlayerSort::Z => row.z,
            PlayerSort::Mm => Some(row.mm),
            PlayerSort::Ad => Some(-row.ad),
        };
        if self == PlayerSort::Player {
            return one.player.cmp(&other.player);
        }
        let known = |row: &RatedPlayerRow| value(row).unwrap_or(f64::NEG_INFINITY);
        known(other).total_cmp(&known(one)).then(other.turns.cmp(&one.turns)).then(one.player.cmp(&other.player))
    }
}

impl fmt::Display for PlayerSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(PlayerSort::ALL.iter().find(|(sort, _)| sort == self).map_or("ipr", |(_, name)| name))
    }
}

/// A text that names no order of players.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid order `{0}`: expected ipr, player, elo, games, turns, z, mm or ad")]
pub struct PlayerSortError(String);

impl FromStr for PlayerSort {
    type Err = PlayerSortError;

    fn from_str(text: &str) -> Result<PlayerSort, PlayerSortError> {
        let wanted = text.trim().to_ascii_lowercase();
        let found = PlayerSort::ALL.iter().find(|(_, name)| *name == wanted);
        found.map(|(sort, _)| *sort).ok_or_else(|| PlayerSortError(text.to_owned()))
    }
}
