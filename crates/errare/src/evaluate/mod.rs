//! `errare evaluate`.

mod summary;

use crate::contest::engines::{Setting, config};
use crate::contest::interruptible;
use crate::output::Output;
use crate::settings::Settings;
use crate::terminal::Terminal;
use crate::turn_output::TurnOutput;
use crate::{Verdict, say};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use errare_lab::default_evaluation_cache;
use errare_ratings::evaluate::{Cache, Candidate, Collection, Crew, Lookup, Rules, Seen, Setup, Shard, Told};
use errare_ratings::{Selection, TurnFormat};
use errare_uci::client::{Lines, StopFlag, Timeouts};
use errare_work::{Progress, Status};
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use summary::Summary;

/// Have an engine evaluate the turns of games
///
/// Every turn that counts is put to an engine, which evaluates all legal moves to one depth: what fit, rate and screen go
/// by. The engine has one thread and 64 MB, forgets everything before each position, and is sent its FEN; so what it
/// finds can be repeated. Turns before move 9, turns with one legal move, and positions that came up earlier in the game
/// are left out. Decided positions are not: fits leave them out, by the evaluation. Broken games are named on stderr and
/// skipped.
///
/// Answers go to a cache as they come, under all that they depend on: the FEN, the engine's name and file, net, options,
/// depth and lines. A run that is interrupted or killed goes on where it was when it is started again, and several may
/// use one cache at once. What is written at the end does not depend on any of that, nor on the number of workers.
///
/// An engine that fails is started anew and asked again; a position at which it fails twice is named on stderr and left
/// out.
///
/// With --multipv N only the N best moves are shown. If the played one is not among them it is searched by itself, to the
/// same depth.
///
/// DIR/turns.parquet has a row a turn: milepost, game (its number over all files), source and source_game (the file and
/// its number there), white, black, white_elo, black_elo, date, event, site, round, result, ply (0 is White's first
/// move), fen, played, lines (a list of uci with centipawns or mate, best first, seen by the side to move), engine,
/// depth, settings (net and options), engine_file (its hash). DIR/turns.jsonl has the same as a line a turn, with lines as
/// [["e2e4", 31], ["d2d4", "#-3"]]. A game has a milepost if it has the tag Milepost, or MilepostDelta: how far the two
/// Elos are from a multiple of 100 at most.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status 1 if the engine failed at a position.

