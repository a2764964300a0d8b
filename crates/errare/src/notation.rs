//! Positions, moves and states as people and programs write them.

use errare_choice::State;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move};

pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

pub fn san(position: &Chess, mv: Move) -> String {
    SanPlus::from_move(position.clone(), mv).to_string()
}

pub fn uci(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

/// The outcome and the depth of a state; a draw has no depth.
pub fn state_of(state: State) -> (&'static str, Option<u16>) {
    let outcome = match state {
        State::Win(_) => "win",
        State::Draw => "draw",
        State::Loss(_) => "loss",
    };
    (outcome, state.depth().map(|depth| depth.0))
}
