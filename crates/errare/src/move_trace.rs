//! Moves as the engine and the model see them, one by one.

use crate::output::{Grid, exact};
use errare_lab::MoveScreening;
use errare_ratings::PlayerSide;

/// What a trace says of each move, after its place in the games.
const TRACED: [&str; 8] =
    ["played", "best", "evaluation", "probability", "first_probability", "loss", "expected_loss", "rank"];

/// The moves, each with its place and the texts of its numbers.
fn traced(
    moves: &[MoveScreening],
    place_columns: &[&'static str],
    place: impl Fn(&MoveScreening) -> Vec<String>,
    number: impl Fn(f64) -> String,
    signed: impl Fn(f64) -> String,
) -> Grid {
    let mut grid = Grid::new(&[place_columns, &TRACED].concat());
    for traced in moves {
        let mut row = place(traced);
        row.extend([traced.played.clone(), traced.best.clone(), signed(traced.evaluation)]);
        let optional = |value: Option<f64>| value.map_or_else(String::new, &number);
        row.extend([traced.probability, traced.first_probability].map(optional));
        row.extend([number(traced.loss), optional(traced.expected_loss)]);
        row.push(traced.rank.to_string());
        grid.push(row);
    }
    grid
}

/// The moves for programs: one fact a cell.
pub fn exact_trace(moves: &[MoveScreening]) -> Grid {
    let place = |traced: &MoveScreening| {
        let side = if traced.side == PlayerSide::White { "white" } else { "black" };
        vec![traced.game.clone(), traced.number.to_string(), side.to_owned()]
    };
    traced(moves, &["game", "move", "side"], place, exact, exact)
}

/// The moves for people.
pub fn trace(moves: &[MoveScreening]) -> Grid {
    let place = |traced: &MoveScreening| {
        let dots = if traced.side == PlayerSide::White { "." } else { "..." };
        vec![traced.game.clone(), format!("{}{dots}", traced.number)]
    };
    traced(moves, &["game", "move"], place, |value| format!("{value:.4}"), |value| format!("{value:+.2}"))
}
