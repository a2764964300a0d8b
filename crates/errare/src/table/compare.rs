//! `errare table compare`.

use super::sample::Sample;
use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{CompareRequest, Difference, TableComparison, Text, ToSheet, counted, grouped};
use errare_tables::{Material, SourceSpec};
use errare_terminal::{Format, Output};

/// Compare tables with those that others made
///
/// Each position of a table is looked up in the other tables too, once up to symmetry: in dtz50 with
/// Syzygy, in dtm with Gaviota. With --sample so many placements are drawn instead. Missing tables
/// of ours are built first. The exit status is 1 if any position has another value there.
///
/// Syzygy tables round some depths down by a ply; where that is all that differs the position is counted
/// as rounded. For a cursed win they give the plies to the next zeroing move, as we do, or 100 more if it
/// is a later phase that takes too long; what lies between, as the winner can choose, is counted as
/// between.
///
/// JSON: see `errare schema compare`. CSV: a row with the counts for each endgame, followed by a row for each
/// difference.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table compare KQKR KRKN --with syzygy:/tables/syzygy
  errare table compare KQKR --with gaviota:/tables/gaviota --format json
  errare table compare KBBKN --with syzygy:/tables/wdl:/tables/dtz --sample 100000 --seed 7")]
pub struct Flags {
    /// Endgames, such as KQKR
    #[arg(required = true, value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// The other tables: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere; several folders as in PATH
    #[arg(long, value_name = "KIND:DIR")]
    with: SourceSpec,
    #[command(flatten)]
    sample: Sample,
    /// Differences to name for each endgame
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// How the findings are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let (sample, seed) = flags.sample.draws()?;
    let materials = flags.materials.iter().copied().map(Text).collect();
    let request = CompareRequest { materials, with: Text(flags.with), sample, seed, limit: flags.limit };
    let mut output = Output::stdout();
    let mut found: Vec<TableComparison> = Vec::new();
    settings.run_each(&request, |table| {
        if flags.format == Format::Table {
            if found.is_empty() {
                output.line(&heading(&request))?;
            }
            lines(table).iter().try_for_each(|line| output.line(line))?;
        }
        found.push(table.clone());
        Ok(())
    })?;
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&found.to_sheet())?,
        Format::Table => {}
    }
    Ok(if found.iter().all(|table| table.disagreeing == 0) { Exit::Clean } else { Exit::Finding })
}

fn heading(request: &CompareRequest) -> String {
    let extent = match request.sample {
        None => "whole tables".to_owned(),
        Some(placements) => format!("samples of {}, seed {}", counted(placements, "placement"), request.seed),
    };
    let columns = ["compared", "agreeing", "rounded", "between", "disagreeing"].map(|name| format!("{name:>14}"));
    format!("With {} ({extent})\nendgame  metric  {}", request.with, columns.concat())
}

/// Written as endgames are finished, so the columns cannot wait for the widest cell.
fn lines(table: &TableComparison) -> Vec<String> {
    let TableComparison { compared, agreeing, rounded, between, disagreeing, .. } = *table;
    let counts = [compared, agreeing, rounded, between, disagreeing].map(|n| format!("{:>14}", grouped(n)));
    let mut lines = vec![format!("{:<8} {:<7} {}", table.material, table.metric, counts.concat())];
    lines.extend(table.differences.iter().map(|Difference { fen, ours, theirs }| {
        // In the metric of the row above.
        format!("  {fen}  ours: {}, theirs: {}", ours.value(None), theirs.value(None))
    }));
    lines
}
