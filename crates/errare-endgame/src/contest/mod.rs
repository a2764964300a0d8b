//! Contests against the infallible player: the starts of the games, and the quality of a player's moves.

mod play_record;
mod starts;

pub use play_record::PlayRecord;
pub use starts::{StartSpread, WonStart, draw_won_starts};
