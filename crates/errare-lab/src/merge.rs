//! Merging turn files, or caches of answers.

use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, Operation};
use errare_evaluate::{MergeSummary, merge};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Asks for turn files, or caches of answers, to be merged into one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeRequest {
    /// Turn files, folders that have a `turns.parquet`, or caches.
    pub parts: Vec<PathBuf>,
    /// The merged file: `.parquet`, `.jsonl`, `.jsonl.gz`, or `.sqlite` for caches.
    pub out: PathBuf,
}

/// What was merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "merged")]
pub enum MergeResponse {
    /// Turn files became one.
    Turns {
        /// Number of turns written.
        turns: u64,
        /// Number of turns that were in several parts, and written once.
        duplicates: u64,
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

    fn perform(&self, _: &Lab, progress: &dyn Progress) -> Result<MergeResponse, LabError> {
        Ok(match merge(&self.parts, &self.out, progress)? {
            MergeSummary::Turns(merged) => MergeResponse::Turns { turns: merged.turns, duplicates: merged.duplicates },
            MergeSummary::Answers(added) => MergeResponse::Answers { added },
        })
    }
}
