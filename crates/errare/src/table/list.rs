//! `errare table list`.

use crate::Verdict;
use crate::output::{Format, Grid, Output, cell, counted, grouped, size};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{ListRequest, ListResponse, ListedCounts};

/// List the tables that are there
///
/// Counts take each position once, whatever its symmetry; White is the side named first. Files
/// that cannot be used are named with the reason; they are built again when they are needed.
///
/// JSON: see `errare schema list`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table list
  errare --tables ./tables table list --format csv")]
pub struct Flags {
    /// How the list is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let found = settings.run(&ListRequest {})?;
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&csv(&found))?,
        Format::Table => {
            if !found.tables.is_empty() {
                output.grid(&for_people(&found))?;
            }
            for file in &found.unusable {
                output.line(&format!("{} {} cannot be used: {}", file.material, file.metric, file.reason))?;
            }
            output.line(&summary(&found))?;
        }
    }
    Ok(Verdict::Clean)
}

fn csv(found: &ListResponse) -> Grid {
    let mut grid = Grid::new(&[
        "material",
        "metric",
        "men",
        "bytes",
        "side_to_move",
        "wins",
        "draws",
        "losses",
        "max_win_plies",
        "max_loss_plies",
        "cursed_wins",
        "blessed_losses",
        "unusable",
    ]);
    for table in &found.tables {
        for (name, side) in [("white", &table.white_to_move), ("black", &table.black_to_move)] {
            grid.push([
                table.material.clone(),
                table.metric.clone(),
                table.men.to_string(),
                table.bytes.to_string(),
                name.to_owned(),
                side.wins.to_string(),
                side.draws.to_string(),
                side.losses.to_string(),
                cell(side.max_win_plies),
                cell(side.max_loss_plies),
                side.cursed_wins.to_string(),
                side.blessed_losses.to_string(),
                String::new(),
            ]);
        }
    }
    for file in &found.unusable {
        let blank = std::iter::repeat_n(String::new(), 10);
        grid.push([file.material.clone(), file.metric.clone()].into_iter().chain(blank).chain([file.reason.clone()]));
    }
    grid
}

fn for_people(found: &ListResponse) -> Grid {
    let mut grid = Grid::new(&[
        "endgame",
        "metric",
        "men",
        "size",
        "to move",
        "wins",
        "draws",
        "losses",
        "deepest win",
        "deepest loss",
    ]);
    for table in &found.tables {
        let (white, black) = (&table.white_to_move, &table.black_to_move);
        let row = |side: &ListedCounts, name: &str| {
            let plies = |plies: Option<u16>| cell(plies.map(|plies| errare_tables::Plies(plies).to_string()));
            [
                name.to_owned(),
                grouped(side.wins + side.cursed_wins),
                grouped(side.draws),
                grouped(side.losses + side.blessed_losses),
                plies(side.max_win_plies),
                plies(side.max_loss_plies),
            ]
        };
        let first = [table.material.clone(), table.metric.clone(), table.men.to_string(), size(table.bytes)];
        grid.push(first.clone().into_iter().chain(row(white, "White")));
        grid.push(first.into_iter().chain(row(black, "Black")));
    }
    grid
}

fn summary(found: &ListResponse) -> String {
    format!("{}, {} in {}", counted(found.tables.len(), "table"), size(found.total_bytes), found.folder)
}
