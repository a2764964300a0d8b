//! Comparing our tables with those that others made.

use crate::depth::Depth;
use crate::error::LabError;
use crate::extent::{ExtentName, extent, report};
use crate::lab::Lab;
use crate::operation::{Exposure, ListOperation, OnItem, Operation, collect};
use crate::text::Text;
use errare_tables::{ChecksumChecks, Comparison, Extent, Material, Metric, SourceSpec, TableError, compare};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for our tables to be compared with tables of others, position by position. Missing tables of ours are built
/// first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// Endgames, such as KQKR.
    pub materials: Vec<Text<Material>>,
    /// The other tables: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere.
    pub with: Text<SourceSpec>,
    /// Number of placements to draw and compare instead of the whole table.
    #[serde(default)]
    pub sample: Option<u64>,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
    /// Number of differences to name for each endgame.
    #[serde(default = "ten")]
    pub limit: usize,
}

fn ten() -> usize {
    10
}

/// The comparison of one table with the other source. Each position counts once up to symmetry.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableComparison {
    /// The endgame of the table.
    pub material: String,
    /// The metric of the table.
    pub metric: String,
    /// The other tables, as the request names them.
    pub with: String,
    /// Whether the whole table was compared.
    pub extent: ExtentName,
    /// Number of placements drawn, for a sample.
    pub placements: Option<u64>,
    /// Random seed, for a sample.
    pub seed: Option<u64>,
    /// Number of positions compared.
    pub compared: u64,
    /// Number of positions with the same value in both.
    pub agreeing: u64,
    /// Number of positions whose depths differ by the ply that the other source rounds away.
    pub rounded: u64,
    /// Number of cursed wins whose depths lie between the two ways of counting them.
    pub between: u64,
    /// Number of positions with different values.
    pub disagreeing: u64,
    /// The first positions with different values.
    pub differences: Vec<Difference>,
}

/// A position with different values in the two sources.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The position as a FEN.
    pub fen: String,
    /// The value in our table.
    pub ours: Depth,
    /// The value in the other tables.
    pub theirs: Depth,
}

impl Operation for CompareRequest {
    const NAME: &'static str = "compare";
    const ABOUT: &'static str = "Compare tables with those that others made";
    const EXPOSURE: Exposure = Exposure::Local;
    type Response = Vec<TableComparison>;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<TableComparison>, LabError> {
        collect(self, lab, progress)
    }
}

impl ListOperation for CompareRequest {
    type Item = TableComparison;

    fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_item: OnItem<'_, TableComparison>,
    ) -> Result<(), LabError> {
        // Opened anew, so that all checksums are checked: what was right once may have rotted since.
        let source = lab.outside(&self.with)?.tables(&self.with, ChecksumChecks::Every)?;
        let (tables, extent, metric) = (lab.tables()?, extent(self.sample, self.seed), source.metric());
        for (place, material) in self.materials.iter().enumerate() {
            // One table, however it is spelt and how often.
            if self.materials[..place].contains(material) {
                continue;
            }
            let found = tables.with_tables(&[(material.0, metric)], progress, || -> Result<_, TableError> {
                let table = tables.ensure(material.0, metric, progress)?;
                compare(&table, &*source, extent, self.limit, progress)
            })?;
            on_item(&self.comparison(material.0, metric, extent, &found))?;
        }
        Ok(())
    }
}

impl CompareRequest {
    fn comparison(&self, material: Material, metric: Metric, extent: Extent, found: &Comparison) -> TableComparison {
        let (extent, placements, seed) = report(extent);
        let difference = |difference: &errare_tables::Difference| Difference {
            fen: difference.fen.clone(),
            ours: Depth::of(&difference.ours, metric),
            theirs: Depth::of(&difference.theirs, metric),
        };
        TableComparison {
            material: material.to_string(),
            metric: metric.to_string(),
            with: self.with.to_string(),
            extent,
            placements,
            seed,
            compared: found.compared(),
            agreeing: found.agreeing,
            rounded: found.rounded,
            between: found.between,
            disagreeing: found.disagreeing,
            differences: found.differences.iter().map(difference).collect(),
        }
    }
}
