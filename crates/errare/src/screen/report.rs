//! What `errare screen` tells: numbers, and what they do not show.

use super::Doubt;
use crate::output::{Format, Grid, Output};
use anyhow::Result;
use errare_ratings::{Scores, Screening, Side, Trace, Turns, Widening, upper_tail};
use serde::Serialize;

pub struct Report<'a> {
    pub turns: &'a Turns,
    pub player: &'a str,
    pub claimed: Option<f64>,
    pub widening: Widening,
    pub screening: &'a Screening,
    pub opponents: Option<&'a Screening>,
    pub doubt: Doubt,
}

#[derive(Serialize)]
pub struct Told<'a> {
    player: &'a str,
    claimed: Option<f64>,
    widening: WideningShape,
    unrated_turns: usize,
    overall: ScoresShape,
    games: Vec<ScoresShape>,
    opponents: Option<ScoresShape>,
    if_calibration_off: Doubt,
    note: String,
    trace: Vec<TraceShape>,
}

#[derive(Serialize)]
struct WideningShape {
    mm: f64,
    ad: f64,
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
            Format::Json => output.json(&self.told())?,
            Format::Csv if with_trace => output.csv(&self.trace())?,
            Format::Csv => output.csv(&self.scores())?,
            Format::Table => {
                output.grid(&self.scores())?;
                if with_trace {
                    output.line("")?;
                    output.grid(&self.trace())?;
                }
                output.line("")?;
                output.line(&self.doubt.words())?;
                output.line(&self.note())?;
            }
        }
        Ok(())
    }

    pub fn told(&self) -> Told<'_> {
        Told {
            player: self.player,
            claimed: self.claimed,
            widening: WideningShape { mm: self.widening.mm, ad: self.widening.ad },
            unrated_turns: self.screening.unrated,
            overall: ScoresShape::new("all".to_owned(), &self.screening.overall),
            games: self.games(),
            opponents: self.opponents.map(|found| ScoresShape::new("opponents".to_owned(), &found.overall)),
            if_calibration_off: self.doubt,
            note: self.note(),
            trace: self.screening.trace.iter().map(|trace| self.traced(trace)).collect(),
        }
    }

    fn games(&self) -> Vec<ScoresShape> {
        let name = |game: usize| self.turns.games()[game].to_string();
        self.screening.games.iter().map(|(game, scores)| ScoresShape::new(name(*game), scores)).collect()
    }

    fn traced(&self, trace: &Trace) -> TraceShape {
        let turn = self.turns.turn(trace.turn);
        TraceShape {
            game: turn.game().to_string(),
            number: turn.ply() / 2 + 1,
            side: if turn.side() == Side::White { "white" } else { "black" },
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
        let told = self.told();
        let rows = told.games.iter().chain([&told.overall]).chain(&told.opponents);
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
        for trace in &self.screening.trace {
            let told = self.traced(trace);
            let dots = if told.side == "white" { "." } else { "..." };
            let mut row = vec![told.game, format!("{}{dots}", told.number), told.played, told.best];
            row.push(format!("{:+.2}", told.evaluation));
            row.extend(
                [told.probability, told.first_probability, told.loss, told.expected_loss]
                    .map(|value| format!("{value:.4}")),
            );
            row.push(told.rank.to_string());
            grid.push(row);
        }
        grid
    }

    /// What the greater z-score is worth, in words.
    fn note(&self) -> String {
        let overall = &self.screening.overall;
        let z = overall.z_mm.max(overall.z_ad);
        let chance = upper_tail(z);
        let frequency = if chance > 0.4 {
            "That is nothing unusual.".to_owned()
        } else {
            let one_in = 1.0 / chance;
            let many = if one_in < 1e9 { format!("{one_in:.0}") } else { format!("{one_in:.0e}") };
            format!(
                "Among players who are as strong as claimed and play by themselves about one in {many} is as far above \
                 expectation in one given score; of 1,000 such players some {:.*} are.",
                if chance > 0.01 { 0 } else { 1 },
                1000.0 * chance
            )
        };
        format!(
            "The greater z-score is {z:+.2}. {frequency} It does not tell why: a rating that lags behind, a good day, \
             forced or known play, or help all look alike. How likely any of these is depends on how common it is to \
             begin with, which no score knows. This is a screening, not a verdict."
        )
    }
}
