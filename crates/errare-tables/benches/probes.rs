//! The cost of looking up positions in tables of five men, cold and warm.
//!
//! `cargo bench -p errare-tables --bench probes -- DIR` looks into every five-man table to a zeroing move in a folder,
//! and `--metric` names another metric. A cold probe opens the table and reads its block; the file may be in the
//! memory of the operating system. Warm probes follow when every block has been read.

mod support;

use errare_tables::usage::Stopwatch;
use errare_tables::{Library, Material, Metric};
use errare_work::Silent;
use shakmaty::{Board, Color};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use support::random_positions;

const MEN: usize = 5;
const COLD_PROBES: usize = 20;
const PLACEMENTS: usize = 200_000;
const ROUNDS: u32 = 5;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    // Cargo adds `--bench`.
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let Some(folder) = words.next() else {
        println!(
            "left out: name a folder of tables, as made by `errare --tables DIR table build --men 5 --metric dtz`"
        );
        return Ok(());
    };
    let metric = match (words.next().as_deref(), words.next()) {
        (None, _) => Metric::Dtz,
        (Some("--metric"), Some(metric)) => metric.parse()?,
        _ => return Err("expected DIR or DIR --metric METRIC".into()),
    };
    let folder = Path::new(&folder);
    println!("{:8} {:>12} {:>24}", "endgame", "cold, ms", "warm, million a CPU-s");
    let (mut colds, mut warms) = (Vec::new(), Vec::new());
    let library = Library::new(folder);
    for material in Material::all(MEN, true).into_iter().filter(|&material| library.path(material, metric).exists()) {
        let positions = random_positions(material, PLACEMENTS);
        let (cold, warm) = (cold(folder, material, metric, &positions)?, warm(folder, material, metric, &positions)?);
        println!("{:8} {cold:12.3} {warm:24.2}", material.to_string());
        colds.push(cold);
        warms.push(warm);
    }
    if colds.is_empty() {
        return Err(format!("no tables of five men to {metric} in {}", folder.display()).into());
    }
    let mean = colds.iter().sum::<f64>() / colds.len() as f64;
    let slowest = colds.iter().copied().fold(0.0, f64::max);
    println!("\n{} tables: a cold probe takes {mean:.3} ms on average, {slowest:.3} in the slowest table", colds.len());
    warms.sort_by(f64::total_cmp);
    if let [least, .., most] = *warms {
        println!("warm probes: from {least:.2} to {most:.2} million a CPU-second");
    }
    Ok(())
}

/// The milliseconds of a probe of a table that has just been opened, on average.
fn cold(folder: &Path, material: Material, metric: Metric, positions: &[(Board, Color)]) -> Result<f64, Failure> {
    let start = Instant::now();
    for (board, turn) in positions.iter().take(COLD_PROBES) {
        black_box(Library::new(folder).open(material, metric)?.value(board, *turn)?);
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / COLD_PROBES as f64)
}

/// The probes that a CPU-second is enough for when every block is in memory, in millions.
fn warm(folder: &Path, material: Material, metric: Metric, positions: &[(Board, Color)]) -> Result<f64, Failure> {
    let library = Library::new(folder);
    let table = library.open(material, metric)?;
    table.check(&Silent)?;
    let round = || {
        let mut plies = 0;
        for (board, turn) in positions {
            plies += table.value(board, *turn)?.map_or(0, |value| u64::from(value.plies.0));
        }
        Ok::<u64, Failure>(plies)
    };
    black_box(round()?);
    let watch = Stopwatch::start();
    for _ in 0..ROUNDS {
        black_box(round()?);
    }
    let (_, cpu) = watch.elapsed();
    Ok(f64::from(ROUNDS) * positions.len() as f64 / cpu.as_secs_f64() / 1e6)
}
