//! The table of an assessment's players, for people.

use crate::sheet::Sheet;
use crate::{AssessResponse, AssessedRecord};

/// The name that stands for all endgames, or tasks, together.
const ALL: &str = "all";

impl AssessResponse {
    /// The explanation of the players' columns.
    pub const PLAYER_LEGEND: [&str; 6] = [
        "attack: won positions; defence: drawn and lost ones. W-D, W-L: wins turned into draws, into",
        "losses; D-L: draws lost; conceded: moves of depth given away without changing the result.",
        "E[c]: apparent competence (0: random moves), with its 90% interval. Too little to say: fewer",
        "than 5 real choices, or a standard deviation above three quarters of the prior's.",
        "About a 1900 player: people of that Elo typically play the endgame with such a competence, in",
        "attack or in defence; nothing is said of endgames of which too few games are known.",
    ];

    /// Makes a row for each player, endgame and task, and one for all of a player's rows together if there are several.
    #[must_use]
    pub fn player_table(&self) -> Sheet {
        let has_impossible = self.players.iter().any(|player| player.total.impossible > 0);
        let mut columns = vec!["player", "endgame", "task", "games", "moves", "W-D", "W-L", "D-L", "conceded"];
        columns.extend(has_impossible.then_some("impossible"));
        columns.push("E[c] (90%)");
        let mut grid = Sheet::new(&columns);
        for player in &self.players {
            let parts = player.parts.iter().map(|part| (part.material.as_str(), part.task.name(), &part.record));
            // Of a single part the total says the same.
            let total = (player.parts.len() > 1).then_some((ALL, ALL, &player.total));
            for (place, (material, task, record)) in parts.chain(total).enumerate() {
                let name = if place == 0 { short_name(&player.name) } else { " ".to_owned() };
                let names = [name, material.to_owned(), task.to_owned()];
                grid.push(names.into_iter().chain(figures(record, has_impossible)));
            }
        }
        grid
    }
}

fn figures(record: &AssessedRecord, has_impossible: bool) -> Vec<String> {
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
    let [low, high] = record.interval;
    figures.push(if record.too_little_to_say {
        "too little to say".to_owned()
    } else {
        let like = record.like.as_ref().map_or_else(String::new, |like| format!(", {}", like.words));
        format!("{:.2} ({low} to {high}){like}", record.expected_c)
    });
    figures
}

/// Shortens a player's name, so that it leaves room for other columns.
#[must_use]
pub fn short_name(name: &str) -> String {
    const MOST: usize = 22;
    match name.char_indices().nth(MOST) {
        None => name.to_owned(),
        Some(_) => name.chars().take(MOST - 1).chain(['…']).collect(),
    }
}
