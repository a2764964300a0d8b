//! `errare table build`.

use crate::Verdict;
use crate::endgame::{Metrics, requests};
use crate::output::{Format, Output, OutputError, cell, size};
use crate::settings::Settings;
use crate::workshop::Workshop;
use anyhow::Result;
use clap::{ArgGroup, Args};
use errare_tables::{BuildReport, Counts, MAX_MEN, MAX_MEN_WITH_PAWNS, Material, Metric, Table};
use serde::Serialize;
use shakmaty::ByColor;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Build endgame tables
///
/// Every table that was built is reported with what it cost, the endgames that captures and
/// promotions lead to included; tables that are there already are reported as present. Times are in
/// seconds, CPU times over all threads; the peak memory is that of the whole run so far. The deepest
/// wins of White, the side named first, and of Black are in plies. What a killed run has finished is
/// not done again.
#[derive(Args, Debug)]
#[group(skip)]
#[command(group(ArgGroup::new("what").required(true).args(["materials", "men"])), after_help = "\
Examples:
  errare table build KQKR                       KQKR and KRK, KQK, to conversion
  errare table build KQKR KBBKN --metric dtm    to mate
  errare table build KRPKR --metric dtz,dtm     with pawns, and all that promotions lead to
  errare table build --men 5 --metric dtz       every endgame of 3 to 5 men; a second run goes on
  errare table build KRBKR --memory 1G --format json")]
pub struct Flags {
    /// Endgames, such as KQKR, kbbkn or KQvKR
    #[arg(value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// Metrics, separated by commas: dtc, dtm, dtz, dtz50 (or another move rule), dtr; or all
    #[arg(long, default_value = "dtc", value_name = "METRIC,...")]
    metric: Metrics,
    /// Every endgame of 3 to N men; with pawns up to 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let materials = match flags.men {
        Some(men) => (3..=usize::from(men)).flat_map(|men| Material::all(men, men <= MAX_MEN_WITH_PAWNS)).collect(),
        None => flags.materials,
    };
    let workshop = Workshop::new(settings);
    let wanted = requests(&materials, &flags.metric);
    workshop.plan(&wanted)?;
    let ledger = Ledger::new(flags.format)?;
    let built = wanted.into_iter().try_for_each(|(material, metric)| {
        let built = build(&workshop, &ledger, material, metric);
        // Of a long row of tables few are needed again soon.
        workshop.library.close_all();
        built
    });
    // What was built before something failed was built all the same.
    ledger.close()?;
    built.map(|()| Verdict::Clean)
}

fn build(workshop: &Workshop, ledger: &Ledger, material: Material, metric: Metric) -> Result<()> {
    let finished = |report: &BuildReport| ledger.enter(Entry::built(report, (material, metric)));
    let table = workshop.mending(&finished, |builder| builder.ensure(material, metric))?;
    ledger.enter_unless_known(Entry::present(&table, metric));
    ledger.check()
}

/// A table that is there now.
#[derive(Clone, Debug, Serialize)]
struct Entry {
    material: String,
    metric: String,
    state: &'static str,
    solving_seconds: Option<f64>,
    solving_cpu_seconds: Option<f64>,
    storing_seconds: Option<f64>,
    storing_cpu_seconds: Option<f64>,
    peak_memory_bytes: Option<u64>,
    bytes: u64,
    white_max_plies: Option<u16>,
    black_max_plies: Option<u16>,
}

/// The deepest wins of the side named first and of the other.
fn deepest_wins(counts: &ByColor<Counts>) -> [Option<u16>; 2] {
    [(&counts.white, &counts.black), (&counts.black, &counts.white)].map(|(mover, other)| {
        let wins = (mover.wins + mover.cursed_wins > 0).then_some(mover.max_win.0);
        wins.max((other.losses + other.blessed_losses > 0).then_some(other.max_loss.0))
    })
}

impl Entry {
    /// A table of the request goes by the name under which it was asked for.
    fn built(report: &BuildReport, (material, metric): (Material, Metric)) -> Entry {
        let is_asked_for = report.material == material && report.metric == metric.stored(material);
        let seconds = |duration: Duration| Some((duration.as_secs_f64() * 1e3).round() / 1e3);
        let [white_max_plies, black_max_plies] = deepest_wins(&report.counts);
        Entry {
            material: report.material.to_string(),
            metric: if is_asked_for { metric } else { report.metric }.to_string(),
            state: "built",
            solving_seconds: seconds(report.solving),
            solving_cpu_seconds: seconds(report.solving_cpu),
            storing_seconds: seconds(report.storing),
            storing_cpu_seconds: seconds(report.storing_cpu),
            peak_memory_bytes: report.peak_memory,
            bytes: report.bytes,
            white_max_plies,
            black_max_plies,
        }
    }

