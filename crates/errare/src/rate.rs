//! `errare rate`.

use crate::idle_flag::refuse;
#[cfg(feature = "evaluate")]
use crate::rate_games;
use crate::settings::Settings;
use crate::turns::RatedFlags;
use crate::{Exit, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{PlayerSort, RateGamesRequest, RateGamesResponse, RateRequest, RateResponse};
#[cfg(feature = "evaluate")]
use errare_ratings::{Estimator, RatingOptions};
use errare_terminal::{Format, Output};

/// Rate players by their moves alone
///
/// Takes games in PGN, or turns that `errare evaluate` wrote. The moves of games are evaluated first by an engine: that of
/// --engine or ERRARE_ENGINE, else stockfish. What it finds is cached as it comes, so that a run that was interrupted goes
/// on when it is started again. Games give a table of all players, --player one of them with --trace for every move,
/// --pooled all moves as those of one player; turns give one rating, of --player or of everybody together.
///
/// The Intrinsic Performance Rating (IPR) is the Elo whose players choose like this by the calibration's joint model, with
/// the opponents' moves in the same games as a control: they show how hard the games were. The 95% interval accounts for
/// the sample, for moves of one game going together, and for the calibration. A calibration made with another engine or depth is
/// refused, and so are samples too small to mean anything. Without --calibration it is one that comes with errare, for
/// Stockfish 15.1 at depth 10. In the table of games, elo is the mean rating that the games give, and z says by how many
/// standard deviations the moves are better than is to be expected of it (see `errare screen`).
///
/// A posterior over Elo is computed too: how probable each Elo is after the moves (--posterior: after 1, 2, 5, 10... of
/// them), if all Elos from 600 to 3600 are equally probable beforehand. It takes the calibration as exact.
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
    pub rated: RatedFlags,
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
    /// Games only: sort by ipr, player, elo, games, turns, z, mm or ad
    #[arg(long, default_value_t, value_name = "COLUMN")]
    sort: PlayerSort,
    /// Turns only: rate by the joint model, or by the line through mileposts (joint, mileposts)
    #[arg(long, default_value_t)]
    estimator: Estimator,
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

/// Why flags about games do nothing with turns.
const WITH_TURNS: &str = "with turns: it is for games in PGN";

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    if flags.rated.are_games()? { rate_games(flags, settings) } else { rate_turns(flags, settings) }
}

fn rate_turns(flags: Flags, settings: &Settings) -> Result<Exit> {
    let Flags { rated, pooled, opponents, claimed, trace, min_turns, bootstrap, seed, posterior, format, .. } = flags;
    let of_games =
        [(pooled, "--pooled"), (opponents, "--opponents"), (claimed.is_some(), "--claimed"), (trace, "--trace")];
    of_games.into_iter().try_for_each(|(is_given, flag)| refuse(is_given, flag, WITH_TURNS))?;
    refuse(seed.is_some() && bootstrap == 0, "--seed", "without --bootstrap, as nothing is drawn")?;
    refuse(posterior && format == Format::Json, "--posterior", "with --format json, which has the posterior")?;
    refuse(posterior && format == Format::Csv, "--posterior", "with --format csv: JSON has the posterior")?;
    let ((turns, calibration, player), seed) = (rated.of_turns()?, seed.unwrap_or(0));
    let (turns, estimator) = (turns.into(), flags.estimator);
    let request = RateRequest { turns, calibration, player, min_turns, bootstrap, seed, estimator };
    write(&settings.run(&request)?, format, posterior)?;
    Ok(Exit::Clean)
}

/// Why flags about turns do nothing with games.
#[cfg(feature = "evaluate")]
pub const WITH_GAMES: &str = "with games: it is for turns that were evaluated before";

#[cfg(feature = "evaluate")]
fn rate_games(flags: Flags, settings: &Settings) -> Result<Exit> {
    let Flags { rated, pooled, opponents, claimed, trace, min_turns, bootstrap, seed, posterior, format, sort, .. } =
        flags;
    refuse(bootstrap > 0 || seed.is_some(), "--bootstrap", WITH_GAMES)?;
    refuse(posterior, "--posterior", "with games: JSON has the posterior of --player")?;
    refuse(trace && format == Format::Json, "--trace", "with --format json, which has the moves")?;
    let usual = rate_games::request(rated)?;
    let request = RateGamesRequest { opponents, pooled, min_turns, claimed, sort, ..usual };
    rate_games::run(&request, format, trace, settings, RateGamesResponse::ratings_table)
}

#[cfg(not(feature = "evaluate"))]
fn rate_games(_: Flags, _: &Settings) -> Result<Exit> {
    anyhow::bail!("this build of errare evaluates no games: build it with the feature `evaluate`")
}

fn write(rating: &RateResponse, format: Format, with_posterior: bool) -> Result<()> {
    let mut output = Output::stdout();
    if format == Format::Csv {
        rating.remarks().iter().for_each(|remark| say(remark));
    }
    Ok(output.response(format, rating, |output, rating| {
        output.table(&rating.table())?;
        output.line("")?;
        if with_posterior {
            output.table(&rating.posterior_table())?;
            output.line("")?;
        }
        output.lines(rating.sentences())
    })?)
}
