//! `errare rate`.

use crate::Verdict;
use crate::calibrate::file;
use crate::fit::turns::{TurnFlags, is_meant};
use crate::output::{Format, Grid, Output};
use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::Args;
use errare_choice::{Grid as Points, Prior};
use errare_ratings::{Calibration, Rating, RatingTerms, Reading, Sample};
use serde::Serialize;
use std::path::PathBuf;

/// Rate a player by the moves alone
///
/// Skill is fitted to the player's turns as the calibration was made; the loss to be expected from it on the
/// calibration's reference set gives the Intrinsic Performance Rating (IPR), with a 95% interval from the sample, from the
/// calibration line, and from what the mileposts scatter about it. A calibration made with another engine or depth is
/// refused, and so are samples too small to mean anything.
///
/// The Bayesian reading is told too: how probable each Elo is after the moves (--posterior: after 1, 2, 5, 10... of them),
/// all Elos from 600 to 3600 being as likely beforehand. It goes along the line that likelihood gives the mileposts and
/// takes that as it is, so its interval is the narrower one.
///
/// An IPR says how well these moves were chosen, not how strong a player is: styles, openings, opponents and time all
/// have their part.
///
/// JSON: {"player", "turns", "games", "ipr", "se", "se_sample", "interval", "drawn_interval", "s", "se_s", "c", "se_c",
/// "expected_ad", "mm", "mm_predicted", "ad", "ad_predicted", "posterior": [{"moves", "mean", "sd", "interval"}, ...]}.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare rate games.jsonl.gz --calibration sf15-d10.json --player Karjakin --posterior
  errare rate games.jsonl.gz --calibration sf15-d10.json --bootstrap 500 --seed 1 --format json")]
pub struct Flags {
    #[command(flatten)]
    turns: TurnFlags,
    /// A file that `errare calibrate` wrote
    #[arg(long, value_name = "FILE")]
    calibration: PathBuf,
    /// Only this player: those whose name contains it, whatever the case [default: everybody together]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Refuse fewer turns
    #[arg(long, default_value_t = RatingTerms::default().least_turns, value_name = "TURNS")]
    least_turns: usize,
    /// Draw so many samples of games for a second interval
    #[arg(long, default_value_t = 0, value_name = "DRAWS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    bootstrap: u32,
    /// What samples are drawn by
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Tell the Bayesian reading after 1, 2, 5, 10 moves and so on (JSON always does)
    #[arg(long)]
    posterior: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
pub struct Told<'a> {
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
    mm_predicted: f64,
    ad: f64,
    ad_predicted: f64,
    posterior: Vec<ReadingShape>,
}

/// The Bayesian reading after some moves.
#[derive(Serialize)]
struct ReadingShape {
    moves: usize,
    mean: f64,
    sd: f64,
    interval: (f64, f64),
}

/// Elos that the Bayesian reading thinks possible.
const GRID: (f64, f64, f64) = (600.0, 20.0, 3600.0);

pub fn run(flags: Flags, _settings: &Settings) -> Result<Verdict> {
    let calibration = file::read(&flags.calibration)?;
    let loaded = flags.turns.load(calibration.scale)?;
    calibration.check(&loaded.turns)?;
    let wanted = flags.player.as_deref().unwrap_or_default();
    let sample = Sample::new(&loaded.turns, |turn| is_meant(&turn.player().name, wanted));
    if sample.count() == 0 {
        bail!("there is no turn of `{wanted}`");
    }
    let draws = (flags.bootstrap > 0).then_some((flags.bootstrap as usize, flags.seed));
    let rating = calibration.rate(&sample, RatingTerms { least_turns: flags.least_turns, draws })?;
    let readings = readings(&calibration, &sample)?;
    let player = flags.player.as_deref().unwrap_or("everybody");
    write(&told(player, &sample, &rating, &readings), flags.format, flags.posterior)?;
    Ok(Verdict::Clean)
}

/// What each Elo makes of the moves, one after another; empty if the calibration has no course for it.
pub fn readings(calibration: &Calibration, sample: &Sample<'_>) -> Result<Vec<Reading>> {
    let (first, step, last) = GRID;
    let found = calibration.readings(sample, Points::new(first, step, last)?, Prior::Uniform)?;
    Ok(found.unwrap_or_default())
}

/// A rating as JSON has it.
pub fn told<'a>(player: &'a str, sample: &Sample<'_>, rating: &Rating, readings: &[Reading]) -> Told<'a> {
    let (fit, projection) = (&rating.fit, &rating.fit.projection);
    Told {
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
        expected_ad: rating.expected_ad,
        mm: projection.mm,
        mm_predicted: projection.expected_mm,
        ad: projection.ad,
        ad_predicted: projection.expected_ad,
        posterior: readings.iter().map(ReadingShape::from).collect(),
    }
}

impl From<&Reading> for ReadingShape {
    fn from(reading: &Reading) -> ReadingShape {
        let posterior = &reading.posterior;
        let (mean, sd, interval) = (posterior.mean(), posterior.sd(), posterior.interval(0.95));
        ReadingShape { moves: reading.moves, mean, sd, interval }
    }
}

fn write(told: &Told<'_>, format: Format, with_posterior: bool) -> Result<()> {
    let mut output = Output::stdout();
    if format == Format::Json {
        return Ok(output.json(told)?);
    }
    let columns =
        ["player", "games", "turns", "ipr", "se", "95%", "s", "c", "mm_predicted", "mm", "ad_predicted", "ad"];
    let mut grid = Grid::new(&columns);
    let mut row = vec![told.player.to_owned(), told.games.to_string(), told.turns.to_string()];
    row.extend([told.ipr, told.se].map(|value| format!("{value:.0}")));
    row.push(format!("{:.0} to {:.0}", told.interval.0, told.interval.1));
    let numbers = [told.s, told.c, told.mm_predicted, told.mm, told.ad_predicted, told.ad];
    row.extend(numbers.map(|value| format!("{value:.4}")));
    grid.push(row);
    if format == Format::Csv {
        return Ok(output.csv(&grid)?);
    }
    output.grid(&grid)?;
    output.line("")?;
    if let Some((low, high)) = told.drawn_interval {
        output.line(&format!("By drawing games: {low:.0} to {high:.0}, the calibration taken as it is"))?;
    }
    if let Some(ReadingShape { mean, sd, interval: (low, high), .. }) = told.posterior.last() {
        output.line(&format!(
            "Bayesian, the calibration taken as it is: {mean:.0} (sd {sd:.0}), 95% between {low:.0} and {high:.0}"
        ))?;
        if with_posterior {
            let mut grid = Grid::new(&["moves", "mean", "sd", "95%"]);
            for ReadingShape { moves, mean, sd, interval: (low, high) } in &told.posterior {
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
    Ok(output.line("An IPR tells how well these moves were chosen, not how strong the player is.")?)
}
