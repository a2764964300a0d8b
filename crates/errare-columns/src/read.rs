//! Reads Parquet columns into rows.

use crate::{Cell, Column, ColumnKind, ColumnsError, LINE, PRESENT, Row, SCORED, ScoredMove, checksum};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::vec;

/// Number of rows unpacked at once.
const BATCH: usize = 1024;

/// Reads rows of a Parquet file one after the other.
pub struct ColumnsReader {
    columns: &'static [Column],
    file: SerializedFileReader<File>,
    /// The next group of rows, and how many of the current one are still to be read.
    next_group: usize,
    left: usize,
    cells: Vec<ColumnReader>,
    lines: Option<Lines>,
    ready: vec::IntoIter<Row>,
    row: u64,
    /// Whether a checksum vouches for the whole file.
    is_checked: bool,
    is_broken: bool,
}

struct Lines {
    moves: ColumnReaderImpl<ByteArrayType>,
    centipawns: ColumnReaderImpl<Int32Type>,
    mate: ColumnReaderImpl<Int32Type>,
}

impl ColumnsReader {
    /// Opens a file, and compares its checksum if it has one.
    ///
    /// # Errors
    /// If it cannot be read, is no Parquet file, or is damaged.
    pub fn new(columns: &'static [Column], file: File) -> Result<ColumnsReader, ColumnsError> {
        let length = file.metadata().map_err(ColumnsError::Read)?.len();
        let is_checked = checksum::check(&file, length)?;
        // The parquet crate may panic on damaged files.
        let file = panic::catch_unwind(|| SerializedFileReader::new(file))
            .unwrap_or_else(|_| Err(ParquetError::General("the file is damaged".to_owned())))?;
        check_extents(&file, length)?;
        Ok(ColumnsReader {
            columns,
            file,
            is_checked,
            next_group: 0,
            left: 0,
            cells: Vec::new(),
            lines: None,
            ready: Vec::new().into_iter(),
            row: 0,
            is_broken: false,
        })
    }

    /// Number of the row that was read last, from 1.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.row
    }

    /// Whether a checksum vouches for the whole file.
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Unpacks more rows; returns whether there were any.
    fn refill(&mut self) -> Result<bool, ColumnsError> {
        while self.left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(false);
            }
            self.open_group()?;
        }
        let count = self.left.min(BATCH);
        let mut rows = vec![Row { cells: Vec::with_capacity(self.columns.len()), lines: Vec::new() }; count];
        for (column, reader) in self.columns.iter().zip(&mut self.cells) {
            let cells = match reader {
                ColumnReader::ByteArrayColumnReader(reader) => read_cells(reader, count, |bytes: ByteArray| {
                    String::from_utf8(bytes.data().to_vec()).ok().map(Cell::Text)
                })?,
                ColumnReader::Int64ColumnReader(reader) => {
                    read_cells(reader, count, |number| Some(Cell::Number(number)))?
                }
                _ => return Err(no_column(column.name)),
            };
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.cells.push(cell));
        }
        let lines = self.lines.as_mut().ok_or_else(|| no_column("lines"))?;
        lines.read(&mut rows)?;
        self.left -= count;
        self.ready = rows.into_iter();
        Ok(true)
    }

    fn open_group(&mut self) -> Result<(), ColumnsError> {
        let group = self.file.get_row_group(self.next_group)?;
        let schema = group.metadata().schema_descr();
        let find = |path: &str, levels: (i16, i16)| {
            let place = schema.columns().iter().position(|column| {
                column.path().string() == path && (column.max_def_level(), column.max_rep_level()) == levels
            });
            Ok::<_, ColumnsError>(group.get_column_reader(place.ok_or_else(|| no_column(path))?)?)
        };
        let mut cells = Vec::new();
        for column in self.columns {
            let reader = find(column.name, (i16::from(!column.is_required), 0))?;
            let fits = match column.kind {
                ColumnKind::Text => matches!(reader, ColumnReader::ByteArrayColumnReader(_)),
                ColumnKind::Number => matches!(reader, ColumnReader::Int64ColumnReader(_)),
            };
            cells.push(if fits { reader } else { return Err(no_column(column.name)) });
        }
        self.lines = match (find(LINE[0], (PRESENT, 1))?, find(LINE[1], (SCORED, 1))?, find(LINE[2], (SCORED, 1))?) {
            (
                ColumnReader::ByteArrayColumnReader(moves),
                ColumnReader::Int32ColumnReader(centipawns),
                ColumnReader::Int32ColumnReader(mate),
            ) => Some(Lines { moves, centipawns, mate }),
            _ => return Err(no_column("lines")),
        };
        self.left = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        self.cells = cells;
        self.next_group += 1;
        Ok(())
    }
}

