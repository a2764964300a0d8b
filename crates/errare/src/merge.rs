//! `errare merge`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::MergeRequest;
use errare_terminal::{Output, Report};
use std::path::PathBuf;

/// Merge turn files or caches
///
/// Turns that `errare evaluate` wrote, share by share, become one file in the order of games; all shares together give
/// exactly the bytes that one run without shares would have written, if no game comes twice. Turns that are in several parts
/// are written once, and so are games with the same players, date and moves, whatever their files and numbers. All must be
/// evaluated by one engine, at one depth and with the same options. Parts are .parquet, .jsonl, .jsonl.gz or .jsonl.zst, or
/// folders that have a turns.parquet. A single part is converted to the format that the name of FILE asks for.
///
/// If FILE ends in .sqlite, the parts are caches of answers, which are added to it.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare merge part1 part2 part3 --out turns.parquet
  errare merge turns.parquet --out turns.jsonl.gz
  errare merge node1.sqlite node2.sqlite --out evaluations.sqlite")]
pub struct Flags {
    /// Turn files, folders with turns.parquet, or caches
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// The merged file: .parquet, .jsonl, .jsonl.gz, .jsonl.zst, or .sqlite for caches; `-` for lines of JSON on stdout
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t)]
    format: Report,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let request = MergeRequest { parts: flags.parts, out: flags.out };
    let merged = settings.run(&request)?;
    let mut output = Output::beside([request.out.as_path()]);
    match flags.format {
        Report::Json => output.json(&merged)?,
        Report::Table if settings.quiet => {}
        Report::Table => output.line(&merged.sentence())?,
    }
    Ok(Exit::Clean)
}
