//! The output of `errare screen`: numbers, and what they do not show.

use crate::output::{Format, Grid, Output, grouped};
use anyhow::Result;
use errare_ratings::{CalibrationShift, MoveTrace, PlayerScreening, PlayerSide, Scores, Turns, Widening};
use serde::Serialize;

pub struct Report<'a> {
    pub turns: &'a Turns,
    pub found: &'a PlayerScreening,
}

/// A screening as JSON has it.
#[derive(Serialize)]
pub struct ScreeningShape<'a> {
    player: &'a str,
    claimed: Option<f64>,
    widening: Widening,
    unrated_turns: usize,
    overall: ScoresShape,
    games: Vec<ScoresShape>,
    opponents: Option<ScoresShape>,
    if_calibration_off: CalibrationShift,
    note: String,
    trace: Vec<TraceShape>,
}

#[derive(Serialize)]
struct ScoresShape {
    game: String,
    turns: usize,
    mm: f64,
    mm_expected: f64,
    mm_sd: f64,
    z_mm: f64,
    ad: f64,
    ad_expected: f64,
    ad_sd: f64,
    z_ad: f64,
}

#[derive(Serialize)]
struct TraceShape {
    game: String,
    #[serde(rename = "move")]
    number: u16,
    side: &'static str,
    played: String,
    best: String,
    evaluation: f64,
    probability: f64,
    first_probability: f64,
    loss: f64,
    expected_loss: f64,
    rank: usize,
}

impl ScoresShape {
    fn new(game: String, scores: &Scores) -> ScoresShape {
        let projection = scores.projection;
        ScoresShape {
            game,
            turns: projection.turns,
            mm: projection.mm,
            mm_expected: projection.expected_mm,
            mm_sd: projection.sd_mm,
            z_mm: scores.z_mm,
            ad: projection.ad,
            ad_expected: projection.expected_ad,
            ad_sd: projection.sd_ad,
            z_ad: scores.z_ad,
        }
    }

    fn row(&self) -> Vec<String> {
        let mut row = vec![self.game.clone(), self.turns.to_string()];
        row.extend([self.mm_expected, self.mm, self.mm_sd].map(|value| format!("{value:.4}")));
        row.push(format!("{:+.2}", self.z_mm));
        row.extend([self.ad_expected, self.ad, self.ad_sd].map(|value| format!("{value:.4}")));
        row.push(format!("{:+.2}", self.z_ad));
        row
    }
}

impl Report<'_> {
    pub fn write(&self, format: Format, with_trace: bool) -> Result<()> {
        let mut output = Output::stdout();
        match format {
            Format::Json => output.json(&self.shape())?,
            Format::Csv if with_trace => output.csv(&self.trace())?,
            Format::Csv => output.csv(&self.scores())?,
            Format::Table => {
                output.grid(&self.scores())?;
                if with_trace {
                    output.line("")?;
                    output.grid(&self.trace())?;
                }
                output.line("")?;
                output.line(&shift_sentence(&self.found.shift))?;
                output.line(&self.found.note())?;
            }
        }
        Ok(())
    }

    pub fn shape(&self) -> ScreeningShape<'_> {
        let PlayerScreening { player, options, screening, opponents, shift } = self.found;
        ScreeningShape {
            player,
            claimed: options.claim.elo(),
            widening: options.widening,
            unrated_turns: screening.unrated,
            overall: ScoresShape::new("all".to_owned(), &screening.overall),
            games: self.games(),
            opponents: opponents.as_ref().map(|found| ScoresShape::new("opponents".to_owned(), &found.overall)),
            if_calibration_off: *shift,
            note: self.found.note(),
            trace: screening.trace.iter().map(|trace| self.traced(trace)).collect(),
        }
    }

    fn games(&self) -> Vec<ScoresShape> {
        let name = |game: usize| self.turns.games()[game].to_string();
        let games = &self.found.screening.games;
        games.iter().map(|(game, scores)| ScoresShape::new(name(*game), scores)).collect()
    }

    fn traced(&self, trace: &MoveTrace) -> TraceShape {
        let turn = self.turns.turn(trace.turn);
        TraceShape {
            game: turn.game().to_string(),
            number: turn.ply() / 2 + 1,
            side: if turn.side() == PlayerSide::White { "white" } else { "black" },
            played: turn.played_move().to_string(),
            best: turn.best_move().to_string(),
            evaluation: turn.evaluation(),
            probability: trace.probability,
            first_probability: trace.first_probability,
            loss: trace.loss,
            expected_loss: trace.expected_loss,
            rank: trace.rank,
        }
    }

    /// A row for each game, then all of them, then the opponents.
    fn scores(&self) -> Grid {
        let mut grid =
            Grid::new(&["game", "turns", "mm_expected", "mm", "mm_sd", "z_mm", "ad_expected", "ad", "ad_sd", "z_ad"]);
        let shape = self.shape();
        let rows = shape.games.iter().chain([&shape.overall]).chain(&shape.opponents);
        rows.for_each(|scores| grid.push(scores.row()));
        grid
    }

    fn trace(&self) -> Grid {
        let mut grid = Grid::new(&[
            "game",
            "move",
            "played",
            "best",
            "evaluation",
            "probability",
            "first_probability",
            "loss",
            "expected_loss",
            "rank",
        ]);
        for trace in &self.found.screening.trace {
            let shape = self.traced(trace);
            let dots = if shape.side == "white" { "." } else { "..." };
            let mut row = vec![shape.game, format!("{}{dots}", shape.number), shape.played, shape.best];
            row.push(format!("{:+.2}", shape.evaluation));
            row.extend(
                [shape.probability, shape.first_probability, shape.loss, shape.expected_loss]
                    .map(|value| format!("{value:.4}")),
            );
            row.push(shape.rank.to_string());
            grid.push(row);
        }
        grid
    }
}

/// Says in a sentence what the calibration's own error does to the z-scores.
pub fn shift_sentence(shift: &CalibrationShift) -> String {
    let CalibrationShift { elo, z_mm, z_ad } = shift;
    format!(
        "The calibration may itself be off by {} points (one standard error): then z is between {:+.2} and {:+.2} (mm), \
         {:+.2} and {:+.2} (ad).",
        grouped(elo.round() as u64),
        z_mm.0,
        z_mm.1,
        z_ad.0,
        z_ad.1
    )
}
