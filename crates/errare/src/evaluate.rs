//! `errare evaluate`.

use crate::Exit;
use crate::limits;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_evaluate::{EngineSpec, Lines, OptionSetting, Preset, Shard};
use errare_lab::{EvaluateRequest, LabError, Text};
use errare_ratings::Selection;
use errare_terminal::{Format, Interrupted, Output, Report};
use std::path::PathBuf;

/// Evaluate the moves of games with an engine
///
/// An engine evaluates all legal moves of every turn that counts, to one depth: the input of fit, rate and screen. It has
/// one thread and 64 MB, forgets everything before each position, and is sent its FEN; so its results can be repeated.
/// Turns before move 9, turns with one legal move, and positions that came up earlier in the game are left out. Decided
/// positions are not: fits leave them out, by the evaluation. Broken games are named on stderr and skipped; a game that comes
/// again (same players, date and moves) counts once, as in merge and fit.
///
/// Answers are cached as they come, under everything they depend on: the FEN, the engine's name and file, net, options,
/// depth and lines. A run that was interrupted or killed continues when it is started again, and several may use one
/// cache at once. The files written at the end do not depend on any of that, nor on the number of workers.
///
/// An engine that fails is started anew and asked again; a position at which it fails twice is named on stderr and left
/// out.
///
/// With --multipv N the engine shows only the N best moves. If the played one is not among them it is searched by itself,
/// to the same depth.
///
/// DIR/turns.parquet has one row per turn: milepost, game (its number over all files), source and source_game (the file
/// and the number there), white, black, white_elo, black_elo, date, event, site, round, result, ply (0 is White's first
/// move), fen, played, lines (a list of uci with centipawns or mate, best first, from the side to move), engine, depth,
/// settings (net and options), engine_file (its hash). DIR/turns.jsonl has the same, one line per turn, with lines as
/// [["e2e4", 31], ["d2d4", "#-3"]]. A game has a milepost if it has the tag Milepost, or MilepostDelta: the greater
/// distance of the two Elos from a multiple of 100.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare evaluate games.pgn --engine stockfish --out games
  errare evaluate many.pgn --engine stockfish --preset quick --out many
  errare evaluate 2006/*.pgn --engine stockfish --depth 13 --workers 8 --out turns --jsonl
  errare evaluate games.pgn --engine stockfish --shard 1/2 --out part1   # and 2/2 elsewhere; then
  errare merge part1 part2 --out turns.parquet

Exit status: 1 if the engine failed at a position.")]
pub struct Flags {
    /// Games in PGN, plain or compressed by gzip or zstd
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// The engine: a file or a command, with arguments after spaces
    #[arg(long, value_name = "COMMAND")]
    engine: EngineSpec,
    /// Depth of search, in plies as the engine counts them [default: that of the preset]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=200))]
    depth: Option<u16>,
    /// How deep to search: plain (10), or quick (6), which tells less of a turn but more for its time
    #[arg(long, default_value_t, conflicts_with = "depth")]
    preset: Preset,
    /// Number of moves that the engine shows: all, or the best N
    #[arg(long, default_value_t = Lines::All, value_name = "all|N")]
    multipv: Lines,
    /// Set an option of the engine, such as Hash=256; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<OptionSetting>,
    /// Number of engines at work at once [default: as many as --threads]
    #[arg(long, value_name = "N", value_parser = limits::thread_count())]
    workers: Option<u16>,
    /// Evaluate only a share of the games, such as 2/8: every eighth, from the second on
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    /// Folder for turns.parquet; `-` for lines of JSON on stdout instead
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write turns.jsonl too
    #[arg(long)]
    jsonl: bool,
    /// File of cached answers [default: errare/evaluations.sqlite in the user's cache folder]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// The first move that counts
    #[arg(long, default_value_t = Selection::default().first_move, value_name = "N")]
    first_move: u16,
    /// Keep positions that came up earlier in their game
    #[arg(long)]
    keep_repeats: bool,
    /// Keep turns with one legal move
    #[arg(long)]
    keep_forced: bool,
    /// Seconds that the engine may take for a position, before it counts as hanging
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = limits::patience())]
    patience: u64,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t)]
    format: Report,
}

impl Flags {
    pub fn format(&self) -> Format {
        match self.format {
            Report::Json => Format::Json,
            Report::Table => Format::Table,
        }
    }

    pub fn request(self) -> EvaluateRequest {
        EvaluateRequest {
            files: self.files,
            engine: Text(self.engine),
            options: self.options.into_iter().map(Text).collect(),
            out: self.out,
            depth: self.depth.unwrap_or(self.preset.depth()),
            multipv: Text(self.multipv),
            workers: self.workers.map(usize::from),
            shard: Text(self.shard),
            jsonl: self.jsonl,
            cache: self.cache,
            first_move: self.first_move,
            keep_repeats: self.keep_repeats,
            keep_forced: self.keep_forced,
            patience_seconds: self.patience,
        }
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let format = flags.format;
    let request = flags.request();
    let found = match settings.run(&request) {
        Err(LabError::Cancelled(_)) => {
            return Err(Interrupted("interrupted: run the same command again to continue".to_owned()).into());
        }
        found => found?,
    };
    let mut output = Output::beside([request.out.as_path()]);
    match format {
        Report::Json => output.json(&found)?,
        Report::Table if settings.quiet => {}
        Report::Table => output.lines(found.sentences())?,
    }
    Ok(if found.failed > 0 { Exit::Finding } else { Exit::Clean })
}
