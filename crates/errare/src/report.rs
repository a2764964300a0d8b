//! `errare report`: pages to look at and to hand on.

use crate::settings::Settings;
use crate::turns::{CalibrationFlags, RatedFlags};
use crate::{Verdict, say};
use anyhow::Result;
use clap::{Args, Subcommand};
use errare_lab::{ReportPlayerRequest, ReportRatingsRequest, TurnsRead};
use errare_ratings::StudyOptions;
use std::path::PathBuf;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Ratings(Ratings),
    Player(Player),
}

/// Write a page on the mileposts: the table of Regan and Haworth (2011) beside ours, pictures, and the three methods
///
/// The turns are those of `errare calibrate`, with a "milepost" each. The page is one HTML file that needs no other.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare report ratings *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --out ratings.html")]
pub struct Ratings {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Output file; `-` for stdout
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Write a page on a player: the intrinsic rating, and the moves compared with a rating, game by game
///
/// The page is one HTML file that needs no other. It says how unusual moves are for a rating, and nothing about why.
#[derive(Args, Debug)]
#[command(
    mut_arg("player", |player| player.required(true)),
    after_help = "\
Examples:
  errare report player games.jsonl.gz --calibration sf15-d10.json --player Karjakin --out karjakin.html
  errare report player games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --out karjakin.html"
)]
pub struct Player {
    #[command(flatten)]
    rated: RatedFlags,
    /// Rating to compare with [default: that of each game]
    #[arg(long, value_name = "ELO")]
    claimed: Option<f64>,
    /// Refuse to rate fewer turns
    #[arg(long, alias = "least-turns", default_value_t = StudyOptions::default().min_turns, value_name = "TURNS")]
    min_turns: usize,
    /// Output file; `-` for stdout
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

impl Command {
    pub fn run(self, settings: &Settings) -> Result<Verdict> {
        match self {
            Command::Ratings(Ratings { input, out }) => {
                let found = settings.run(&ReportRatingsRequest { input: input.into(), out: Some(out) })?;
                warn(&found.calibration.read, &found.calibration.warnings);
            }
            Command::Player(Player { rated, claimed, min_turns, out }) => {
                let RatedFlags { turns, calibration, player } = rated;
                let (turns, player, out) = (turns.into(), player.unwrap_or_default(), Some(out));
                let request = ReportPlayerRequest { turns, calibration, player, claimed, min_turns, out };
                let found = settings.run(&request)?.study.rating;
                warn(&found.read, &found.warnings);
            }
        }
        Ok(Verdict::Clean)
    }
}

/// Says beside the page what is on it too, as nobody may look at it soon.
fn warn(read: &TurnsRead, warnings: &[String]) {
    read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
}
