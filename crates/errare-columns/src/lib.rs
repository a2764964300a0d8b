//! Parquet files whose rows have cells, texts or numbers, and a list of scored lines each.
//!
//! The columns of the cells are up to the caller. `lines` is a list of (`uci`, `centipawns`, `mate`), of which either of
//! the last two may be missing. A checksum over the whole file stands in its metadata.

mod checksum;
mod read;
mod write;

pub use read::ColumnsReader;
pub use write::ColumnsWriter;

/// What a column has in each of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// UTF-8 text.
    Text,
    /// A whole number of 64 bits.
    Number,
}

/// A column with at most one cell a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the file.
    pub name: &'static str,
    /// Whether its cells are texts or numbers.
    pub kind: ColumnKind,
    /// Whether every row has a cell.
    pub is_required: bool,
}

/// What is in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

impl Cell {
    /// The text, if it is one.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self {
            Cell::Text(text) => Some(text),
            Cell::Number(_) => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(self) -> Option<i64> {
        match self {
            Cell::Number(number) => Some(number),
            Cell::Text(_) => None,
        }
    }
}

/// A move of the list of a row, with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The move.
    pub uci: String,
    /// Its score, if that is in hundredths of a pawn.
    pub centipawns: Option<i32>,
    /// The moves to mate, if there is one.
    pub mate: Option<i32>,
}

/// A row of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// One for each column, in their order.
    pub cells: Vec<Option<Cell>>,
    /// The list.
    pub lines: Vec<Line>,
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// The system cannot read the file.
    #[error("cannot read it: {0}")]
    Read(std::io::Error),
    /// It is no Parquet file, a damaged one, or one with other columns.
    #[error("{0}")]
    Parquet(String),
}

impl From<parquet::errors::ParquetError> for ColumnsError {
    fn from(error: parquet::errors::ParquetError) -> ColumnsError {
        ColumnsError::Parquet(error.to_string())
    }
}

/// The paths of what a line consists of.
const LINE: [&str; 3] = ["lines.list.element.uci", "lines.list.element.centipawns", "lines.list.element.mate"];

/// The definition level of a line that is there, and of a score of its kind.
const PRESENT: i16 = 1;
const SCORED: i16 = 2;