    fn present(table: &Table, metric: Metric) -> Entry {
        let [white_max_plies, black_max_plies] = deepest_wins(&table.header().counts);
        Entry {
            material: table.material().to_string(),
            metric: metric.to_string(),
            state: "present",
            solving_seconds: None,
            solving_cpu_seconds: None,
            storing_seconds: None,
            storing_cpu_seconds: None,
            peak_memory_bytes: None,
            bytes: table.file_len(),
            white_max_plies,
            black_max_plies,
        }
    }

    const COLUMNS: [&str; 11] = [
        "material",
        "metric",
        "state",
        "solving_seconds",
        "solving_cpu_seconds",
        "storing_seconds",
        "storing_cpu_seconds",
        "peak_memory_bytes",
        "bytes",
        "white_max_plies",
        "black_max_plies",
    ];

    fn record(&self) -> [String; 11] {
        [
            self.material.clone(),
            self.metric.clone(),
            self.state.to_owned(),
            cell(self.solving_seconds),
            cell(self.solving_cpu_seconds),
            cell(self.storing_seconds),
            cell(self.storing_cpu_seconds),
            cell(self.peak_memory_bytes),
            self.bytes.to_string(),
            cell(self.white_max_plies),
            cell(self.black_max_plies),
        ]
    }

    /// Lines are written as tables are finished, so their columns cannot wait for the widest cell.
    const HEADING: &str = "endgame  metric   state    solving s    CPU s  storing s    CPU s  peak memory        size  \
                           White wins in  Black wins in";

    fn line(&self) -> String {
        let seconds = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.2}"));
        format!(
            "{:<8} {:<8} {:<8} {:>9} {:>8} {:>10} {:>8} {:>12} {:>11} {:>14} {:>14}",
            self.material,
            self.metric,
            self.state,
            seconds(self.solving_seconds),
            seconds(self.solving_cpu_seconds),
            seconds(self.storing_seconds),
            seconds(self.storing_cpu_seconds),
            self.peak_memory_bytes.map_or("-".to_owned(), size),
            size(self.bytes),
            self.white_max_plies.map_or("-".to_owned(), |plies| format!("{plies} plies")),
            self.black_max_plies.map_or("-".to_owned(), |plies| format!("{plies} plies")),
        )
    }
}

/// The report, written as it grows; JSON, being one value, at the end.
#[derive(Debug)]
struct Ledger {
    format: Format,
    pages: Mutex<Pages>,
}

#[derive(Debug)]
struct Pages {
    output: Output,
    entries: Vec<Entry>,
    failed: Option<OutputError>,
}

impl Ledger {
    fn new(format: Format) -> Result<Ledger> {
        let mut output = Output::stdout();
        match format {
            Format::Table => output.line(Entry::HEADING)?,
            Format::Csv => output.record(Entry::COLUMNS)?,
            Format::Json => {}
        }
        Ok(Ledger { format, pages: Mutex::new(Pages { output, entries: Vec::new(), failed: None }) })
    }

    fn enter(&self, entry: Entry) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match self.format {
            Format::Table => pages.output.line(&entry.line()),
            Format::Csv => pages.output.record(entry.record()),
            Format::Json => Ok(()),
        };
        pages.entries.push(entry);
        if let Err(error) = written {
            pages.failed.get_or_insert(error);
        }
    }

    fn enter_unless_known(&self, entry: Entry) {
        let is_known = {
            let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
            pages.entries.iter().any(|known| (&known.material, &known.metric) == (&entry.material, &entry.metric))
        };
        if !is_known {
            self.enter(entry);
        }
    }

    /// Whether all could be written so far.
    fn check(&self) -> Result<()> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn close(&self) -> Result<()> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let Pages { output, entries, .. } = &mut *pages;
        match self.format {
            Format::Json => output.json(entries)?,
            Format::Table if entries.len() > 1 => output.line(&total(entries))?,
            Format::Table | Format::Csv => {}
        }
        Ok(())
    }
}

/// The last line of a report.
fn total(entries: &[Entry]) -> String {
    let built: Vec<&Entry> = entries.iter().filter(|entry| entry.state == "built").collect();
    let sum = |seconds: fn(&Entry) -> Option<f64>| built.iter().filter_map(|entry| seconds(entry)).sum::<f64>();
    let wall = sum(|entry| entry.solving_seconds) + sum(|entry| entry.storing_seconds);
    let cpu = sum(|entry| entry.solving_cpu_seconds) + sum(|entry| entry.storing_cpu_seconds);
    let deepest = |entry: &&Entry| entry.white_max_plies.max(entry.black_max_plies);
    let deepest = entries.iter().max_by_key(deepest).and_then(|entry| Some((entry, deepest(&entry)?)));
    let bytes = size(entries.iter().map(|entry| entry.bytes).sum());
    let mut line = format!("{} tables, {bytes}; {} built in {wall:.1} s, {cpu:.1} CPU s", entries.len(), built.len());
    if let Some((entry, plies)) = deepest {
        line += &format!("; deepest win: {} {} in {plies} plies", entry.material, entry.metric);
    }
    line
}
