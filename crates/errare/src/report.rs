//! `errare report`: pages to look at and to hand on.

use crate::settings::Settings;
use crate::turns::{CalibrationFlags, RatedFlags};
use crate::{Exit, say};
use anyhow::Result;
use clap::{Args, Subcommand};
use errare_lab::{HonestyRequest, PeriodsRequest, ReportPlayerRequest, ReportRatingsRequest, TurnsRead};
use errare_ratings::StudyOptions;
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Ratings(Ratings),
    Player(Player),
    Periods(Periods),
    Honesty(Honesty),
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

/// Rate mileposts by period, and test whether an Elo means the same in 1976-1979, 1991-1994 and 2006-2009
///
/// One model of skill over Elo is fitted to all turns; the residuals of each period show what an Elo was worth then.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare report periods turns/ --out periods.html")]
pub struct Periods {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Leave mileposts of a period with fewer turns out of the table; the test has all
    #[arg(long, default_value_t = 100, value_name = "TURNS")]
    min_turns: usize,
    /// Write a page with a figure; `-` for stdout, instead of the table
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Measure how ratings and screening do on games that the calibration has not seen
///
/// Coverage of intervals, errors of all estimators on the same folds, false positives of screening, and its power against
/// players who take the engine's move. CSV has the ratings; JSON has all.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare report honesty *.jsonl.gz --engine 'Stockfish 15.1' --depth 10")]
pub struct Honesty {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Numbers of turns that rated players have, about
    #[arg(long, value_delimiter = ',', default_value = "190,380", value_name = "TURNS,...")]
    sizes: Vec<usize>,
    /// How often games are put into folds anew
    #[arg(long, default_value_t = 4)]
    repeats: usize,
    /// Random seed of folds, simulated moves and drawn players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Command {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        match self {
            Command::Ratings(Ratings { input, out }) => {
                let found = settings.run(&ReportRatingsRequest { input: input.into(), out: Some(out) })?;
                warn(&found.calibration.read, &found.calibration.warnings);
            }
            Command::Player(Player { rated, claimed, min_turns, out }) => {
                let (turns, calibration, player) = rated.of_turns()?;
                let (turns, player, out) = (turns.into(), player.unwrap_or_default(), Some(out));
                let request = ReportPlayerRequest { turns, calibration, player, claimed, min_turns, out };
                let found = settings.run(&request)?.study.rating;
                warn(&found.read, &found.warnings);
            }
            Command::Periods(Periods { input, min_turns, out, format }) => {
                let request = PeriodsRequest { input: input.into(), min_turns, out };
                let found = settings.run(&request)?;
                let mut output = Output::beside(request.out.as_deref());
                output.response(format, &found, |output, found| {
                    output.table(&found.table())?;
                    output.lines(found.sentences())
                })?;
            }
            Command::Honesty(Honesty { input, sizes, repeats, seed, format }) => {
                let found = settings.run(&HonestyRequest { input: input.into(), sizes, repeats, seed })?;
                Output::stdout().response(format, &found, |output, found| {
                    output.table(&found.ratings_table())?;
                    output.line("")?;
                    output.table(&found.screening_table())?;
                    output.lines(found.sentences())
                })?;
            }
        }
        Ok(Exit::Clean)
    }
}

/// Says beside the page what is on it too, as nobody may look at it soon.
fn warn(read: &TurnsRead, warnings: &[String]) {
    read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
}
