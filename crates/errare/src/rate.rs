//! `errare rate`.

use crate::idle_flag::refuse;
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{RateRequest, RateResponse, Sheet, ToSheet, elo_text, range_note};
use errare_ratings::{RatingOptions, ReadingSummary};
use errare_terminal::{Format, Output};

/// Rate a player by the moves alone
///
/// Skill is fitted to the player's turns in the way the calibration was made; its expected loss on the calibration's
/// reference set gives the Intrinsic Performance Rating (IPR). The 95% interval accounts for the sample, for the
/// calibration line, and for the scatter of the mileposts about it. A calibration made with another engine or depth is
/// refused, and so are samples too small to mean anything. Without --player everybody is rated together.
///
/// A posterior over Elo is computed too: how probable each Elo is after the moves (--posterior: after 1, 2, 5, 10... of
/// them), if all Elos from 600 to 3600 are equally probable beforehand. It follows the line that likelihood gives the
/// mileposts and takes it as exact, so its interval is the narrower one.
///
/// An IPR says how well these moves were chosen, not how strong a player is: style, openings, opponents and time all
/// have their part.
///
/// An IPR below the lowest or above the highest milepost of the calibration is marked (`*` here, `outside_range` in CSV and
/// JSON): it is extrapolated, and worth little. A calibration with too few games, or without a certain trend, adds a
/// warning; see `errare calibrate`.
///
/// JSON: see `errare schema rate`. CSV: one row, with all digits; low and high are the ends of the 95% interval.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare rate games.jsonl.gz --calibration sf15-d10.json --player Karjakin --posterior
  errare rate games.jsonl.gz --calibration sf15-d10.json --bootstrap 500 --seed 1 --format json")]
pub struct Flags {
    #[command(flatten)]
    rated: RatedFlags,
    /// Refuse to rate fewer turns
    #[arg(long, alias = "least-turns", default_value_t = RatingOptions::default().min_turns, value_name = "TURNS")]
    min_turns: usize,
    /// Number of samples of games to draw, for a second interval
    #[arg(long, default_value_t = 0, value_name = "DRAWS")]
    bootstrap: u32,
    /// Random seed of --bootstrap [default: 0]
    #[arg(long)]
    seed: Option<u64>,
    /// Show the posterior after 1, 2, 5, 10 moves and so on (JSON always does)
    #[arg(long)]
    posterior: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { rated, min_turns, bootstrap, seed, posterior, format } = flags;
    refuse(seed.is_some() && bootstrap == 0, "--seed", "without --bootstrap, as nothing is drawn")?;
    refuse(posterior && format == Format::Json, "--posterior", "with --format json, which has the posterior")?;
    refuse(posterior && format == Format::Csv, "--posterior", "with --format csv: JSON has the posterior")?;
    let (RatedFlags { turns, calibration, player }, seed) = (rated, seed.unwrap_or(0));
    let request = RateRequest { turns: turns.into(), calibration, player, min_turns, bootstrap, seed };
    write(&settings.run(&request)?, format, posterior)?;
    Ok(Verdict::Clean)
}

fn write(rating: &RateResponse, format: Format, with_posterior: bool) -> Result<()> {
    let mut output = Output::stdout();
    if format == Format::Json {
        return Ok(output.json(rating)?);
    }
    if format == Format::Csv {
        rating.read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
        rating.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        return Ok(output.csv(&rating.to_sheet())?);
    }
    let columns = ["player", "games", "turns", "ipr", "se", "95%", "s", "c", "mm_expected", "mm", "ad_expected", "ad"];
    let mut grid = Sheet::new(&columns);
    let mut row = vec![rating.player.clone(), rating.games.to_string(), rating.turns.to_string()];
    row.extend([elo_text(rating.ipr, rating.outside_range), format!("{:.0}", rating.se)]);
    row.push(format!("{:.0} to {:.0}", rating.interval.0, rating.interval.1));
    let numbers = [rating.s, rating.c, rating.mm_expected, rating.mm, rating.ad_expected, rating.ad];
    row.extend(numbers.map(|value| format!("{value:.4}")));
    grid.push(row);
    output.table(&grid)?;
    output.line("")?;
    if let Some((low, high)) = rating.drawn_interval {
        output.line(&format!("By drawing games, the calibration taken as exact: {low:.0} to {high:.0}"))?;
    }
    if let Some(ReadingSummary { mean, outside_range, sd, interval: (low, high), .. }) = rating.posterior.last() {
        output.line(&format!(
            "Posterior, the calibration taken as exact: {} (sd {sd:.0}), 95% between {low:.0} and {high:.0}",
            elo_text(*mean, *outside_range)
        ))?;
        if with_posterior {
            output.line("")?;
            output.table(&posterior(&rating.posterior))?;
            output.line("")?;
        }
    }
    if rating.outside_range || rating.posterior.iter().any(|reading| reading.outside_range) {
        output.line(&range_note(rating.calibrated_range))?;
    }
    rating.read.duplicates_sentence().iter().try_for_each(|sentence| output.line(sentence))?;
    rating.warnings.iter().try_for_each(|warning| output.line(&format!("warning: {warning}")))?;
    Ok(output.line("An IPR says how well these moves were chosen, not how strong the player is.")?)
}

fn posterior(readings: &[ReadingSummary]) -> Sheet {
    let mut grid = Sheet::new(&["moves", "mean", "sd", "95%"]);
    for ReadingSummary { moves, mean, outside_range, sd, interval: (low, high) } in readings {
        let interval = format!("{low:.0} to {high:.0}");
        grid.push([moves.to_string(), elo_text(*mean, *outside_range), format!("{sd:.0}"), interval]);
    }
    grid
}
