//! `errare table compare`.

use super::sample::Sample;
use crate::Verdict;
use crate::depth::Depth;
use crate::output::{Format, Grid, Output, cell, grouped};
use crate::settings::Settings;
use crate::workshop::Workshop;
use anyhow::Result;
use clap::Args;
use errare_tables::{Comparison, Difference, Extent, Material, Metric, Source, SourceSpec, TableError, compare};
use serde::Serialize;

/// Compare tables with those that others made
///
/// Each position of a table is looked up in the other tables too, once up to symmetry: in dtz50 with
/// Syzygy, in dtm with Gaviota. With --sample so many placements are drawn instead. Missing tables
/// of ours are built first. The exit status is 1 if any position has another value there.
///
/// Syzygy tables round some depths down by a ply; where that is all that differs the position is counted
/// as rounded. Of a cursed win they tell the plies to the next zeroing move, as we do, or 100 more if it
/// is a later phase that takes too long; what lies between, as the winner can choose, is counted as
/// between.
///
/// JSON: [{"material", "metric", "with", "extent", "placements", "seed", "compared", "agreeing", "rounded",
/// "between", "disagreeing", "differences": [{"fen", "ours", "theirs"}]}], both values with outcome, plies
/// and moves. CSV: a row with the counts for each endgame, followed by a row for each difference.
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

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let source = flags.with.open()?;
    let workshop = Workshop::new(settings);
    let mut output = Output::stdout();
    if flags.format == Format::Table {
        output.line(&heading(&flags))?;
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (place, &material) in flags.materials.iter().enumerate() {
        // One table, however it is spelt and how often.
        if flags.materials[..place].contains(&material) {
            continue;
        }
        let found = examine(&workshop, &*source, material, flags.sample.extent(), flags.limit)?;
        if flags.format == Format::Table {
            lines(material, source.metric(), &found).iter().try_for_each(|line| output.line(line))?;
        }
        findings.push(Finding::new(material, source.metric(), &flags, &found));
    }
    match flags.format {
        Format::Json => output.json(&findings)?,
        Format::Csv => output.csv(&csv(&findings))?,
        Format::Table => {}
    }
    Ok(if findings.iter().all(|finding| finding.disagreeing == 0) { Verdict::Clean } else { Verdict::Finding })
}

fn examine(
    workshop: &Workshop,
    source: &dyn Source,
    material: Material,
    extent: Extent,
    limit: usize,
) -> Result<Comparison, TableError> {
    workshop.mending(&|_| (), |builder| {
        let table = builder.ensure(material, source.metric())?;
        workshop.progress.going_through(format!("comparing {material}"));
        compare(&table, source, extent, limit, &|done, total| workshop.progress.done(done, total))
    })
}

fn heading(flags: &Flags) -> String {
    let extent = match flags.sample.extent() {
        Extent::Whole => "whole tables".to_owned(),
        Extent::Sample { placements, seed } => format!("samples of {} placements, seed {seed}", grouped(placements)),
    };
    let columns = ["compared", "agreeing", "rounded", "between", "disagreeing"].map(|name| format!("{name:>14}"));
    format!("With {} ({extent})\nendgame  metric  {}", flags.with, columns.concat())
}

/// Written as endgames are finished, so the columns cannot wait for the widest cell.
fn lines(material: Material, metric: Metric, found: &Comparison) -> Vec<String> {
    let Comparison { agreeing, rounded, between, disagreeing, .. } = *found;
    let counts = [found.compared(), agreeing, rounded, between, disagreeing].map(|n| format!("{:>14}", grouped(n)));
    let mut lines = vec![format!("{material:<8} {metric:<7} {}", counts.concat())];
    lines.extend(found.differences.iter().map(|Difference { fen, ours, theirs }| {
        // In the metric of the row above.
        format!("  {fen}  ours: {ours}, theirs: {theirs}")
    }));
    lines
}

#[derive(Debug, Serialize)]
struct Finding {
    material: String,
    metric: String,
    with: String,
    extent: &'static str,
    placements: Option<u64>,
    seed: Option<u64>,
    compared: u64,
    agreeing: u64,
    rounded: u64,
    between: u64,
    disagreeing: u64,
    differences: Vec<Differing>,
}

#[derive(Debug, Serialize)]
struct Differing {
    fen: String,
    ours: Depth,
    theirs: Depth,
}

impl Finding {
    fn new(material: Material, metric: Metric, flags: &Flags, found: &Comparison) -> Finding {
        let (extent, placements, seed) = match flags.sample.extent() {
            Extent::Whole => ("whole", None, None),
            Extent::Sample { placements, seed } => ("sample", Some(placements), Some(seed)),
        };
        let differing = |difference: &Difference| Differing {
            fen: difference.fen.clone(),
            ours: Depth::of(&difference.ours, metric),
            theirs: Depth::of(&difference.theirs, metric),
        };
        Finding {
            material: material.to_string(),
            metric: metric.to_string(),
            with: flags.with.to_string(),
            extent,
            placements,
            seed,
            compared: found.compared(),
            agreeing: found.agreeing,
            rounded: found.rounded,
            between: found.between,
            disagreeing: found.disagreeing,
            differences: found.differences.iter().map(differing).collect(),
        }
    }
}

fn csv(findings: &[Finding]) -> Grid {
    let mut grid = Grid::new(&[
        "material",
        "metric",
        "with",
        "extent",
        "placements",
        "seed",
        "compared",
        "agreeing",
        "rounded",
        "between",
        "disagreeing",
        "fen",
        "our_outcome",
        "our_plies",
        "their_outcome",
        "their_plies",
    ]);
    for finding in findings {
        let Finding { compared, agreeing, rounded, between, disagreeing, .. } = *finding;
        let about = [
            finding.material.clone(),
            finding.metric.clone(),
            finding.with.clone(),
            finding.extent.to_owned(),
            cell(finding.placements),
            cell(finding.seed),
        ];
        let counts = [compared, agreeing, rounded, between, disagreeing].map(|count| count.to_string());
        grid.push(about.clone().into_iter().chain(counts).chain([const { String::new() }; 5]));
        for Differing { fen, ours, theirs } in &finding.differences {
            let values = [ours, theirs].map(|depth| [depth.outcome.to_owned(), cell(depth.plies)]);
            let difference = [fen.clone()].into_iter().chain(values.into_iter().flatten());
            grid.push(about.clone().into_iter().chain([const { String::new() }; 5]).chain(difference));
        }
    }
    grid
}
