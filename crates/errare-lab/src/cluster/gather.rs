//! The last job of a run that evaluates games: it merges the shares, and checks the merged turns against the games.

use super::evaluate::shard_folder;
use crate::error::LabError;
use crate::evaluate::{EvaluateRequest, EvaluateResponse};
use crate::lab::Lab;
use crate::merge::{MergeRequest, MergeResponse};
use crate::operation::Operation;
use crate::reach::Outside;
use errare_cluster::RunFolder;
use errare_evaluate::{Audit, GameSource, audit, turn_files};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The result of merging and checking the shares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GatherSummary {
    /// Number of games whose turns count.
    pub games: u64,
    /// Number of turns written.
    pub turns: u64,
    /// Number of turns that are missing because the engine failed at them.
    pub failed: u64,
    /// Number of games that came again in another share, and are counted once.
    pub copies: u64,
}

/// Merges the shares of a run, checks the merged turns, and gives them their names.
pub(super) fn gather(
    folder: &RunFolder,
    whole: &EvaluateRequest,
    shards: u32,
    lab: &Lab,
    progress: &dyn Progress,
) -> Result<(GatherSummary, Vec<PathBuf>), LabError> {
    let outside = lab.outside_path(&whole.out)?;
    let mut parts = Vec::new();
    let mut failed = 0;
    for number in 1..=shards {
        progress.proceed()?;
        let found = shard_response(folder, number)?;
        failed += found.failed;
        // A share without games has no turn file.
        if found.games > 0 {
            parts.push(shard_folder(folder.path(), number));
        }
    }
    if parts.is_empty() {
        return Err(LabError::request("no games to evaluate: every share is empty"));
    }
    outside.make_folder(&whole.out)?;
    let mut files = Vec::new();
    let mut summary = GatherSummary { failed, ..GatherSummary::default() };
    for (at, file) in turn_files(&whole.out, whole.jsonl).into_iter().enumerate() {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Nobody takes it for the turns until it is checked.
        let unchecked = whole.out.join(format!("unchecked-{name}"));
        let sources = if at == 0 { parts.clone() } else { files.clone() };
        let merged = MergeRequest { parts: sources, out: unchecked.clone() }.perform(lab, progress)?;
        let checked = check(whole, &unchecked, failed, progress);
        let checked = checked.inspect_err(|_| outside.remove(&unchecked))?;
        outside.rename(&unchecked, &file)?;
        files.push(file);
        if let (0, MergeResponse::Turns { turns, duplicate_games, .. }) = (at, merged) {
            summary = GatherSummary { games: checked.games, turns, copies: duplicate_games, ..summary };
        }
    }
    Ok((summary, files))
}

/// Reads the result of evaluating a share from the record of its job.
fn shard_response(folder: &RunFolder, number: u32) -> Result<EvaluateResponse, LabError> {
    let job = folder.job(number as usize - 1)?;
    let record = folder.record(job)?.filter(errare_cluster::Record::is_done);
    let record = record.ok_or_else(|| LabError::request(format!("{} is not done", job.name)))?;
    let wrong = |error| LabError::request(format!("the record of {} is damaged: {error}", job.name));
    serde_json::from_value(record.result).map_err(wrong)
}

/// Walks through the games once more, and compares every turn that counts with the merged file.
fn check(whole: &EvaluateRequest, turns: &Path, failed: u64, progress: &dyn Progress) -> Result<Audit, LabError> {
    let games: Vec<GameSource> = whole.files.iter().cloned().map(GameSource::File).collect();
    let found = audit(&games, whole.rules(), turns, progress)?;
    if found.missing != failed || found.double > 0 || found.foreign > 0 {
        return Err(LabError::request(format!(
            "the merged turns are not those of the games: {} missing where the engine failed at {failed}, {} double, {} \
             foreign ({}); did the games change meanwhile?",
            found.missing,
            found.double,
            found.foreign,
            found.examples.join("; ")
        )));
    }
    Ok(found)
}

#[allow(clippy::disallowed_methods, reason = "whoever has an Outside may")]
impl Outside {
    fn make_folder(self, folder: &Path) -> Result<(), LabError> {
        let failed = |error| LabError::request(format!("cannot make the folder {}: {error}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)
    }

    fn rename(self, from: &Path, to: &Path) -> Result<(), LabError> {
        let failed =
            |error| LabError::request(format!("cannot rename {} to {}: {error}", from.display(), to.display()));
        std::fs::rename(from, to).map_err(failed)
    }

    fn remove(self, file: &Path) {
        // What cannot be removed is still called unchecked.
        let _ = std::fs::remove_file(file);
    }
}
