//! The value of a position with one of its men moved to each of the 64 squares.

use crate::default_metric::TABLE_METRIC;
use crate::depth::Depth;
use crate::error::LabError;
use crate::lab::Lab;
use crate::notation::fen_of;
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_tables::{
    FenError, Material, Metric, Misplaced, Outcome, Placement, Reading, SourceSpec, TableError, placements,
};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, Square};

/// Asks for the value of a position with one of its men on each of the 64 squares, while the other men and the side to
/// move stay. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SquaresRequest {
    /// The position as a FEN.
    pub fen: String,
    /// The square on which the man stands, such as e4.
    pub square: String,
    /// The metric that depths count to: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm, or the
    /// metric of the source.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere. Nothing is built there.
    #[serde(default)]
    pub source: Option<Text<SourceSpec>>,
}

/// The value of a position with one of its men on each of the 64 squares.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SquaresResponse {
    /// The position as a FEN.
    pub fen: String,
    /// The metric of all depths.
    pub metric: String,
    /// The square on which the man stands.
    pub square: String,
    /// The man as FENs have it: KQRBNP for White, kqrbnp for Black.
    pub man: char,
    /// All 64 squares, a1 to h1 first.
    pub squares: Vec<SquareValue>,
    /// Notes that a reader should know about the values: that they are rounded, or that the halfmove clock was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The value of a position with the man on one square, or the reason why there is no such position.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SquareValue {
    /// The square that the man is put on.
    pub square: String,
    /// The position with the man on this square, as a FEN; null if there is none.
    pub fen: Option<String>,
    /// The value of that position for the side to move; null if there is no such position.
    pub value: Option<Depth>,
    /// For dtr, the plies to the end of the phase; null for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_plies: Option<u16>,
    /// The reason why there is no such position; null if there is one.
    pub fault: Option<SquareFault>,
    /// The reason in words; null if there is such a position.
    pub reason: Option<String>,
}

/// The reason why a man cannot stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SquareFault {
    /// Another man is on the square.
    Occupied,
    /// The kings would be on neighbouring squares.
    KingsTouch,
    /// The side that is not to move would be in check.
    KingCapture,
    /// A pawn would be on the first or last rank.
    PawnRank,
    /// The position would be illegal for another reason.
    Illegal,
}

impl SquareFault {
    fn of(misplaced: &Misplaced) -> SquareFault {
        match misplaced {
            Misplaced::Occupied(_) => SquareFault::Occupied,
            Misplaced::Illegal(FenError::KingsTouch) => SquareFault::KingsTouch,
            Misplaced::Illegal(FenError::KingCapture(_)) => SquareFault::KingCapture,
            Misplaced::Illegal(FenError::PawnRank) => SquareFault::PawnRank,
            _ => SquareFault::Illegal,
        }
    }

    /// The name of the reason as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SquareFault::Occupied => "occupied",
            SquareFault::KingsTouch => "kings-touch",
            SquareFault::KingCapture => "king-capture",
            SquareFault::PawnRank => "pawn-rank",
            SquareFault::Illegal => "illegal",
        }
    }
}

impl Operation for SquaresRequest {
    const NAME: &'static str = "squares";
    const ABOUT: &'static str = "Look up the value of a position with one of its men on each of the 64 squares";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = SquaresResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<SquaresResponse, LabError> {
        let tables = lab.source(self.source.as_deref())?;
        let metric = tables.metric(self.metric.map(|metric| metric.0), TABLE_METRIC);
        let position = tables.position(&self.fen)?;
        let square = self
            .square
            .parse::<Square>()
            .map_err(|_| LabError::Request(format!("invalid square `{}`: expected a1 to h8", excerpt(&self.square))))?;
        let man = position.board().piece_at(square);
        let (Some(man), Some(placed)) = (man, placements(&position, square)) else {
            return Err(LabError::Request(format!("there is no man on {square}: name the square of one")));
        };
        let source = tables.source();
        let needed: Vec<(Material, Metric)> = needed(&position).into_iter().map(|men| (men, metric)).collect();
        let readings = tables.with_tables(&needed, progress, || -> Result<Vec<Option<Reading>>, TableError> {
            let reading = |placement: &Placement| match &placement.position {
                Ok(position) => source.reading(position, metric).map(Some),
                Err(_) => Ok(None),
            };
            placed.iter().map(reading).collect()
        })?;
        let mut notes = Vec::new();
        if readings.iter().flatten().any(|reading| reading.is_rounded) {
            notes.push("these tables round: a depth may be one ply more than shown".to_owned());
        }
        if let (Metric::DtzRule(rule), clock @ 1..) = (metric, position.halfmoves()) {
            notes.push(format!("the halfmove clock of {clock} is ignored: the {rule}-move rule counts from zero"));
        }
        Ok(SquaresResponse {
            fen: fen_of(&position),
            metric: metric.to_string(),
            square: square.to_string(),
            man: man.char(),
            squares: placed.iter().zip(readings).map(|(placed, reading)| value(placed, reading, metric)).collect(),
            notes,
        })
    }
}

fn value(placed: &Placement, reading: Option<Reading>, metric: Metric) -> SquareValue {
    let misplaced = placed.position.as_ref().err();
    let of_phase = reading.filter(|reading| metric == Metric::Dtr && reading.value.outcome != Outcome::Draw);
    SquareValue {
        square: placed.square.to_string(),
        fen: placed.position.as_ref().ok().map(fen_of),
        value: reading.map(|reading| Depth::of(&reading.value, metric)),
        phase_plies: of_phase.map(|reading| reading.value.phase.0),
        fault: misplaced.map(SquareFault::of),
        reason: misplaced.map(ToString::to_string),
    }
}

/// The endgame of the position, and those that taking en passant leads to: no other tables are needed.
fn needed(position: &Chess) -> Vec<Material> {
    let captures = position.legal_moves().into_iter().filter(|mv| mv.is_en_passant()).map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    });
    let positions = std::iter::once(position.clone()).chain(captures);
    // Two bare kings need no table.
    positions.map(|position| Material::of_board(position.board()).0).filter(|material| material.men() > 2).collect()
}

/// Shortens a text that should have been a square.
fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}
