//! The cost of building tables: CPU-seconds of solving against a mark to stay under, memory, and the traffic of the
//! ply loop against the machine's copy bandwidth in the same run.
//!
//! `cargo bench -p errare-tables --bench tables` measures all endgames; words after `--` select endgames by name.

mod support;

use errare_tables::usage::Stopwatch;
use errare_tables::{BuildObserver, BuildReport, Library, Material, Metric, Tables};
use errare_work::Silent;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use support::random_positions;

const MEMORY: u64 = 4 << 30;

/// Endgames with the CPU-seconds to stay under for DTC.
const MARKS: [(&str, f64); 4] = [("KQKR", 0.06), ("KRBKR", 1.5), ("KBBKN", 2.0), ("KQKNN", 2.5)];

/// Endgames with the CPU-seconds to stay under for DTZ: a quarter of what the best public generator needs.
const PAWN_MARKS: [(&str, f64); 3] = [("KQKP", 1.7 / 4.0), ("KPKP", 1.0 / 4.0), ("KNNKP", 93.0 / 4.0)];

/// Builds missing tables, and returns the report of each.
fn build_all(tables: &Tables, wanted: &[(Material, Metric)]) -> Result<Vec<BuildReport>, Box<dyn std::error::Error>> {
    let reports = Mutex::new(Vec::new());
    let keep = |report: &BuildReport| reports.lock().unwrap_or_else(PoisonError::into_inner).push(*report);
    let observer = BuildObserver::new(&Silent).on_built(&keep);
    for &(material, metric) in wanted {
        tables.ensure_observed(material, metric, &observer)?;
    }
    Ok(reports.into_inner()?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let folder = tempfile::tempdir()?;
    let bandwidth = copy_bandwidth();
    println!("copy bandwidth, one thread: {:.1} GB/s\n", bandwidth / 1e9);
    println!(
        "{:8} {:6} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7} {:>12} {:>9}",
        "endgame", "metric", "CPU s", "mark", "store CPU", "peak MB", "bytes", "plies", "bytes/ply", "of copy"
    );
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    for (name, mark) in MARKS.into_iter().filter(|(name, _)| is_wanted(name)) {
        let material: Material = name.parse()?;
        let dtc = build(folder.path(), material, Metric::Dtc)?;
        let cpu = dtc.solving_cpu.as_secs_f64();
        print_row(&dtc, mark, bandwidth);
        print_row(&build(folder.path(), material, Metric::Dtm)?, 2.0 * cpu, bandwidth);
        print_row(&build(folder.path(), material, Metric::Dtr)?, 4.0 * cpu, bandwidth);
    }
    for (name, mark) in PAWN_MARKS.into_iter().filter(|(name, _)| is_wanted(name)) {
        print_row(&build(folder.path(), name.parse()?, Metric::Dtz)?, mark, bandwidth);
    }
    if wanted.is_empty() {
        small_set()?;
        probes(folder.path(), "KQKR".parse()?, Metric::Dtm)?;
        probes(folder.path(), "KQKP".parse()?, Metric::Dtz)?;
    }
    Ok(())
}

fn print_row(report: &BuildReport, mark: f64, bandwidth: f64) {
    let cpu = report.solving_cpu.as_secs_f64();
    let rate = report.bytes_moved as f64 / cpu;
    println!(
        "{:8} {:6} {:9.3} {:9.3} {:9.3} {:9} {:10} {:7} {:12} {:8.0}%",
        report.material,
        report.metric,
        cpu,
        mark,
        report.storing_cpu.as_secs_f64(),
        report.peak_memory.unwrap_or(0) >> 20,
        report.bytes,
        report.plies,
        report.bytes_moved / report.plies.max(1),
        100.0 * rate / bandwidth,
    );
}

/// Builds one table anew, its sub-endgames beforehand, and reports on it alone.
fn build(
    folder: &std::path::Path,
    material: Material,
    metric: Metric,
) -> Result<BuildReport, Box<dyn std::error::Error>> {
    let reports = build_all(&Tables::new(Library::new(folder), MEMORY), &[(material, metric)])?;
    let report = reports.iter().find(|report| report.material == material && report.metric == metric);
    report.copied().ok_or_else(|| "the table was there already".into())
}

/// All endgames of 3 and 4 men without pawns, all metrics.
fn small_set() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let tables = Tables::new(Library::new(folder.path()), MEMORY);
    let materials = (3..=4).flat_map(|men| Material::all(men, false));
    let wanted: Vec<_> = materials.flat_map(|material| Metric::ALL.map(|metric| (material, metric))).collect();
    let watch = Stopwatch::start();
    let reports = build_all(&tables, &wanted)?;
    let (wall, cpu) = watch.elapsed();
    let solving: Duration = reports.iter().map(|report| report.solving_cpu).sum();
    let bytes: u64 = reports.iter().map(|report| report.bytes).sum();
    println!(
        "\n3 and 4 men without pawns, all metrics: {} tables, {:.1} s wall, {:.1} CPU s ({:.1} solving), mark 15 s, {} bytes",
        reports.len(),
        wall.as_secs_f64(),
        cpu.as_secs_f64(),
        solving.as_secs_f64(),
        bytes
    );
    Ok(())
}

/// Random probes of a warm table, and opening it.
fn probes(folder: &std::path::Path, material: Material, metric: Metric) -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::new(folder);
    let start = Instant::now();
    let table = library.open(material, metric)?;
    let opening = start.elapsed();
    table.check(&Silent)?;
    let positions = random_positions(material, 100_000);
    let watch = Stopwatch::start();
    let mut plies = 0;
    for _ in 0..10 {
        for (board, turn) in &positions {
            plies += u64::from(table.value(board, *turn)?.map_or(0, |value| value.plies.0));
        }
    }
    black_box(plies);
    let (_, cpu) = watch.elapsed();
    println!(
        "\nopening {material} {metric}: {:.2} ms; random probes of the warm table: {:.2} million a CPU-second",
        opening.as_secs_f64() * 1e3,
        10.0 * positions.len() as f64 / cpu.as_secs_f64() / 1e6
    );
    Ok(())
}

/// Bytes a second, read and written, of copying memory far larger than the caches.
fn copy_bandwidth() -> f64 {
    let from = vec![1_u64; 8 << 20];
    let mut to = vec![0_u64; 8 << 20];
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        to.copy_from_slice(black_box(&from));
        black_box(&mut to);
        best = best.min(start.elapsed());
    }
    (2 * 8 * from.len()) as f64 / best.as_secs_f64()
}
