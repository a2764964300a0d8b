//! Short texts that people type: FENs, endgames, metrics, agents, strategies, engines, limits.

use errare_endgame::{AgentSpec, Strategy};
use errare_lab::fen_of;
use errare_tables::{Material, Metric, SourceSpec, parse_fen};
use errare_uci::client::{EngineEntry, Limit};
use std::fmt::Display;
use std::str::FromStr;

/// Whatever is read can be written, and reads back as the same.
pub fn short_texts(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    same_position(&text);
    same_again::<Material>(&text);
    same_again::<Metric>(&text);
    same_again::<AgentSpec>(&text);
    same_again::<Strategy>(&text);
    let _ = text.parse::<SourceSpec>();
    let _ = text.parse::<EngineEntry>();
    let _ = text.parse::<Limit>();
}

fn same_again<T: FromStr + Display>(text: &str)
where
    T::Err: Display,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>().unwrap_or_else(|error| panic!("`{text}` -> `{written}`: {error}"));
            assert_eq!(again.to_string(), written, "`{text}`");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A position that was read can be written as a FEN, and reads back as the same.
fn same_position(text: &str) {
    if let Ok(position) = parse_fen(text) {
        let written = fen_of(&position);
        let again = parse_fen(&written).unwrap_or_else(|error| panic!("`{text}` -> `{written}`: {error}"));
        assert_eq!(fen_of(&again), written, "`{text}`");
    }
}
