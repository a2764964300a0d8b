//! The value of a position and of each of its moves.

use crate::default_metric::TABLE_METRIC;
use crate::depth::Depth;
use crate::error::LabError;
use crate::lab::Lab;
use crate::notation::{fen_of, san, uci};
use crate::operation::{Exposure, Operation};
use crate::text::Text;
use errare_tables::{Material, Metric, Outcome, Probe, SourceSpec, TableError, Value, probe};
use errare_work::Progress;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

/// Asks for the value of a position and of each of its moves. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeRequest {
    /// The position as a FEN.
    pub fen: String,
    /// What depths count to: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm, or what the source knows.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere. Nothing is built there.
    #[serde(default)]
    pub source: Option<Text<SourceSpec>>,
}

impl ProbeRequest {
    /// Asks our tables, to mate.
    #[must_use]
    pub fn new(fen: impl Into<String>) -> ProbeRequest {
        ProbeRequest { fen: fen.into(), metric: None, source: None }
    }
}

/// A position with its value, and its moves, best first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProbeResponse {
    /// The position.
    pub fen: String,
    /// The metric of all depths.
    pub metric: String,
    /// The value for the side to move.
    #[serde(flatten)]
    pub depth: Depth,
    /// All legal moves, best first.
    pub successors: Vec<ProbedMove>,
    /// For dtr, the plies to the end of the phase; null for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "serde_with_null")]
    #[schemars(with = "Option<u16>")]
    pub phase_plies: Option<Option<u16>>,
    /// What a reader should know about the values: that they are rounded, or that the halfmove clock was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A move with the value of the position after it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProbedMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The outcome for the side that makes the move, and the depth of the position after it.
    #[serde(flatten)]
    pub depth: Depth,
    /// Whether the move ends the phase: a capture, a pawn move or mate.
    pub zeroing: bool,
    /// For dtr, the plies to the end of the phase; null for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "serde_with_null")]
    #[schemars(with = "Option<u16>")]
    pub phase_plies: Option<Option<u16>>,
}

/// A field that may be absent, null or a number: only its presence decides between the first two.
mod serde_with_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &Option<Option<u16>>, serializer: S) -> Result<S::Ok, S::Error> {
        value.flatten().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u16>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
}

impl Operation for ProbeRequest {
    const NAME: &'static str = "probe";
    const ABOUT: &'static str = "Look up the value of a position and of each of its moves";
    const EXPOSURE: Exposure = Exposure::Served;
    type Response = ProbeResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ProbeResponse, LabError> {
        let tables = lab.source(self.source.as_deref())?;
        let metric = tables.metric(self.metric.map(|metric| metric.0), TABLE_METRIC);
        let position = tables.position(&self.fen)?;
        let source = tables.source();
        let needed = needed(&position).into_iter().map(|material| (material, metric)).collect::<Vec<_>>();
        let found = tables
            .with_tables(&needed, progress, || -> Result<Probe, TableError> { probe(&*source, &position, metric) })?;
        let mut notes = Vec::new();
        if found.is_rounded {
            notes.push("these tables round: a depth may be one ply more than shown".to_owned());
        }
        if let (Metric::DtzRule(rule), clock @ 1..) = (metric, position.halfmoves()) {
            notes.push(format!("the halfmove clock of {clock} is ignored: the {rule}-move rule counts from zero"));
        }
        Ok(ProbeResponse::new(&position, metric, &found, notes))
    }
}

impl ProbeResponse {
    fn new(position: &Chess, metric: Metric, found: &Probe, notes: Vec<String>) -> ProbeResponse {
        let phase =
            |value: &Value| (metric == Metric::Dtr).then(|| (value.outcome != Outcome::Draw).then_some(value.phase.0));
        let successors = found.successors.iter().map(|successor| ProbedMove {
            uci: uci(successor.mv),
            san: san(position, successor.mv),
            depth: Depth::after_move(&successor.value, metric),
            zeroing: successor.zeroing,
            phase_plies: phase(&successor.value),
        });
        ProbeResponse {
            fen: fen_of(position),
            metric: metric.to_string(),
            depth: Depth::of(&found.value, metric),
            successors: successors.collect(),
            phase_plies: phase(&found.value),
            notes,
        }
    }
}

/// The endgames of the position and of everything a move leads to, its own first; after a double step also of what
/// taking en passant leads to, for that is looked up one ply further.
fn needed(position: &Chess) -> Vec<Material> {
    let mut needed = Vec::new();
    let mut add = |position: &Chess| {
        let (material, _) = Material::of_board(position.board());
        // Two bare kings need no table.
        if material.men() > 2 && !needed.contains(&material) {
            needed.push(material);
        }
    };
    add(position);
    for after in positions_after(position, |_| true) {
        add(&after);
        positions_after(&after, |mv| mv.is_en_passant()).for_each(|taken| add(&taken));
    }
    needed
}

/// The positions that some of the legal moves lead to.
fn positions_after(position: &Chess, wanted: fn(&shakmaty::Move) -> bool) -> impl Iterator<Item = Chess> {
    position.legal_moves().into_iter().filter(wanted).map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after
    })
}
