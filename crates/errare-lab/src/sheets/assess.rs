//! Sheets of assessments: a row for each move, or for each player, endgame and task.

use crate::csv_cell::{cell, exact};
use crate::sheet::{Sheet, SheetRows, ToSheet};
use crate::{AssessResponse, AssessedGame, AssessedMove, AssessedRecord, AssessedSegment, GivenUp};

/// The name that stands for all endgames, or tasks, together.
const ALL: &str = "all";

impl SheetRows for AssessedGame {
    const COLUMNS: &'static [&'static str] = &[
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

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |segment: &AssessedSegment, mv: &AssessedMove| {
            vec![
                cell(self.heading.file.as_deref()),
                self.heading.number.to_string(),
                self.heading.white.clone(),
                self.heading.black.clone(),
                segment.material.clone(),
                segment.metric.clone(),
                mv.heading.ply.to_string(),
                mv.heading.move_number.clone(),
                mv.heading.side.name().to_owned(),
                mv.heading.san.clone(),
                mv.task.name().to_owned(),
                mv.effect.outcome_before.name().to_owned(),
                cell(mv.effect.depth_before),
                mv.effect.outcome_after.name().to_owned(),
                cell(mv.effect.depth_after),
                cell(mv.effect.given_up.map(GivenUp::name)),
                cell(mv.effect.conceded),
                mv.conceded_total.to_string(),
                mv.optimal.join(" "),
                mv.model_choice.clone(),
                exact(mv.expected_c),
                exact(mv.sd_c),
                exact(mv.interval[0]),
                exact(mv.interval[1]),
                mv.too_little_to_say.to_string(),
                mv.impossible.to_string(),
            ]
        };
        self.segments.iter().flat_map(|segment| segment.moves.iter().map(move |mv| row(segment, mv))).collect()
    }
}

impl ToSheet for AssessResponse {
    /// Makes a row for each player, endgame and task, and one for each player in all.
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&[
            "player",
            "material",
            "task",
            "games",
            "moves",
            "choices",
            "wins_to_draws",
            "wins_to_losses",
            "draws_to_losses",
            "conceded",
            "impossible",
            "expected_c",
            "sd_c",
            "low",
            "high",
            "sd_ratio",
            "too_little_to_say",
            "like_elo",
        ]);
        for player in &self.players {
            for part in &player.parts {
                sheet.push(record(&player.name, &part.material, part.task.name(), &part.record));
            }
            sheet.push(record(&player.name, ALL, ALL, &player.total));
        }
        sheet
    }
}

fn record(player: &str, material: &str, task: &str, record: &AssessedRecord) -> [String; 18] {
    [
        player.to_owned(),
        material.to_owned(),
        task.to_owned(),
        record.games.to_string(),
        record.moves.to_string(),
        record.choices.to_string(),
        record.wins_to_draws.to_string(),
        record.wins_to_losses.to_string(),
        record.draws_to_losses.to_string(),
        record.conceded.to_string(),
        record.impossible.to_string(),
        exact(record.expected_c),
        exact(record.sd_c),
        exact(record.interval[0]),
        exact(record.interval[1]),
        exact(record.sd_ratio),
        record.too_little_to_say.to_string(),
        record.like.as_ref().and_then(|like| like.elo).map(exact).unwrap_or_default(),
    ]
}
