//! `errare contest`.

mod engines;
mod games;
mod player;
mod positions;
mod report;

use crate::Verdict;
use crate::limits;
use crate::modelling::{AnalysisFlags, ModelFlags};
use crate::output::{Format, Output};
use crate::settings::Settings;
use crate::sources::Sources;
use crate::terminal::Interrupted;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use engines::Entrant;
use errare_endgame::{Hold, Oracle};
use errare_lab::PgnOutput;
use errare_tables::{Material, Metric, tables_after, tables_to_mate};
use errare_uci::client::{EngineSpec, Limit, OptionSetting};
use errare_work::Progress;
use games::Contest;
use positions::{Spread, Start};
use report::{Conditions, Report};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Let engines without tables play an endgame against the infallible player
///
/// Every engine plays at every limit from the same positions, which White, the stronger side, wins, White to move. It
/// plays White against the infallible defender, and Black against the infallible attacker. Each of its moves is held
/// against the tables, and the engine scored by its apparent competence: the c of the R_c whose choices its moves look
/// like.
///
/// Engines play with one thread and without tables, and know of no earlier game; so the same seed gives the same games,
/// whatever the number of threads, unless engines are limited by time. Under dtc a game ends with the conversion, else
/// with mate; it is drawn by the 50-move rule, but not by repetition. An engine that crashes or takes too long is started
/// anew once; if that does not help its game is broken and does not count.
///
/// Of each engine, limit and side are told: the games, how many the stronger side won, of these the mean number of moves
/// what it would have been between infallible players, the moves of depth that the engine conceded per game, the moves
/// with which it let go of the value, the share of its moves that were optimal, the expected competence with the interval
/// that holds nine tenths, and its standard error by leaving out one position at a time. The interval takes the model at
/// its word; the standard error does not.
///
/// JSON: {"material", "model", "grid", "seed", "spread", "starts": [{"fen", "depth"}], "results": [{"engine", "limit",
/// "side", "games", "broken", "won", "mean_moves", "mean_depth", "moves", "optimal", "conceded", "let_go", "impossible",
/// "expected_c", "sd_c", "interval", "standard_error"}], "broken": [{"engine", "limit", "side", "fen", "reason"}]}. CSV:
/// the results.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status 1 if a game was broken.

Examples:
  errare contest --engine stockfish --limit depth=1,depth=4,depth=8 --material KQKR --positions 100
  errare contest --engine stockfish --engine ./mine --limit nodes=10000 --material KBBKN --pgn games.pgn
  errare contest --engine stockfish --option 'Skill Level=5' --side strong --material KRK --metric dtm")]
pub struct Flags {
    /// An engine that takes part: a file or a command, with arguments after spaces; may be given more than once
    #[arg(long = "engine", required = true, value_name = "COMMAND")]
    engines: Vec<EngineSpec>,
    /// How far it looks: depth=N, nodes=N or movetime=Nms; may be given more than once, or with commas
    #[arg(long = "limit", default_value = "depth=8", value_delimiter = ',', value_name = "LIMIT")]
    limits: Vec<Limit>,
    /// Set an option of the engines, such as Hash=64; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<OptionSetting>,
    /// The endgame
    #[arg(long)]
    material: Material,
    /// How many positions
    #[arg(long, short = 'n', default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// How they are spread
    #[arg(long, value_enum, default_value_t)]
    spread: Spread,
    /// Which side the engines play
    #[arg(long, value_enum, default_value_t)]
    side: Sides,
    /// Random seed for the positions and for moves among equals
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds that an engine may take for a move to a depth or a number of nodes, before it counts as hanging
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = limits::patience())]
    patience: u64,
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

/// Which side the engines play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Sides {
    /// The stronger, to win
    Strong,
    /// The weaker, to hold out
    Weak,
    /// One after the other
    #[default]
    Both,
}

impl Sides {
    fn each(self) -> &'static [games::Side] {
        match self {
            Sides::Strong => &[games::Side::Strong],
            Sides::Weak => &[games::Side::Weak],
            Sides::Both => &[games::Side::Strong, games::Side::Weak],
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    settings.terminal.watch();
    let sources = Sources::open(settings, flags.model.request().source.as_deref())?;
    let metric = sources.metric(flags.model.request().metric.map(|metric| metric.0));
    let analysis = flags.analysis.request().analysis(flags.model.request().model(Hold::Nothing))?;
    let patience = Duration::from_secs(flags.patience);
    let entrants = Entrant::all(&flags.engines, &flags.options, patience, &settings.terminal)?;
    let needed = match metric {
        Metric::Dtc => tables_after(flags.material, &[metric]),
        _ => tables_to_mate(flags.material, [metric]),
    };
    let starts = sources.work_with(&needed, || {
        let oracle = Oracle::new(sources.source(), metric);
        positions::draw(&oracle, flags.material, flags.spread, flags.positions as usize, flags.seed)
    })?;
    check_starts(&starts, &flags)?;
    let pgn = flags.pgn.as_ref().map(|path| PgnOutput::create(path, &[])).transpose()?;
    let contest = Contest {
        entrants: &entrants,
        limits: &flags.limits,
        starts: &starts,
        sides: flags.side.each(),
        analysis: &analysis,
        seed: flags.seed,
    };
    let games = sources.work_with(&needed, || {
        contest.play(&Arc::new(Oracle::new(sources.source(), metric)), sources.progress(), flags.pgn.is_some())
    })?;
    sources.progress().clear();
    if settings.terminal.is_cancelled() {
        let played = games.iter().filter(|game| game.result.is_ok()).count();
        return Err(Interrupted(format!("interrupted while playing: {played} of {} games done", games.len())).into());
    }
    if let Some(mut pgn) = pgn {
        for (number, game) in games.iter().enumerate().filter(|(_, game)| game.result.is_ok()) {
            pgn.write(&contest.scoresheet(game, flags.material, number)?, &[])?;
        }
        pgn.finish()?;
    }
    let conditions = Conditions {
        material: flags.material,
        model: flags.model.request().summary(metric, Hold::Nothing),
        grid: flags.analysis.request().grid.0.0,
        seed: flags.seed,
        spread: flags.spread,
    };
    let report = Report::new(conditions, &contest, &games)?;
    let mut output = Output::stdout();
    match flags.format {
        Format::Json => output.json(&report)?,
        Format::Csv => output.csv(&report.csv())?,
        Format::Table => {
            output.line(&report.heading())?;
            output.grid(&report.table())?;
        }
    }
    let is_broken = games.iter().any(|game| game.result.is_err());
    entrants.into_iter().for_each(|entrant| entrant.dismiss(&settings.terminal));
    Ok(if is_broken { Verdict::Finding } else { Verdict::Clean })
}

fn check_starts(starts: &[Start], flags: &Flags) -> Result<()> {
    match starts.len() {
        found if found == flags.positions as usize => Ok(()),
        0 => bail!("no position of {} was found that the stronger side wins", flags.material),
        found => bail!("only {found} positions of {} were found that the stronger side wins", flags.material),
    }
}
