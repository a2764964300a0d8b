//! `errare rate`.

use crate::Verdict;
use crate::fit::turns::{TurnFlags, of_player};
use crate::output::{Format, Grid, Output};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_ratings::{Calibration, Draws, Rating, RatingOptions, Reading, ReadingSummary, Sample};
use errare_work::Silent;
use serde::Serialize;
use std::path::PathBuf;

/// Rate a player by the moves alone
///
/// Skill is fitted to the player's turns in the way the calibration was made; its expected loss on the calibration's
/// reference set gives the Intrinsic Performance Rating (IPR). The 95% interval accounts for the sample, for the
/// calibration line, and for the scatter of the mileposts about it. A calibration made with another engine or depth is
/// refused, and so are samples too small to mean anything.
///
/// A posterior over Elo is computed too: how probable each Elo is after the moves (--posterior: after 1, 2, 5, 10... of
/// them), if all Elos from 600 to 3600 are equally probable beforehand. It follows the line that likelihood gives the
/// mileposts and takes it as exact, so its interval is the narrower one.
///
/// An IPR says how well these moves were chosen, not how strong a player is: style, openings, opponents and time all
/// have their part.
///
/// JSON: {"player", "turns", "games", "ipr", "se", "se_sample", "interval", "drawn_interval", "s", "se_s", "c", "se_c",
/// "expected_ad" (on the reference set), "mm", "mm_expected", "ad", "ad_expected", "posterior": [{"moves", "mean", "sd", "interval"}, ...]}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare rate games.jsonl.gz --calibration sf15-d10.json --player Karjakin --posterior
  errare rate games.jsonl.gz --calibration sf15-d10.json --bootstrap 500 --seed 1 --format json")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    /// Calibration file, made by `errare calibrate`
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// Player: the exact name, or a part that only one name contains [default: everybody together]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Refuse to rate fewer turns
    #[arg(long, default_value_t = RatingOptions::default().min_turns, value_name = "TURNS")]
    least_turns: usize,
    /// Number of samples of games to draw, for a second interval
    #[arg(long, default_value_t = 0, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    bootstrap: u32,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Show the posterior after 1, 2, 5, 10 moves and so on (JSON always does)
    #[arg(long)]
    posterior: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A rating as JSON has it.
#[derive(Serialize)]
pub struct RatingShape<'a> {
    player: &'a str,
    turns: usize,
    games: usize,
    ipr: f64,
    se: f64,
    se_sample: f64,
    interval: (f64, f64),
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn_interval: Option<(f64, f64)>,
    s: f64,
    se_s: f64,
    c: f64,
    se_c: f64,
    expected_ad: f64,
    mm: f64,
    mm_expected: f64,
    ad: f64,
    ad_expected: f64,
    posterior: Vec<ReadingSummary>,
}

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let calibration = Calibration::read(&flags.calibration)?;
    let set = flags.turns.load(calibration.scale, &Silent)?;
    calibration.check(&set.turns)?;
    let (player, sample) = match &flags.player {
        Some(text) => of_player(&set, text, &Silent)?,
        None => ("everybody".to_owned(), Sample::all(&set.turns)),
    };
    let draws = (flags.bootstrap > 0).then_some(Draws { count: flags.bootstrap as usize, seed: flags.seed });
    let options = RatingOptions { min_turns: flags.least_turns, draws };
    let rating = calibration.rate(&sample, options, &Silent)?;
    let readings = calibration.readings(&sample, &Silent)?;
    write(&rating_shape(&player, &sample, &rating, &readings), flags.format, flags.posterior)?;
    Ok(Verdict::Clean)
}

/// Puts a rating into the shape that JSON has.
pub fn rating_shape<'a>(player: &'a str, sample: &Sample, rating: &Rating, readings: &[Reading]) -> RatingShape<'a> {
    let (fit, projection) = (&rating.fit, &rating.fit.projection);
    RatingShape {
        player,
        turns: sample.count(),
        games: sample.games(),
        ipr: rating.elo,
        se: rating.se,
        se_sample: rating.se_sample,
        interval: rating.interval,
        drawn_interval: rating.drawn_interval,
        s: fit.skill.s(),
        se_s: fit.se_s(),
        c: fit.skill.c(),
        se_c: fit.se_c(),
        expected_ad: rating.reference_ad,
        mm: projection.mm,
        mm_expected: projection.expected_mm,
        ad: projection.ad,
        ad_expected: projection.expected_ad,
        posterior: readings.iter().map(Reading::summary).collect(),
    }
}

fn write(rating: &RatingShape<'_>, format: Format, with_posterior: bool) -> Result<()> {
    let mut output = Output::stdout();
    if format == Format::Json {
        return Ok(output.json(rating)?);
    }
    let columns = ["player", "games", "turns", "ipr", "se", "95%", "s", "c", "mm_expected", "mm", "ad_expected", "ad"];
    let mut grid = Grid::new(&columns);
    let mut row = vec![rating.player.to_owned(), rating.games.to_string(), rating.turns.to_string()];
    row.extend([rating.ipr, rating.se].map(|value| format!("{value:.0}")));
    row.push(format!("{:.0} to {:.0}", rating.interval.0, rating.interval.1));
    let numbers = [rating.s, rating.c, rating.mm_expected, rating.mm, rating.ad_expected, rating.ad];
    row.extend(numbers.map(|value| format!("{value:.4}")));
    grid.push(row);
    if format == Format::Csv {
        return Ok(output.csv(&grid)?);
    }
    output.grid(&grid)?;
    output.line("")?;
    if let Some((low, high)) = rating.drawn_interval {
        output.line(&format!("By drawing games, the calibration taken as exact: {low:.0} to {high:.0}"))?;
    }
    if let Some(ReadingSummary { mean, sd, interval: (low, high), .. }) = rating.posterior.last() {
        output.line(&format!(
            "Posterior, the calibration taken as exact: {mean:.0} (sd {sd:.0}), 95% between {low:.0} and {high:.0}"
        ))?;
        if with_posterior {
            let mut grid = Grid::new(&["moves", "mean", "sd", "95%"]);
            for ReadingSummary { moves, mean, sd, interval: (low, high) } in &rating.posterior {
                grid.push([
                    moves.to_string(),
                    format!("{mean:.0}"),
                    format!("{sd:.0}"),
                    format!("{low:.0} to {high:.0}"),
                ]);
            }
            output.line("")?;
            output.grid(&grid)?;
            output.line("")?;
        }
    }
    Ok(output.line("An IPR says how well these moves were chosen, not how strong the player is.")?)
}
