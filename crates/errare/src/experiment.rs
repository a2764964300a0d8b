//! `errare experiment`.

use crate::Verdict;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::ExperimentRequest;
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// Run experiments that the papers leave open: questions, tables and figures
///
/// Without a name the experiments are listed. Tables are built when they are first needed. `parameters` and `elo`
/// take seconds once they are there, the others many minutes, `slips` an hour or more.
///
/// --out writes NAME.html, a page that needs nothing else, and NAME.md with its figures, for the book.
///
/// JSON: see `errare schema experiment`. CSV: a row for each number.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare experiment
  errare experiment steadiness
  errare experiment parameters metrics --out pages")]
pub struct Flags {
    /// The experiments; none to list them
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Folder to write the pages to
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(Flags { names, out, format }: Flags, settings: &Settings) -> Result<Verdict> {
    let found = settings.run(&ExperimentRequest { names, out, figures: false })?;
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
    Ok(Verdict::Clean)
}