impl Iterator for ColumnsReader {
    type Item = Result<Row, ColumnsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        if self.ready.as_slice().is_empty() {
            // The parquet crate may panic on damaged pages. Nothing is read after that, so the state that the panic left
            // behind is never used.
            let refilled = panic::catch_unwind(AssertUnwindSafe(|| self.refill()));
            match refilled.unwrap_or_else(|_| Err(ColumnsError::Parquet("the file is damaged".to_owned()))) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.is_broken = true;
                    return Some(Err(error));
                }
            }
        }
        self.row += 1;
        self.ready.next().map(Ok)
    }
}

/// Checks that every column lies within the file, which the parquet crate assumes.
fn check_extents(file: &SerializedFileReader<File>, length: u64) -> Result<(), ColumnsError> {
    let mut columns = file.metadata().row_groups().iter().flat_map(|group| group.columns());
    let is_inside = columns.all(|column| {
        let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
        let end = u64::try_from(start).ok().zip(u64::try_from(column.compressed_size()).ok());
        end.and_then(|(start, size)| start.checked_add(size)).is_some_and(|end| end <= length)
    });
    if is_inside { Ok(()) } else { Err(ColumnsError::Parquet("the file is damaged".to_owned())) }
}

fn no_column(name: &str) -> ColumnsError {
    ColumnsError::Parquet(format!("missing column `{name}` of the type that `errare evaluate` writes"))
}

fn damaged() -> ColumnsError {
    ColumnsError::Parquet("a column has fewer rows than the others".to_owned())
}

/// Reads the next `count` cells of a column.
fn read_cells<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    cell: impl Fn(T::T) -> Option<Cell>,
) -> Result<Vec<Option<Cell>>, ColumnsError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (read, _, _) = reader.read_records(count, Some(&mut levels), None, &mut values)?;
    if read != count {
        return Err(damaged());
    }
    let mut values = values.into_iter();
    let mut take = || {
        let text = || ColumnsError::Parquet("a text is not UTF-8".to_owned());
        values.next().ok_or_else(damaged).and_then(|value| cell(value).ok_or_else(text))
    };
    if levels.is_empty() {
        return (0..count).map(|_| take().map(Some)).collect();
    }
    levels.into_iter().map(|level| if level == 0 { Ok(None) } else { take().map(Some) }).collect()
}

impl Lines {
    fn read(&mut self, rows: &mut [Row]) -> Result<(), ColumnsError> {
        let (mut moves, mut present, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let (read, _, _) = self.moves.read_records(rows.len(), Some(&mut present), Some(&mut repeated), &mut moves)?;
        let centipawns = scores(&mut self.centipawns, rows.len())?;
        let mates = scores(&mut self.mate, rows.len())?;
        if read != rows.len() || centipawns.len() != present.len() || mates.len() != present.len() {
            return Err(damaged());
        }
        let mut moves = moves.into_iter();
        let mut rows = rows.iter_mut();
        let mut row = None;
        for (((level, repeat), centipawns), mate) in present.into_iter().zip(repeated).zip(centipawns).zip(mates) {
            if repeat == 0 {
                row = rows.next();
            }
            let row = row.as_mut().ok_or_else(damaged)?;
            if level < PRESENT {
                continue;
            }
            let uci = moves.next().ok_or_else(damaged)?;
            let uci = uci.as_utf8().map_err(|_| ColumnsError::Parquet("a move is not UTF-8".to_owned()))?.to_owned();
            row.lines.push(ScoredMove { uci, centipawns, mate });
        }
        Ok(())
    }
}

/// Reads the scores of one kind; a line without one gives none.
fn scores(reader: &mut ColumnReaderImpl<Int32Type>, count: usize) -> Result<Vec<Option<i32>>, ColumnsError> {
    let (mut values, mut levels, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    reader.read_records(count, Some(&mut levels), Some(&mut repeated), &mut values)?;
    let mut values = values.into_iter();
    let score = |level: i16| if level == SCORED { values.next().map(Some).ok_or_else(damaged) } else { Ok(None) };
    levels.into_iter().map(score).collect()
}
