//! Pages in HTML: how they are built, and those on mileposts and players.

mod html;
mod mileposts;
mod pictures;
mod player;
mod regan_haworth;
mod shown_move;

pub use html::{Card, Field, Link, Page};
pub(crate) use mileposts::milepost_page;
pub(crate) use player::player_page;
