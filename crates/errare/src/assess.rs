//! `errare assess`.

use crate::modelling::PlayerFlags;
use crate::output::{Format, Grid, Output, OutputError, cell};
use crate::settings::Settings;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{AssessRequest, AssessResponse, AssessedGame, AssessedMove, AssessmentEvent, ModelSummary, Outcome};
use serde::Serialize;
use std::path::PathBuf;

/// Assess how well games were played in endgames that have tables
///
/// Every stretch of a game inside an endgame with tables is gone through, move by move: the depth before and after,
/// moves conceded, the optimal moves, the one among them that a predator would have chosen, and the player's expected
/// competence so far, with a 90% interval. Each side starts every game with the prior; at the end comes the joint
/// posterior of every player over all games.
///
/// Tables of up to --men men are built when they are missing; larger ones are used if they and what they convert to are
/// there. Moves that the model calls impossible (such as one that gives up a win with --keep-value) are listed, and
/// nothing is learned from them. Broken games are named on stderr and skipped.
///
/// Marks: ' the only optimal move, " the only one that keeps the value, ° the only legal one.
///
/// JSON: see `errare schema assess`. CSV: a row for each move, or with --brief for each player.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare assess browne-belle.pgn --keep-value
  errare assess games.pgn --player Browne --format json > browne.json
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator:browne.json --keep-value
  errare assess games.pgn --brief --metric dtm --annotate annotated.pgn")]
pub struct Flags {
    /// Games in PGN; `-` for stdin
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// Only players whose name contains NAME, whatever the case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Build missing tables of up to so many men
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    men: u8,
    /// Show players only, not moves
    #[arg(long)]
    brief: bool,
    /// Write the games with comments as PGN
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let request = AssessRequest {
        files: flags.files,
        pgn: None,
        player: flags.player,
        men: flags.men,
        brief: flags.brief,
        annotate: flags.annotate,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let mut report = Report {
        output: Output::stdout(),
        format: flags.players.format,
        brief: flags.brief,
        is_open: false,
        is_first: true,
    };
    let found = settings.show_each(
        |on_event| settings.lab.assess_each(&request, &settings.terminal, on_event),
        |event: &AssessmentEvent| match event {
            AssessmentEvent::Started { model, grid } => report.open(model, grid),
            AssessmentEvent::Game(game) => report.game(game),
        },
    )?;
    report.end(&found)?;
    found.notes.iter().for_each(|note| say(&format!("note: {note}")));
    Ok(Verdict::Clean)
}

/// Writes as it goes: memory does not grow with the number of games.
struct Report {
    output: Output,
    format: Format,
    brief: bool,
    is_open: bool,
    is_first: bool,
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
    /// Nothing is written before there is something to report.
    fn open(&mut self, model: &ModelSummary, grid: &str) -> Result<(), OutputError> {
        if std::mem::replace(&mut self.is_open, true) {
            return Ok(());
        }
        match self.format {
            Format::Json => {
                let (model, grid) = (json(model)?, json(&grid)?);
                self.output.bytes(format!("{{\"model\":{model},\"grid\":{grid},\n\"games\":[").as_bytes())
            }
            Format::Csv if !self.brief => self.output.record(COLUMNS),
            Format::Csv => Ok(()),
            Format::Table => self.output.line(&format!("{}, competences {grid}", model.sentence())),
        }
    }

    /// One game; games without a move to report on are passed over, except that JSON names them all.
    fn game(&mut self, game: &AssessedGame) -> Result<(), OutputError> {
        match self.format {
            Format::Json => {
                let separator = if std::mem::take(&mut self.is_first) { "\n" } else { ",\n" };
                self.output.bytes(format!("{separator}{}", json(game)?).as_bytes())
            }
            Format::Csv => self.csv(game),
            Format::Table => self.table(game),
        }
    }

