//! `errare table list`.

use crate::Verdict;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{ListRequest, ListResponse, ListedCounts, Sheet, cell, counted, grouped};
use errare_terminal::{ByteSize, Format, Output};

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
    Output::stdout().response(flags.format, &found, |output, found| {
        if !found.tables.is_empty() {
            output.table(&for_people(found))?;
        }
        let unusable = found.unusable.iter();
        output
            .lines(unusable.map(|file| format!("{} {} cannot be used: {}", file.material, file.metric, file.reason)))?;
        let (tables, size) = (counted(found.tables.len(), "table"), ByteSize(found.total_bytes));
        output.line(&format!("{tables}, {size} in {}", found.folder))
    })?;
    Ok(Verdict::Clean)
}

fn for_people(found: &ListResponse) -> Sheet {
    let mut grid = Sheet::new(&[
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
        let first =
            [table.material.clone(), table.metric.clone(), table.men.to_string(), ByteSize(table.bytes).to_string()];
        grid.push(first.clone().into_iter().chain(row(white, "White")));
        grid.push(first.into_iter().chain(row(black, "Black")));
    }
    grid
}
