//! Tables of Markov models for people.

use crate::markov::MarkovResponse;
use crate::sheet::{Sheet, ToSheet};

impl MarkovResponse {
    /// Makes a table of the chances by number of moves, a row for each; none if they were not asked for.
    #[must_use]
    pub fn passage_table(&self) -> Option<Sheet> {
        let mut grid = Sheet::new(&["c", "from depth", "moves", "expected depth", "won exactly then", "won by then"]);
        let mut is_empty = true;
        for outlook in &self.results {
            let mut push = |from: u16, moves: u32, depth: String, exactly: String, at_most: String| {
                is_empty = false;
                grid.push([
                    outlook.competence.to_string(),
                    from.to_string(),
                    moves.to_string(),
                    depth,
                    exactly,
                    at_most,
                ]);
            };
            for (&moves, after) in &outlook.after {
                let depth = after.expected_depth.map_or_else(String::new, |depth| format!("{depth:.3}"));
                push(after.from_depth, moves, depth, String::new(), String::new());
            }
            if let Some(passage) = &outlook.passage {
                for (moves, (exactly, at_most)) in (0..).zip(passage.exactly.iter().zip(&passage.at_most)) {
                    push(passage.from_depth, moves, String::new(), format!("{exactly:.6}"), format!("{at_most:.6}"));
                }
            }
        }
        (!is_empty).then_some(grid)
    }

    /// Makes a table with a row for each competence and depth.
    #[must_use]
    pub fn table(&self) -> Sheet {
        let shown = |digits: usize| {
            move |value: f64| match value {
                _ if value.is_infinite() => "infinite".to_owned(),
                _ if value.abs() >= 1e9 => format!("{value:.6e}"),
                _ => format!("{value:.digits$}"),
            }
        };
        let is_chance = |column: &str| column.starts_with("within_");
        let sheet = self.to_sheet().formatted(|column| matches!(column, "length" | "sd"), shown(3));
        let chances: Vec<String> = sheet.columns().iter().filter(|column| is_chance(column)).cloned().collect();
        let sheet = sheet.formatted(is_chance, shown(6));
        chances.iter().fold(sheet, |sheet, column| sheet.renamed(column, &column.replace('_', " ")))
    }
}
