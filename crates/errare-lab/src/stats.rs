//! Counting the positions of an endgame by outcome and depth, and its mutual zugzwangs.

use crate::default_metric::TABLE_METRIC;
use crate::depth::{Depth, Outcome};
use crate::error::LabError;
use crate::lab::Lab;
use crate::operation::{Exposure, ListOperation, OnItem, Operation, collect};
use crate::text::{Endgame, Text};
use crate::verify::TableEntry;
use errare_tables::{Counting, Metric, Plies, Statistics, TableError, Value, statistics};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Asks for the numbers of positions of endgames by outcome and depth. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatsRequest {
    /// The endgames, such as KQKR; White is the side named first.
    pub materials: Vec<Text<Endgame>>,
    /// The metric of depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
    /// The convention of what counts as one position: once (up to symmetry), all (every placement on the 64 squares) or
    /// ordered (up to symmetry, but like men distinguished).
    #[serde(default)]
    pub count: Text<Counting>,
    /// Whether to list every mutual zugzwang.
    #[serde(default)]
    pub zugzwangs: bool,
}

/// Asks for the mutual zugzwangs of an endgame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZugzwangsRequest {
    /// The endgame; White is the side named first.
    pub material: Text<Endgame>,
    /// The metric of depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
}

/// The statistics of an endgame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EndgameStatistics {
    /// The endgame; White is the side named first.
    pub material: String,
    /// The metric of all depths.
    pub metric: String,
    /// The convention of what counts as one position: once, all or ordered.
    pub count: String,
    /// The statistics with White to move.
    pub white_to_move: SideStatistics,
    /// The statistics with Black to move.
    pub black_to_move: SideStatistics,
    /// Positions in which neither side, if it is to move, wins, and at least one loses.
    pub mutual_zugzwangs: Zugzwangs,
}

/// The statistics of one side to move. With a move rule wins and losses are those within the rule.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideStatistics {
    /// Number of wins.
    pub wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of losses.
    pub losses: u64,
    /// The depth of the deepest win.
    pub max_win_plies: Option<u16>,
    /// The depth of the deepest loss.
    pub max_loss_plies: Option<u16>,
    /// Numbers of positions by outcome and depth, wins first, the soonest first.
    pub histogram: Vec<HistogramBin>,
    /// A deepest position of each decisive outcome, the greatest depth first.
    pub deepest: Vec<String>,
    /// The values of the positions in `deepest`, in the same order.
    pub deepest_values: Vec<TableEntry>,
    /// The counts of what a move rule takes away, for a metric that has one.
    #[serde(flatten)]
    pub spoilt: Option<SpoiltCounts>,
}

/// The counts of what a move rule takes away.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpoiltCounts {
    /// Number of wins that the rule turns into draws.
    pub cursed_wins: u64,
    /// Number of losses that the rule turns into draws.
    pub blessed_losses: u64,
    /// The depth of the deepest cursed win.
    pub max_cursed_win_plies: Option<u16>,
    /// The depth of the deepest blessed loss.
    pub max_blessed_loss_plies: Option<u16>,
}

/// Number of positions with an outcome and a depth.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HistogramBin {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The depth in plies; null for draws.
    pub plies: Option<u16>,
    /// Number of positions.
    pub count: u64,
}

/// The mutual zugzwangs of an endgame.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Zugzwangs {
    /// Number of mutual zugzwangs.
    pub count: u64,
    /// The deepest mutual zugzwang; null if there is none.
    pub deepest: Option<Zugzwang>,
    /// Every mutual zugzwang, deepest first, each once up to symmetry; null unless asked for.
    pub list: Option<Vec<Zugzwang>>,
}

/// A mutual zugzwang: a position in which whoever has to move is worse off than if the other side had to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Zugzwang {
    /// The position with White to move, as a FEN.
    pub fen: String,
    /// The value of the position with White to move.
    pub white_to_move: Depth,
    /// The value of the position with Black to move.
    pub black_to_move: Depth,
}

impl Operation for StatsRequest {
    const NAME: &'static str = "stats";
    const ABOUT: &'static str = "Count the positions of endgames by outcome and depth";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = Vec<EndgameStatistics>;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<EndgameStatistics>, LabError> {
        collect(self, lab, progress)
    }
}

