//! The plain loop that `probe_many` is measured against: each line of a file is parsed and looked up, one after the other.
//! Prints the sum of all plies and the CPU-seconds of the loop.

use errare_tables::{Library, Metric, Source, parse_fen};
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [_, tables, metric, fens] = &std::env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: rust_loop TABLES METRIC FENS".into());
    };
    let (library, metric, fens): (_, Metric, _) =
        (Library::new(tables), metric.parse()?, std::fs::read_to_string(fens)?);
    let start = cpu_seconds();
    let mut sum = 0;
    for fen in fens.lines() {
        sum += u64::from(library.value(&parse_fen(fen)?, metric)?.plies.0);
    }
    println!("{sum} {}", cpu_seconds() - start);
    Ok(())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
