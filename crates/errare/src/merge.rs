//! `errare merge`.

use crate::Verdict;
use crate::output::{Output, grouped};
use crate::settings::Settings;
use crate::terminal::Interrupted;
use anyhow::Result;
use clap::Args;
use errare_evaluate::{EvaluateError, MergeSummary, merge};
use errare_ratings::Merged;
use std::path::PathBuf;

/// Merge turn files or caches
///
/// Turns that `errare evaluate` wrote, share by share, become one file in the order of games; all shares together give
/// exactly the bytes that one run without shares would have written. Turns that are in several parts are written once. All
/// must be evaluated by one engine, at one depth and with the same options. Parts are .parquet, .jsonl or .jsonl.gz, or
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
    /// The merged file: .parquet, .jsonl, .jsonl.gz, or .sqlite for caches
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    settings.terminal.watch();
    let done = merge(&flags.parts, &flags.out, &settings.terminal);
    settings.terminal.clear();
    let merged = match done {
        Err(EvaluateError::Cancelled(_)) => return Err(Interrupted("interrupted".to_owned()).into()),
        merged => merged?,
    };
    if !settings.quiet {
        Output::stdout().line(&match merged {
            MergeSummary::Turns(Merged { turns, duplicates }) => {
                format!("{} turns, {} duplicates dropped", grouped(turns), grouped(duplicates))
            }
            MergeSummary::Answers(added) => format!("{} answers added", grouped(added)),
        })?;
    }
    Ok(Verdict::Clean)
}
