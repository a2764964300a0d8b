//! An assessment as it is told, game by game: memory does not grow with their number.

use super::players::{Players, name};
use crate::modelling::ToldModel;
use crate::notation::{san, state_of};
use crate::output::{Format, Grid, Output, cell};
use anyhow::Result;
use errare_choice::Grid as Competences;
use errare_endgame::{Remark, Stretch};
use errare_games::Game;
use errare_tables::Metric;
use serde::Serialize;
use shakmaty::{Color, Position};

#[derive(Debug, Serialize)]
struct ToldGame<'a> {
    number: u64,
    white: &'a str,
    black: &'a str,
    event: Option<&'a str>,
    date: Option<&'a str>,
    segments: Vec<ToldStretch>,
}

#[derive(Debug, Serialize)]
struct ToldStretch {
    material: String,
    metric: String,
    moves: Vec<ToldMove>,
}

#[derive(Debug, Serialize)]
struct ToldMove {
    ply: usize,
    side: &'static str,
    san: String,
    outcome_before: &'static str,
    depth_before: Option<u16>,
    outcome_after: &'static str,
    depth_after: Option<u16>,
    conceded: Option<u16>,
    conceded_total: u32,
    optimal: Vec<String>,
    model_choice: String,
    mark: Option<&'static str>,
    impossible: bool,
    expected_c: f64,
    sd_c: f64,
    interval: [f64; 2],
}

impl ToldMove {
    fn of(remark: &Remark) -> ToldMove {
        let (outcome_before, depth_before) = state_of(remark.before);
        let (outcome_after, depth_after) = state_of(remark.after);
        let name = |mv| san(&remark.position, mv);
        ToldMove {
            ply: remark.ply + 1,
            side: remark.position.turn().fold_wb("white", "black"),
            san: name(remark.mv),
            outcome_before,
            depth_before,
            outcome_after,
            depth_after,
            conceded: remark.conceded,
            conceded_total: remark.conceded_total,
            optimal: remark.optimal.iter().map(|&mv| name(mv)).collect(),
            model_choice: name(remark.model_choice),
            mark: remark.mark.map(|mark| mark.sign()),
            impossible: remark.is_impossible,
            expected_c: remark.expected,
            sd_c: remark.sd,
            interval: [remark.interval.0, remark.interval.1],
        }
    }
}

/// Writes as it goes.
pub struct Report {
    output: Output,
    format: Format,
    brief: bool,
    metric: Metric,
    /// What the report begins with, until it has begun.
    opening: Option<Opening>,
    is_first: bool,
}

struct Opening {
    model: ToldModel,
    grid: Competences,
}

const COLUMNS: [&str; 19] = [
    "game",
    "white",
    "black",
    "material",
    "metric",
    "ply",
    "side",
    "san",
    "outcome_before",
    "depth_before",
    "outcome_after",
    "depth_after",
    "conceded",
    "conceded_total",
    "optimal",
    "model_choice",
    "expected_c",
    "sd_c",
    "impossible",
];

impl Report {
    pub fn new(format: Format, brief: bool, metric: Metric, model: ToldModel, grid: Competences) -> Report {
        let opening = Some(Opening { model, grid });
        Report { output: Output::stdout(), format, brief, metric, opening, is_first: true }
    }

    /// Nothing is said before there is something to say.
    fn open(&mut self) -> Result<()> {
        let Some(Opening { model, grid }) = self.opening.take() else { return Ok(()) };
        match self.format {
            Format::Json => {
                let (model, grid) = (serde_json::to_string(&model)?, serde_json::to_string(&grid.to_string())?);
                self.output.bytes(format!("{{\"model\":{model},\"grid\":{grid},\n\"games\":[").as_bytes())?;
            }
            Format::Csv if !self.brief => self.output.record(COLUMNS)?,
            Format::Csv => {}
            Format::Table => self.output.line(&format!("{}, competences {grid}", model.sentence()))?,
        }
        Ok(())
    }

    /// One game; games without a move to tell of are passed over, except that JSON names them all.
    pub fn game(&mut self, game: &Game, stretches: &[Stretch], players: &Players) -> Result<()> {
        if self.brief {
            return Ok(());
        }
        self.open()?;
        let stretches: Vec<(String, Vec<ToldMove>)> = stretches
            .iter()
            .map(|stretch| {
                let of_interest = stretch.moves.iter().filter(|remark| players.made(game, remark));
                (stretch.material.to_string(), of_interest.map(ToldMove::of).collect())
            })
            .filter(|(_, moves): &(_, Vec<_>)| !moves.is_empty())
            .collect();
        match self.format {
            Format::Json => self.json(game, stretches),
            Format::Csv => self.csv(game, stretches),
            Format::Table => self.table(game, stretches),
        }
    }

