//! `errare table verify`.

use super::sample::Sample;
use crate::Exit;
use crate::metrics::{Metrics, wanted};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{TableVerification, Text, ToSheet, VerifyRequest};
use errare_tables::Material;
use errare_terminal::{Format, Output};

/// Check tables against the rules of chess
///
/// Every entry is worked out again from its moves, by a move generator that shares no code with
/// the solver, and compared. With --sample, placements are drawn instead. Missing tables
/// are built first, those of captures included. A damaged file is reported and left as it is.
/// The exit status is 1 if anything is wrong.
///
/// JSON: see `errare schema verify`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table verify KQKR --metric dtm
  errare table verify KRBKR KBBKN --metric all --sample 100000 --seed 7")]
pub struct Flags {
    /// Endgames, such as KQKR
    #[arg(required = true, value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// Metrics, separated by commas: dtm, dtc, dtz, dtz50 (or another move rule), dtr; or all [default: dtm]
    #[arg(long, value_name = "METRIC,...")]
    metric: Option<Metrics>,
    #[command(flatten)]
    sample: Sample,
    /// How the findings are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let (sample, seed) = flags.sample.draws()?;
    let materials = flags.materials.into_iter().map(Text).collect();
    let request = VerifyRequest { materials, metrics: wanted(flags.metric.as_ref()), sample, seed };
    let mut output = Output::stdout();
    let mut found: Vec<TableVerification> = Vec::new();
    settings.run_each(&request, |table| {
        found.push(table.clone());
        if flags.format == Format::Table { output.line(&table.sentence()) } else { Ok(()) }
    })?;
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&found.to_sheet())?,
        Format::Table => {}
    }
    Ok(if found.iter().all(TableVerification::is_clean) { Exit::Clean } else { Exit::Finding })
}
