//! `errare match`.

mod report;

use crate::Verdict;
use crate::modelling::{AnalysisFlags, ModelFlags};
use crate::output::{Format, Output};
use crate::rules::RuleFlags;
use crate::settings::Settings;
use crate::sources::Sources;
use anyhow::{Context, Result, bail};
use clap::Args;
use errare_endgame::{AgentSetting, AgentSpec, Ending, Hold, Match, Oracle, Played};
use errare_games::Game;
use errare_lab::PgnOutput;
use errare_tables::{Material, Metric, endgames_after, tables_to_mate};
use report::{Conditions, Report, Tally};
use shakmaty::{ByColor, Chess, Color, KnownOutcome, Outcome, Position};
use std::path::PathBuf;
use std::sync::Arc;

/// Let two agents play games from a position
///
/// Agents: player:C is R_c. infallible plays optimal moves, by chance among equals; infallible:first always the same
/// one, infallible:rook rook moves first. predator:C knows that its opponent is an R_c, predator finds it out as it
/// plays; both take plies=N and scope=optimal, keeping or all after a comma. emulator:C looks like R_c. levy:P attacks
/// drawn positions against an opponent who makes each losing move with probability P. strategy:SR3* follows a strategy,
/// with the 50-move rule in mind or that of --rule: see `errare line --help`.
///
/// By default fallible players never let go of a win, as in the papers; --hold nothing lets them. Under dtc games end
/// with the conversion, else with mate. No move rule is in force unless the start is drawn (or --rule asks for it);
/// how many wins came before a draw could be claimed by the 50-move rule is told. Lengths are the winner's moves, of a drawn game the
/// moves made. The apparent competence is what an analyser, starting afresh with each game, expects in the end.
///
/// The same seed gives the same games, whatever the number of threads.
///
/// JSON: {"fen", "white", "black", "model", "grid", "seed", "games", "mean_moves", "sd_moves", "min_moves",
/// "max_moves", "results": {"1-0", "0-1", "1/2-1/2"}, "reasons", "apparent_c": {"side", "mean", "sd", "min", "max"},
/// "apparent_c_by_side", "fifty_moves": {"moves", "won", "not_won"}, "first_concession": {"games", "white", "black",
/// "mean_moves", "sd_moves"}, "lengths": {"37": 2, ...}}. CSV: a row for each length.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare match --white player:20 --black infallible --fen 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --games 1000
  errare match --white player:20 --black predator:20 --fen '2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1' --pgn games.pgn
  errare match --white levy:plies=4 --black player:10 --fen '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --games 100")]
pub struct Flags {
    /// Who plays White
    #[arg(long, value_name = "AGENT")]
    white: AgentSpec,
    /// Who plays Black
    #[arg(long, value_name = "AGENT")]
    black: AgentSpec,
    /// Where the games start
    #[arg(long)]
    fen: String,
    /// How many games
    #[arg(long, short = 'n', default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// What random choices are drawn by
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    rule: RuleFlags,
    /// Play on after a conversion even under dtc
    #[arg(long)]
    to_mate: bool,
    /// Break a game off after so many moves
    #[arg(long, default_value_t = 100_000, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    most_moves: u32,
    /// Write the games
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    analysis: AnalysisFlags,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Games held in memory at once.
const BATCH: u64 = 512;

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let sources = Sources::open(settings, flags.model.source.as_ref())?;
    let metric = sources.metric(flags.model.metric);
    let start = sources.position(&flags.fen)?;
    if start.legal_moves().is_empty() {
        bail!("the game is over: {} has no legal move", crate::depth::side(start.turn()));
    }
    let (material, _) = Material::of_board(start.board());
    let model = flags.model.model(Hold::Wins);
    let analysis = flags.analysis.analysis(model.clone())?;
    let needed = needed(&flags, material, metric);
    let mut pgn = flags.pgn.as_ref().map(|path| PgnOutput::create(path, &[])).transpose()?;
    let mut tally = Tally::default();
    let mut first = 0;
    while first < flags.games {
        let last = flags.games.min(first + BATCH);
        // A damaged table costs the games of a batch and no more.
        let played = sources.work_with(&needed, || {
            let oracle = Arc::new(Oracle::new(sources.source(), metric));
            let usual = Ending::usual(metric, oracle.state(&start)?);
            let ending = Ending {
                at_conversion: usual.at_conversion && !flags.to_mate,
                rule: flags.rule.given().map_or(usual.rule, |rule| rule.moves().map(u32::from)),
                most_moves: flags.most_moves,
            };
            let contest = Match {
                oracle,
                agents: ByColor { white: flags.white.clone(), black: flags.black.clone() },
                setting: AgentSetting {
                    model: model.clone(),
                    analysis: analysis.clone(),
                    rule: flags.rule.moves(),
                    posteriors: std::collections::BTreeMap::new(),
                },
                analysis: analysis.clone(),
                start: start.clone(),
                ending,
                seed: flags.seed,
                keep_moves: flags.pgn.is_some(),
            };
            contest.play_all(first..last, flags.games, sources.progress())
        })?;
        for (number, game) in (first..last).zip(&played) {
            tally.add(game);
            if let Some(pgn) = &mut pgn {
                pgn.write(&scoresheet(&flags, &start, number, game)?, &[])?;
            }
        }
        first = last;
    }
    sources.progress().clear();
    if let Some(pgn) = pgn {
        pgn.finish()?;
    }
    let conditions = Conditions {
        fen: crate::notation::fen_of(&start),
        agents: ByColor { white: flags.white.clone(), black: flags.black.clone() },
        model: flags.model.told(metric, Hold::Wins),
        grid: flags.analysis.grid.0,
        seed: flags.seed,
    };
    let report = Report::new(conditions, &tally);
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&report)?,
        Format::Csv => output.csv(&report.lengths_grid())?,
        Format::Table => report.sentences().iter().try_for_each(|line| output.line(line))?,
    }
    Ok(Verdict::Clean)
}

/// The tables that may be asked: what comes after a conversion only if play goes on there.
fn needed(flags: &Flags, material: Material, metric: Metric) -> Vec<(Material, Metric)> {
    let metrics = [metric].into_iter().chain(flags.white.metrics()).chain(flags.black.metrics());
    if metric != Metric::Dtc || flags.to_mate {
        return tables_to_mate(material, metrics);
    }
    let reach = endgames_after(material, Metric::Dtc);
    metrics.flat_map(|metric| reach.iter().map(move |&material| (material, metric)).collect::<Vec<_>>()).collect()
}

fn scoresheet(flags: &Flags, start: &Chess, number: u64, played: &Played) -> Result<Game> {
    let mut game = Game::new(start.clone());
    let names = [("White", flags.white.to_string()), ("Black", flags.black.to_string())];
    game.set_tag("Event", &format!("errare match, seed {}", flags.seed));
    game.set_tag("Round", &(number + 1).to_string());
    names.iter().for_each(|(tag, name)| game.set_tag(tag, name));
    for &mv in &played.moves {
        game.push(mv).context("a game between agents")?;
    }
    game.result = Some(Outcome::Known(match played.winner {
        Some(Color::White) => KnownOutcome::Decisive { winner: Color::White },
        Some(Color::Black) => KnownOutcome::Decisive { winner: Color::Black },
        None => KnownOutcome::Draw,
    }));
    Ok(game)
}
