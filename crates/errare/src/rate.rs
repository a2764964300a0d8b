//! `errare rate`.

use crate::idle_flag::refuse;
#[cfg(feature = "evaluate")]
use crate::rate_games;
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Verdict, say};
use anyhow::{Result, ensure};
use clap::Args;
use errare_lab::{
    LabConfig, RateGamesRequest, RateRequest, RateResponse, Sheet, ToSheet, TurnsRequest, elo_text, range_note,
};
#[cfg(feature = "evaluate")]
use errare_ratings::{FileKind, RatingOptions, ReadingSummary};
use errare_terminal::{Format, Output};

/// Rate players by their moves alone
///
/// Takes games in PGN, or turns that `errare evaluate` wrote. The moves of games are evaluated first by an engine: that of
/// --engine or ERRARE_ENGINE, else stockfish. What it finds is cached as it comes, so that a run that was interrupted goes
/// on when it is started again. Games give a table of all players, --player one of them with --trace for every move,
/// --pooled all moves as those of one player; turns give one rating, of --player or of everybody together.
///
/// Skill is fitted to the player's turns in the way the calibration was made; its expected loss on the calibration's
/// reference set gives the Intrinsic Performance Rating (IPR). The 95% interval accounts for the sample, for the
/// calibration line, and for the scatter of the mileposts about it. A calibration made with another engine or depth is
/// refused, and so are samples too small to mean anything. Without --calibration it is one that comes with errare, for
/// Stockfish 15.1 at depth 10. In the table of games, elo is the mean rating that the games give, and z says by how many
/// standard deviations the moves are better than is to be expected of it (see `errare screen`).
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
/// JSON: see `errare schema rate`, for games `errare schema rate-games`. CSV: one row a player, with all digits; low and
/// high are the ends of the 95% interval.
///
/// With turns --engine, --depth and --settings name what made them, where they do not say; with games --engine is the
/// program, and --depth the depth of search (10).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare rate games.pgn                                   # all players with enough moves
  errare rate games.pgn --player Karjakin --trace         # one player, move by move
  errare rate games.jsonl.gz --calibration sf15-d10.json --player Karjakin --posterior
  errare rate games.jsonl.gz --calibration sf15-d10.json --bootstrap 500 --seed 1 --format json")]
pub struct Flags {
    #[command(flatten)]
    rated: RatedFlags,
    /// Games only: rate all moves together, as those of one player
    #[arg(long, conflicts_with = "player")]
    pooled: bool,
    /// Games only: evaluate the opponents of --player too, which takes twice as long
    #[arg(long, requires = "player")]
    opponents: bool,
    /// Games only: rating to compare the moves with [default: that of each game]
    #[arg(long, value_name = "ELO")]
    claimed: Option<f64>,
    /// Games only: show every move of --player
    #[arg(long, requires = "player")]
    trace: bool,
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

impl Flags {
    /// What the flags say of the lab: --engine is a program where games are rated.
    pub fn lab_config(&self) -> LabConfig {
        let engine = self.rated.turns.engine().and_then(|text| text.parse().ok());
        LabConfig { engine, ..LabConfig::default() }
    }
}

/// Why flags about games do nothing with turns.
const WITH_TURNS: &str = "with turns: it is for games in PGN";

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let files = flags.rated.turns.files();
    let games = files.iter().filter(|path| FileKind::of_file(path) == Some(FileKind::Games)).count();
    if games == 0 {
        return rate_turns(flags, settings);
    }
    ensure!(games == files.len(), "games and turns cannot be rated together: give the one or the other");
    rate_games(flags, settings)
}

fn rate_turns(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { rated, pooled, opponents, claimed, trace, min_turns, bootstrap, seed, posterior, format } = flags;
    let of_games =
        [(pooled, "--pooled"), (opponents, "--opponents"), (claimed.is_some(), "--claimed"), (trace, "--trace")];
    of_games.into_iter().try_for_each(|(is_given, flag)| refuse(is_given, flag, WITH_TURNS))?;
    refuse(seed.is_some() && bootstrap == 0, "--seed", "without --bootstrap, as nothing is drawn")?;
    refuse(posterior && format == Format::Json, "--posterior", "with --format json, which has the posterior")?;
    refuse(posterior && format == Format::Csv, "--posterior", "with --format csv: JSON has the posterior")?;
    let (RatedFlags { turns, calibration, player }, seed) = (rated, seed.unwrap_or(0));
    let request = RateRequest { turns: turns.into(), calibration, player, min_turns, bootstrap, seed };
    write(&settings.run(&request)?, format, posterior)?;
    Ok(Verdict::Clean)
}

/// Why flags about turns do nothing with games.
#[cfg(feature = "evaluate")]
const WITH_GAMES: &str = "with games: it is for turns that were evaluated before";

#[cfg(feature = "evaluate")]
fn rate_games(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { rated, pooled, opponents, claimed, trace, min_turns, bootstrap, seed, posterior, format } = flags;
    let RatedFlags { turns, calibration, player } = rated;
    refuse(turns.settings().is_some(), "--settings", WITH_GAMES)?;
    refuse(bootstrap > 0 || seed.is_some(), "--bootstrap", WITH_GAMES)?;
    refuse(posterior, "--posterior", "with games: JSON has the posterior of --player")?;
    refuse(trace && format == Format::Json, "--trace", "with --format json, which has the moves")?;
    let TurnsRequest { files, depth, first_move, max_eval, keep_repeats, .. } = turns.into();
    let usual = RateGamesRequest::of_files(files);
    let request = RateGamesRequest {
        player,
        opponents,
        pooled,
        depth: depth.unwrap_or(usual.depth),
        first_move,
        max_eval,
        keep_repeats,
        min_turns,
        claimed,
        calibration,
        ..usual
    };
    rate_games::run(&request, format, trace, settings)
}

#[cfg(not(feature = "evaluate"))]
fn rate_games(_: Flags, _: &Settings) -> Result<Verdict> {
    anyhow::bail!("this build of errare evaluates no games: build it with the feature `evaluate`")
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
