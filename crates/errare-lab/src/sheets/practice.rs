//! Sheets of lessons and of positions to practise.

use crate::csv_cell::{cell, exact};
use crate::sheet::{Sheet, ToSheet};
use crate::{CourseResponse, DrawResponse};

impl ToSheet for CourseResponse {
    fn to_sheet(&self) -> Sheet {
        let mut sheet = Sheet::new(&[
            "id", "title", "material", "men", "human", "task", "fen", "depth", "opponent", "ready", "seconds", "goal",
        ]);
        for lesson in &self.lessons {
            sheet.push([
                lesson.id.clone(),
                lesson.title.clone(),
                lesson.material.clone(),
                lesson.men.to_string(),
                lesson.human.name().to_owned(),
                lesson.task.name().to_owned(),
                lesson.start.fen.clone().unwrap_or_default(),
                cell(lesson.start.depth),
                lesson.opponent.to_string(),
                lesson.tables.ready.to_string(),
                cell(lesson.tables.seconds),
                lesson.goal.clone(),
            ]);
        }
        sheet
    }
}

impl ToSheet for DrawResponse {
    /// Makes a row for each depth if depths were compared, else one row.
    fn to_sheet(&self) -> Sheet {
        if self.depths.is_empty() {
            let mut sheet = Sheet::new(&["fen", "material", "human", "task", "depth", "chance"]);
            sheet.push([
                self.fen.clone(),
                self.material.clone(),
                self.human.name().to_owned(),
                self.task.name().to_owned(),
                cell(self.depth),
                cell(self.chance.map(exact)),
            ]);
            return sheet;
        }
        let mut sheet = Sheet::new(&["depth", "chance", "positions", "fen"]);
        for row in &self.depths {
            let fen = if row.depth == self.depth { self.fen.clone() } else { String::new() };
            sheet.push([cell(row.depth), exact(row.chance), row.positions.to_string(), fen]);
        }
        sheet
    }
}
