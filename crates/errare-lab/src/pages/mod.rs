//! Pages in HTML: building them, and the pages on mileposts and players.

mod block;
mod html;
mod mileposts;
mod periods;
mod pictures;
mod player;
mod plotted;
mod regan_haworth;
mod shown_move;

pub use block::PageBlock;
pub(crate) use html::Entry;
pub use html::{Card, Link, Page};
pub(crate) use mileposts::milepost_page;
pub(crate) use periods::{period_page, published_s_fit};
pub(crate) use player::{player_charts, player_page};
pub use plotted::{PlottedAxis, PlottedChart, PlottedSeries};
pub(crate) use shown_move::ShownMove;
