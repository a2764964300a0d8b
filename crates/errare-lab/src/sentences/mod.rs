//! Responses in plain sentences, which every interface shares.

mod cluster;
mod course;
#[cfg(feature = "evaluate")]
mod evaluations;
mod games;
mod lines;
mod play;
mod ratings;
mod tables;
mod trials;

pub use ratings::{calibration_sentences, elo_text, interval_text, range_note};
