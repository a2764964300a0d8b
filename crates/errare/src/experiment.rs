//! `errare experiment`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{Endgame, ExperimentRequest, Text};
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// Run experiments that the papers leave open: questions, tables and figures
///
/// Without a name the experiments are listed. Tables are built when they are first needed. `parameters` and `elo`
/// take seconds once they are there, the others many minutes, `slips` several hours. What `slips` finds about an
/// endgame is kept beside the tables, as KBBKN.slips.json, and the next run takes it up; remove the file to compute it
/// anew.
///
/// --out writes NAME.html, a page that needs nothing else, and NAME.md with its figures, for the book.
///
/// JSON: see `errare schema experiment`. CSV: a row for each number.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare experiment
  errare experiment steadiness
  errare experiment parameters metrics --out pages
  errare experiment slips --endgames KBBKN,KQKNN --out pages")]
pub struct Flags {
    /// The experiments; none to list them
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Endgames to go through, of those that the experiment lists [default: all]
    #[arg(long, value_delimiter = ',', value_name = "MATERIAL,...")]
    endgames: Vec<Endgame>,
    /// Folder to write the pages to
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(Flags { names, endgames, out, format }: Flags, settings: &Settings) -> Result<Exit> {
    let endgames = endgames.into_iter().map(Text).collect();
    let found = settings.run(&ExperimentRequest { names, endgames, out, figures: false })?;
    Output::stdout().response(format, &found, |output, found| {
        output.table(&found.table())?;
        for experiment in &found.experiments {
            output.lines(&experiment.findings)?;
            for (caption, sheet) in experiment.sheets() {
                output.lines(["", caption])?;
                output.table(&sheet)?;
            }
        }
        Ok::<(), anyhow::Error>(())
    })?;
    Ok(Exit::Clean)
}
