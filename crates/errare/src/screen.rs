//! `errare screen`.

use crate::idle_flag::refuse;
use crate::move_trace::{exact_trace, trace};
use crate::output::{Format, Grid, Output, exact};
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{ScoreSummary, ScreenRequest, ScreenResponse, shift_sentence};
use errare_ratings::{ScreeningOptions, Widening};

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
/// A rating below the lowest or above the highest milepost of the calibration is named as such: what is expected of it is
/// extrapolated. A calibration with too few games, or without a certain trend, adds a warning; see `errare calibrate`.
///
/// JSON: see `errare schema screen`. CSV: a row for each game, or with --trace for each move, with all digits.
#[derive(Args, Debug)]
#[command(
    mut_arg("player", |player| player.required(true)),
    after_help = "\
Examples:
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin
  errare screen games.jsonl.gz --calibration sf15-d10.json --player Karjakin --claimed 2400 --trace"
)]
pub struct Flags {
    #[command(flatten)]
    rated: RatedFlags,
    /// Rating to compare with [default: that of each game]
    #[arg(long, value_name = "ELO")]
    claimed: Option<f64>,
    /// Factor that widens the standard deviation of mm
    #[arg(long, default_value_t = Widening::default().mm, value_name = "FACTOR")]
    widen_mm: f64,
    /// Factor that widens the standard deviation of ad
    #[arg(long, default_value_t = Widening::default().ad, value_name = "FACTOR")]
    widen_ad: f64,
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

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    refuse(flags.trace && flags.format == Format::Json, "--trace", "with --format json, which has every move")?;
    let RatedFlags { turns, calibration, player } = flags.rated;
    let request = ScreenRequest {
        turns: turns.into(),
        calibration,
        player: player.unwrap_or_default(),
        claimed: flags.claimed,
        widening: Widening { mm: flags.widen_mm, ad: flags.widen_ad },
        min_turns: flags.min_turns,
    };
    let found = settings.run(&request)?;
    let mut output = Output::stdout();
    if flags.format == Format::Csv {
        remarks(&found).iter().for_each(|remark| say(remark));
    }
    match flags.format {
        Format::Json => output.json(&found)?,
        Format::Csv if flags.trace => output.csv(&exact_trace(&found.trace))?,
        Format::Csv => output.csv(&scores(&found, exact_row))?,
        Format::Table => {
            output.grid(&scores(&found, row))?;
            if flags.trace {
                output.line("")?;
                output.grid(&trace(&found.trace))?;
            }
            output.line("")?;
            output.lines(&remarks(&found))?;
            output.line(&shift_sentence(&found.if_calibration_off))?;
            output.line(&found.note)?;
        }
    }
    Ok(Verdict::Clean)
}

/// What has to be known beside the scores.
fn remarks(found: &ScreenResponse) -> Vec<String> {
    let (low, high) = found.calibrated_range;
    let range = format!(
        "warning: a rating that the moves are compared with is outside the range of the calibration, {low:.0} to {high:.0}: \
         what is expected of it is extrapolated"
    );
    let warnings = found.warnings.iter().map(|warning| format!("warning: {warning}"));
    found.outside_range.then_some(range).into_iter().chain(found.read.duplicates_sentence()).chain(warnings).collect()
}

/// A row for each game, then all of them, then the opponents.
fn scores(found: &ScreenResponse, row: fn(&ScoreSummary) -> Vec<String>) -> Grid {
    let mut grid =
        Grid::new(&["game", "turns", "mm_expected", "mm", "mm_sd", "z_mm", "ad_expected", "ad", "ad_sd", "z_ad"]);
    found.games.iter().chain([&found.overall]).chain(&found.opponents).for_each(|scores| grid.push(row(scores)));
    grid
}

/// The row of a game for programs.
fn exact_row(scores: &ScoreSummary) -> Vec<String> {
    let mut row = vec![scores.game.clone(), scores.turns.to_string()];
    let (mm, ad) = ([scores.mm_expected, scores.mm, scores.mm_sd], [scores.ad_expected, scores.ad, scores.ad_sd]);
    row.extend(mm.into_iter().chain([scores.z_mm]).chain(ad).chain([scores.z_ad]).map(exact));
    row
}

fn row(scores: &ScoreSummary) -> Vec<String> {
    let mut row = vec![scores.game.clone(), scores.turns.to_string()];
    row.extend([scores.mm_expected, scores.mm, scores.mm_sd].map(|value| format!("{value:.4}")));
    row.push(format!("{:+.2}", scores.z_mm));
    row.extend([scores.ad_expected, scores.ad, scores.ad_sd].map(|value| format!("{value:.4}")));
    row.push(format!("{:+.2}", scores.z_ad));
    row
}
