//! The provenance of turns: the engine and the game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The engine that made evaluations, with its depth and its settings.
///
/// Skill that was fitted to one engine's evaluations means nothing with another's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Engine {
    /// Name and version of the engine.
    pub name: Option<String>,
    /// The depth of search in plies; null if it is not known.
    pub depth: Option<u16>,
    /// Net and options of the engine, in the words of whoever made the evaluations.
    pub settings: Option<String>,
}

impl Engine {
    /// Fills in from another engine the fields that this one leaves open.
    #[must_use]
    pub fn or(self, other: &Engine) -> Engine {
        Engine {
            name: self.name.or_else(|| other.name.clone()),
            depth: self.depth.or(other.depth),
            settings: self.settings.or_else(|| other.settings.clone()),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_deref().unwrap_or("an unnamed engine"))?;
        match self.depth {
            Some(depth) => write!(f, " at depth {depth}")?,
            None => f.write_str(" at an unknown depth")?,
        }
        self.settings.as_deref().map_or(Ok(()), |settings| write!(f, " ({settings})"))
    }
}

/// A player as a game's tags describe one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Player {
    /// The name of the player; empty if the game gives none.
    pub name: String,
    /// The rating of the player, if the game gives one.
    pub elo: Option<u16>,
}

/// The side that a player has in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayerSide {
    /// White.
    White,
    /// Black.
    Black,
}

impl fmt::Display for PlayerSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PlayerSide::White => "White",
            PlayerSide::Black => "Black",
        })
    }
}

/// The facts about a game that turns were taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameRecord {
    /// An id of the game among those of its file or milepost.
    pub id: String,
    /// The player of White.
    pub white: Player,
    /// The player of Black.
    pub black: Player,
    /// The name of the event.
    pub event: String,
    /// The date, as in PGN.
    pub date: String,
    /// The Elo that both players are near to.
    pub milepost: Option<u16>,
}

impl GameRecord {
    /// The player who has a side.
    pub fn player(&self, side: PlayerSide) -> &Player {
        match side {
            PlayerSide::White => &self.white,
            PlayerSide::Black => &self.black,
        }
    }

    /// The opponent of a side.
    pub fn opponent(&self, side: PlayerSide) -> &Player {
        match side {
            PlayerSide::White => &self.black,
            PlayerSide::Black => &self.white,
        }
    }

    /// The year of the game, if the date has one.
    pub fn year(&self) -> Option<u16> {
        self.date.get(..4)?.parse().ok()
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {}", self.white.name, self.black.name)?;
        if !self.event.is_empty() {
            write!(f, ", {}", self.event)?;
        }
        if self.date.is_empty() { Ok(()) } else { write!(f, " {}", self.date) }
    }
}
