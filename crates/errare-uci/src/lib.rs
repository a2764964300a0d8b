//! The Universal Chess Interface both ways: drive an engine as a child process, or be one.

pub mod client;
mod score;

pub use score::Score;
