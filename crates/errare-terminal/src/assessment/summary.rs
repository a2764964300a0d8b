//! The worst moves and the players, as tables or as rows of CSV.

use super::games::{gave_up, shortened, state_after, state_before};
use crate::{Output, OutputError};
use errare_lab::{AssessResponse, Sheet, short_name};
use std::path::Path;

/// What the tables of an assessment depend on besides the response.
#[derive(Clone, Copy, Debug)]
pub struct AssessmentLayout {
    /// Number of worst moves that were asked for.
    pub worst: usize,
    /// Whether the number of a game does not say which game it is.
    pub has_several_files: bool,
}

/// Writes the worst moves, then the players.
///
/// # Errors
/// If they cannot be written.
pub fn assessment_summary(
    output: &mut Output,
    found: &AssessResponse,
    layout: AssessmentLayout,
) -> Result<(), OutputError> {
    if !found.worst.is_empty() {
        output.line("")?;
        let is_full = found.worst.len() >= layout.worst;
        output.line(if is_full { "worst moves (--worst N lists more or fewer)" } else { "worst moves" })?;
        output.table(&worst(found, layout.has_several_files))?;
    }
    if !found.players.is_empty() {
        output.line("")?;
        output.table(&found.player_table())?;
        output.line("")?;
        output.lines(AssessResponse::PLAYER_LEGEND)?;
    }
    Ok(())
}

/// The name of a file without its folders, which would leave no room for other columns.
fn short_path(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.display().to_string())
}

fn worst(found: &AssessResponse, has_several_files: bool) -> Sheet {
    let mut columns = vec!["game", "move", "player", "endgame", "before", "after", "gave up", "better"];
    if has_several_files {
        columns.insert(0, "file");
    }
    let mut grid = Sheet::new(&columns);
    for mv in &found.worst {
        let file = has_several_files.then(|| short_path(mv.file.as_deref().unwrap_or_default()));
        grid.push(file.into_iter().chain([
            mv.game.to_string(),
            format!("{} {}", mv.move_number, mv.san),
            short_name(&mv.player),
            mv.material.clone(),
            state_before(&mv.effect),
            state_after(&mv.effect),
            gave_up(&mv.effect),
            shortened(&mv.optimal),
        ]));
    }
    grid
}
