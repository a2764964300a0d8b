//! `errare reproduce`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::ReproduceRequest;
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// Compute the statements, tables and figures of the papers anew, and compare them with print
///
/// A statement agrees if the computed number rounds to the printed digits; nothing is adjusted. Tables are built when they are
/// first needed: all of it takes about a quarter of an hour on two processors, a statement whose tables are there seconds.
///
/// --out writes reproduce.html, a page with every figure that needs nothing else, reproduce.json and reproduce.md.
///
/// JSON: see `errare schema reproduce`. CSV: a row for each statement.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare reproduce --list
  errare reproduce --only 001-6-markov-20 000-fig-5
  errare reproduce --only 001 --format json
  errare reproduce --out papers")]
pub struct Flags {
    /// Compute only these: ids as --list shows them, or beginnings such as 001-fig
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "ID")]
    only: Vec<String>,
    /// Also compute what needs tables of six men: hours, and tens of gigabytes
    #[arg(long)]
    six_men: bool,
    /// List the statements without computing them
    #[arg(long, conflicts_with = "out")]
    list: bool,
    /// Folder to write the page, the data and the page of the book to
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let Flags { only, six_men, list, out, format } = flags;
    let found = settings.run(&ReproduceRequest { only, six_men, list, out, figures: false })?;
    Output::stdout().response(format, &found, |output, found| {
        output.table(&found.table())?;
        output.line(&found.sentence())
    })?;
    Ok(Exit::Clean)
}
