//! `errare table verify`.

use super::sample::Sample;
use crate::Verdict;
use crate::depth::Depth;
use crate::endgame::{Metrics, requests};
use crate::output::{Format, Grid, Output, cell, grouped};
use crate::settings::Settings;
use crate::workshop::Workshop;
use anyhow::Result;
use clap::Args;
use errare_tables::{Extent, Material, Metric, Table, TableError, Value, Verification, verify};
use serde::Serialize;
use std::sync::Arc;

/// Check tables against the rules of chess
///
/// Every entry is worked out again from its moves, by a move generator that shares no code with
/// the solver, and compared. With --sample so many placements are drawn instead. Missing tables
/// are built first, those of captures included. A damaged file is reported and left as it is.
/// The exit status is 1 if anything is wrong.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table verify KQKR --metric dtm
  errare table verify KRBKR KBBKN --metric all --sample 100000 --seed 7")]
pub struct Flags {
    /// Endgames, such as KQKR
    #[arg(required = true, value_name = "MATERIAL")]
    materials: Vec<Material>,
    /// Metrics, separated by commas: dtc, dtm, dtz, dtz50 (or another move rule), dtr; or all
    #[arg(long, default_value = "dtc", value_name = "METRIC,...")]
    metric: Metrics,
    #[command(flatten)]
    sample: Sample,
    /// How the findings are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let extent = flags.sample.extent();
    let workshop = Workshop::new(settings);
    let mut findings = Vec::new();
    let mut output = Output::stdout();
    for (material, metric) in requests(&flags.materials, &flags.metric) {
        let result = check(&workshop, material, metric, extent);
        workshop.progress.clear();
        let finding = Finding::new(material, metric, extent, result)?;
        if flags.format == Format::Table {
            output.line(&finding.for_people())?;
        }
        findings.push(finding);
    }
    match flags.format {
        Format::Json => output.json(&findings)?,
        Format::Csv => output.csv(&csv(&findings))?,
        Format::Table => {}
    }
    Ok(if findings.iter().all(Finding::is_clean) { Verdict::Clean } else { Verdict::Finding })
}

fn check(workshop: &Workshop, material: Material, metric: Metric, extent: Extent) -> Result<Verification, TableError> {
    let table = untouched(workshop, material, metric)?;
    if matches!(metric, Metric::DtzRule(_)) {
        untouched(workshop, material, Metric::Dtz)?;
    }
    for sub in material.conversions() {
        if sub.men() > 2 {
            untouched(workshop, sub, metric)?;
        }
    }
    workshop.progress.going_through(format!("verifying {material} to {metric}"));
    // A sample may miss a damaged block.
    table.check()?;
    verify(&workshop.library, &table, extent, &|done, total| workshop.progress.done(done, total))
}

/// Opens a table and builds it only if there is none: a damaged one is what we are looking for.
fn untouched(workshop: &Workshop, material: Material, metric: Metric) -> Result<Arc<Table>, TableError> {
    match workshop.library.open(material, metric) {
        Err(TableError::Missing { .. }) => workshop.ensure(material, metric),
        opened => opened,
    }
}

#[derive(Debug, Serialize)]
struct Finding {
    material: String,
    metric: String,
    extent: &'static str,
    placements: Option<u64>,
    seed: Option<u64>,
    checked: u64,
    disagreement: Option<Disagreement>,
    damage: Option<String>,
}

#[derive(Debug, Serialize)]
struct Disagreement {
    fen: String,
    stored: Option<Entry>,
    expected: Option<Entry>,
}

/// A table's entry; `None` in its place means that the placement is no position.
#[derive(Debug, Serialize)]
struct Entry {
    #[serde(flatten)]
    depth: Depth,
    phase_plies: u16,
}

impl Entry {
    fn of(value: &Value, metric: Metric) -> Entry {
        Entry { depth: Depth::of(value, metric), phase_plies: value.phase.0 }
    }

    fn words(entry: Option<&Entry>, metric: &str) -> String {
        match entry {
            None => "no position".to_owned(),
            Some(Entry { depth: Depth { outcome, plies: None, .. }, .. }) => (*outcome).to_owned(),
            Some(Entry { depth: Depth { outcome, plies: Some(plies), .. }, phase_plies }) => {
                let phase = if plies == phase_plies { String::new() } else { format!(", phase {phase_plies} plies") };
                format!("{outcome}, {metric} {plies} plies{phase}")
            }
        }
    }
}

impl Finding {
    /// Damage is a finding; other trouble is not ours to judge.
    fn new(
        material: Material,
        metric: Metric,
        extent: Extent,
        result: Result<Verification, TableError>,
    ) -> Result<Finding, TableError> {
        let (checked, disagreement, damage) = match result {
            Ok(found) => (found.checked, found.disagreement, None),
            Err(error) if error.is_unusable_file() => (0, None, Some(error.to_string())),
            Err(error) => return Err(error),
        };
        let (extent, placements, seed) = match extent {
            Extent::Whole => ("whole", None, None),
            Extent::Sample { placements, seed } => ("sample", Some(placements), Some(seed)),
        };
        let disagreement = disagreement.map(|found| Disagreement {
            fen: found.fen,
            stored: found.stored.as_ref().map(|value| Entry::of(value, metric)),
            expected: found.expected.as_ref().map(|value| Entry::of(value, metric)),
        });
        let (material, metric) = (material.to_string(), metric.to_string());
        Ok(Finding { material, metric, extent, placements, seed, checked, disagreement, damage })
    }

    fn is_clean(&self) -> bool {
        self.disagreement.is_none() && self.damage.is_none()
    }

    fn for_people(&self) -> String {
        let extent = match (self.placements, self.seed) {
            (Some(1), Some(seed)) => format!("sample of 1 placement, seed {seed}"),
            (Some(placements), Some(seed)) => format!("sample of {} placements, seed {seed}", grouped(placements)),
            _ => "whole table".to_owned(),
        };
        let found = match (&self.disagreement, &self.damage) {
            (_, Some(damage)) => damage.clone(),
            (Some(Disagreement { fen, stored, expected }), None) => format!(
                "disagreement at {fen}: stored {}, expected {}",
                Entry::words(stored.as_ref(), &self.metric),
                Entry::words(expected.as_ref(), &self.metric)
            ),
            (None, None) => format!("{} positions checked, no disagreement", grouped(self.checked)),
        };
        format!("{} {} ({extent}): {found}", self.material, self.metric)
    }
}

fn csv(findings: &[Finding]) -> Grid {
    let mut grid = Grid::new(&[
        "material",
        "metric",
        "extent",
        "placements",
        "seed",
        "checked",
        "result",
        "fen",
        "stored",
        "expected",
        "damage",
    ]);
    for finding in findings {
        let (result, wrong) = match (&finding.disagreement, &finding.damage) {
            (_, Some(_)) => ("damaged", None),
            (Some(wrong), None) => ("disagreement", Some(wrong)),
            (None, None) => ("agreement", None),
        };
        let words = |entry: &Option<Entry>| Entry::words(entry.as_ref(), &finding.metric);
        grid.push([
            finding.material.clone(),
            finding.metric.clone(),
            finding.extent.to_owned(),
            cell(finding.placements),
            cell(finding.seed),
            finding.checked.to_string(),
            result.to_owned(),
            cell(wrong.map(|wrong| &wrong.fen)),
            cell(wrong.map(|wrong| words(&wrong.stored))),
            cell(wrong.map(|wrong| words(&wrong.expected))),
            cell(finding.damage.as_ref()),
        ]);
    }
    grid
}
