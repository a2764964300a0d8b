//! The extent of a check of a table: all of it, or a sample.

use crate::error::LabError;
use crate::lab::Lab;
use errare_tables::Extent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a check went through the whole table or a sample of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExtentName {
    /// The check went through every placement.
    Whole,
    /// The check went through placements drawn by a seed.
    Sample,
}

impl ExtentName {
    /// The name of the extent as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ExtentName::Whole => "whole",
            ExtentName::Sample => "sample",
        }
    }
}

/// The extent of a request that may ask for a sample.
pub(crate) fn extent(sample: Option<u64>, seed: u64) -> Extent {
    sample.map_or(Extent::Whole, |placements| Extent::Sample { placements, seed })
}

/// Number of placements that a client may ask to draw.
const MAX_SAMPLE_FOR_CLIENTS: u64 = 1_000_000;

/// Refuses a sample that is larger than a client may ask for.
pub(crate) fn bound_sample(lab: &Lab, sample: Option<u64>) -> Result<(), LabError> {
    lab.bound("placements to draw", sample.unwrap_or(0), MAX_SAMPLE_FOR_CLIENTS)
}

/// Converts the extent to what responses report: its name, and for a sample the number of placements and the seed.
pub(crate) fn report(extent: Extent) -> (ExtentName, Option<u64>, Option<u64>) {
    match extent {
        Extent::Whole => (ExtentName::Whole, None, None),
        Extent::Sample { placements, seed } => (ExtentName::Sample, Some(placements), Some(seed)),
    }
}
