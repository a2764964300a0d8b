//! Merges shares of evaluated turns, or caches.

use crate::cache::Cache;
use crate::error::EvaluateError;
use errare_ratings::{Merged, TurnFormat, merge_turn_files};
use errare_work::{Progress, same_file};
use std::path::{Path, PathBuf};

/// The result of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeSummary {
    /// Turn files became one file.
    Turns(Merged),
    /// This number of answers was added to a cache.
    Answers(u64),
}

/// Merges parts into the file `out`: turn files and folders that have a `turns.parquet`, or caches if its name ends in
/// `.sqlite`. `-` is standard output, for lines of JSON. Turn files become one in the order of games; the answers of caches are added to `out`.
///
/// # Errors
/// If the name of `out` has no known ending, if parts cannot be read or do not belong together, if `out` cannot be
/// written, or if the work is cancelled. A turn file appears whole or not at all; the answers of a part are added
/// together or not at all.
pub fn merge(parts: &[PathBuf], out: &Path, progress: &dyn Progress) -> Result<MergeSummary, EvaluateError> {
    if is_cache_name(out) {
        return merge_caches(parts, out, progress).map(MergeSummary::Answers);
    }
    let format = TurnFormat::of(out).ok_or_else(|| EvaluateError::Format { path: out.to_owned() })?;
    Ok(MergeSummary::Turns(merge_turn_files(parts, out, format, progress)?))
}

/// Whether a file of this name is a cache of answers: its name ends in `.sqlite`.
#[must_use]
pub fn is_cache_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "sqlite")
}

fn merge_caches(parts: &[PathBuf], out: &Path, progress: &dyn Progress) -> Result<u64, EvaluateError> {
    if let Some(missing) = parts.iter().find(|part| !part.is_file()) {
        return Err(EvaluateError::MissingCache { path: missing.clone() });
    }
    let others: Vec<PathBuf> = parts.iter().filter(|part| !same_file(part, out)).cloned().collect();
    Cache::absorb(out, &others, progress)
}
