//! Parquet files whose rows have cells, texts or numbers, and a list of scored lines each.
//!
//! The columns of the cells are up to the caller. `lines` is a list of (`uci`, `centipawns`, `mate`), of which either of
//! the last two may be missing. A checksum over the whole file stands in its metadata.

mod checksum;
mod read;
mod write;

pub use read::ColumnsReader;
pub use write::ColumnsWriter;

/// The type of the cells of a column.
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
    /// Name of the column in the file.
    pub name: &'static str,
    /// Whether the cells of the column are texts or numbers.
    pub kind: ColumnKind,
    /// Whether every row has a cell.
    pub is_required: bool,
}

/// The content of one cell: a text or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

impl Cell {
    /// Returns the text of a cell; none if the cell is a number.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self {
            Cell::Text(text) => Some(text),
            Cell::Number(_) => None,
        }
    }

    /// Returns the number of a cell; none if the cell is a text.
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
pub struct ScoredMove {
    /// The move, in UCI notation.
    pub uci: String,
    /// The score of the move, if that is in hundredths of a pawn.
    pub centipawns: Option<i32>,
    /// The number of moves to mate, if the score is a mate.
    pub mate: Option<i32>,
}

/// A row of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The cells of the row, one for each column and in their order.
    pub cells: Vec<Option<Cell>>,
    /// The scored moves of the row.
    pub lines: Vec<ScoredMove>,
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// The system cannot read the file.
    #[error("cannot read it: {0}")]
    Read(std::io::Error),
    /// The file is no Parquet file, a damaged one, or one with other columns.
    #[error("{0}")]
    Parquet(String),
}

impl From<parquet::errors::ParquetError> for ColumnsError {
    fn from(error: parquet::errors::ParquetError) -> ColumnsError {
        ColumnsError::Parquet(error.to_string())
    }
}

/// The paths of the columns that a line consists of.
const LINE: [&str; 3] = ["lines.list.element.uci", "lines.list.element.centipawns", "lines.list.element.mate"];

/// The definition level of a line that is there, and of a score of its kind.
const PRESENT: i16 = 1;
const SCORED: i16 = 2;
