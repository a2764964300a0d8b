//! The predator's expectations over a range of opponents, and their chart.

use crate::choose::{ChooseResponse, NamedMove, named};
use errare_endgame::{Options, Sweep};
use errare_figures::{Axis, LineChart, Mark, Series};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The predator's expectations against opponents of a range of competences.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepResponse {
    /// The competences of the opponents, rising.
    pub competences: Vec<f64>,
    /// The moves that the predator considered.
    pub moves: Vec<SweptMove>,
    /// The competences at which two moves change rank, rising.
    pub crossovers: Vec<SweepCrossover>,
    /// The best moves by range of the opponent's competence.
    pub best: Vec<BestMoves>,
}

/// A move with its expectations against opponents of a range of competences.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweptMove {
    /// The names of the move.
    #[serde(flatten)]
    pub name: NamedMove,
    /// The expectation against each opponent.
    pub expectations: Vec<f64>,
}

/// Two moves that are equally good against one opponent and not against others.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepCrossover {
    /// The move that is better below this competence.
    pub below: String,
    /// The move that is better above this competence.
    pub above: String,
    /// The competence at which both moves are equally good.
    pub competence: f64,
}

/// A range of opponents against whom the same moves are best.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BestMoves {
    /// The least competence of the range.
    pub from: f64,
    /// The greatest competence of the range.
    pub to: f64,
    /// The best moves against these opponents.
    pub moves: Vec<String>,
}

impl SweepResponse {
    pub(crate) fn new(sweep: &Sweep, options: &Options) -> SweepResponse {
        let san = |place: &usize| named(options, *place).san;
        let moves = sweep.places.iter().zip(&sweep.figures);
        SweepResponse {
            competences: sweep.competences.clone(),
            moves: moves
                .map(|(&place, line)| SweptMove { name: named(options, place), expectations: line.clone() })
                .collect(),
            crossovers: sweep
                .crossovers
                .iter()
                .map(|cross| SweepCrossover {
                    below: san(&cross.below),
                    above: san(&cross.above),
                    competence: cross.competence,
                })
                .collect(),
            best: sweep
                .best
                .iter()
                .map(|best| BestMoves { from: best.from, to: best.to, moves: best.places.iter().map(san).collect() })
                .collect(),
        }
    }
}

impl ChooseResponse {
    /// A chart of the sweep as SVG: a line for each move over the opponent's competence, with marks where the best move
    /// changes. There is no chart without a sweep.
    #[must_use]
    pub fn sweep_svg(&self) -> Option<String> {
        let (sweep, figure) = (self.sweep.as_ref()?, self.figure?);
        let line = |mv: &SweptMove| {
            let points = sweep.competences.iter().copied().zip(mv.expectations.iter().copied());
            Series::line(mv.name.san.clone(), points)
        };
        let on_top = |cross: &&SweepCrossover| {
            let mut ends = sweep.best.windows(2).map(|pair| pair[0].to);
            ends.any(|end| (end - cross.competence).abs() < 1e-6)
        };
        let mark = |cross: &SweepCrossover| Mark { x: cross.competence, label: format!("c = {:.2}", cross.competence) };
        let chart = LineChart {
            title: format!("{} ({})", self.fen, self.model.sentence()),
            x: Axis::linear("competence c of the opponent"),
            y: Axis::linear(format!("{} after the reply", figure.name())),
            series: sweep.moves.iter().map(line).collect(),
            marks: sweep.crossovers.iter().filter(on_top).map(mark).collect(),
        };
        Some(chart.svg())
    }
}
