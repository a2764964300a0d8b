//! The columns and rows of every response that spreadsheets can read.

mod assess;
mod assessed_players;
mod cluster;
mod competence_scale;
mod endgames;
mod markov_tables;
mod practice;
mod ratings;
mod reproduce;
mod tables;
mod trials;

pub use assessed_players::short_name;
pub use ratings::milepost_table;