    fn json(&mut self, game: &Game, stretches: Vec<(String, Vec<ToldMove>)>) -> Result<()> {
        let metric = self.metric.to_string();
        let segment = |(material, moves)| ToldStretch { material, metric: metric.clone(), moves };
        let told = ToldGame {
            number: game.number,
            white: name(game, Color::White),
            black: name(game, Color::Black),
            event: game.tag("Event"),
            date: game.tag("Date"),
            segments: stretches.into_iter().map(segment).collect(),
        };
        let separator = if std::mem::take(&mut self.is_first) { "\n" } else { ",\n" };
        self.output.bytes(format!("{separator}{}", serde_json::to_string(&told)?).as_bytes())?;
        Ok(())
    }

    fn csv(&mut self, game: &Game, stretches: Vec<(String, Vec<ToldMove>)>) -> Result<()> {
        for (material, moves) in stretches {
            for mv in moves {
                self.output.record([
                    game.number.to_string(),
                    name(game, Color::White).to_owned(),
                    name(game, Color::Black).to_owned(),
                    material.clone(),
                    self.metric.to_string(),
                    mv.ply.to_string(),
                    mv.side.to_owned(),
                    mv.san,
                    mv.outcome_before.to_owned(),
                    cell(mv.depth_before),
                    mv.outcome_after.to_owned(),
                    cell(mv.depth_after),
                    cell(mv.conceded),
                    mv.conceded_total.to_string(),
                    mv.optimal.join(" "),
                    mv.model_choice,
                    mv.expected_c.to_string(),
                    mv.sd_c.to_string(),
                    mv.impossible.to_string(),
                ])?;
            }
        }
        Ok(())
    }

    fn table(&mut self, game: &Game, stretches: Vec<(String, Vec<ToldMove>)>) -> Result<()> {
        for (material, moves) in stretches {
            self.output.line("")?;
            self.output.line(&format!("{}: {material} by {}", game.title(), self.metric))?;
            let mut grid =
                Grid::new(&["move", "before", "after", "conceded", "total", "E[c]", "90%", "optimal", "model", "note"]);
            for mv in moves {
                let depth = |outcome: &str, depth: Option<u16>| {
                    depth.map_or_else(|| outcome.to_owned(), |d| format!("{outcome} {d}"))
                };
                let conceded = match mv.conceded {
                    Some(0) => String::new(),
                    Some(moves) => format!("+{moves}"),
                    None => "value".to_owned(),
                };
                let others = mv.optimal.len() > 1 || !mv.optimal.contains(&mv.san);
                grid.push([
                    format!("{} {}{}", game.move_number(mv.ply - 1), mv.san, mv.mark.unwrap_or("")),
                    depth(mv.outcome_before, mv.depth_before),
                    depth(mv.outcome_after, mv.depth_after),
                    conceded,
                    mv.conceded_total.to_string(),
                    format!("{:.2}", mv.expected_c),
                    format!("{} to {}", mv.interval[0], mv.interval[1]),
                    if others { shortened(&mv.optimal) } else { String::new() },
                    if mv.optimal.len() > 1 { mv.model_choice } else { String::new() },
                    if mv.impossible { "impossible by the model".to_owned() } else { String::new() },
                ]);
            }
            self.output.grid(&grid)?;
        }
        Ok(())
    }

    pub fn end(&mut self, players: &Players) -> Result<()> {
        self.open()?;
        match self.format {
            Format::Json => {
                self.output.bytes(b"\n],\n\"players\":[")?;
                let mut separator = "\n";
                for player in players.told() {
                    self.output.bytes(format!("{separator}{}", serde_json::to_string(&player)?).as_bytes())?;
                    separator = ",\n";
                }
                self.output.line("\n]}")?;
            }
            Format::Csv if !self.brief => {}
            _ => {
                let columns = ["player", "games", "moves", "conceded", "impossible", "E[c]", "sd", "90%"];
                let mut grid = Grid::new(&columns);
                for player in players.told() {
                    grid.push([
                        player.name,
                        player.games.to_string(),
                        player.moves.to_string(),
                        player.conceded.to_string(),
                        player.impossible.to_string(),
                        format!("{:.2}", player.expected_c),
                        format!("{:.2}", player.sd_c),
                        format!("{} to {}", player.interval[0], player.interval[1]),
                    ]);
                }
                if self.format == Format::Csv {
                    self.output.csv(&grid)?;
                } else {
                    self.output.line("")?;
                    self.output.grid(&grid)?;
                }
            }
        }
        Ok(())
    }
}

/// A few of many: where everything draws nobody wants to read all of it.
fn shortened(moves: &[String]) -> String {
    const MOST: usize = 6;
    match moves.len() {
        0..=MOST => moves.join(" "),
        count => format!("{} and {} more", moves[..MOST - 1].join(" "), count - MOST + 1),
    }
}
