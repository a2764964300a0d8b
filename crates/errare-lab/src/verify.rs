//! Checking tables against the rules of chess.

use crate::build::wanted_tables;
use crate::depth::Depth;
use crate::error::LabError;
use crate::extent::{ExtentName, bound_sample, extent, report};
use crate::lab::Lab;
use crate::operation::{Exposure, ListOperation, OnItem, Operation, collect};
use crate::text::Text;
use errare_tables::{Extent, Material, Metric, Table, TableError, Tables, Value, Verification, verify};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Asks for tables to be checked: every entry is computed again from its moves, by a move generator that shares no code
/// with the solver. Missing tables are built first; a damaged file is reported and left as it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyRequest {
    /// Endgames, such as KQKR.
    pub materials: Vec<Text<Material>>,
    /// Metrics of the tables: dtc, dtm, dtz, dtz50 (or another move rule), dtr; by default dtm.
    #[serde(default)]
    pub metrics: Vec<Text<Metric>>,
    /// Number of placements to draw and check instead of the whole table.
    #[serde(default)]
    pub sample: Option<u64>,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
}

/// The result of checking one table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableVerification {
    /// The endgame of the table.
    pub material: String,
    /// The metric of the table.
    pub metric: String,
    /// Whether the whole table was checked.
    pub extent: ExtentName,
    /// Number of placements drawn, for a sample.
    pub placements: Option<u64>,
    /// Random seed, for a sample.
    pub seed: Option<u64>,
    /// Number of legal positions whose entries were computed again.
    pub checked: u64,
    /// The first wrong entry, if there is one.
    pub disagreement: Option<Disagreement>,
    /// The reason why the file cannot be used, if it is damaged.
    pub damage: Option<String>,
}

/// An entry that differs from the value that the moves give.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The position as a FEN.
    pub fen: String,
    /// The entry in the table; null if the table has the placement as an illegal position.
    pub stored: Option<TableEntry>,
    /// The entry that follows from the moves; null if the placement is not a legal position.
    pub expected: Option<TableEntry>,
}

/// An entry of a table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableEntry {
    /// The value of the position, with its depth.
    #[serde(flatten)]
    pub depth: Depth,
    /// The plies to the end of the phase.
    pub phase_plies: u16,
}

impl Operation for VerifyRequest {
    const NAME: &'static str = "verify";
    const ABOUT: &'static str = "Check tables against the rules of chess";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = Vec<TableVerification>;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<TableVerification>, LabError> {
        collect(self, lab, progress)
    }
}

impl ListOperation for VerifyRequest {
    type Item = TableVerification;

    fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_item: OnItem<'_, TableVerification>,
    ) -> Result<(), LabError> {
        bound_sample(lab, self.sample)?;
        let extent = extent(self.sample, self.seed);
        let tables = lab.tables()?;
        let materials: Vec<Material> = self.materials.iter().map(|material| material.0).collect();
        for (material, metric) in wanted_tables(&materials, &self.metrics) {
            let checked = check(tables, material, metric, extent, progress);
            on_item(&TableVerification::new(material, metric, extent, checked)?)?;
        }
        Ok(())
    }
}

fn check(
    tables: &Tables,
    material: Material,
    metric: Metric,
    extent: Extent,
    progress: &dyn Progress,
) -> Result<Verification, TableError> {
    let table = untouched(tables, material, metric, progress)?;
    if matches!(metric, Metric::DtzRule(_)) {
        untouched(tables, material, Metric::Dtz, progress)?;
    }
    for sub in material.conversions() {
        if sub.men() > 2 {
            untouched(tables, sub, metric, progress)?;
        }
    }
    // A sample may miss a damaged block.
    table.check(progress)?;
    verify(tables.library(), &table, extent, progress)
}

/// Opens a table and builds it only if there is none: a damaged table is what the check looks for.
fn untouched(
    tables: &Tables,
    material: Material,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<Arc<Table>, TableError> {
    match tables.library().open(material, metric) {
        Err(TableError::Missing { .. }) => tables.ensure(material, metric, progress),
        opened => opened,
    }
}

impl TableEntry {
    pub(crate) fn of(value: &Value, metric: Metric) -> TableEntry {
        TableEntry { depth: Depth::of(value, metric), phase_plies: value.phase.0 }
    }
}

impl TableVerification {
    /// Makes the result of a check: damage of the table is a finding, any other trouble an error.
    fn new(
        material: Material,
        metric: Metric,
        extent: Extent,
        checked: Result<Verification, TableError>,
    ) -> Result<TableVerification, TableError> {
        let (checked, disagreement, damage) = match checked {
            Ok(found) => (found.checked, found.disagreement, None),
            Err(error) if error.is_unusable_file() => (0, None, Some(error.to_string())),
            Err(error) => return Err(error),
        };
        let (extent, placements, seed) = report(extent);
        let disagreement = disagreement.map(|found| Disagreement {
            fen: found.fen,
            stored: found.stored.as_ref().map(|value| TableEntry::of(value, metric)),
            expected: found.expected.as_ref().map(|value| TableEntry::of(value, metric)),
        });
        let (material, metric) = (material.to_string(), metric.to_string());
        Ok(TableVerification { material, metric, extent, placements, seed, checked, disagreement, damage })
    }

    /// Whether the check found nothing wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.disagreement.is_none() && self.damage.is_none()
    }
}
