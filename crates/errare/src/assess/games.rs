//! The moves of a game, as a table or as rows of CSV.

use crate::output::{Grid, Output, OutputError, cell, exact};
use errare_lab::{AssessedGame, AssessedMove, GivenUp, Outcome};

/// The columns of the CSV.
pub const COLUMNS: [&str; 26] = [
    "file",
    "game",
    "white",
    "black",
    "material",
    "metric",
    "ply",
    "move_number",
    "side",
    "san",
    "task",
    "outcome_before",
    "depth_before",
    "outcome_after",
    "depth_after",
    "given_up",
    "conceded",
    "conceded_total",
    "optimal",
    "model_choice",
    "expected_c",
    "sd_c",
    "low",
    "high",
    "too_little_to_say",
    "impossible",
];

/// Writes a row for each move.
pub fn csv(output: &mut Output, game: &AssessedGame) -> Result<(), OutputError> {
    for segment in &game.segments {
        for mv in &segment.moves {
            output.record([
                cell(game.file.as_deref()),
                game.number.to_string(),
                game.white.clone(),
                game.black.clone(),
                segment.material.clone(),
                segment.metric.clone(),
                mv.ply.to_string(),
                mv.move_number.clone(),
                mv.side.name().to_owned(),
                mv.san.clone(),
                mv.task.name().to_owned(),
                mv.outcome_before.name().to_owned(),
                cell(mv.depth_before),
                mv.outcome_after.name().to_owned(),
                cell(mv.depth_after),
                cell(mv.given_up.map(GivenUp::name)),
                cell(mv.conceded),
                mv.conceded_total.to_string(),
                mv.optimal.join(" "),
                mv.model_choice.clone(),
                exact(mv.expected_c),
                exact(mv.sd_c),
                exact(mv.interval[0]),
                exact(mv.interval[1]),
                mv.too_little_to_say.to_string(),
                mv.impossible.to_string(),
            ])?;
        }
    }
    Ok(())
}

/// Writes a table for each endgame of the game.
pub fn table(output: &mut Output, game: &AssessedGame) -> Result<(), OutputError> {
    for segment in &game.segments {
        output.line("")?;
        let title = if game.title.is_empty() { String::new() } else { format!(" ({})", game.title) };
        output.line(&format!("game {}{title}: {} by {}", game.number, segment.material, segment.metric))?;
        let has_impossible = segment.moves.iter().any(|mv| mv.impossible);
        let mut columns = vec!["move", "before", "after", "gave up", "total", "E[c]", "90%", "model", "optimal"];
        columns.extend(has_impossible.then_some("note"));
        let mut grid = Grid::new(&columns);
        for mv in &segment.moves {
            let note = if mv.impossible { "impossible by the model" } else { "" };
            grid.push(row(mv).into_iter().chain(has_impossible.then(|| note.to_owned())));
        }
        output.grid(&grid)?;
    }
    Ok(())
}

fn row(mv: &AssessedMove) -> [String; 9] {
    let others = mv.optimal.len() > 1 || !mv.optimal.contains(&mv.san);
    let says = |text: String| if mv.too_little_to_say { String::new() } else { text };
    [
        format!("{} {}{}", mv.move_number, mv.san, mv.mark.as_deref().unwrap_or("")),
        state(mv.outcome_before, mv.depth_before),
        state(mv.outcome_after, mv.depth_after),
        gave_up(mv.given_up, mv.conceded),
        mv.conceded_total.to_string(),
        says(format!("{:.2}", mv.expected_c)),
        says(format!("{} to {}", mv.interval[0], mv.interval[1])),
        if mv.optimal.len() > 1 { mv.model_choice.clone() } else { String::new() },
        if others { shortened(&mv.optimal) } else { String::new() },
    ]
}

/// A value with its depth: `win 16`.
pub fn state(outcome: Outcome, depth: Option<u16>) -> String {
    depth.map_or_else(|| outcome.name().to_owned(), |depth| format!("{} {depth}", outcome.name()))
}

/// What a move gave up: `win`, `draw`, or moves of depth.
pub fn gave_up(given_up: Option<GivenUp>, conceded: Option<u16>) -> String {
    match (given_up, conceded) {
        (Some(GivenUp::WinToDraw | GivenUp::WinToLoss), _) => "win".to_owned(),
        (Some(GivenUp::DrawToLoss), _) => "draw".to_owned(),
        (None, Some(moves @ 1..)) => format!("+{moves}"),
        (None, _) => String::new(),
    }
}

/// A few of many: where everything draws nobody wants to read all of it.
pub fn shortened(moves: &[String]) -> String {
    const MOST: usize = 3;
    match moves.len() {
        0..=MOST => moves.join(" "),
        count => format!("{} and {} more", moves[..MOST - 1].join(" "), count - MOST + 1),
    }
}
