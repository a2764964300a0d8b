//! `errare match`.

use crate::Verdict;
use crate::idle_flag::refuse;
use crate::limits;
use crate::modelling::{PlayerFlags, players_and};
use crate::output::{Grid, Output, cell, counted, grouped};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_endgame::{AgentSpec, Ending};
use errare_lab::{ApparentCompetence, MatchRequest, MatchResponse, MatchScoreSummary, Numeric, Side, Text};
use errare_tables::Metric;
use std::path::PathBuf;

/// Let two agents play games from a position, or from several
///
/// By default fallible players never give up a win, as in Andrist and Haworth (2005); with --hold nothing they may. Under
/// dtc games end with the conversion, else with mate. No move rule is in force unless the start is drawn or --rule asks
/// for one; the output shows how many wins came before a draw could be claimed by the 50-move rule. Lengths are the
/// winner's moves, of a drawn game the moves made. The apparent competence is what an analyser, starting afresh with each
/// game, expects in the end. Strategies play under the 50-move rule, or that of --rule (see `errare line --help`).
///
/// An agent may be a UCI engine, as in uci:stockfish,depth=4. It is set to one thread unless its options say otherwise, and
/// knows of no earlier game. Positions must be such that there are tables, also for engines: their moves are assessed. An
/// engine that crashes or takes too long is started anew once; if that does not help its game is broken and does not count.
///
/// The same seed gives the same games, whatever the number of threads, unless engines are limited by time. Engines that are
/// limited otherwise make the same moves in every game from a position: give many positions (--fens) instead of many games.
///
/// The score of the agent named as White stands for a difference in Elo: 400 log10(s / (1 - s)) of its share of the points
/// s. The 95% interval is Wilson's interval for s, narrowed by draws; with --both-colours by what pairs of games scored,
/// as the two games of a pair are not independent. Only with both colours, or from positions in which colours matter
/// little, does it measure the players.
///
/// JSON: see `errare schema match`. CSV: a row for each length; the score is in every row.
#[derive(Args, Debug)]
#[command(after_help = players_and("\
  errare match --white player:20 --black infallible --fen 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --games 1000
  errare match --white player:20 --black predator:20 --fen '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --pgn games.pgn
  errare match --white levy:plies=4 --black player:10 --fen '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --games 100
  errare match --white uci:stockfish,depth=4 --black 'uci:stockfish,nodes=500,option.Hash=16' --fens starts.txt --both-colours

Exit status 1 if a game was broken."))]
pub struct Flags {
    /// The agent that plays White
    #[arg(long, value_name = "AGENT")]
    white: AgentSpec,
    /// The agent that plays Black
    #[arg(long, value_name = "AGENT")]
    black: AgentSpec,
    /// The position that games start from
    #[arg(long, required_unless_present = "fens")]
    fen: Option<String>,
    /// A file of positions that games start from, a FEN on each line; `-` for stdin
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,
    /// Number of games from each position, or of pairs of games with --both-colours
    /// [default: 100 from one position, 1 from each of several]
    #[arg(long, short = 'n', value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Play each game twice, the second time with the colours exchanged
    #[arg(long)]
    both_colours: bool,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    rule: RuleFlags,
    /// Draw games in which a position comes up for the third time
    #[arg(long)]
    repetition: bool,
    /// Play on after a conversion even under dtc
    #[arg(long)]
    to_mate: bool,
    /// Number of moves by each side after which a game is broken off
    #[arg(long, default_value_t = Ending::MAX_MOVES, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    most_moves: u32,
    /// Seconds that an engine may take for a move to a depth or a number of nodes, before it counts as hanging
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = limits::patience())]
    patience: u64,
    /// Write the games as PGN; `-` for stdout, instead of the summary
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let metric = flags.players.model.metric();
    refuse(
        flags.to_mate && metric.is_some_and(|metric| metric != Metric::Dtc),
        "--to-mate",
        "unless the metric is dtc: under the others games go on to mate",
    )?;
    let request = MatchRequest {
        white: Text(flags.white),
        black: Text(flags.black),
        fen: flags.fen,
        fens: Vec::new(),
        fens_file: flags.fens,
        games: flags.games,
        both_colours: flags.both_colours,
        seed: flags.seed,
        rule: flags.rule.given().map(Numeric),
        repetition: flags.repetition,
        to_mate: flags.to_mate,
        most_moves: flags.most_moves,
        patience_seconds: flags.patience,
        pgn: flags.pgn,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let found = settings.run(&request)?;
    let text = |output: &mut Output, found: &_| Ok(output.lines(&sentences(found))?);
    Output::beside(request.pgn.as_deref()).response(flags.players.format, &found, lengths, text)?;
    Ok(if found.broken.is_empty() { Verdict::Clean } else { Verdict::Finding })
}

