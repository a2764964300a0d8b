//! Building tables.

use crate::default_metric::TABLE_METRIC;
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, ListOperation, OnItem, Operation, collect};
use crate::text::Text;
use errare_tables::{
    BuildObserver, BuildReport, Counts, MAX_MEN, MAX_MEN_BUILT_ON_DEMAND, MAX_MEN_WITH_PAWNS, Material, Metric, Table,
};
use errare_work::{Cancelled, Progress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Asks for tables to be built, where they are missing.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildRequest {
    /// Endgames, such as KQKR.
    #[serde(default)]
    pub materials: Vec<Text<Material>>,
    /// Every endgame of 3 to this number of men, with pawns up to 5; instead of `materials`.
    #[serde(default)]
    pub men: Option<u8>,
    /// Whether `men` leaves out endgames with pawns.
    #[serde(default)]
    pub without_pawns: bool,
    /// Metrics of the tables: dtc, dtm, dtz, dtz50 (or another move rule), dtr; by default dtm.
    #[serde(default)]
    pub metrics: Vec<Text<Metric>>,
}

/// A table that was built, or that existed already.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BuiltTable {
    /// The endgame of the table.
    pub material: String,
    /// The metric of the table, under the name that the request used.
    pub metric: String,
    /// Whether the table was built now or existed already.
    pub state: TableState,
    /// Seconds of solving.
    pub solving_seconds: Option<f64>,
    /// CPU seconds of solving, over all threads.
    pub solving_cpu_seconds: Option<f64>,
    /// Seconds of compressing and writing.
    pub storing_seconds: Option<f64>,
    /// CPU seconds of compressing and writing, over all threads.
    pub storing_cpu_seconds: Option<f64>,
    /// The greatest number of bytes that the program has held in memory so far.
    pub peak_memory_bytes: Option<u64>,
    /// Number of bytes of the file.
    pub bytes: u64,
    /// The depth of the deepest win of White, the side named first.
    pub white_max_plies: Option<u16>,
    /// The depth of the deepest win of Black.
    pub black_max_plies: Option<u16>,
}

/// Whether a table was built now or was there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    /// The table was built now.
    Built,
    /// The table existed already.
    Present,
}

impl TableState {
    /// The name of the state as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TableState::Built => "built",
            TableState::Present => "present",
        }
    }
}

impl Operation for BuildRequest {
    const NAME: &'static str = "build";
    const ABOUT: &'static str = "Build endgame tables";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = Vec<BuiltTable>;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<BuiltTable>, LabError> {
        collect(self, lab, progress)
    }
}

impl ListOperation for BuildRequest {
    type Item = BuiltTable;

    fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_item: OnItem<'_, BuiltTable>,
    ) -> Result<(), LabError> {
        let wanted = self.wanted()?;
        let most = wanted.iter().map(|(material, _)| material.men()).max().unwrap_or(0);
        lab.bound("men of tables to build", most as u64, MAX_MEN_BUILT_ON_DEMAND as u64)?;
        let tables = lab.tables()?;
        let known: Mutex<Vec<(String, String)>> = Mutex::default();
        let stopped: Mutex<Result<(), Cancelled>> = Mutex::new(Ok(()));
        let enter = |table: BuiltTable| {
            let name = (table.material.clone(), table.metric.clone());
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            if !known.contains(&name) {
                known.push(name);
                let mut stopped = stopped.lock().unwrap_or_else(PoisonError::into_inner);
                *stopped = (*stopped).and_then(|()| on_item(&table));
            }
        };
        let plan = tables.plan(&wanted)?;
        let asked: Mutex<Option<(Material, Metric)>> = Mutex::default();
        let on_built = |report: &BuildReport| {
            let asked = *asked.lock().unwrap_or_else(PoisonError::into_inner);
            enter(BuiltTable::built(report, asked));
        };
        let observer = BuildObserver::new(progress).with_plan(&plan).on_built(&on_built);
        for (material, metric) in wanted {
            *asked.lock().unwrap_or_else(PoisonError::into_inner) = Some((material, metric));
            let table = tables.ensure_observed(material, metric, &observer)?;
            enter(BuiltTable::present(&table, metric));
            (*stopped.lock().unwrap_or_else(PoisonError::into_inner))?;
            // Of a long row of tables few are needed again soon.
            tables.library().close_all();
        }
        Ok(())
    }
}

