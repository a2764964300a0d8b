//! The two sides of a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// A side of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side of White.
    #[default]
    White,
    /// The side of Black.
    Black,
}

impl Side {
    /// The name of the side as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Color::from(self).fold_wb("white", "black")
    }

    /// The name of the side as sentences have it.
    #[must_use]
    pub fn title(self) -> &'static str {
        Color::from(self).fold_wb("White", "Black")
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}
