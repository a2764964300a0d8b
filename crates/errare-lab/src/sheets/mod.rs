//! The columns and rows of every response that spreadsheets can read.

mod assess;
mod endgames;
mod practice;
mod ratings;
mod tables;
