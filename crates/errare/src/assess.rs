//! `errare assess`.

use crate::idle_flag::refuse;
use crate::modelling::PlayerFlags;
use crate::settings::Settings;
use crate::{Exit, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{
    AssessRequest, AssessResponse, AssessedGame, AssessmentEvent, Endgame, GameDetail, ModelSummary, SheetRows, Text,
    ToSheet,
};
use errare_terminal::{AssessmentLayout, Format, Output, OutputError, assessed_game, assessment_summary};
use serde::Serialize;
use std::path::PathBuf;

/// Assess how well games were played in endgames that have tables
///
/// Every stretch of a game inside an endgame with tables is gone through, move by move: the depth before and after,
/// moves conceded, the optimal moves, the one among them that a predator would have chosen, and the player's expected
/// competence so far, with a 90% interval. Each side starts every game with the prior. At the end come the worst moves
/// of all games, and every player over all games, by endgame and task: attack in won positions, defence in drawn and
/// lost ones. A competence is not given where the moves say too little: fewer than 5 real choices, or a standard
/// deviation above three quarters of the prior's (JSON and CSV have the figures).
///
/// Tables of up to --men men are built when they are missing; larger ones are used if they and what they convert to are
/// there. What was left out is counted on stderr. Moves that the model calls impossible (such as one that gives up a win
/// with --keep-value) are listed, and nothing is learned from them. Broken games are named on stderr and skipped; a game
/// that comes again (same players, date, start position and moves) counts once.
///
/// --annotate marks moves with ?? where a win or a draw was given up, and where the result was kept with ? for five or
/// more moves conceded and ?! for two or more. Comments have the depths, the better moves and the competence.
///
/// Marks: ' the only optimal move, " the only one that keeps the value, ° the only legal one.
///
/// JSON: see `errare schema assess`. CSV: a row for each move, or with --brief for each player, endgame and task.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare assess games.pgn --keep-value
  errare assess games.pgn --brief --worst 50
  errare assess games.pgn --brief --men 5 --material KRPKR,KRBKR
  errare assess games.pgn --player Browne --format json > browne.json
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator:browne.json --keep-value
  errare assess games.pgn --brief --metric dtm --annotate annotated.pgn")]
pub struct Flags {
    /// Games in PGN; `-` for stdin
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// Only this player: the exact name, or a part of it that no other player's name contains
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only these endgames, as in KQKR or KQKR,KRKN
    #[arg(long, value_name = "ENDGAME", value_delimiter = ',')]
    material: Vec<Endgame>,
    /// Build missing tables of up to so many men [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=6))]
    men: Option<u8>,
    /// Show the worst moves and the players, not all moves
    #[arg(long)]
    brief: bool,
    /// List so many of the worst moves
    #[arg(long, value_name = "N", default_value_t = 20)]
    worst: usize,
    /// Write the games with glyphs and comments as PGN; `-` for stdout, instead of the assessment
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    players: PlayerFlags,
}

/// Tables of up to so many men are built if nothing else is asked for.
const USUAL_MEN: u8 = 4;

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let has_source = flags.players.model.has_source();
    refuse(flags.men.is_some() && has_source, "--men", "with --source, as nothing is built there")?;
    let request = AssessRequest {
        files: flags.files,
        pgn: None,
        player: flags.player,
        materials: flags.material.into_iter().map(Text).collect(),
        men: flags.men.unwrap_or(USUAL_MEN),
        detail: if flags.brief { GameDetail::None } else { GameDetail::Moves },
        worst: flags.worst,
        annotate: flags.annotate,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let mut report = Report {
        output: Output::beside(request.annotate.as_deref()),
        format: flags.players.format,
        brief: flags.brief,
        layout: AssessmentLayout { worst: request.worst, has_several_files: request.files.len() > 1 },
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
    Ok(Exit::Clean)
}

/// Writes as it goes: memory does not grow with the number of games.
struct Report {
    output: Output,
    format: Format,
    brief: bool,
    layout: AssessmentLayout,
    is_open: bool,
    is_first: bool,
}

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
            Format::Csv if !self.brief => self.output.record(AssessedGame::COLUMNS),
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
            Format::Csv => game.rows().into_iter().try_for_each(|row| self.output.record(row)),
            Format::Table => assessed_game(&mut self.output, game),
        }
    }

    fn end(&mut self, found: &AssessResponse) -> Result<(), OutputError> {
        self.open(&found.model, &found.grid)?;
        match self.format {
            Format::Json => self.end_of_json(found),
            Format::Csv if !self.brief => Ok(()),
            Format::Csv => self.output.csv(&found.to_sheet()),
            Format::Table => assessment_summary(&mut self.output, found, self.layout),
        }
    }

    fn end_of_json(&mut self, found: &AssessResponse) -> Result<(), OutputError> {
        self.output.bytes(b"\n],\n\"players\":[")?;
        let mut separator = "\n";
        for player in &found.players {
            self.output.bytes(format!("{separator}{}", json(player)?).as_bytes())?;
            separator = ",\n";
        }
        let (worst, totals, left_out) = (json(&found.worst)?, json(&found.totals)?, json(&found.left_out)?);
        let (unlisted, unlisted_games, men) = (json(&found.unlisted)?, found.unlisted_games, found.men);
        let notes =
            if found.notes.is_empty() { String::new() } else { format!(",\n\"notes\":{}", json(&found.notes)?) };
        let rest = format!(
            "\n],\n\"worst\":{worst},\n\"totals\":{totals},\n\"left_out\":{left_out},\n\"unlisted\":{unlisted},\n\
             \"unlisted_games\":{unlisted_games},\n\
             \"men\":{men}{notes}}}\n"
        );
        self.output.bytes(rest.as_bytes())
    }
}

fn json(value: &impl Serialize) -> Result<String, OutputError> {
    Ok(serde_json::to_string(value)?)
}
