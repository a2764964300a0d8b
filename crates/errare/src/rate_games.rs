//! `errare rate` of games: a table of players, or one player move by move.

use crate::screen::rounded;
use crate::settings::Settings;
use crate::{Verdict, say};
use anyhow::Result;
use errare_lab::{LabError, RateGamesRequest, RateGamesResponse, Sheet, ToSheet, cell, elo_text};
use errare_terminal::{Format, Interrupted, Output};

pub fn run(request: &RateGamesRequest, format: Format, with_trace: bool, settings: &Settings) -> Result<Verdict> {
    let found = match settings.run(request) {
        Err(LabError::Cancelled(_)) => {
            return Err(Interrupted("interrupted: run the same command again to continue".to_owned()).into());
        }
        found => found?,
    };
    write(&found, format, with_trace)?;
    Ok(if found.failed > 0 { Verdict::Finding } else { Verdict::Clean })
}

fn write(found: &RateGamesResponse, format: Format, with_trace: bool) -> Result<()> {
    let mut output = Output::stdout();
    let moves = found.player.as_ref().filter(|_| with_trace).map(|player| player.trace.to_sheet());
    match format {
        Format::Json => return Ok(output.json(found)?),
        Format::Csv => {
            found.sentences().iter().for_each(|note| say(note));
            return Ok(output.csv(&moves.unwrap_or_else(|| found.to_sheet()))?);
        }
        Format::Table => {}
    }
    output.table(&table(found))?;
    output.line("")?;
    if let Some(moves) = moves {
        output.table(&rounded(moves))?;
        output.line("")?;
    }
    Ok(output.lines(found.sentences())?)
}

fn table(found: &RateGamesResponse) -> Sheet {
    let mut grid = Sheet::new(&["player", "games", "turns", "ipr", "se", "95%", "elo", "z", "mm", "ad"]);
    for row in &found.rows {
        let interval = row.low.zip(row.high).map(|(low, high)| format!("{low:.0} to {high:.0}"));
        grid.push([
            row.player.clone(),
            row.games.to_string(),
            row.turns.to_string(),
            cell(row.ipr.map(|ipr| elo_text(ipr, row.outside_range))),
            cell(row.se.map(|se| format!("{se:.0}"))),
            cell(interval),
            cell(row.elo.map(|elo| format!("{elo:.0}"))),
            cell(row.z.map(|z| format!("{z:+.2}"))),
            format!("{:.3}", row.mm),
            format!("{:.3}", row.ad),
        ]);
    }
    grid
}
