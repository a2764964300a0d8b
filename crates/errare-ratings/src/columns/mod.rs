//! Turn files as Parquet: one row a turn, a list of lines in each.
//!
//! The columns are those of a [`TurnRow`], in [`FLAT`], and `lines`: a list of (`uci`, `centipawns`, `mate`) of which
//! one of the last two is there.

mod checksum;
mod read;
mod write;

pub(crate) use read::ParquetRows;
pub(crate) use write::ParquetWriter;

use crate::row::{GameName, TurnRow};

/// What is in one place.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Text(String),
    Number(i64),
}

impl Cell {
    fn text(self) -> Option<String> {
        match self {
            Cell::Text(text) => Some(text),
            Cell::Number(_) => None,
        }
    }

    fn number(self) -> Option<i64> {
        match self {
            Cell::Number(number) => Some(number),
            Cell::Text(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
}

/// A column with at most one cell a row.
struct Flat {
    name: &'static str,
    kind: Kind,
    /// Whether every row has a cell.
    is_required: bool,
    get: fn(&TurnRow) -> Option<Cell>,
    /// Tells whether the field takes it.
    set: fn(&mut TurnRow, Cell) -> bool,
}

macro_rules! text {
    ($field:ident) => {
        Flat {
            name: stringify!($field),
            kind: Kind::Text,
            is_required: false,
            get: |row| row.$field.clone().map(Cell::Text),
            set: |row, cell| {
                row.$field = cell.text();
                row.$field.is_some()
            },
        }
    };
}

macro_rules! number {
    ($field:ident) => {
        Flat {
            name: stringify!($field),
            kind: Kind::Number,
            is_required: false,
            get: |row| row.$field.map(|number| Cell::Number(number.into())),
            set: |row, cell| {
                row.$field = cell.number().and_then(|number| number.try_into().ok());
                row.$field.is_some()
            },
        }
    };
}

macro_rules! required_text {
    ($field:ident) => {
        Flat {
            name: stringify!($field),
            kind: Kind::Text,
            is_required: true,
            get: |row| Some(Cell::Text(row.$field.clone())),
            set: |row, cell| cell.text().map(|text| row.$field = text).is_some(),
        }
    };
}

/// All columns, in their order in the file.
const FLAT: [Flat; 20] = [
    number!(milepost),
    Flat {
        name: "game",
        kind: Kind::Number,
        is_required: false,
        // The writer has refused other names.
        get: |row| match row.game {
            Some(GameName::Number(number)) => Some(Cell::Number(number)),
            _ => None,
        },
        set: |row, cell| {
            row.game = cell.number().map(GameName::Number);
            row.game.is_some()
        },
    },
    text!(source),
    number!(source_game),
    text!(white),
    text!(black),
    number!(white_elo),
    number!(black_elo),
    text!(date),
    text!(event),
    text!(site),
    text!(round),
    text!(result),
    Flat {
        name: "ply",
        kind: Kind::Number,
        is_required: true,
        get: |row| Some(Cell::Number(row.ply.into())),
        set: |row, cell| {
            let ply = cell.number().and_then(|number| number.try_into().ok());
            ply.map(|ply| row.ply = ply).is_some()
        },
    },
    required_text!(fen),
    required_text!(played),
    text!(engine),
    number!(depth),
    text!(settings),
    text!(engine_file),
];

/// The paths of what a line consists of.
const LINE: [&str; 3] = ["lines.list.element.uci", "lines.list.element.centipawns", "lines.list.element.mate"];

/// The definition level of a line that is there, and of a score of its kind.
const PRESENT: i16 = 1;
const SCORED: i16 = 2;

/// The schema in Parquet's own words.
fn schema() -> String {
    let mut text = String::from("message turn {\n");
    for column in &FLAT {
        let presence = if column.is_required { "required" } else { "optional" };
        let kind = match column.kind {
            Kind::Text => format!("binary {} (STRING)", column.name),
            Kind::Number => format!("int64 {}", column.name),
        };
        text += &format!("  {presence} {kind};\n");
    }
    text += "  required group lines (LIST) {\n    repeated group list {\n      required group element {\n";
    text += "        required binary uci (STRING);\n        optional int32 centipawns;\n        optional int32 mate;\n";
    text + "      }\n    }\n  }\n}\n"
}

#[cfg(test)]
mod tests;
