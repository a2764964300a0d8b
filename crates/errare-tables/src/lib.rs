//! Endgame tables.
#![allow(missing_docs, dead_code)]
pub mod attacks;
pub mod kings;
pub mod layout;
pub mod material;
pub mod packed;
pub mod retrograde;
pub mod seeds;
pub mod symmetry;
pub mod value;
pub mod view;
pub mod words;
pub use material::{Material, MaterialError};
pub use value::{Outcome, Plies, Value, WinnerMoves};
