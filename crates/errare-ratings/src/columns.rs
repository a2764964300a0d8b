//! Turn files as Parquet: one row a turn, a list of lines in each.
//!
//! The cells of a row are the fields of a [`TurnRow`], in the order of [`FIELDS`]; its list has the lines.

use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::row::{GameName, TurnRow};
use crate::turn_file::TurnPlace;
use errare_columns::{Cell, Column, ColumnKind, ColumnsError, ColumnsReader, ColumnsWriter, Row, ScoredMove};
use std::fs::File;
use std::io::Write;

/// A field of a turn that has a column.
struct Field {
    column: Column,
    get: fn(&TurnRow) -> Option<Cell>,
    /// Sets the field to the value of a cell; returns whether the field takes the cell.
    set: fn(&mut TurnRow, Cell) -> bool,
}

macro_rules! text {
    ($field:ident) => {
        Field {
            column: Column { name: stringify!($field), kind: ColumnKind::Text, is_required: false },
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
        Field {
            column: Column { name: stringify!($field), kind: ColumnKind::Number, is_required: false },
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
        Field {
            column: Column { name: stringify!($field), kind: ColumnKind::Text, is_required: true },
            get: |row| Some(Cell::Text(row.$field.clone())),
            set: |row, cell| cell.text().map(|text| row.$field = text).is_some(),
        }
    };
}

/// The columns of all fields.
static COLUMNS: [Column; FIELDS.len()] = {
    let mut columns = [FIELDS[0].column; FIELDS.len()];
    let mut place = 0;
    while place < columns.len() {
        columns[place] = FIELDS[place].column;
        place += 1;
    }
    columns
};

/// All fields with a column, in their order in the file.
const FIELDS: [Field; 20] = [
    number!(milepost),
    Field {
        column: Column { name: "game", kind: ColumnKind::Number, is_required: false },
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
    Field {
        column: Column { name: "ply", kind: ColumnKind::Number, is_required: true },
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

/// Reads rows of a Parquet file one after the other.
pub(crate) struct ParquetRows(ColumnsReader);

impl ParquetRows {
    pub fn new(file: File) -> Result<ParquetRows, RatingsError> {
        Ok(ParquetRows(ColumnsReader::new(&COLUMNS, file)?))
    }

    /// Number of the row that was read last, from 1.
    pub fn row(&self) -> u64 {
        self.0.row()
    }

    /// Number of rows so far that no checksum vouches for.
    pub fn unchecked(&self) -> u64 {
        if self.0.is_checked() { 0 } else { self.row() }
    }
}

impl Iterator for ParquetRows {
    type Item = Result<TurnRow, RatingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next()?;
        Some(
            row.map_err(RatingsError::from)
                .and_then(|row| turn_of(row).map_err(|error| error.at(TurnPlace::Row(self.row())))),
        )
    }
}

fn turn_of(row: Row) -> Result<TurnRow, RatingsError> {
    let mut turn = TurnRow::default();
    for (field, cell) in FIELDS.iter().zip(row.cells) {
        if !cell.is_none_or(|cell| (field.set)(&mut turn, cell)) {
            return Err(RatingsError::Record(format!("invalid value of `{}`", field.column.name)));
        }
    }
    turn.lines = row.lines.into_iter().map(evaluated).collect::<Result<_, _>>()?;
    Ok(turn)
}

fn evaluated(line: ScoredMove) -> Result<(String, Evaluation), RatingsError> {
    match (line.centipawns, line.mate) {
        (Some(value), None) => Ok((line.uci, Evaluation::Centipawns(value))),
        (None, Some(moves)) => Ok((line.uci, Evaluation::Mate(moves))),
        _ => Err(RatingsError::Record(format!("the line of {} needs either centipawns or a mate", line.uci))),
    }
}

/// Writes rows to a Parquet file, group by group.
pub(crate) struct ParquetWriter<W: Write + Send> {
    columns: ColumnsWriter,
    out: W,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub fn new(out: W) -> Result<ParquetWriter<W>, RatingsError> {
        // Hardly any position comes twice.
        Ok(ParquetWriter { columns: ColumnsWriter::new(&COLUMNS, &["fen"])?, out })
    }

    pub fn write(&mut self, turn: TurnRow) -> Result<(), RatingsError> {
        if let Some(GameName::Text(name)) = &turn.game {
            let what = format!("the game `{name}` has no number: Parquet files need one, .jsonl does not");
            return Err(RatingsError::Unsupported(what));
        }
        if !turn.other_depths.is_empty() {
            let what = "Parquet files have no place for evaluations at other depths: use .jsonl";
            return Err(RatingsError::Unsupported(what.to_owned()));
        }
        let bytes = self.columns.write(row_of(turn))?;
        self.out.write_all(&bytes).map_err(RatingsError::Write)
    }

    pub fn finish(mut self) -> Result<W, RatingsError> {
        let bytes = self.columns.finish()?;
        self.out.write_all(&bytes).map_err(RatingsError::Write)?;
        Ok(self.out)
    }
}

fn row_of(turn: TurnRow) -> Row {
    let cells = FIELDS.iter().map(|field| (field.get)(&turn)).collect();
    let line = |(uci, evaluation)| match evaluation {
        Evaluation::Centipawns(value) => ScoredMove { uci, centipawns: Some(value), mate: None },
        Evaluation::Mate(moves) => ScoredMove { uci, centipawns: None, mate: Some(moves) },
    };
    Row { cells, lines: turn.lines.into_iter().map(line).collect() }
}

impl From<ColumnsError> for RatingsError {
    fn from(error: ColumnsError) -> RatingsError {
        match error {
            ColumnsError::Read(source) => RatingsError::Open(source),
            error => RatingsError::Parquet(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;
