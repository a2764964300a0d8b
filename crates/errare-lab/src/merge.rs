//! Merging turn files, or caches of answers.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_evaluate::{MergeSummary, is_cache_name, merge};
use errare_ratings::{Merged, turn_file_of};
use errare_work::{Progress, WorkFiles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Asks for turn files, or caches of answers, to be merged into one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// Turn files, folders that have a `turns.parquet`, or caches.
    pub parts: Vec<PathBuf>,
    /// The merged file: `.parquet`, `.jsonl`, `.jsonl.gz`, `.jsonl.zst`, or `.sqlite` for caches; `-` for lines of JSON on
    /// stdout.
    pub out: PathBuf,
}

/// The result of merging.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "merged")]
pub enum MergeResponse {
    /// Turn files were merged into one.
    Turns {
        /// Number of turns written.
        turns: u64,
        /// Number of turns that were dropped because they had occurred before, in another part or in a copy of their
        /// game.
        duplicates: u64,
        /// Number of games that were dropped because they had occurred before under another number or from another file
        /// of games: players, date and moves are the same.
        duplicate_games: u64,
    },
    /// Answers were added to a cache.
    Answers {
        /// Number of answers added.
        added: u64,
    },
}

impl Operation for MergeRequest {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Merge turn files or caches";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = MergeResponse;

    fn files(&self) -> WorkFiles {
        // Answers are added to a cache, which may be one of the parts.
        let outputs = if is_cache_name(&self.out) { Vec::new() } else { vec![self.out.clone()] };
        WorkFiles { inputs: self.parts.iter().map(|part| turn_file_of(part)).collect(), outputs }
    }

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<MergeResponse, LabError> {
        lab.outside_path(&self.out)?;
        Ok(match merge(&self.parts, &self.out, progress)? {
            MergeSummary::Turns(Merged { turns, duplicates, duplicate_games }) => {
                MergeResponse::Turns { turns, duplicates, duplicate_games }
            }
            MergeSummary::Answers(added) => MergeResponse::Answers { added },
        })
    }
}