Examples:
  errare evaluate games.pgn --engine stockfish --out games
  errare evaluate 2006/*.pgn --engine stockfish --depth 13 --workers 8 --out turns --jsonl
  errare evaluate games.pgn --engine stockfish --shard 1/2 --out part1   # and 2/2 elsewhere; then
  errare merge part1 part2 --out turns.parquet")]
pub struct Flags {
    /// Games in PGN
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// The engine: a file or a command, with arguments after spaces
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// How far it looks, in plies as it counts them
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200))]
    depth: u16,
    /// How many moves it shows: all, or the best N
    #[arg(long, default_value = "all", value_name = "all|N")]
    multipv: Shown,
    /// Sets an option of the engine, as in Hash=256; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<Setting>,
    /// Engines at work at once [default: as many as --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Only a share of the games, such as 2/8: every eighth, from the second on
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    /// Folder for turns.parquet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write turns.jsonl too
    #[arg(long)]
    jsonl: bool,
    /// File of earlier answers [default: errare/evaluations.sqlite in the user's cache folder]
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
    /// Seconds after which the engine is thought to hang at a position
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
}

/// How many moves are shown.
#[derive(Clone, Copy, Debug)]
struct Shown(Lines);

impl FromStr for Shown {
    type Err = String;

    fn from_str(text: &str) -> Result<Shown, String> {
        match text.parse() {
            _ if text == "all" => Ok(Shown(Lines::All)),
            Ok(count) if (1..=500).contains(&count) => Ok(Shown(Lines::Count(count))),
            _ => Err(format!("`{text}` is no number of lines: use all, or 1 to 500")),
        }
    }
}

impl Flags {
    fn rules(&self) -> Rules {
        let usual = Rules::default();
        let selection =
            Selection { first_move: self.first_move, without_repeats: !self.keep_repeats, ..usual.selection };
        Rules { selection, keep_forced: self.keep_forced, shard: self.shard }
    }

    fn setup(&self) -> Result<Setup> {
        if self.options.iter().any(|setting| setting.name.eq_ignore_ascii_case("MultiPV")) {
            bail!("the number of lines is set by --multipv");
        }
        let timeouts = Timeouts { search: Duration::from_secs(self.patience), ..Timeouts::default() };
        let config = config(&self.engine).context("no engine is named")?.timeouts(timeouts);
        let options: Vec<_> =
            self.options.iter().map(|setting| (setting.name.clone(), setting.value.clone())).collect();
        Ok(Setup::new(config, &options, self.depth, self.multipv.0)?)
    }

    fn workers(&self) -> NonZeroUsize {
        let count = self.workers.map_or_else(rayon::current_num_threads, usize::from);
        NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN)
    }
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let collection = Collection::new(&flags.files, flags.rules())?;
    let setup = flags.setup()?;
    let cache = flags.cache.clone().map_or_else(default_evaluation_cache, Ok)?;
    make_folder(cache.parent().unwrap_or(Path::new("")))?;
    make_folder(&flags.out)?;
    let work = Work {
        collection,
        setup: &setup,
        lookup: Lookup::new(&setup, Cache::open(&cache, &setup)?),
        cache: &cache,
        stop: interruptible()?,
        progress: &settings.terminal,
    };
    let (seen, missing) = work.survey()?;
    if seen.games == 0 {
        let why = if seen.broken > 0 { ": all are broken" } else { "" };
        bail!("there is no game to evaluate{why}");
    }
    let evaluated = if missing > 0 { work.evaluate(flags.workers(), missing)? } else { 0 };
    let mut outputs = vec![TurnOutput::create(&flags.out.join("turns.parquet"), TurnFormat::Parquet)?];
    if flags.jsonl {
        outputs.push(TurnOutput::create(&flags.out.join("turns.jsonl"), TurnFormat::Jsonl)?);
    }
    let written = work.write(&mut outputs)?;
    for output in outputs {
        output.finish()?;
    }
    let summary = Summary { seen, evaluated, written, setup: &setup, folder: &flags.out };
    if !settings.quiet {
        Output::stdout().bytes(summary.text().as_bytes())?;
    }
    Ok(if written < seen.turns { Verdict::Finding } else { Verdict::Clean })
}

struct Work<'a> {
    collection: Collection,
    setup: &'a Setup,
    lookup: Lookup<'a>,
    cache: &'a Path,
    stop: StopFlag,
    progress: &'a Terminal,
}

impl Work<'_> {
    /// What there is, and how many turns the cache does not know.
    fn survey(&self) -> Result<(Seen, u64)> {
        let mut missing = 0;
        let broken = |what: &str| say(&format!("warning: {what}; skipped"));
        let seen = self.collection.each(broken, |turn| {
            missing += u64::from(self.lookup.find(&turn)?.is_none());
            Ok(self.go_on())
        })?;
        self.check(0, missing)?;
        Ok((seen, missing))
    }

    /// Evaluates what is missing; tells how many turns were.
    fn evaluate(&self, workers: NonZeroUsize, missing: u64) -> Result<u64> {
        let (done, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        let progress = self.progress;
        let what = format!("{} depth {}", self.setup.name(), self.setup.depth());
        let told = |news: Told<'_>| {
            match news {
                Told::Known => return,
                Told::Evaluated => drop(done.fetch_add(1, Ordering::Relaxed)),
                Told::Failed(turn, reason) => {
                    failed.fetch_add(1, Ordering::Relaxed);
                    progress.warn(&format!("{} is left out: {reason}", turn.title()));
                }
            }
            let gone = done.load(Ordering::Relaxed) + failed.load(Ordering::Relaxed);
            // Another process may have answered some of them, and a position may come up in two games.
            progress.report(&Status::new(&what, "positions").at(gone.min(missing), missing));
        };
        let crew = Crew { setup: self.setup, cache: self.cache, workers, stop: &self.stop };
        let result = crew.evaluate(
            |hand_over| {
                // Most of the walk is waiting: what is known already need not wait.
                let walk = self.collection.each(
                    |_| {},
                    |turn| match self.lookup.find(&turn)? {
                        Some(_) => Ok(self.go_on()),
                        None => Ok(hand_over(turn)),
                    },
                );
                walk.map(drop)
            },
            &told,
        );
        progress.clear();
        result?;
        let done = done.into_inner();
        self.check(done, missing)?;
        Ok(done)
    }

    /// Writes all turns that are known; tells how many.
    fn write(&self, outputs: &mut [TurnOutput]) -> Result<u64> {
        let mut written = 0;
        let mut trouble = Ok(());
        let walk = |mut turn: Candidate| {
            let Some(lines) = self.lookup.find(&turn)? else { return Ok(self.go_on()) };
            turn.row.lines = lines;
            self.setup.sign(&mut turn.row);
            written += 1;
            trouble = outputs.iter_mut().try_for_each(|output| output.write(turn.row.clone()));
            Ok(if trouble.is_err() { ControlFlow::Break(()) } else { self.go_on() })
        };
        self.collection.each(|_| {}, walk)?;
        trouble?;
        self.check(0, 0)?;
        Ok(written)
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn check(&self, done: u64, missing: u64) -> Result<()> {
        if self.stop.is_raised() {
            bail!("interrupted when {done} of {missing} turns had been evaluated: the next run goes on from there");
        }
        Ok(())
    }
}

fn make_folder(folder: &Path) -> Result<()> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| anyhow!("cannot make the folder {}: {error}", folder.display()))
}