    fn csv(&mut self, game: &AssessedGame) -> Result<(), OutputError> {
        for segment in &game.segments {
            for mv in &segment.moves {
                self.output.record([
                    game.number.to_string(),
                    game.white.clone(),
                    game.black.clone(),
                    segment.material.clone(),
                    segment.metric.clone(),
                    mv.ply.to_string(),
                    mv.side.name().to_owned(),
                    mv.san.clone(),
                    mv.outcome_before.name().to_owned(),
                    cell(mv.depth_before),
                    mv.outcome_after.name().to_owned(),
                    cell(mv.depth_after),
                    cell(mv.conceded),
                    mv.conceded_total.to_string(),
                    mv.optimal.join(" "),
                    mv.model_choice.clone(),
                    mv.expected_c.to_string(),
                    mv.sd_c.to_string(),
                    mv.impossible.to_string(),
                ])?;
            }
        }
        Ok(())
    }

    fn table(&mut self, game: &AssessedGame) -> Result<(), OutputError> {
        for segment in &game.segments {
            self.output.line("")?;
            self.output.line(&format!("{}: {} by {}", game.title, segment.material, segment.metric))?;
            let mut grid =
                Grid::new(&["move", "before", "after", "conceded", "total", "E[c]", "90%", "optimal", "model", "note"]);
            segment.moves.iter().for_each(|mv| grid.push(row(mv)));
            self.output.grid(&grid)?;
        }
        Ok(())
    }

    fn end(&mut self, found: &AssessResponse) -> Result<(), OutputError> {
        self.open(&found.model, &found.grid)?;
        match self.format {
            Format::Json => {
                self.output.bytes(b"\n],\n\"players\":[")?;
                let mut separator = "\n";
                for player in &found.players {
                    self.output.bytes(format!("{separator}{}", json(player)?).as_bytes())?;
                    separator = ",\n";
                }
                let notes = if found.notes.is_empty() {
                    String::new()
                } else {
                    format!(",\n\"notes\":{}", json(&found.notes)?)
                };
                self.output.line(&format!("\n]{notes}}}"))
            }
            Format::Csv if !self.brief => Ok(()),
            Format::Csv => self.output.csv(&players(found)),
            Format::Table => {
                self.output.line("")?;
                self.output.grid(&players(found))
            }
        }
    }
}

fn json(value: &impl Serialize) -> Result<String, OutputError> {
    Ok(serde_json::to_string(value)?)
}

fn row(mv: &AssessedMove) -> [String; 10] {
    let state = |outcome: Outcome, depth: Option<u16>| {
        depth.map_or_else(|| outcome.name().to_owned(), |depth| format!("{} {depth}", outcome.name()))
    };
    let conceded = match mv.conceded {
        Some(0) => String::new(),
        Some(moves) => format!("+{moves}"),
        None => "value".to_owned(),
    };
    let others = mv.optimal.len() > 1 || !mv.optimal.contains(&mv.san);
    [
        format!("{} {}{}", mv.move_number, mv.san, mv.mark.as_deref().unwrap_or("")),
        state(mv.outcome_before, mv.depth_before),
        state(mv.outcome_after, mv.depth_after),
        conceded,
        mv.conceded_total.to_string(),
        format!("{:.2}", mv.expected_c),
        format!("{} to {}", mv.interval[0], mv.interval[1]),
        if others { shortened(&mv.optimal) } else { String::new() },
        if mv.optimal.len() > 1 { mv.model_choice.clone() } else { String::new() },
        if mv.impossible { "impossible by the model".to_owned() } else { String::new() },
    ]
}

fn players(found: &AssessResponse) -> Grid {
    let mut grid = Grid::new(&["player", "games", "moves", "conceded", "impossible", "E[c]", "sd", "90%"]);
    for player in &found.players {
        grid.push([
            player.name.clone(),
            player.games.to_string(),
            player.moves.to_string(),
            player.conceded.to_string(),
            player.impossible.to_string(),
            format!("{:.2}", player.expected_c),
            format!("{:.2}", player.sd_c),
            format!("{} to {}", player.interval[0], player.interval[1]),
        ]);
    }
    grid
}

/// A few of many: where everything draws nobody wants to read all of it.
fn shortened(moves: &[String]) -> String {
    const MOST: usize = 6;
    match moves.len() {
        0..=MOST => moves.join(" "),
        count => format!("{} and {} more", moves[..MOST - 1].join(" "), count - MOST + 1),
    }
}
