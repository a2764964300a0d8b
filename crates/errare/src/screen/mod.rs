//! `errare screen`.

pub mod report;

use crate::Verdict;
use crate::fit::turns::{TurnFlags, of_player, positive};
use crate::output::Format;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_ratings::{Calibration, ScreeningOptions, Widening};
use errare_work::Silent;
use report::Report;
use std::path::PathBuf;

/// Compare a player's moves with a claimed rating
///
/// For a player of the claimed Elo the calibration gives the expected share of the engine's first choices (mm) and the
/// expected mean loss (ad). z-scores say by how many standard deviations the moves were better than that: positive is
/// more like the engine, or less lost. The standard deviations are the model's, widened by 1.15 and 1.4 for what it
/// leaves out. The opponents' moves in the same games are compared with their own ratings: what made everybody look good
/// or bad, such as the openings or the engine, shows there too. z takes the calibration as exact; how far its own error
/// could move z is reported beside it.
///
/// This is a screening, not a verdict. It says how unusual moves are for a rating, and nothing about why. Among many
/// players somebody is always unusual; the note under the table says how many to expect.
///
/// JSON: {"player", "claimed", "widening", "unrated_turns", "overall", "games": [...], "opponents", "if_calibration_off":
/// {"elo", "z_mm", "z_ad"}, "note", "trace": [...]} with scores {"game",
/// "turns", "mm", "mm_expected", "mm_sd", "z_mm", "ad", "ad_expected", "ad_sd", "z_ad"} and moves {"game", "move", "side",
/// "played", "best", "evaluation", "probability", "first_probability", "loss", "expected_loss", "rank"}. CSV: a row for
/// each game, or with --trace for each move.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --trace")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    /// Calibration file, made by `errare calibrate`
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// Player: the exact name, or a part that only one name contains
    #[arg(long, value_name = "NAME")]
    player: String,
    /// Rating to compare with [default: that of each game]
    #[arg(long, value_name = "ELO", value_parser = positive)]
    claimed: Option<f64>,
    /// Factor that widens the standard deviation of mm
    #[arg(long, default_value_t = Widening::default().mm, value_name = "FACTOR", value_parser = positive)]
    widen_mm: f64,
    /// Factor that widens the standard deviation of ad
    #[arg(long, default_value_t = Widening::default().ad, value_name = "FACTOR", value_parser = positive)]
    widen_ad: f64,
    /// Refuse to screen fewer turns
    #[arg(long, default_value_t = ScreeningOptions::default().min_turns, value_name = "TURNS")]
    least_turns: usize,
    /// Show every move
    #[arg(long)]
    trace: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let calibration = Calibration::read(&flags.calibration)?;
    let set = flags.turns.load(calibration.scale, &Silent)?;
    calibration.check(&set.turns)?;
    let (player, _) = of_player(&set, &flags.player, &Silent)?;
    let widening = Widening { mm: flags.widen_mm, ad: flags.widen_ad };
    let options = ScreeningOptions { claim: flags.claimed.into(), widening, min_turns: flags.least_turns };
    let found = calibration.screen_player(&set.turns, &player, options, &Silent)?;
    Report { turns: &set.turns, found: &found }.write(flags.format, flags.trace)?;
    Ok(Verdict::Clean)
}
