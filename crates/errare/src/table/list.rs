//! `errare table list`.

use crate::Verdict;
use crate::output::{Format, Grid, Output, cell, grouped, size};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_tables::{Counts, Library, Table};
use serde::Serialize;

/// List the tables that are there
///
/// Counts take each position once, whatever its symmetry; White is the side named first. Files
/// that cannot be used are named with the reason; they are built again when they are needed.
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
    let inventory = Inventory::new(&Library::new(&settings.tables))?;
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&inventory)?,
        Format::Csv => output.csv(&inventory.csv())?,
        Format::Table => {
            if !inventory.tables.is_empty() {
                output.grid(&inventory.for_people())?;
            }
            for file in &inventory.unusable {
                output.line(&format!("{} {} cannot be used: {}", file.material, file.metric, file.reason))?;
            }
            output.line(&inventory.summary())?;
        }
    }
    Ok(Verdict::Clean)
}

#[derive(Debug, Serialize)]
struct Inventory {
    folder: String,
    tables: Vec<Entry>,
    unusable: Vec<Unusable>,
    total_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Entry {
    material: String,
    metric: String,
    men: usize,
    bytes: u64,
    white_to_move: Side,
    black_to_move: Side,
}

#[derive(Debug, Serialize)]
struct Side {
    wins: u64,
    draws: u64,
    losses: u64,
    max_win_plies: Option<u16>,
    max_loss_plies: Option<u16>,
    cursed_wins: u64,
    blessed_losses: u64,
}

#[derive(Debug, Serialize)]
struct Unusable {
    material: String,
    metric: String,
    reason: String,
}

impl Side {
    fn new(counts: &Counts) -> Side {
        Side {
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            max_win_plies: (counts.wins + counts.cursed_wins > 0).then_some(counts.max_win.0),
            max_loss_plies: (counts.losses + counts.blessed_losses > 0).then_some(counts.max_loss.0),
            cursed_wins: counts.cursed_wins,
            blessed_losses: counts.blessed_losses,
        }
    }
}

impl Entry {
    fn new(table: &Table) -> Entry {
        let counts = &table.header().counts;
        Entry {
            material: table.material().to_string(),
            metric: table.metric().to_string(),
            men: table.material().men(),
            bytes: table.file_len(),
            white_to_move: Side::new(&counts.white),
            black_to_move: Side::new(&counts.black),
        }
    }
}

impl Inventory {
    fn new(library: &Library) -> Result<Inventory> {
        let (mut tables, mut unusable) = (Vec::new(), Vec::new());
        for listed in library.list()? {
            match listed.table {
                Ok(table) => tables.push(Entry::new(&table)),
                Err(error) => unusable.push(Unusable {
                    material: listed.material.to_string(),
                    metric: listed.metric.to_string(),
                    reason: error.to_string(),
                }),
            }
        }
        let total_bytes = tables.iter().map(|table| table.bytes).sum();
        Ok(Inventory { folder: library.folder().display().to_string(), tables, unusable, total_bytes })
    }

    fn csv(&self) -> Grid {
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
        for table in &self.tables {
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
        for file in &self.unusable {
            let blank = std::iter::repeat_n(String::new(), 10);
            grid.push(
                [file.material.clone(), file.metric.clone()].into_iter().chain(blank).chain([file.reason.clone()]),
            );
        }
        grid
    }

    fn for_people(&self) -> Grid {
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
        for table in &self.tables {
            let (white, black) = (&table.white_to_move, &table.black_to_move);
            let row = |side: &Side, name: &str| {
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

    fn summary(&self) -> String {
        let count = self.tables.len();
        let noun = if count == 1 { "table" } else { "tables" };
        format!("{count} {noun}, {} in {}", size(self.total_bytes), self.folder)
    }
}
