//! `errare rate`.

use crate::Verdict;
use crate::output::{Format, Grid, Output};
use crate::settings::Settings;
use crate::turns::RatedFlags;
use anyhow::Result;
use clap::Args;
use errare_lab::{RateRequest, RateResponse};
use errare_ratings::{RatingOptions, ReadingSummary};

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
/// JSON: see `errare schema rate`.
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

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { rated, min_turns, bootstrap, seed, posterior, format } = flags;
    let RatedFlags { turns, calibration, player } = rated;
    let request = RateRequest { turns: turns.into(), calibration, player, min_turns, bootstrap, seed };
    write(&settings.run(&request)?, format, posterior)?;
    Ok(Verdict::Clean)
}

fn write(rating: &RateResponse, format: Format, with_posterior: bool) -> Result<()> {
    let mut output = Output::stdout();
    if format == Format::Json {
        return Ok(output.json(rating)?);
    }
    let columns = ["player", "games", "turns", "ipr", "se", "95%", "s", "c", "mm_expected", "mm", "ad_expected", "ad"];
    let mut grid = Grid::new(&columns);
    let mut row = vec![rating.player.clone(), rating.games.to_string(), rating.turns.to_string()];
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
            output.line("")?;
            output.grid(&posterior(&rating.posterior))?;
            output.line("")?;
        }
    }
    Ok(output.line("An IPR says how well these moves were chosen, not how strong the player is.")?)
}

fn posterior(readings: &[ReadingSummary]) -> Grid {
    let mut grid = Grid::new(&["moves", "mean", "sd", "95%"]);
    for ReadingSummary { moves, mean, sd, interval: (low, high) } in readings {
        let interval = format!("{low:.0} to {high:.0}");
        grid.push([moves.to_string(), format!("{mean:.0}"), format!("{sd:.0}"), interval]);
    }
    grid
}
