//! `errare assess`.

mod annotate;
mod coverage;
mod players;
mod report;

use crate::modelling::{AnalysisFlags, ModelFlags};
use crate::output::Format;
use crate::settings::Settings;
use crate::sources::Sources;
use crate::{Verdict, say};
use annotate::annotations;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use coverage::Coverage;
use errare_endgame::{Assessor, EndgameError, Hold, Oracle, Stretch};
use errare_games::{Game, Games, GamesError};
use errare_lab::PgnOutput;
use players::Players;
use rayon::prelude::*;
use report::Report;
use shakmaty::Move;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Assess how well games were played in endgames that have tables
///
/// Every stretch of a game inside an endgame with tables is gone through, move by move: the depth before and after,
/// moves conceded, the optimal moves, the one among them that a predator would have chosen, and what is to be thought of
/// the player's competence so far: its expectation with a 90% interval. Each side starts every game with the prior; at
/// the end the joint posterior of every player over all games is told.
///
/// Tables of up to --men men are built when they are missing; larger ones are used if they and what they convert to are
/// there. Moves that the model calls impossible (such as one that lets go of a win with --keep-value) are listed, and
/// nothing is learned from them. Broken games are named on stderr and skipped.
///
/// Marks: ' the only optimal move, " the only one that keeps the value, ° the only legal one.
///
/// JSON: {"model", "grid", "games": [{"number", "white", "black", "event", "date", "segments": [{"material", "metric",
/// "moves": [{"ply", "side", "san", "outcome_before", "depth_before", "outcome_after", "depth_after", "conceded",
/// "conceded_total", "optimal", "model_choice", "mark", "impossible", "expected_c", "sd_c", "interval"}]}]}], "players":
/// [{"name", "games", "moves", "impossible", "conceded", "expected_c", "sd_c", "interval", "posterior"}]}. Plies count
/// from 1; outcomes are the mover's; a move that changes the value has no "conceded".
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare assess browne-belle.pgn --keep-value
  errare assess games.pgn --player Browne --format json > browne.json
  errare choose '8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1' --agent predator --opponent browne.json --keep-value
  errare assess games.pgn --brief --metric dtm --annotate annotated.pgn")]
pub struct Flags {
    /// Games in PGN; `-` for stdin
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// Only this player: those whose name contains it, whatever the case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Build missing tables of up to so many men
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    men: u8,
    /// Tell of players only, not of moves
    #[arg(long)]
    brief: bool,
    /// Write the games with comments
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    analysis: AnalysisFlags,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Games held in memory at once.
const BATCH: usize = 256;

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let sources = Sources::open(settings, flags.model.source.as_ref())?;
    let metric = sources.metric(flags.model.metric);
    let analysis = flags.analysis.analysis(flags.model.model(Hold::Nothing))?;
    let mut coverage = Coverage::new(&sources, metric, usize::from(flags.men));
    let mut players = Players::new(&analysis, flags.player.as_deref());
    let annotated = flags.annotate.as_deref().map(|path| PgnOutput::create(path, &flags.files));
    let mut annotated = annotated.transpose()?;
    let told = flags.model.told(metric, Hold::Nothing);
    let mut report = Report::new(flags.format, flags.brief, metric, told, flags.analysis.grid.0);
    let mut seen = Seen::default();
    for path in &flags.files {
        let mut games = Games::new(open(path)?);
        loop {
            let batch = next_batch(&mut games, path, &players, &mut seen)?;
            if batch.is_empty() {
                break;
            }
            let assessed = assess(&sources, &mut coverage, &analysis, &batch)?;
            for (game, stretches) in batch.iter().zip(&assessed) {
                seen.covered += usize::from(!stretches.is_empty());
                players.add(game, stretches)?;
                report.game(game, stretches, &players)?;
                if let Some(annotated) = &mut annotated {
                    annotated.write(game, &annotations(game, stretches, metric))?;
                }
            }
        }
    }
    if seen.games == 0 {
        bail!("there is no game to assess{}", if seen.broken > 0 { ": all are broken" } else { "" });
    }
    if let Some(annotated) = annotated {
        annotated.finish()?;
    }
    report.end(&players)?;
    if seen.covered == 0 {
        say(&format!("note: none of {} games has a move in an endgame with tables", seen.games));
    }
    if seen.broken > 0 {
        say(&format!("note: {} broken games were skipped", seen.broken));
    }
    Ok(Verdict::Clean)
}

/// Games met so far.
#[derive(Default)]
struct Seen {
    games: usize,
    covered: usize,
    broken: usize,
}

fn open(path: &Path) -> Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| anyhow!("cannot open {}: {error}", path.display()))?;
    Ok(Box::new(file))
}

/// The next games that are of interest; broken ones are named and left out.
fn next_batch(games: &mut Games<Box<dyn Read>>, path: &Path, players: &Players, seen: &mut Seen) -> Result<Vec<Game>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH {
        match games.next() {
            None => break,
            Some(Ok(game)) => {
                seen.games += 1;
                if players.are_in(&game) {
                    batch.push(game);
                }
            }
            Some(Err(error @ GamesError::Broken { .. })) => {
                seen.broken += 1;
                say(&format!("warning: {}: {error}; skipped", path.display()));
            }
            Some(Err(GamesError::Io(error))) => bail!("cannot read {}: {error}", path.display()),
        }
    }
    Ok(batch)
}

/// The stretches of each game.
fn assess(
    sources: &Sources,
    coverage: &mut Coverage<'_>,
    analysis: &errare_endgame::Analysis,
    batch: &[Game],
) -> Result<Vec<Vec<Stretch>>> {
    coverage.look_at(batch);
    let needed = coverage.needed();
    let coverage: &Coverage<'_> = coverage;
    sources.build_and_work(&needed, || {
        let oracle = Oracle::new(sources.source(), coverage.metric());
        let covered = Some(coverage.covered());
        let assessor = Assessor { oracle: Arc::new(oracle), analysis: analysis.clone(), covered };
        let assess = |game: &Game| {
            let moves: Vec<Move> = game.moves().iter().map(|played| played.mv).collect();
            assessor.assess(game.start(), &moves, sources.progress())
        };
        batch.par_iter().map(assess).collect::<Result<Vec<_>, EndgameError>>()
    })
}
