//! The tables that are there, as people see them.

use crate::ByteSize;
use errare_lab::{ListResponse, ListedCounts, Sheet, cell, grouped};

/// Two rows for each table: White to move, and Black.
#[must_use]
pub fn listed_tables(found: &ListResponse) -> Sheet {
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
