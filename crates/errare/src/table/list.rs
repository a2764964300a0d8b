//! `errare table list`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{ListRequest, counted};
use errare_terminal::{ByteSize, Format, Output, listed_tables};

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

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let found = settings.run(&ListRequest {})?;
    Output::stdout().response(flags.format, &found, |output, found| {
        if !found.tables.is_empty() {
            output.table(&listed_tables(found))?;
        }
        let unusable = found.unusable.iter();
        output
            .lines(unusable.map(|file| format!("{} {} cannot be used: {}", file.material, file.metric, file.reason)))?;
        let (tables, size) = (counted(found.tables.len(), "table"), ByteSize(found.total_bytes));
        output.line(&format!("{tables}, {size} in {}", found.folder))
    })?;
    Ok(Exit::Clean)
}
