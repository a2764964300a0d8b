//! Where turns come from: the engine and the game.

use std::fmt;

/// What made evaluations. Skill fitted to one engine's evaluations means nothing with another's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// Name and version.
    pub name: Option<String>,
    /// The depth of search.
    pub depth: Option<u16>,
    /// Net and options, in the words of whoever made the evaluations.
    pub settings: Option<String>,
}

impl Engine {
    /// With what this one leaves open taken from another.
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

/// One of two players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Player {
    /// As the game has it.
    pub name: String,
    /// As the game has it.
    pub elo: Option<u16>,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// A game that turns were taken from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Game {
    /// What it is called among those of its file or milepost.
    pub id: String,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The event.
    pub event: String,
    /// The date, as in PGN.
    pub date: String,
    /// The Elo that both players are near to.
    pub milepost: Option<u16>,
}

impl Game {
    /// The player of a side.
    pub fn player(&self, side: Side) -> &Player {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    /// The opponent of a side.
    pub fn opponent(&self, side: Side) -> &Player {
        match side {
            Side::White => &self.black,
            Side::Black => &self.white,
        }
    }

    /// The year, if the date has one.
    pub fn year(&self) -> Option<u16> {
        self.date.get(..4)?.parse().ok()
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {}", self.white.name, self.black.name)?;
        if !self.event.is_empty() {
            write!(f, ", {}", self.event)?;
        }
        if self.date.is_empty() { Ok(()) } else { write!(f, " {}", self.date) }
    }
}
