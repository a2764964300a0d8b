//! Data on stdout: tables for people, JSON and CSV for programs.
//!
//! An output flag may claim stdout for its file by `-`. Then nothing else is written there.

pub use crate::csv_cell::exact;
use crate::csv_cell::protected;
pub use crate::grid::Grid;
use crate::safe_text::safe;
use clap::ValueEnum;
pub use errare_lab::{counted, grouped};
use errare_work::is_stdout;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// How data is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
    /// For spreadsheets: numbers in full; a text that begins with = + - @ has a ' before it
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
pub struct Output(BufWriter<Box<dyn Write + Send>>);

impl Output {
    pub fn stdout() -> Output {
        Output(BufWriter::new(Box::new(io::stdout())))
    }

    /// Stdout, unless one of these files goes there: then nothing is written.
    pub fn beside<'a>(files: impl IntoIterator<Item = &'a Path>) -> Output {
        if files.into_iter().any(is_stdout) { Output(BufWriter::new(Box::new(io::sink()))) } else { Output::stdout() }
    }

    /// The width of the terminal that this is written to, if it is one.
    pub fn room(&self) -> Option<usize> {
        let stdout = io::stdout();
        let size = stdout.is_terminal().then(|| terminal_size::terminal_size_of(&stdout)).flatten();
        size.map(|(terminal_size::Width(columns), _)| usize::from(columns))
    }

    /// Data as they are: JSON, scripts.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.0.write_all(bytes).and_then(|()| self.0.flush()).map_err(OutputError)
    }

    /// A line, or several, of text for people.
    pub fn line(&mut self, line: &str) -> Result<(), OutputError> {
        self.bytes(format!("{}\n", safe(line)).as_bytes())
    }

    pub fn json(&mut self, value: &impl Serialize) -> Result<(), OutputError> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        self.bytes(b"\n")
    }

    /// One record of CSV.
    pub fn record<T: AsRef<[u8]>>(&mut self, fields: impl IntoIterator<Item = T>) -> Result<(), OutputError> {
        self.bytes(&csv_record(fields)?)
    }

    pub fn csv(&mut self, grid: &Grid) -> Result<(), OutputError> {
        self.bytes(&csv_bytes(grid)?)
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
        self.bytes(grid.text(self.room()).as_bytes())
    }
}

/// A grid as CSV.
pub fn csv_bytes(grid: &Grid) -> Result<Vec<u8>, OutputError> {
    let records: Vec<Vec<u8>> = grid.records().map(csv_record).collect::<Result<_, _>>()?;
    Ok(records.concat())
}

fn csv_record<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> Result<Vec<u8>, OutputError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for field in fields {
        writer.write_field(protected(field.as_ref())).map_err(|error| OutputError(error.into()))?;
    }
    writer.write_record(None::<&[u8]>).map_err(|error| OutputError(error.into()))?;
    writer.into_inner().map_err(|error| OutputError(error.into_error()))
}

/// A cell, empty where there is nothing to say.
pub fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The mark of an Elo that lies beyond all mileposts of its calibration.
pub fn elo(value: f64, is_outside_range: bool) -> String {
    format!("{value:.0}{}", if is_outside_range { "*" } else { "" })
}

/// Explains the mark of an Elo beyond the mileposts, given the Elos of the lowest and the highest of them.
pub fn range_note((low, high): (f64, f64)) -> String {
    format!("* outside the range of the calibration, {low:.0} to {high:.0}: extrapolated, and worth little")
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
    fn sizes_carry_their_unit() {
        assert_eq!([1023, 1024, 3 << 19, 5 << 30].map(size), ["1023 B", "1.0 KiB", "1.5 MiB", "5.0 GiB"]);
    }
}
