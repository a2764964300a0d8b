//! The worst moves and the players, as tables or as rows of CSV.

use super::games::{gave_up, shortened, state_after, state_before};
use errare_lab::{AssessResponse, AssessedPlayer, AssessedRecord, Sheet};
use errare_terminal::{Output, OutputError};
use std::path::Path;

/// Explains the columns of the players.
const LEGEND: [&str; 4] = [
    "attack: won positions; defence: drawn and lost ones. W-D, W-L: wins turned into draws, into",
    "losses; D-L: draws lost; conceded: moves of depth given away without changing the result.",
    "E[c]: apparent competence (0: random moves), with its 90% interval. Too little to say: fewer",
    "than 5 real choices, or a standard deviation above three quarters of the prior's.",
];

/// What the tables depend on besides the response.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Number of worst moves that were asked for.
    pub worst: usize,
    /// Whether the number of a game does not say which game it is.
    pub has_several_files: bool,
}

/// The name of all endgames, or tasks, together.
const ALL: &str = "all";

/// A record with its endgame and task.
type Row<'a> = (&'a str, &'static str, &'a AssessedRecord);

/// The records of a player by endgame and task.
fn parts(player: &AssessedPlayer) -> impl Iterator<Item = Row<'_>> {
    player.parts.iter().map(|part| (part.material.as_str(), part.task.name(), &part.record))
}

/// Writes the worst moves, then the players.
pub fn table(output: &mut Output, found: &AssessResponse, layout: Layout) -> Result<(), OutputError> {
    if !found.worst.is_empty() {
        output.line("")?;
        let is_full = found.worst.len() >= layout.worst;
        output.line(if is_full { "worst moves (--worst N lists more or fewer)" } else { "worst moves" })?;
        output.table(&worst(found, layout.has_several_files))?;
    }
    if !found.players.is_empty() {
        output.line("")?;
        output.table(&players(found))?;
        output.line("")?;
        LEGEND.iter().try_for_each(|line| output.line(line))?;
    }
    Ok(())
}

/// The name of a file without its folders, which would leave no room for other columns.
fn short_path(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| file.to_owned(), |name| name.display().to_string())
}

/// A name that leaves room for other columns.
fn short_name(name: &str) -> String {
    const MOST: usize = 22;
    match name.char_indices().nth(MOST) {
        None => name.to_owned(),
        Some(_) => name.chars().take(MOST - 1).chain(['…']).collect(),
    }
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

fn players(found: &AssessResponse) -> Sheet {
    let has_impossible = found.players.iter().any(|player| player.total.impossible > 0);
    let mut columns = vec!["player", "endgame", "task", "games", "moves", "W-D", "W-L", "D-L", "conceded"];
    columns.extend(has_impossible.then_some("impossible"));
    columns.push("E[c] (90%)");
    let mut grid = Sheet::new(&columns);
    for player in &found.players {
        // Of a single part the total says the same.
        let total = (player.parts.len() > 1).then_some((ALL, ALL, &player.total));
        for (place, (material, task, record)) in parts(player).chain(total).enumerate() {
            let name = if place == 0 { short_name(&player.name) } else { " ".to_owned() };
            grid.push([name, material.to_owned(), task.to_owned()].into_iter().chain(figures(record, has_impossible)));
        }
    }
    grid
}

fn figures(record: &AssessedRecord, has_impossible: bool) -> Vec<String> {
    let [low, high] = record.interval;
    let mut figures: Vec<String> = [
        record.games,
        record.moves,
        record.wins_to_draws,
        record.wins_to_losses,
        record.draws_to_losses,
        record.conceded,
    ]
    .iter()
    .map(ToString::to_string)
    .collect();
    figures.extend(has_impossible.then(|| record.impossible.to_string()));
    figures.push(if record.too_little_to_say {
        "too little to say".to_owned()
    } else {
        format!("{:.2} ({low} to {high})", record.expected_c)
    });
    figures
}
