//! `errare table verify`.

use super::sample::Sample;
use crate::Verdict;
use crate::metrics::{Metrics, wanted};
use crate::output::{Format, Grid, Output, cell, counted};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{Depth, Disagreement, TableEntry, TableVerification, Text, VerifyRequest};
use errare_tables::Material;

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

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let (sample, seed) = flags.sample.draws()?;
    let materials = flags.materials.into_iter().map(Text).collect();
    let request = VerifyRequest { materials, metrics: wanted(flags.metric.as_ref()), sample, seed };
    let mut output = Output::stdout();
    let mut found: Vec<TableVerification> = Vec::new();
    settings.run_each(&request, |table| {
        found.push(table.clone());
        if flags.format == Format::Table { output.line(&for_people(table)) } else { Ok(()) }
    })?;
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&csv(&found))?,
        Format::Table => {}
    }
    Ok(if found.iter().all(TableVerification::is_clean) { Verdict::Clean } else { Verdict::Finding })
}

fn words(entry: Option<&TableEntry>, metric: &str) -> String {
    match entry {
        None => "no position".to_owned(),
        Some(TableEntry { depth: Depth { outcome, plies: None, .. }, .. }) => outcome.name().to_owned(),
        Some(TableEntry { depth: Depth { outcome, plies: Some(plies), .. }, phase_plies }) => {
            let phase =
                if plies == phase_plies { String::new() } else { format!(", phase {}", counted(*phase_plies, "ply")) };
            format!("{}, {metric} {}{phase}", outcome.name(), counted(*plies, "ply"))
        }
    }
}

fn for_people(table: &TableVerification) -> String {
    let extent = match (table.placements, table.seed) {
        (Some(placements), Some(seed)) => format!("sample of {}, seed {seed}", counted(placements, "placement")),
        _ => "whole table".to_owned(),
    };
    let found = match (&table.disagreement, &table.damage) {
        (_, Some(damage)) => damage.clone(),
        (Some(Disagreement { fen, stored, expected }), None) => format!(
            "disagreement at {fen}: stored {}, expected {}",
            words(stored.as_ref(), &table.metric),
            words(expected.as_ref(), &table.metric)
        ),
        (None, None) => format!("{} checked, no disagreement", counted(table.checked, "position")),
    };
    format!("{} {} ({extent}): {found}", table.material, table.metric)
}

/// Outcome, plies and plies of the phase.
fn entry_cells(entry: Option<&TableEntry>) -> [String; 3] {
    match entry {
        None => ["no position".to_owned(), String::new(), String::new()],
        Some(TableEntry { depth, phase_plies }) => {
            [depth.outcome.name().to_owned(), cell(depth.plies), phase_plies.to_string()]
        }
    }
}

fn csv(findings: &[TableVerification]) -> Grid {
    let mut grid = Grid::new(&[
        "material",
        "metric",
        "extent",
        "placements",
        "seed",
        "checked",
        "result",
        "fen",
        "stored_outcome",
        "stored_plies",
        "stored_phase_plies",
        "expected_outcome",
        "expected_plies",
        "expected_phase_plies",
        "damage",
    ]);
    for finding in findings {
        let (result, wrong) = match (&finding.disagreement, &finding.damage) {
            (_, Some(_)) => ("damaged", None),
            (Some(wrong), None) => ("disagreement", Some(wrong)),
            (None, None) => ("agreement", None),
        };
        let about = [
            finding.material.clone(),
            finding.metric.clone(),
            finding.extent.name().to_owned(),
            cell(finding.placements),
            cell(finding.seed),
            finding.checked.to_string(),
            result.to_owned(),
            cell(wrong.map(|wrong| &wrong.fen)),
        ];
        let [stored, expected] = match wrong {
            Some(wrong) => [&wrong.stored, &wrong.expected].map(|entry| entry_cells(entry.as_ref())),
            None => [const { [const { String::new() }; 3] }; 2],
        };
        grid.push(about.into_iter().chain(stored).chain(expected).chain([cell(finding.damage.as_ref())]));
    }
    grid
}
