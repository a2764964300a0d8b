//! Searching endgames for positions.

use crate::default_metric::TABLE_METRIC;
use crate::depth::{Depth, Outcome};
use crate::error::LabError;
use crate::lab::Lab;
use crate::notation::fen_of;
use crate::numbers::grouped;
use crate::numeric::Numeric;
use crate::operation::{Exposure, ListOperation, OnItem, Operation, collect};
use crate::side::Side;
use crate::text::{Endgame, Text};
use errare_tables::{
    CountRange, Counting, Criteria, DepthRange, Found, Listing, Metric, Plies, TableError, Value, WantedOutcome, find,
    statistics, tables_after,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The greatest number of positions of an endgame that a response lists.
pub(crate) const MAX_LISTED: usize = 100_000;

/// Asks for positions of endgames by depth, outcome and number of moves that keep the value. Missing tables are built
/// first.
///
/// A position and its images under rotations and reflections of the board count as one position, as in `stats` with
/// count once.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindRequest {
    /// The endgames, such as KQKR; White is the side named first.
    pub materials: Vec<Text<Endgame>>,
    /// The metric of depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
    /// The side to move.
    #[serde(default)]
    pub turn: Option<Side>,
    /// The outcome: win, draw, loss, cursed-win or blessed-loss for the side to move; white-wins or black-wins whoever
    /// is to move.
    #[serde(default)]
    pub outcome: Option<Text<WantedOutcome>>,
    /// The depth in moves of the winner, both ends included, as in 31, "20..31" or "20.."; in plies as in "39..61p".
    #[serde(default)]
    pub depth: Option<Numeric<DepthRange>>,
    /// Whether to look for mutual zugzwangs only.
    #[serde(default)]
    pub zugzwang: bool,
    /// The number of moves that keep the value, as in 1, "2..4" or "3..".
    #[serde(default)]
    pub keeping: Option<Numeric<CountRange>>,
    /// Number of positions to draw from those that match, each as likely as any other; at most 100,000.
    #[serde(default = "ten")]
    pub sample: usize,
    /// Whether to list all positions that match, deepest first, instead of a sample; at most 100,000.
    #[serde(default)]
    pub all: bool,
    /// Random seed of the sample.
    #[serde(default)]
    pub seed: u64,
}

fn ten() -> usize {
    10
}

/// The positions of one endgame that match.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundPositions {
    /// The endgame; White is the side named first.
    pub material: String,
    /// The metric of all depths.
    pub metric: String,
    /// Number of positions that match, each counted once up to symmetry.
    pub matched: u64,
    /// Number of matching positions with White to move.
    pub white_to_move: u64,
    /// Number of matching positions with Black to move.
    pub black_to_move: u64,
    /// Random seed of the sample; null if all positions are listed.
    pub seed: Option<u64>,
    /// The positions: a sample in random order, or all of them.
    pub positions: Vec<FoundPosition>,
    /// The depths that occur in the endgame, whatever else was asked for; empty if positions match.
    pub depths: Vec<DepthsThereAre>,
}

/// A position that matches.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundPosition {
    /// The position as a FEN.
    pub fen: String,
    /// The value of the position for the side to move.
    #[serde(flatten)]
    pub depth: Depth,
    /// Number of moves that keep the value.
    pub keeping: u16,
    /// Number of legal moves.
    pub legal: u16,
}

/// The depths that occur with one outcome and one side to move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DepthsThereAre {
    /// The side to move.
    pub turn: Side,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// Number of positions, each counted once up to symmetry.
    pub count: u64,
    /// The least depth in moves of the winner; null for draws.
    pub min_moves: Option<u16>,
    /// The greatest depth in moves of the winner; null for draws.
    pub max_moves: Option<u16>,
}

impl Operation for FindRequest {
    const NAME: &'static str = "find";
    const ABOUT: &'static str = "Search endgames for positions by depth, outcome and number of keeping moves";
    const EXPOSURE: Exposure = Exposure::Long;
    type Response = Vec<FoundPositions>;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<Vec<FoundPositions>, LabError> {
        collect(self, lab, progress)
    }
}

impl ListOperation for FindRequest {
    type Item = FoundPositions;

