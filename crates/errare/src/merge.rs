//! `errare merge`.

use crate::Verdict;
use crate::output::{Output, grouped};
use crate::settings::Settings;
use crate::turn_output::TurnOutput;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use errare_ratings::evaluate::Cache;
use errare_ratings::{MergeError, RatingsError, TurnFormat, TurnRows, merge};
use std::path::{Path, PathBuf};

/// Put parts of turn files, or caches, together
///
/// Turns that `errare evaluate` wrote, share by share, become one file in the order of games; from all shares it is to the
/// byte the file that one run without shares would have written. Turns that are in several parts are written once. All
/// must be evaluated by one engine, at one depth and with the same options. Parts are .parquet, .jsonl or .jsonl.gz, or
/// folders that have a turns.parquet. One part is only written anew, in the form that the name of FILE asks for.
///
/// If FILE ends in .sqlite, the parts are caches of answers: what they know is added to it.
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
    /// The whole: .parquet, .jsonl, .jsonl.gz, or .sqlite for caches
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let told =
        if flags.out.extension().is_some_and(|ending| ending == "sqlite") { caches(&flags)? } else { turns(&flags)? };
    if !settings.quiet {
        Output::stdout().line(&told)?;
    }
    Ok(Verdict::Clean)
}

fn turns(flags: &Flags) -> Result<String> {
    let Some(format) = TurnFormat::of(&flags.out) else {
        bail!("{} ends in none of .parquet, .jsonl, .jsonl.gz and .sqlite", flags.out.display());
    };
    let mut parts = Vec::new();
    for part in &flags.parts {
        let path = if part.is_dir() { part.join("turns.parquet") } else { part.clone() };
        let name = path.display().to_string();
        let rows = TurnRows::open(&path).map_err(|error| anyhow!("{name}: {error}"))?;
        parts.push((name, rows));
    }
    let mut output = TurnOutput::create(&flags.out, format)?;
    let written = merge(parts, |row| output.write(row).map_err(|error| RatingsError::Record(error.to_string())));
    let merged = written.map_err(|error: MergeError| anyhow!("{error}"))?;
    output.finish()?;
    Ok(format!("{} turns, {} duplicates dropped", grouped(merged.turns), grouped(merged.duplicates)))
}

fn caches(flags: &Flags) -> Result<String> {
    if let Some(missing) = flags.parts.iter().find(|part| !part.is_file()) {
        bail!("there is no file {}", missing.display());
    }
    let is_own = |part: &Path| matches!((part.canonicalize(), flags.out.canonicalize()), (Ok(a), Ok(b)) if a == b);
    let others: Vec<PathBuf> = flags.parts.iter().filter(|part| !is_own(part)).cloned().collect();
    let gained = Cache::absorb(&flags.out, &others)?;
    Ok(format!("{} answers added", grouped(gained)))
}
