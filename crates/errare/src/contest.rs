//! `errare contest`.

use crate::Exit;
use crate::modelling::GameFlags;
use crate::settings::Settings;
use anyhow::Result;
use clap::{Args, ValueEnum};
use errare_lab::{ContestRequest, ContestSide, StartSpread, Text};
use errare_tables::Material;
use errare_terminal::Output;
use errare_uci::client::{EngineEntry, Limit, OptionSetting};

/// Let engines without tables play an endgame against the infallible player
///
/// Every engine plays at every limit from the same positions, which White, the stronger side, wins, White to move. It
/// plays White against the infallible defender, and Black against the infallible attacker. Each of its moves is held
/// against the tables, and the engine is scored by its apparent competence: the c of the R_c whose choices its moves look
/// like.
///
/// Engines play with one thread and without tables, and know of no earlier game; so the same seed gives the same games,
/// whatever the number of threads, unless engines are limited by time. Under dtc a game ends with the conversion, else
/// with mate; it is drawn by the 50-move rule, but not by repetition. An engine that crashes or takes too long is started
/// anew once; if that does not help its game is broken and does not count.
///
/// The output has, for each engine, limit and side: the games, how many the stronger side won, of these the mean number of
/// moves and what it would have been between infallible players, the moves of depth that the engine conceded per game, the
/// moves with which it gave up the value, the share of its moves that were optimal, the expected competence with the
/// interval that holds nine tenths of the probability, and its standard error by leaving out one position at a time. The
/// interval takes the model at its word; the standard error does not.
///
/// JSON: see `errare schema contest`. CSV: the results.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare contest --engine stockfish --limit depth=1,depth=4,depth=8 --material KQKR --positions 100
  errare contest --engine stockfish --engine ./mine --limit nodes=10000 --material KBBKN --pgn games.pgn
  errare contest --engine stockfish,depth=8 --engine 'stockfish,depth=8,option.Skill Level=5' --material KRK --metric dtm

Exit status: 1 if a game was broken.")]
pub struct Flags {
    /// An engine that takes part, as in match: a file or a command, with arguments after spaces, then perhaps a limit and
    /// options, as in stockfish,depth=4,option.Hash=64; may be given more than once
    #[arg(long = "engine", required = true, value_name = "ENGINE")]
    engines: Vec<EngineEntry>,
    /// Limit of searches of engines that name none: depth=N, nodes=N or movetime=Nms; may be given more than once, or
    /// with commas
    #[arg(long = "limit", default_value = "depth=8", value_delimiter = ',', value_name = "LIMIT")]
    limits: Vec<Limit>,
    /// Set an option of all engines, such as Hash=64; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<OptionSetting>,
    /// The endgame
    #[arg(long)]
    material: Material,
    /// Number of positions
    #[arg(long, short = 'n', default_value_t = 20)]
    positions: usize,
    /// How the positions are spread
    #[arg(long, value_enum, default_value_t)]
    spread: SpreadFlag,
    /// Which side the engines play
    #[arg(long, value_enum, default_value_t)]
    side: SideFlag,
    /// Random seed for the positions and for moves among equals
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    conditions: GameFlags,
}

/// How the positions are spread.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum SpreadFlag {
    /// Evenly over the depths that occur, so that short and long wins are alike
    #[default]
    Depths,
    /// Every won position is as likely as any other
    Positions,
}

impl From<SpreadFlag> for StartSpread {
    fn from(spread: SpreadFlag) -> StartSpread {
        match spread {
            SpreadFlag::Depths => StartSpread::Depths,
            SpreadFlag::Positions => StartSpread::Positions,
        }
    }
}

/// The side that the engines play.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum SideFlag {
    /// The stronger, to win
    Strong,
    /// The weaker, to hold out
    Weak,
    /// One after the other
    #[default]
    Both,
}

impl From<SideFlag> for ContestSide {
    fn from(side: SideFlag) -> ContestSide {
        match side {
            SideFlag::Strong => ContestSide::Strong,
            SideFlag::Weak => ContestSide::Weak,
            SideFlag::Both => ContestSide::Both,
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let request = ContestRequest {
        engines: flags.engines.into_iter().map(Text).collect(),
        limits: flags.limits.into_iter().map(Text).collect(),
        options: flags.options.into_iter().map(Text).collect(),
        material: Text(flags.material),
        positions: flags.positions,
        spread: flags.spread.into(),
        side: flags.side.into(),
        seed: flags.seed,
        conditions: flags.conditions.request(),
    };
    let found = settings.run(&request)?;
    Output::beside(request.conditions.pgn.as_deref()).response(
        flags.conditions.players.format,
        &found,
        |output, found| {
            output.line(&found.headline())?;
            output.table(&found.table())
        },
    )?;
    Ok(if found.broken.is_empty() { Exit::Clean } else { Exit::Finding })
}
