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
use std::collections::BTreeMap;

/// Asks for the value of a position and of each of its moves. Missing tables are built first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProbeRequest {
    /// The position as a FEN.
    pub fen: String,
    /// The metric that depths count to: dtm, dtc, dtz, dtz50 (or another move rule) or dtr; by default dtm, or the
    /// metric of the source.
    #[serde(default)]
    pub metric: Option<Text<Metric>>,
    /// Further metrics to give depths in, besides `metric`.
    #[serde(default)]
    pub also: Vec<Text<Metric>>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere. Nothing is built there.
    #[serde(default)]
    pub source: Option<Text<SourceSpec>>,
}

impl ProbeRequest {
    /// Makes a request to our tables, for depths to mate.
    #[must_use]
    pub fn new(fen: impl Into<String>) -> ProbeRequest {
        ProbeRequest { fen: fen.into(), metric: None, also: Vec::new(), source: None }
    }
}

/// A position with its value, and its moves, best first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProbeResponse {
    /// The position as a FEN.
    pub fen: String,
    /// The metric of all depths.
    pub metric: String,
    /// The value of the position for the side to move.
    #[serde(flatten)]
    pub depth: Depth,
    /// All legal moves, best first.
    pub successors: Vec<ProbedMove>,
    /// For dtr, the plies to the end of the phase; null for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "serde_with_null")]
    #[schemars(with = "Option<u16>")]
    pub phase_plies: Option<Option<u16>>,
    /// The value for the side to move by each further metric that was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub also: BTreeMap<String, Depth>,
    /// Notes that a reader should know about the values: that they are rounded, or that the halfmove clock was ignored.
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
    /// The outcome and the depth of the position after the move by each further metric that was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub also: BTreeMap<String, Depth>,
}

/// The serde form of a field that may be absent, null or a number: only its presence decides between the first two.
mod serde_with_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &Option<Option<u16>>, serializer: S) -> Result<S::Ok, S::Error> {
        value.flatten().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u16>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
}

/// The greatest number of further metrics that a client may ask for: each may have tables to be built.
const MAX_FURTHER_METRICS_FOR_CLIENTS: u64 = 8;

impl Operation for ProbeRequest {
    const NAME: &'static str = "probe";
    const ABOUT: &'static str = "Look up the value of a position and of each of its moves";
    const EXPOSURE: Exposure = Exposure::Quick;
    type Response = ProbeResponse;

    fn perform(&self, lab: &Lab, progress: &dyn Progress) -> Result<ProbeResponse, LabError> {
        lab.bound("further metrics", self.also.len() as u64, MAX_FURTHER_METRICS_FOR_CLIENTS)?;
        let tables = lab.source(self.source.as_deref())?;
        let metric = tables.metric(self.metric.map(|metric| metric.0), TABLE_METRIC);
        let position = tables.position(&self.fen)?;
        let source = tables.source();
        let also: Vec<Metric> = self.also.iter().map(|metric| metric.0).filter(|&other| other != metric).collect();
        let metrics = || [metric].into_iter().chain(also.iter().copied());
        let materials = needed(&position);
        let needed: Vec<_> = metrics().flat_map(|metric| materials.iter().map(move |&men| (men, metric))).collect();
        let mut probes = tables
            .with_tables(&needed, progress, || -> Result<Vec<Probe>, TableError> {
                metrics().map(|metric| probe(&*source, &position, metric)).collect()
            })?
            .into_iter();
        let found = probes.next().ok_or(LabError::Internal("a probe without a metric"))?;
        let also: Vec<(Metric, Probe)> = also.into_iter().zip(probes).collect();
        let mut notes = Vec::new();
        if found.is_rounded || also.iter().any(|(_, found)| found.is_rounded) {
            notes.push("these tables round: a depth may be one ply more than shown".to_owned());
        }
        if let (Metric::DtzRule(rule), clock @ 1..) = (metric, position.halfmoves()) {
            notes.push(format!("the halfmove clock of {clock} is ignored: the {rule}-move rule counts from zero"));
        }
        Ok(ProbeResponse::new(&position, (metric, &found), &also, notes))
    }
}

impl ProbeResponse {
    fn new(
        position: &Chess,
        (metric, found): (Metric, &Probe),
        also: &[(Metric, Probe)],
        notes: Vec<String>,
    ) -> ProbeResponse {
        let phase =
            |value: &Value| (metric == Metric::Dtr).then(|| (value.outcome != Outcome::Draw).then_some(value.phase.0));
        let successors = found.successors.iter().map(|successor| ProbedMove {
            uci: uci(successor.mv),
            san: san(position, successor.mv),
            depth: Depth::after_move(&successor.value, metric),
            zeroing: successor.zeroing,
            phase_plies: phase(&successor.value),
            also: also
                .iter()
                .filter_map(|(metric, probe)| {
                    let same = probe.successors.iter().find(|other| other.mv == successor.mv)?;
                    Some((metric.to_string(), Depth::after_move(&same.value, *metric)))
                })
                .collect(),
        });
        ProbeResponse {
            fen: fen_of(position),
            metric: metric.to_string(),
            depth: Depth::of(&found.value, metric),
            successors: successors.collect(),
            phase_plies: phase(&found.value),
            also: also.iter().map(|(metric, probe)| (metric.to_string(), Depth::of(&probe.value, *metric))).collect(),
            notes,
        }
    }
}

/// The endgames of the position and of all positions that moves lead to, its own first; after a double step also that
/// after taking en passant, which is looked up one ply further.
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
