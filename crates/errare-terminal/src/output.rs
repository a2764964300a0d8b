//! Data on stdout: tables for people, JSON and CSV for programs.
//!
//! An output flag may claim stdout for its file by `-`. Then nothing else is written there.

use crate::safe_text::safe;
use crate::table::table_text;
use clap::ValueEnum;
use errare_lab::{Sheet, ToSheet, csv_record};
use errare_work::is_stdout;
use serde::Serialize;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

/// How a response is written.
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

/// Standard output cannot be written.
#[derive(Debug)]
pub struct OutputError(io::Error);

impl OutputError {
    /// Whether the reader has gone.
    #[must_use]
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

/// Standard output, for text and data. Every method leaves nothing behind in a buffer.
pub struct Output(BufWriter<Box<dyn Write + Send>>);

impl Output {
    /// Opens standard output.
    #[must_use]
    pub fn stdout() -> Output {
        Output(BufWriter::new(Box::new(io::stdout())))
    }

    /// Opens standard output, unless one of these files goes there: then nothing is written.
    #[must_use]
    pub fn beside<'a>(files: impl IntoIterator<Item = &'a Path>) -> Output {
        if files.into_iter().any(is_stdout) { Output(BufWriter::new(Box::new(io::sink()))) } else { Output::stdout() }
    }

    /// The width of the terminal on standard output, in columns; none if standard output is no terminal.
    #[must_use]
    pub fn room(&self) -> Option<usize> {
        let stdout = io::stdout();
        let size = stdout.is_terminal().then(|| terminal_size::terminal_size_of(&stdout)).flatten();
        size.map(|(terminal_size::Width(columns), _)| usize::from(columns))
    }

    /// Writes data such as JSON or scripts, unchanged.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.0.write_all(bytes).and_then(|()| self.0.flush()).map_err(OutputError)
    }

    /// Writes a line, or several, of text for people.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn line(&mut self, line: &str) -> Result<(), OutputError> {
        self.bytes(format!("{}\n", safe(line)).as_bytes())
    }

    /// Writes lines of text for people.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn lines<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) -> Result<(), OutputError> {
        lines.into_iter().try_for_each(|line| self.line(line.as_ref()))
    }

    /// Writes a table for people, as wide as the terminal at the most.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn table(&mut self, sheet: &Sheet) -> Result<(), OutputError> {
        self.bytes(table_text(sheet, self.room()).as_bytes())
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), OutputError> {
        serde_json::to_writer_pretty(&mut self.0, value)?;
        self.bytes(b"\n")
    }

    /// Writes one record of CSV.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn record<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) -> Result<(), OutputError> {
        self.bytes(csv_record(cells).as_bytes())
    }

    /// Writes a sheet as CSV.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn csv(&mut self, sheet: &Sheet) -> Result<(), OutputError> {
        self.bytes(sheet.to_csv().as_bytes())
    }

    /// Writes a response in the format that was asked for, as `text` writes it if it is for people.
    ///
    /// # Errors
    /// If standard output cannot be written, or `text` fails.
    pub fn response<T: Serialize + ToSheet, E: From<OutputError>>(
        &mut self,
        format: Format,
        found: &T,
        text: impl FnOnce(&mut Output, &T) -> Result<(), E>,
    ) -> Result<(), E> {
        match format {
            Format::Json => Ok(self.json(found)?),
            Format::Csv => Ok(self.csv(&found.to_sheet())?),
            Format::Table => text(self, found),
        }
    }
}

/// Writes a line to stderr. If even that fails it cannot be reported.
pub fn say(line: &str) {
    drop(writeln!(io::stderr().lock(), "{}", safe(line)));
}
