//! What is attacked: a function each.

pub mod http;
pub mod lab;
pub mod pgn;
pub mod table;
pub mod text;
pub mod turns;
pub mod uci;
