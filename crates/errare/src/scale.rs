//! `errare scale`.

use crate::Exit;
use crate::calibrate::ProductFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{CompetenceScaleRequest, Endgame, Text, ToSheet};
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// Estimate the competence of players of an Elo, by endgame and task
///
/// From games with the tags WhiteElo and BlackElo: in each endgame, for attack and defence apart, the logarithm of the
/// competence is a line in Elo, and players of one Elo differ about it. Slopes are drawn towards that of other endgames as
/// far as their errors allow. The scale that comes with errare was made like this; docs/src/model.md shows it.
///
/// JSON: see `errare schema scale`. CSV: a row for each endgame and task.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare scale games.pgn --men 5 --out scale.json
  errare scale games.pgn --material KQKR,KRKN")]
pub struct Flags {
    /// Games in PGN with ratings in their tags; `-` for stdin
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// Only these endgames, as in KQKR or KQKR,KRKN
    #[arg(long, value_name = "ENDGAME", value_delimiter = ',')]
    material: Vec<Endgame>,
    /// Build missing tables of up to so many men
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    men: u8,
    #[command(flatten)]
    product: ProductFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let materials = flags.material.into_iter().map(Text).collect();
    let Flags { files, men, product: ProductFlags { out, about, format }, .. } = flags;
    let request = CompetenceScaleRequest { files, materials, men, out, about };
    let found = settings.run(&request)?;
    let mut output = Output::beside(request.out.as_deref());
    match format {
        Format::Json => output.json(&found)?,
        Format::Csv => output.csv(&found.scale.to_sheet())?,
        Format::Table => {
            output.table(&found.to_sheet())?;
            output.lines(found.sentences())?;
        }
    }
    Ok(Exit::Clean)
}