impl ListOperation for StatsRequest {
    type Item = EndgameStatistics;

    fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_item: OnItem<'_, EndgameStatistics>,
    ) -> Result<(), LabError> {
        let metric = self.metric.map_or(TABLE_METRIC, |metric| metric.0);
        for material in &self.materials {
            let found = count(lab, **material, metric, *self.count, self.zugzwangs, progress)?;
            on_item(&EndgameStatistics {
                material: material.to_string(),
                metric: metric.to_string(),
                count: found.counting.to_string(),
                white_to_move: SideStatistics::new(&found.sides.white, metric),
                black_to_move: SideStatistics::new(&found.sides.black, metric),
                mutual_zugzwangs: Zugzwangs::new(&found.zugzwangs, metric, self.zugzwangs),
            })?;
        }
        Ok(())
    }
}

impl Operation for ZugzwangsRequest {
    const NAME: &'static str = "zugzwangs";
    const ABOUT: &'static str = "List the mutual zugzwangs of an endgame";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = Zugzwangs;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Zugzwangs, LabError> {
        let metric = self.metric.map_or(TABLE_METRIC, |metric| metric.0);
        let found = count(lab, *self.material, metric, Counting::Once, true, progress)?;
        Ok(Zugzwangs::new(&found.zugzwangs, metric, true))
    }
}

fn count(
    lab: &Lab,
    endgame: Endgame,
    metric: Metric,
    counting: Counting,
    with_list: bool,
    progress: &dyn Progress,
) -> Result<Statistics, LabError> {
    let tables = lab.tables()?;
    let found = tables.with_tables(&[(endgame.material, metric)], progress, || -> Result<_, TableError> {
        statistics(&*tables.ensure(endgame.material, metric, progress)?, counting, with_list, progress)
    })?;
    Ok(if endgame.swapped { found.swapped()? } else { found })
}

impl SideStatistics {
    fn new(found: &errare_tables::SideStatistics, metric: Metric) -> SideStatistics {
        use errare_tables::Outcome as Table;
        let deepest = |outcome| found.deepest.get(&outcome).map(|(value, _)| value.plies.0);
        // Wins first, the soonest first.
        let mut bins: Vec<_> = found.histogram.iter().filter(|(_, count)| **count > 0).collect();
        bins.sort_by_key(|&(&(outcome, plies), _)| (Reverse(outcome), plies));
        let mut fens: Vec<&(Value, String)> = found.deepest.values().collect();
        fens.sort_by_key(|(value, _)| Reverse(value.plies));
        let bin = |(&(outcome, Plies(plies)), &count): (&(Table, Plies), &u64)| HistogramBin {
            outcome: outcome.into(),
            plies: (outcome != Table::Draw).then_some(plies),
            count,
        };
        SideStatistics {
            wins: found.count(Table::Win),
            draws: found.count(Table::Draw),
            losses: found.count(Table::Loss),
            max_win_plies: deepest(Table::Win),
            max_loss_plies: deepest(Table::Loss),
            histogram: bins.into_iter().map(bin).collect(),
            deepest: fens.iter().map(|(_, fen)| fen.clone()).collect(),
            deepest_values: fens.iter().map(|(value, _)| TableEntry::of(value, metric)).collect(),
            spoilt: metric.rule_plies().map(|_| SpoiltCounts {
                cursed_wins: found.count(Table::CursedWin),
                blessed_losses: found.count(Table::BlessedLoss),
                max_cursed_win_plies: deepest(Table::CursedWin),
                max_blessed_loss_plies: deepest(Table::BlessedLoss),
            }),
        }
    }
}

impl Zugzwangs {
    fn new(found: &errare_tables::Zugzwangs, metric: Metric, with_list: bool) -> Zugzwangs {
        let zugzwang = |found: &errare_tables::Zugzwang| Zugzwang {
            fen: found.fen.clone(),
            white_to_move: Depth::of(&found.white, metric),
            black_to_move: Depth::of(&found.black, metric),
        };
        Zugzwangs {
            count: found.count,
            deepest: found.deepest.as_ref().map(zugzwang),
            list: with_list.then(|| found.list.iter().map(zugzwang).collect()),
        }
    }
}
