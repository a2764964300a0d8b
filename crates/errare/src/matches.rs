//! `errare match`.

use crate::Verdict;
use crate::modelling::{PlayerFlags, agents_and};
use crate::output::{Grid, Output, grouped};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_endgame::{AgentSpec, Ending};
use errare_lab::{ApparentCompetence, MatchRequest, MatchResponse, Numeric, Text};
use std::path::PathBuf;

/// Let two agents play games from a position
///
/// By default fallible players never give up a win, as in Andrist and Haworth (2005); with --hold nothing they may. Under
/// dtc games end with the conversion, else with mate. No move rule is in force unless the start is drawn or --rule asks
/// for one; the output shows how many wins came before a draw could be claimed by the 50-move rule. Lengths are the
/// winner's moves, of a drawn game the moves made. The apparent competence is what an analyser, starting afresh with each
/// game, expects in the end. Strategies play under the 50-move rule, or that of --rule (see `errare line --help`).
///
/// The same seed gives the same games, whatever the number of threads.
///
/// JSON: see `errare schema match`. CSV: a row for each length.
#[derive(Args, Debug)]
#[command(after_help = agents_and("\
  errare match --white player:20 --black infallible --fen 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --games 1000
  errare match --white player:20 --black predator:20 --fen '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --pgn games.pgn
  errare match --white levy:plies=4 --black player:10 --fen '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --games 100"))]
pub struct Flags {
    /// The agent that plays White
    #[arg(long, value_name = "AGENT")]
    white: AgentSpec,
    /// The agent that plays Black
    #[arg(long, value_name = "AGENT")]
    black: AgentSpec,
    /// The position that all games start from
    #[arg(long)]
    fen: String,
    /// Number of games
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    rule: RuleFlags,
    /// Play on after a conversion even under dtc
    #[arg(long)]
    to_mate: bool,
    /// Number of moves by each side after which a game is broken off
    #[arg(long, default_value_t = Ending::MAX_MOVES, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    most_moves: u32,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let request = MatchRequest {
        white: Text(flags.white),
        black: Text(flags.black),
        fen: flags.fen,
        games: flags.games,
        seed: flags.seed,
        rule: flags.rule.given().map(Numeric),
        to_mate: flags.to_mate,
        most_moves: flags.most_moves,
        pgn: flags.pgn,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let found = settings.run(&request)?;
    let text = |output: &mut Output, found: &_| Ok(output.lines(&sentences(found))?);
    Output::stdout().response(flags.players.format, &found, lengths, text)?;
    Ok(Verdict::Clean)
}

fn lengths(found: &MatchResponse) -> Grid {
    let mut grid = Grid::new(&["moves", "games"]);
    found.lengths.iter().for_each(|(moves, games)| grid.push([moves.to_string(), games.to_string()]));
    grid
}

fn sentences(found: &MatchResponse) -> Vec<String> {
    let percent = |part: u64| format!("{:.1}%", 100.0 * part as f64 / found.games.max(1) as f64);
    let counted = |part: u64| format!("{} ({})", grouped(part), percent(part));
    let reasons: Vec<String> =
        found.reasons.iter().map(|(reason, games)| format!("{} {}", reason.name(), grouped(*games))).collect();
    let apparent = |agent: &dyn std::fmt::Display, seen: &ApparentCompetence| {
        format!(
            "apparent c of {} ({agent}): mean {:.3}, sd {:.3}, {:.2} to {:.2}",
            seen.side.title(),
            seen.mean,
            seen.sd,
            seen.min,
            seen.max
        )
    };
    let error = found.sd_moves / (found.games.max(1) as f64).sqrt();
    let (players, model, seed) = (games(found.games), found.model.sentence(), found.seed);
    let results = &found.results;
    let mut lines = vec![
        found.fen.clone(),
        format!("{players}, {} against {} ({model}; seed {seed})", found.white, found.black),
        format!(
            "results: 1-0 {}, 0-1 {}, drawn {}; by {}",
            counted(results.white),
            counted(results.black),
            counted(results.drawn),
            reasons.join(", ")
        ),
        format!(
            "moves: mean {:.2} (standard error {error:.2}), sd {:.2}, {} to {}",
            found.mean_moves, found.sd_moves, found.min_moves, found.max_moves
        ),
        format!(
            "won before a draw could be claimed by the {}-move rule: {}",
            found.fifty_moves.moves,
            counted(found.fifty_moves.won)
        ),
        apparent(&found.white, &found.apparent_c_by_side.white),
        apparent(&found.black, &found.apparent_c_by_side.black),
    ];
    if let Some(first) = &found.first_concession {
        lines.push(format!(
            "the value changed hands in {} ({}): first by White in {}, by Black in {}, \
             after {:.1} moves of theirs on average (sd {:.1})",
            games(first.games),
            percent(first.games),
            grouped(first.white),
            grouped(first.black),
            first.mean_moves,
            first.sd_moves
        ));
    }
    lines
}

fn games(count: u64) -> String {
    format!("{} {}", grouped(count), if count == 1 { "game" } else { "games" })
}
