//! `errare rate` of games: a table of players, or one player move by move.

use crate::screen::rounded;
use crate::settings::Settings;
use crate::{Verdict, say};
use anyhow::Result;
use errare_lab::{LabError, PlayerDetail, RateGamesRequest, RateGamesResponse, Sheet, ToSheet, elo_text, range_note};
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
            notes(found).iter().for_each(|note| say(note));
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
    Ok(output.lines(notes(found))?)
}

fn cell(value: Option<String>) -> String {
    value.unwrap_or_default()
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

/// What is to be said beside the numbers.
fn notes(found: &RateGamesResponse) -> Vec<String> {
    let mut notes = vec![found.summary.clone()];
    if let Some(calibration) = &found.calibration {
        notes.push(format!("Calibrated on {}.", calibration.data));
        if found.rows.iter().any(|row| row.outside_range) {
            notes.push(range_note(calibration.range));
        }
    }
    notes.extend(found.no_calibration.clone());
    let unrated = found.rows.iter().filter(|row| row.ipr.is_none()).count();
    if found.calibration.is_some() && unrated > 0 {
        let whose = if unrated == 1 { "1 player has".to_owned() } else { format!("{unrated} players have") };
        notes.push(format!("{whose} fewer than the {} turns that a rating takes (--min-turns).", found.min_turns));
    }
    // What so many turns can tell is said once: of the player who was asked for, or of the one at the top.
    notes.extend(found.rows.first().filter(|row| row.ipr.is_some()).and_then(|row| row.note.clone()));
    if let Some(PlayerDetail { study: Some(study), .. }) = &found.player {
        notes.extend(study.screening.as_ref().map(|screening| screening.note.clone()));
        notes.push(study.words.caution.clone());
    } else {
        notes.extend(found.cautions.clone());
    }
    notes.extend(found.read.duplicates_sentence());
    notes.extend(found.warnings.iter().map(|warning| format!("warning: {warning}")));
    notes
}