fn lengths(found: &MatchResponse) -> Grid {
    let mut grid = Grid::new(&["moves", "games", "score", "elo", "elo_low", "elo_high"]);
    let score = found.score.as_ref();
    let figures = [
        cell(score.map(|score| score.share)),
        cell(score.map(|score| score.elo)),
        cell(score.map(|score| score.elo_interval[0])),
        cell(score.map(|score| score.elo_interval[1])),
    ];
    for (moves, games) in &found.lengths {
        grid.push([moves.to_string(), games.to_string()].into_iter().chain(figures.clone()));
    }
    grid
}

/// The score in words: points, share, and the difference in Elo with its interval.
fn score_sentence(player: &str, score: &MatchScoreSummary) -> String {
    let games = score.won + score.drawn + score.lost;
    let halves = 2 * score.won + score.drawn;
    let points = format!("{}{}", grouped(halves / 2), if halves % 2 == 1 { ".5" } else { "" });
    let [low, high] = score.elo_interval;
    let by_pairs = score.pairs.map_or_else(String::new, |pairs| {
        format!(" (by {} {})", grouped(pairs), if pairs == 1 { "pair" } else { "pairs" })
    });
    format!(
        "score of {player}: {points} of {} ({:.1}%); Elo difference {:+.0}, 95% interval {:+.0} to {:+.0}{by_pairs}",
        grouped(games),
        100.0 * score.share,
        score.elo.0,
        low.0,
        high.0
    )
}

/// The first line: the position, or how many there are.
fn heading(found: &MatchResponse) -> String {
    found.fen.clone().unwrap_or_else(|| format!("{} positions", grouped(found.starts.len() as u64)))
}

fn sentences(found: &MatchResponse) -> Vec<String> {
    let percent = |part: u64| format!("{:.1}%", 100.0 * part as f64 / found.games.max(1) as f64);
    let share = |part: u64| format!("{} ({})", grouped(part), percent(part));
    let reasons: Vec<String> =
        found.reasons.iter().map(|(reason, games)| format!("{} {}", reason.name(), grouped(*games))).collect();
    // Where colours are exchanged the figures of a side are those of an agent.
    let side = |side: Side| match side {
        Side::White if found.both_colours => found.names.white.clone(),
        Side::Black if found.both_colours => found.names.black.clone(),
        side => side.title().to_owned(),
    };
    let apparent = |agent: &str, seen: &ApparentCompetence| {
        let who = if found.both_colours { agent.to_owned() } else { format!("{} ({agent})", side(seen.side)) };
        format!("apparent c of {who}: mean {:.3}, sd {:.3}, {:.2} to {:.2}", seen.mean, seen.sd, seen.min, seen.max)
    };
    let error = found.sd_moves / (found.games.max(1) as f64).sqrt();
    let (players, model, seed) = (counted(found.games, "game"), found.model.sentence(), found.seed);
    let results = &found.results;
    let mut lines = vec![
        heading(found),
        format!(
            "{players}, {} against {}{} ({model}; seed {seed})",
            found.names.white,
            found.names.black,
            if found.both_colours { ", each with both colours" } else { "" }
        ),
        format!(
            "results: 1-0 {}, 0-1 {}, drawn {}; by {}",
            share(results.white),
            share(results.black),
            share(results.drawn),
            reasons.join(", ")
        ),
        format!(
            "moves: mean {:.2} (standard error {error:.2}), sd {:.2}, {} to {}",
            found.mean_moves, found.sd_moves, found.min_moves, found.max_moves
        ),
        format!(
            "won before a draw could be claimed by the {}-move rule: {}",
            found.fifty_moves.moves,
            share(found.fifty_moves.won)
        ),
        apparent(&found.names.white, &found.apparent_c_by_side.white),
        apparent(&found.names.black, &found.apparent_c_by_side.black),
    ];
    if let Some(score) = &found.score {
        lines.insert(3, score_sentence(&found.names.white, score));
    }
    if !found.broken.is_empty() {
        lines.push(format!("broken and not counted: {}", counted(found.broken.len() as u64, "game")));
    }
    if let Some(first) = &found.first_concession {
        lines.push(format!(
            "the value changed hands in {} ({}): first by {} in {}, by {} in {}, \
             after {:.1} moves of theirs on average (sd {:.1})",
            counted(first.games, "game"),
            percent(first.games),
            side(Side::White),
            grouped(first.white),
            side(Side::Black),
            grouped(first.black),
            first.mean_moves,
            first.sd_moves
        ));
    }
    lines
}
