//! `errare cluster forecast`.

use crate::Exit;
use crate::settings::Settings;
use crate::table::What;
use anyhow::Result;
use clap::{Args, Subcommand};
use errare_lab::{ClusterForecastRequest, ForecastGames, ForecastWork, MeasuredTable, Text, ToSheet};
use errare_terminal::{ByteSize, Format, Output};

/// What the forecast is about.
#[derive(Debug, Subcommand)]
pub enum Work {
    Tables(Tables),
    Games(Games),
}

/// Forecast building tables from scratch
///
/// Work and memory are the plan's estimates, sizes are entries times --entry-bytes. With --measured both are multiplied by
/// how far they were off for these tables.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster forecast tables --men 6 --no-pawns --metric dtz --nodes 10,100,1000
  errare cluster forecast tables --men 6 --no-pawns --metric dtz --measured KRNKNN=240,900000000")]
pub struct Tables {
    #[command(flatten)]
    what: What,
    /// Bytes of an entry in a file, as measured on five-man endgames to DTZ
    #[arg(long, default_value_t = 0.13, value_name = "BYTES")]
    entry_bytes: f64,
    /// A table that was measured: its CPU-seconds and bytes; may be given more than once
    #[arg(long, value_name = "MATERIAL=SECONDS,BYTES")]
    measured: Vec<MeasuredTable>,
    #[command(flatten)]
    nodes: Nodes,
}

/// Forecast evaluating games
///
/// Every file of games is a run: --shards jobs read all its games and evaluate their share, and one merges and checks.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare cluster forecast games 1000000000 --nodes 10,100,1000
  errare cluster forecast games 90000000 --turn-seconds 0.1 --shards 100")]
pub struct Games {
    /// Number of games
    #[arg(value_name = "N")]
    games: u64,
    /// Number of turns of a game that count
    #[arg(long, default_value_t = 70.0, value_name = "N")]
    turns: f64,
    /// CPU-seconds of the engine for a turn
    #[arg(long, default_value_t = 0.65, value_name = "SECONDS")]
    turn_seconds: f64,
    /// CPU-seconds for reading a game of another share
    #[arg(long, default_value_t = 8e-5, value_name = "SECONDS")]
    read_seconds: f64,
    /// Bytes of a turn in a turn file
    #[arg(long, default_value_t = 110.0, value_name = "BYTES")]
    turn_bytes: f64,
    /// Number of games in a file
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    file_games: u64,
    /// Number of shares of a file
    #[arg(long, default_value_t = 1000, value_name = "N")]
    shards: u32,
    #[command(flatten)]
    nodes: Nodes,
}

// The machines.
#[derive(Args, Debug)]
struct Nodes {
    /// Numbers of nodes
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,1000", value_name = "N,...")]
    nodes: Vec<u32>,
    /// Number of processors of a node
    #[arg(long, default_value_t = 16, value_name = "N")]
    cores: u16,
    /// Memory of a node
    #[arg(long, default_value = "64G", value_name = "SIZE")]
    node_memory: ByteSize,
    /// How it is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Work {
    pub fn run(self, settings: &Settings) -> Result<Exit> {
        let (work, Nodes { nodes, cores, node_memory, format }) = match self {
            Work::Tables(Tables { what, entry_bytes, measured, nodes }) => {
                let measured = measured.into_iter().map(Text).collect();
                (ForecastWork::Tables { tables: what.request(), bytes_per_entry: entry_bytes, measured }, nodes)
            }
            Work::Games(flags) => {
                let games = ForecastGames {
                    games: flags.games,
                    turns_per_game: flags.turns,
                    cpu_seconds_per_turn: flags.turn_seconds,
                    cpu_seconds_per_game_read: flags.read_seconds,
                    bytes_per_turn: flags.turn_bytes,
                    games_per_file: flags.file_games,
                    shards: flags.shards,
                };
                (ForecastWork::Games(games), flags.nodes)
            }
        };
        let found = settings.run(&ClusterForecastRequest { work, nodes, cores, node_memory_bytes: node_memory.0 })?;
        let mut output = Output::stdout();
        match format {
            Format::Json => output.json(&found)?,
            Format::Csv => output.csv(&found.to_sheet())?,
            Format::Table => output.lines(found.sentences())?,
        }
        Ok(Exit::Clean)
    }
}
