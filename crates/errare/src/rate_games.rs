//! `errare rate` and `errare screen` of games: a table of players, or one player move by move.

use crate::idle_flag::refuse;
use crate::rate::WITH_GAMES;
use crate::screen::rounded;
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Exit, say};
use anyhow::Result;
use errare_evaluate::Preset;
use errare_lab::{LabError, RateGamesRequest, RateGamesResponse, Sheet, ToSheet, TurnsRequest};
use errare_terminal::{Format, Interrupted, Output};

/// The request for ratings of games that flags make.
pub fn request(rated: RatedFlags) -> Result<RateGamesRequest> {
    let RatedFlags { turns, calibration, player, preset } = rated;
    refuse(turns.settings().is_some(), "--settings", WITH_GAMES)?;
    let TurnsRequest { files, depth, first_move, max_eval, keep_repeats, .. } = turns.into();
    let usual = RateGamesRequest::of_files(files);
    let depth = preset.map(Preset::depth).or(depth).unwrap_or(usual.depth);
    Ok(RateGamesRequest { player, depth, first_move, max_eval, keep_repeats, calibration, ..usual })
}

pub fn run(
    request: &RateGamesRequest,
    format: Format,
    with_trace: bool,
    settings: &Settings,
    table: fn(&RateGamesResponse) -> Sheet,
) -> Result<Exit> {
    let found = match settings.run(request) {
        Err(LabError::Cancelled(_)) => {
            return Err(Interrupted("interrupted: run the same command again to continue".to_owned()).into());
        }
        found => found?,
    };
    write(&found, format, with_trace, table)?;
    Ok(if found.failed > 0 { Exit::Finding } else { Exit::Clean })
}

fn write(
    found: &RateGamesResponse,
    format: Format,
    with_trace: bool,
    table: fn(&RateGamesResponse) -> Sheet,
) -> Result<()> {
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
