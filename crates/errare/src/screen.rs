//! `errare screen`.

use crate::idle_flag::refuse;
use crate::rate::WITH_GAMES;
use crate::rate_games;
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Exit, say};
use anyhow::{Context, Result};
use clap::Args;
use errare_lab::{PlayerSort, RateGamesRequest, RateGamesResponse, ScreenRequest, Sheet, ToSheet, shift_sentence};
use errare_ratings::{ScreeningOptions, Widening};
use errare_terminal::{Format, Output};

/// Compare players' moves with their ratings
///
/// Takes games in PGN, or turns that `errare evaluate` wrote. Games are evaluated first, as by `errare rate`, and give a table
/// of all players against the ratings of the tags, the most unusual first: z, the greater of z_mm and z_ad; chance, how
/// probable that is for honest players; by_chance, how many of so many honest players would show as much; adjusted, the
/// probability by Benjamini and Hochberg (1995) for so many players. Turns take --player, and give each game.
///
/// For a player of the claimed Elo the calibration gives the expected share of the engine's first choices (mm) and the
/// expected mean loss (ad). z-scores say by how many standard deviations the moves were better than that: positive is
/// more like the engine, or less lost. The standard deviations are the model's, widened for what it leaves
/// out by factors that the calibration estimates. The opponents' moves in the same games are compared with their own ratings: what made everybody look good
/// or bad, such as the openings or the engine, shows there too. z takes the calibration as exact; how far its own error
/// could move z is reported beside it.
///
/// This is a screening, not a verdict. It says how unusual moves are for a rating, and nothing about why. Among many
/// players somebody is always unusual; the note under the table says how many to expect.
///
/// A rating below the lowest or above the highest milepost of the calibration is named as such: what is expected of it is
/// extrapolated. A calibration with too few games, or without a certain trend, adds a warning; see `errare calibrate`.
///
/// JSON: see `errare schema screen`. CSV: a row for each game, or with --trace for each move, with all digits.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare screen games.pgn                                 # all players with enough moves
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --trace")]
pub struct Flags {
    #[command(flatten)]
    pub rated: RatedFlags,
    /// Rating to compare with [default: that of each game]
    #[arg(long, value_name = "ELO")]
    claimed: Option<f64>,
    /// Turns only: factor that widens the standard deviation of mm [default: the calibration's]
    #[arg(long, value_name = "FACTOR", requires = "widen_ad")]
    widen_mm: Option<f64>,
    /// Turns only: factor that widens the standard deviation of ad [default: the calibration's]
    #[arg(long, value_name = "FACTOR", requires = "widen_mm")]
    widen_ad: Option<f64>,
    /// Refuse to screen fewer turns
    #[arg(long, alias = "least-turns", default_value_t = ScreeningOptions::default().min_turns, value_name = "TURNS")]
    min_turns: usize,
    /// Show every move
    #[arg(long)]
    trace: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    refuse(flags.trace && flags.format == Format::Json, "--trace", "with --format json, which has every move")?;
    let widening = flags.widen_mm.zip(flags.widen_ad).map(|(mm, ad)| Widening { mm, ad });
    if flags.rated.are_games()? {
        refuse(widening.is_some(), "--widen-mm", WITH_GAMES)?;
        let usual = rate_games::request(flags.rated)?;
        let (min_turns, claimed, sort) = (flags.min_turns, flags.claimed, PlayerSort::Z);
        let request = RateGamesRequest { min_turns, claimed, sort, ..usual };
        return rate_games::run(&request, flags.format, flags.trace, settings, RateGamesResponse::screening_table);
    }
    let (turns, calibration, player) = flags.rated.of_turns()?;
    let player = player.context("turns are screened player by player: give --player NAME")?;
    let request = ScreenRequest {
        turns: turns.into(),
        calibration,
        player,
        claimed: flags.claimed,
        widening,
        min_turns: flags.min_turns,
    };
    let found = settings.run(&request)?;
    let mut output = Output::stdout();
    if flags.format == Format::Csv {
        found.remarks().iter().for_each(|remark| say(remark));
    }
    match flags.format {
        Format::Csv if flags.trace => output.csv(&found.trace.to_sheet())?,
        format => output.response(format, &found, |output, found| {
            output.table(&rounded(found.to_sheet()))?;
            if flags.trace {
                output.line("")?;
                output.table(&rounded(found.trace.to_sheet()))?;
            }
            output.line("")?;
            output.lines(found.remarks())?;
            output.lines([&shift_sentence(&found.if_calibration_off), &found.note])
        })?,
    }
    Ok(Exit::Clean)
}

/// The figures of a screening with as many digits as people read; scores and evaluations with their sign.
pub fn rounded(sheet: Sheet) -> Sheet {
    let has_sign = |column: &str| matches!(column, "z_mm" | "z_ad" | "evaluation");
    let is_whole = |column: &str| matches!(column, "game" | "turns" | "move" | "rank" | "played" | "best");
    let sheet = sheet.formatted(has_sign, |value| format!("{value:+.2}"));
    sheet.formatted(|column| !has_sign(column) && !is_whole(column), |value| format!("{value:.4}"))
}