    fn perform_each(
        &self,
        lab: &Lab,
        progress: &dyn Progress,
        on_item: OnItem<'_, FoundPositions>,
    ) -> Result<(), LabError> {
        let metric = self.metric.map_or(TABLE_METRIC, |metric| metric.0);
        let draws = [Some(Text(WantedOutcome::ToMove(errare_tables::Outcome::Draw)))];
        if self.depth.is_some() && draws.contains(&self.outcome) {
            return Err(LabError::request("draws have no depth: leave out the depth or the outcome"));
        }
        if self.sample > MAX_LISTED {
            let most = grouped(MAX_LISTED as u64);
            return Err(LabError::Request(format!("invalid sample {}: expected at most {most}", self.sample)));
        }
        let criteria = Criteria {
            turn: self.turn.map(Into::into),
            outcome: self.outcome.map(|outcome| outcome.0),
            depth: self.depth.map(|depth| depth.0),
            zugzwang: self.zugzwang,
            keeping: self.keeping.map(|keeping| keeping.0),
        };
        let listing = if self.all {
            Listing::All { limit: MAX_LISTED }
        } else {
            Listing::Sample { count: self.sample, seed: self.seed }
        };
        for endgame in &self.materials {
            let found = search(lab, **endgame, metric, &criteria, listing, progress)?;
            let matched = found.count.white + found.count.black;
            if self.all && matched > MAX_LISTED as u64 {
                return Err(LabError::Request(format!(
                    "{} positions of {endgame} match, too many to list: narrow them down to {}, or take a sample",
                    grouped(matched),
                    grouped(MAX_LISTED as u64)
                )));
            }
            let depths = if matched == 0 { depths(lab, **endgame, metric, progress)? } else { Vec::new() };
            let position = |found: &errare_tables::FoundPosition| FoundPosition {
                fen: fen_of(&found.position),
                depth: Depth::of(&found.value, metric),
                keeping: found.keeping,
                legal: found.legal,
            };
            on_item(&FoundPositions {
                material: endgame.to_string(),
                metric: metric.to_string(),
                matched,
                white_to_move: found.count.white,
                black_to_move: found.count.black,
                seed: (!self.all).then_some(self.seed),
                positions: found.positions.iter().map(position).collect(),
                depths,
            })?;
        }
        Ok(())
    }
}

/// Searches an endgame, whose tables and those after it are built if they are missing.
pub(crate) fn search(
    lab: &Lab,
    endgame: Endgame,
    metric: Metric,
    criteria: &Criteria,
    listing: Listing,
    progress: &dyn Progress,
) -> Result<Found, LabError> {
    let tables = lab.tables()?;
    let Endgame { material, swapped } = endgame;
    tables.check_on_demand(material, metric)?;
    let needed = tables_after(material, &[metric]);
    Ok(tables.with_tables(&needed, progress, || -> Result<_, TableError> {
        find(tables.library(), (material, swapped), metric, criteria, listing, progress)
    })?)
}

/// The depths that occur in an endgame, by side to move and outcome.
pub(crate) fn depths(
    lab: &Lab,
    endgame: Endgame,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<Vec<DepthsThereAre>, LabError> {
    let tables = lab.tables()?;
    let counted = tables.with_tables(&[(endgame.material, metric)], progress, || -> Result<_, TableError> {
        statistics(&*tables.library().open(endgame.material, metric)?, Counting::Once, false, progress)
    })?;
    let counted = if endgame.swapped { counted.swapped()? } else { counted };
    let mut depths = Vec::new();
    for (turn, side) in [(Side::White, &counted.sides.white), (Side::Black, &counted.sides.black)] {
        for outcome in errare_tables::Outcome::BEST_FIRST {
            let bins = || side.histogram.iter().filter(|((found, _), count)| *found == outcome && **count > 0);
            let moves = bins().filter_map(|(&(outcome, Plies(plies)), _)| {
                Value::new(outcome, plies).winner_moves(metric).map(|moves| moves.0)
            });
            if bins().next().is_some() {
                depths.push(DepthsThereAre {
                    turn,
                    outcome: outcome.into(),
                    count: bins().map(|(_, count)| count).sum(),
                    min_moves: moves.clone().min(),
                    max_moves: moves.max(),
                });
            }
        }
    }
    Ok(depths)
}