impl BuildRequest {
    /// The tables that the request asks for, each once.
    ///
    /// # Errors
    /// If the request makes no sense.
    pub(crate) fn wanted(&self) -> Result<Vec<(Material, Metric)>, LabError> {
        Ok(wanted_tables(&self.materials()?, &self.metrics))
    }

    fn materials(&self) -> Result<Vec<Material>, LabError> {
        match self.men {
            None if self.materials.is_empty() => Err(LabError::request("no endgames to build: name some, or give men")),
            None if self.without_pawns => Err(LabError::request("without pawns: give men, not endgames")),
            None => Ok(self.materials.iter().map(|material| material.0).collect()),
            Some(_) if !self.materials.is_empty() => Err(LabError::request("give either endgames or men, not both")),
            Some(men @ 3..) if usize::from(men) <= MAX_MEN => {
                let sizes = 3..=usize::from(men);
                Ok(sizes.flat_map(|men| Material::all(men, !self.without_pawns && men <= MAX_MEN_WITH_PAWNS)).collect())
            }
            Some(men) => Err(LabError::request(format!("invalid number of men {men}: expected 3 to {MAX_MEN}"))),
        }
    }
}

/// Lists the tables to work on, each once: DTZ and DTC of an endgame without pawns are one table. By default they are
/// those of [`TABLE_METRIC`].
pub(crate) fn wanted_tables(materials: &[Material], metrics: &[Text<Metric>]) -> Vec<(Material, Metric)> {
    let metrics = if metrics.is_empty() { &[Text(TABLE_METRIC)] } else { metrics };
    let mut found: Vec<(Material, Metric)> = Vec::new();
    for &material in materials {
        for &Text(metric) in metrics {
            let stored = metric.stored(material);
            if !found.iter().any(|&(known, other)| known == material && other.stored(known) == stored) {
                found.push((material, metric));
            }
        }
    }
    found
}

/// The depths of the deepest wins of the side named first and of the other side.
fn deepest_wins(counts: &ByColor<Counts>) -> [Option<u16>; 2] {
    [(&counts.white, &counts.black), (&counts.black, &counts.white)]
        .map(|(mover, other)| mover.deepest_win().max(other.deepest_loss()).map(|plies| plies.0))
}

impl BuiltTable {
    /// Describes a table that was built, under the metric's name that the request used.
    fn built(report: &BuildReport, asked: Option<(Material, Metric)>) -> BuiltTable {
        let name =
            asked.filter(|&(material, metric)| report.material == material && report.metric == metric.stored(material));
        let seconds = |duration: Duration| Some((duration.as_secs_f64() * 1e3).round() / 1e3);
        let [white_max_plies, black_max_plies] = deepest_wins(&report.counts);
        BuiltTable {
            material: report.material.to_string(),
            metric: name.map_or(report.metric, |(_, metric)| metric).to_string(),
            state: TableState::Built,
            solving_seconds: seconds(report.solving),
            solving_cpu_seconds: seconds(report.solving_cpu),
            storing_seconds: seconds(report.storing),
            storing_cpu_seconds: seconds(report.storing_cpu),
            peak_memory_bytes: report.peak_memory,
            bytes: report.bytes,
            white_max_plies,
            black_max_plies,
        }
    }

    fn present(table: &Table, metric: Metric) -> BuiltTable {
        let [white_max_plies, black_max_plies] = deepest_wins(&table.header().counts);
        BuiltTable {
            material: table.material().to_string(),
            metric: metric.to_string(),
            state: TableState::Present,
            solving_seconds: None,
            solving_cpu_seconds: None,
            storing_seconds: None,
            storing_cpu_seconds: None,
            peak_memory_bytes: None,
            bytes: table.file_len(),
            white_max_plies,
            black_max_plies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_asked_for_once() {
        let both: Vec<Material> = ["KQKR", "KRKQ"].iter().filter_map(|name| name.parse().ok()).collect();
        let metrics = [Metric::Dtz, Metric::Dtc, Metric::Dtm].map(Text);
        let asked: Vec<Metric> = wanted_tables(&both, &metrics).into_iter().map(|(_, metric)| metric).collect();
        assert_eq!(asked, [Metric::Dtz, Metric::Dtm]);
    }
}
