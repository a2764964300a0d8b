//! `errare table build`.

use crate::Verdict;
use crate::metrics::{Metrics, wanted};
use crate::settings::Settings;
use anyhow::Result;
use clap::{ArgGroup, Args};
use errare_lab::{BuildRequest, BuiltTable, SheetRows, TableState, Text, cell, counted, grouped};
use errare_tables::{MAX_MEN, Material};
use errare_terminal::{ByteSize, FixedColumn, FixedColumns, Format, Output, OutputError};

/// Build endgame tables
///
/// Every table that was built is reported with what it cost, the endgames that captures and
/// promotions lead to included; tables that are there already are reported as present. Times are in
/// seconds, CPU times over all threads; the peak memory is that of the whole run so far. The deepest
/// wins of White, the side named first, and of Black are in plies. What a killed run has finished is
/// not done again.
///
/// JSON: see `errare schema build`.
#[derive(Args, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("what").required(true).args(["materials", "men"])), after_help = "\
Examples:
  errare table build KQKR                       # KQKR, KQK and KRK, to mate
  errare table build KQKR KRKN --metric dtc     # to conversion, as models of players need them
  errare table build KRPKR --metric dtz,dtm     # with pawns, and all that promotions lead to
  errare table build --men 5 --metric dtz       # every endgame of 3 to 5 men; a second run goes on
  errare table build KRBKR --memory 1G --format json")]
pub struct Flags {
    /// Endgames, such as KQKR, kbbkn or KQvKR
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// Metrics, separated by commas: dtm, dtc, dtz, dtz50 (or another move rule), dtr; or all [default: dtm]
    #[arg(long, value_name = "METRIC,...")]
    metric: Option<Metrics>,
    /// Every endgame of 3 to N men; with pawns up to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let materials = flags.materials.into_iter().map(Text).collect();
    let request = BuildRequest { materials, men: flags.men, metrics: wanted(flags.metric.as_ref()) };
    let mut output = Output::stdout();
    let columns = FixedColumns::new(&SHOWN, output.room());
    match flags.format {
        Format::Table => output.line(&columns.heading())?,
        Format::Csv => output.record(BuiltTable::COLUMNS)?,
        Format::Json => {}
    }
    let mut tables: Vec<BuiltTable> = Vec::new();
    let built = settings.run_each(&request, |table| {
        tables.push(table.clone());
        match flags.format {
            Format::Table => output.line(&columns.line(&cells(table))),
            Format::Csv => table.rows().into_iter().try_for_each(|row| output.record(row)),
            Format::Json => Ok(()),
        }
    });
    // What was built before something failed was built all the same.
    close(&mut output, flags.format, &tables)?;
    if flags.format == Format::Table {
        output.bytes(columns.note().as_bytes())?;
    }
    built.map(|()| Verdict::Clean)
}

fn close(output: &mut Output, format: Format, tables: &[BuiltTable]) -> Result<(), OutputError> {
    match format {
        Format::Json => output.json(&tables),
        Format::Table if tables.len() > 1 => output.line(&total(tables)),
        Format::Table | Format::Csv => Ok(()),
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

/// The last line of a report.
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
