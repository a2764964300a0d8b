//! The moves of a game, as a table or as rows of CSV.

use crate::{Output, OutputError};
use errare_lab::{AssessedGame, AssessedMove, GivenUp, MoveEffect, Outcome, Sheet};

/// Writes a table for each endgame of the game.
///
/// # Errors
/// If it cannot be written.
pub fn assessed_game(output: &mut Output, game: &AssessedGame) -> Result<(), OutputError> {
    for segment in &game.segments {
        output.line("")?;
        let title = if game.title.is_empty() { String::new() } else { format!(" ({})", game.title) };
        output.line(&format!("game {}{title}: {} by {}", game.heading.number, segment.material, segment.metric))?;
        let has_impossible = segment.moves.iter().any(|mv| mv.impossible);
        let mut columns = vec!["move", "before", "after", "gave up", "total", "E[c]", "90%", "model", "optimal"];
        columns.extend(has_impossible.then_some("note"));
        let mut grid = Sheet::new(&columns);
        for mv in &segment.moves {
            let note = if mv.impossible { "impossible by the model" } else { "" };
            grid.push(row(mv).into_iter().chain(has_impossible.then(|| note.to_owned())));
        }
        output.table(&grid)?;
    }
    Ok(())
}

fn row(mv: &AssessedMove) -> [String; 9] {
    let others = mv.optimal.len() > 1 || !mv.optimal.contains(&mv.heading.san);
    let says = |text: String| if mv.too_little_to_say { String::new() } else { text };
    [
        format!("{} {}{}", mv.heading.move_number, mv.heading.san, mv.mark.as_deref().unwrap_or("")),
        state_before(&mv.effect),
        state_after(&mv.effect),
        gave_up(&mv.effect),
        mv.conceded_total.to_string(),
        says(format!("{:.2}", mv.expected_c)),
        says(format!("{} to {}", mv.interval[0], mv.interval[1])),
        if mv.optimal.len() > 1 { mv.model_choice.clone() } else { String::new() },
        if others { shortened(&mv.optimal) } else { String::new() },
    ]
}

/// The value before a move with its depth: `win 16`.
pub fn state_before(effect: &MoveEffect) -> String {
    state(effect.outcome_before, effect.depth_before)
}

/// The value after a move with its depth: `win 16`.
pub fn state_after(effect: &MoveEffect) -> String {
    state(effect.outcome_after, effect.depth_after)
}

fn state(outcome: Outcome, depth: Option<u16>) -> String {
    depth.map_or_else(|| outcome.name().to_owned(), |depth| format!("{} {depth}", outcome.name()))
}

/// What a move gave up: `win`, `draw`, or moves of depth.
pub fn gave_up(effect: &MoveEffect) -> String {
    match (effect.given_up, effect.conceded) {
        (Some(GivenUp::WinToDraw | GivenUp::WinToLoss), _) => "win".to_owned(),
        (Some(GivenUp::DrawToLoss), _) => "draw".to_owned(),
        (None, Some(moves @ 1..)) => format!("+{moves}"),
        (None, _) => String::new(),
    }
}

/// Formats the first few of many moves, and how many more there are: where every move draws nobody wants to read all of
/// them.
pub fn shortened(moves: &[String]) -> String {
    const MOST: usize = 3;
    match moves.len() {
        0..=MOST => moves.join(" "),
        count => format!("{} and {} more", moves[..MOST - 1].join(" "), count - MOST + 1),
    }
}
