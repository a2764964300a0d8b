//! `errare match`.

use crate::Exit;
use crate::idle_flag::refuse;
use crate::modelling::{GameFlags, players_and};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_endgame::{AgentSpec, Ending};
use errare_lab::{AdviceSource, EngineSpec, GameConditions, LabConfig, MatchRequest, Numeric, Text, WholeGamesRequest};
use errare_tables::Metric;
use errare_terminal::Output;
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
/// A seed always gives the same games, whatever the number of threads, unless engines are limited by time. Engines that are
/// limited otherwise make the same moves in every game from a position: give many positions (--fens) instead of many games.
///
/// The score of the agent named as White stands for a difference in Elo: 400 log10(s / (1 - s)) of its share of the points
/// s. The 95% interval is Wilson's interval for s, narrowed by draws; with --both-colours by what pairs of games scored,
/// as the two games of a pair are not independent. Only with both colours, or from positions in which colours matter
/// little, does it measure the players.
///
/// Without a position, or from one that tables cannot have, whole games are played; --advice asks for them from any position.
/// Any agent plays, as `errare uci` does: elo:1800 begins as people begin games, then chooses among moves that an engine
/// evaluates (--engine, asked as `errare rate` asks it, with the same cache, so that rating the games costs nothing), or our
/// own search if there is none; with four men or fewer tables decide. Games end by the rules of chess, or when an agent
/// resigns. A game takes about a minute of the engine.
///
/// JSON: see `errare schema match`, for whole games `errare schema whole-games`. CSV: a row for each length; the score is in every row.
#[derive(Args, Debug)]
#[command(after_help = players_and("\
  errare match --white player:20 --black infallible --fen 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --games 1000
  errare match --white player:20 --black predator:20 --fen '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --pgn games.pgn
  errare match --white levy:plies=4 --black player:10 --fen '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --games 100
  errare match --white elo:1800 --black elo:2200 --both-colours --pgn games.pgn        # whole games; then errare rate games.pgn
  errare match --white elo:1600 --black player:20 --advice search --games 10
  errare match --white uci:stockfish,depth=4 --black 'uci:stockfish,nodes=500,option.Hash=16' --fens starts.txt --both-colours

Exit status 1 if a game was broken."))]
pub struct Flags {
    /// The agent that plays White
    #[arg(long, value_name = "AGENT")]
    white: AgentSpec,
    /// The agent that plays Black
    #[arg(long, value_name = "AGENT")]
    black: AgentSpec,
    /// The position that games start from [default: that of whole games]
    #[arg(long)]
    fen: Option<String>,
    /// A file of positions that games start from, a FEN on each line; `-` for stdin
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,
    /// Number of games from each position, or of pairs of games with --both-colours
    /// [default: 100 from one position, 1 from each of several, 1 of whole games]
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
    /// Whole games: who evaluates the moves that agents choose from, engine or search [default: the engine if there is one]
    #[arg(long, value_name = "WHO")]
    advice: Option<AdviceSource>,
    /// Whole games: the engine that evaluates moves [default: that of ERRARE_ENGINE, else stockfish]
    #[arg(long)]
    engine: Option<EngineSpec>,
    /// Whole games: pawns by which an agent must be behind at three turns in a row to resign; 0 to play on [default: 9]
    #[arg(long, value_name = "PAWNS")]
    resign: Option<f64>,
    #[command(flatten)]
    conditions: GameFlags,
}

impl Flags {
    /// What the flags say of the lab.
    pub fn lab_config(&self) -> LabConfig {
        LabConfig { engine: self.engine.clone(), ..LabConfig::default() }
    }

    /// Whether whole games are meant.
    fn is_whole(&self) -> bool {
        let is_bare = self.fen.is_none() && self.fens.is_none();
        is_bare || self.advice.is_some() || self.fen.as_deref().is_some_and(WholeGamesRequest::is_only_way_from)
    }
}

fn play_whole(flags: Flags, settings: &Settings) -> Result<Exit> {
    let is_metric = flags.conditions.players.model.metric().is_some();
    let idle = [(flags.repetition, "--repetition"), (flags.to_mate, "--to-mate"), (is_metric, "--metric")];
    let idle = idle.into_iter().chain([(flags.rule.given().is_some(), "--rule")]);
    idle.into_iter().try_for_each(|(is_given, flag)| refuse(is_given, flag, "in whole games"))?;
    let GameConditions { patience_seconds, pgn, .. } = flags.conditions.request();
    let request = WholeGamesRequest {
        fens: flags.fen.into_iter().collect(),
        fens_file: flags.fens,
        games: flags.games.unwrap_or(1),
        both_colours: flags.both_colours,
        seed: flags.seed,
        advice: flags.advice.map(Text),
        resign: flags.resign.map_or(Some(9.0), |pawns| (pawns != 0.0).then_some(pawns)),
        most_moves: flags.most_moves,
        patience_seconds,
        pgn,
        ..WholeGamesRequest::new(flags.white, flags.black)
    };
    let found = settings.run(&request)?;
    let mut output = Output::beside(request.pgn.as_deref());
    output.response(flags.conditions.players.format, &found, |output, found| output.lines(found.sentences()))?;
    Ok(if found.broken.is_empty() { Exit::Clean } else { Exit::Finding })
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    if flags.is_whole() {
        return play_whole(flags, settings);
    }
    let of_whole = [(flags.engine.is_some(), "--engine"), (flags.resign.is_some(), "--resign")];
    of_whole.into_iter().try_for_each(|(is_given, flag)| refuse(is_given, flag, "where tables decide the games"))?;
    let metric = flags.conditions.players.model.metric();
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
        conditions: flags.conditions.request(),
    };
    let found = settings.run(&request)?;
    let mut output = Output::beside(request.conditions.pgn.as_deref());
    output.response(flags.conditions.players.format, &found, |output, found| output.lines(found.sentences()))?;
    Ok(if found.broken.is_empty() { Exit::Clean } else { Exit::Finding })
}
