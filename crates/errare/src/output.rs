//! Data on stdout: tables for people, JSON and CSV for programs.

use clap::ValueEnum;
pub use errare_lab::grouped;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

/// How data is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

/// How a summary of work is written, where there is nothing for a spreadsheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Report {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
}

/// Stdout refused what we had to say.
#[derive(Debug)]
pub struct OutputError(io::Error);

impl OutputError {
    /// Whether the reader has gone.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write the output: {}", self.0)
    }
}

impl std::error::Error for OutputError {}

impl From<serde_json::Error> for OutputError {
    fn from(error: serde_json::Error) -> OutputError {
        OutputError(error.into())
    }
}

/// Where data goes. Every method leaves nothing behind in a buffer.
#[derive(Debug)]
pub struct Output(BufWriter<Stdout>);

impl Output {
    pub fn stdout() -> Output {
        Output(BufWriter::new(io::stdout()))
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.0.write_all(bytes).and_then(|()| self.0.flush()).map_err(OutputError)
    }

    pub fn line(&mut self, line: &str) -> Result<(), OutputError> {
        self.bytes(format!("{line}\n").as_bytes())
    }

    pub fn json(&mut self, value: &impl Serialize) -> Result<(), OutputError> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        self.bytes(b"\n")
    }

    /// One record of CSV.
    pub fn record<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) -> Result<(), OutputError> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(fields).map_err(|error| OutputError(error.into()))?;
        let record = writer.into_inner().map_err(|error| OutputError(error.into_error()))?;
        self.bytes(&record)
    }

    pub fn csv(&mut self, grid: &Grid) -> Result<(), OutputError> {
        self.record(&grid.header)?;
        grid.rows.iter().try_for_each(|row| self.record(row))
    }

    /// Writes a response in the format that was asked for.
    pub fn response<T: Serialize>(
        &mut self,
        format: Format,
        found: &T,
        csv: impl FnOnce(&T) -> Grid,
        text: impl FnOnce(&mut Output, &T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match format {
            Format::Json => Ok(self.json(found)?),
            Format::Csv => Ok(self.csv(&csv(found))?),
            Format::Table => text(self, found),
        }
    }

    /// Writes lines.
    pub fn lines(&mut self, lines: &[String]) -> Result<(), OutputError> {
        lines.iter().try_for_each(|line| self.line(line))
    }

    pub fn grid(&mut self, grid: &Grid) -> Result<(), OutputError> {
        self.bytes(grid.text().as_bytes())
    }
}

/// Rows under a header; an empty cell is one that does not apply.
#[derive(Clone, Debug)]
pub struct Grid {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    pub fn new(header: &[&'static str]) -> Grid {
        Grid::with_columns(header.iter().map(|name| (*name).to_owned()).collect())
    }

    /// With columns that are known only when the program runs.
    pub fn with_columns(header: Vec<String>) -> Grid {
        Grid { header, rows: Vec::new() }
    }

    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    /// Aligned for people: numbers to the right, words to the left, a dash where nothing applies.
    fn text(&self) -> String {
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let columns = 0..self.header.len();
        let widths: Vec<usize> = columns
            .clone()
            .map(|column| {
                cells(column).map(|cell| cell.chars().count()).chain([self.header[column].chars().count(), 1]).max()
            })
            .map(Option::unwrap_or_default)
            .collect();
        // With its sign and unit, if it has any; `1. Kb7` is a move.
        let is_number = |cell: &String| {
            let mut words = cell.split(' ');
            let first = words.next().unwrap_or_default();
            let digit = |c: char| c.is_ascii_digit();
            let unsigned = first.strip_prefix(['+', '-']).unwrap_or(first);
            unsigned.starts_with(digit) && first.ends_with(|c| digit(c) || c == '%') && words.count() < 2
        };
        let right: Vec<bool> = columns
            .map(|column| cells(column).all(|cell| cell.is_empty() || is_number(cell)) && cells(column).any(is_number))
            .collect();
        let mut text = String::new();
        for row in [&self.header].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for ((cell, &width), &right) in row.iter().zip(&widths).zip(&right) {
                let cell = if cell.is_empty() { "-" } else { cell };
                line += &if right { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// A cell, empty where there is nothing to say.
pub fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A size as people read it.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut grid = Grid::new(&["name", "n"]);
        grid.push(["a".to_owned(), "100".to_owned()]);
        grid.push(["long".to_owned(), String::new()]);
        assert_eq!(grid.text(), "name    n\na     100\nlong    -\n");
    }

    #[test]
    fn sizes_carry_their_unit() {
        assert_eq!([1023, 1024, 3 << 19, 5 << 30].map(size), ["1023 B", "1.0 KiB", "1.5 MiB", "5.0 GiB"]);
    }
}
