//! Tables that were built, as people see them: a line each as soon as it is there, and a line for all of them.

use crate::{ByteSize, FixedColumn, FixedColumns, Format, Output, OutputError};
use errare_lab::{BuiltTable, SheetRows, TableState, cell, counted, grouped};

/// Writes tables as they are built.
pub struct BuiltTables {
    output: Output,
    columns: FixedColumns,
    format: Format,
    tables: Vec<BuiltTable>,
}

impl BuiltTables {
    /// Begins the output with the headings.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn new(format: Format) -> Result<BuiltTables, OutputError> {
        let mut output = Output::stdout();
        let columns = FixedColumns::new(&SHOWN, output.room());
        match format {
            Format::Table => output.line(&columns.heading())?,
            Format::Csv => output.record(BuiltTable::COLUMNS)?,
            Format::Json => {}
        }
        Ok(BuiltTables { output, columns, format, tables: Vec::new() })
    }

    /// Writes one more table.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, table: &BuiltTable) -> Result<(), OutputError> {
        self.tables.push(table.clone());
        match self.format {
            Format::Table => self.output.line(&self.columns.line(&cells(table))),
            Format::Csv => table.rows().into_iter().try_for_each(|row| self.output.record(row)),
            Format::Json => Ok(()),
        }
    }

    /// Ends the output with a line for all tables, or with all of them as JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(), OutputError> {
        match self.format {
            Format::Json => return self.output.json(&self.tables),
            Format::Table if self.tables.len() > 1 => self.output.line(&total(&self.tables))?,
            Format::Table | Format::Csv => {}
        }
        if self.format == Format::Table {
            self.output.bytes(self.columns.note().as_bytes())?;
        }
        Ok(())
    }
}

/// The columns that people see; what a table cost is dispensable before what it is.
const SHOWN: [FixedColumn; 11] = [
    FixedColumn { name: "endgame", width: 8, is_right: false, dispensable: 0 },
    FixedColumn { name: "metric", width: 8, is_right: false, dispensable: 0 },
    FixedColumn { name: "state", width: 8, is_right: false, dispensable: 0 },
    FixedColumn { name: "solving s", width: 9, is_right: true, dispensable: 1 },
    FixedColumn { name: "CPU s", width: 8, is_right: true, dispensable: 3 },
    FixedColumn { name: "storing s", width: 10, is_right: true, dispensable: 2 },
    FixedColumn { name: "CPU s", width: 8, is_right: true, dispensable: 3 },
    FixedColumn { name: "peak memory", width: 12, is_right: true, dispensable: 2 },
    FixedColumn { name: "size", width: 11, is_right: true, dispensable: 0 },
    FixedColumn { name: "White wins in", width: 14, is_right: true, dispensable: 0 },
    FixedColumn { name: "Black wins in", width: 14, is_right: true, dispensable: 0 },
];

fn cells(table: &BuiltTable) -> [String; 11] {
    let seconds = |time: Option<f64>| cell(time.map(|time| format!("{time:.2}")));
    let plies = |plies: Option<u16>| cell(plies.map(|plies| counted(plies, "ply")));
    [
        table.material.clone(),
        table.metric.clone(),
        table.state.name().to_owned(),
        seconds(table.solving_seconds),
        seconds(table.solving_cpu_seconds),
        seconds(table.storing_seconds),
        seconds(table.storing_cpu_seconds),
        cell(table.peak_memory_bytes.map(ByteSize)),
        ByteSize(table.bytes).to_string(),
        plies(table.white_max_plies),
        plies(table.black_max_plies),
    ]
}

/// The last line of a report, with sums over all tables.
fn total(entries: &[BuiltTable]) -> String {
    let built: Vec<&BuiltTable> = entries.iter().filter(|entry| entry.state == TableState::Built).collect();
    // Not `sum`, which makes -0.0 of nothing.
    let sum = |seconds: fn(&BuiltTable) -> Option<f64>| {
        built.iter().filter_map(|entry| seconds(entry)).fold(0.0, |sum, seconds| sum + seconds)
    };
    let wall = sum(|entry| entry.solving_seconds) + sum(|entry| entry.storing_seconds);
    let cpu = sum(|entry| entry.solving_cpu_seconds) + sum(|entry| entry.storing_cpu_seconds);
    let deepest = |entry: &&BuiltTable| entry.white_max_plies.max(entry.black_max_plies);
    let deepest = entries.iter().max_by_key(deepest).and_then(|entry| Some((entry, deepest(&entry)?)));
    let bytes = ByteSize(entries.iter().map(|entry| entry.bytes).sum());
    let mut line = format!(
        "{}, {bytes}; {} built in {wall:.1} s, {cpu:.1} CPU s",
        counted(entries.len(), "table"),
        grouped(built.len() as u64)
    );
    if let Some((entry, plies)) = deepest {
        line += &format!("; deepest win: {} {} in {}", entry.material, entry.metric, counted(plies, "ply"));
    }
    line
}
