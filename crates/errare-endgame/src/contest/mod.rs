//! Contests against the infallible player: where the games start, and what a player's moves were worth.

mod play_record;
mod starts;

pub use play_record::PlayRecord;
pub use starts::{StartSpread, WonStart, draw_won_starts};
