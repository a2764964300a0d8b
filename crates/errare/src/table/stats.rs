//! `errare table stats`.

use crate::Verdict;
use crate::depth::{Depth, phase_note, sentence};
use crate::endgame::Endgame;
use crate::output::{Format, Grid, Output, cell, grouped};
use crate::settings::Settings;
use crate::workshop::Workshop;
use anyhow::Result;
use clap::Args;
use errare_tables::{Counting, Metric, Outcome, Plies, SideStatistics, Statistics, Zugzwang, Zugzwangs, statistics};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{ByColor, Color};

/// Count the positions of an endgame by outcome and depth
///
/// White is the side typed first: KRKQ has the rook's side as White. Mutual zugzwangs are positions
/// in which neither side, if it is to move, wins, and at least one loses. Missing tables are built
/// first.
///
/// JSON: {"material", "metric", "count", "white_to_move": {"wins", "draws", "losses",
/// "max_win_plies", "max_loss_plies", "histogram": [{"outcome", "plies", "count"}], "deepest":
/// ["FEN"]}, "black_to_move": {...}, "mutual_zugzwangs": {"count", "deepest", "list"}}. The deepest
/// positions are one of each decisive outcome, the greatest depth first. With a move rule, as in
/// dtz50, wins and losses are those within the rule, and "cursed_wins" and "blessed_losses" stand
/// beside them. CSV: the histogram, or with --zugzwangs the zugzwangs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table stats KQKR
  errare table stats KBBKN --metric dtc --count all --format json
  errare table stats KRKN --zugzwangs --format csv")]
pub struct Flags {
    /// The endgame, such as KQKR
    #[arg(value_name = "MATERIAL")]
    endgame: Endgame,
    /// dtm, dtc, dtz, dtz50 (or another move rule) or dtr
    #[arg(long, default_value = "dtm")]
    metric: Metric,
    /// What counts as one position: once (up to symmetry), all (every placement on the 64 squares),
    /// ordered (up to symmetry, but like men told apart)
    #[arg(long, default_value_t, value_name = "CONVENTION")]
    count: Counting,
    /// List every mutual zugzwang
    #[arg(long)]
    zugzwangs: bool,
    /// How the statistics are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let Flags { endgame, metric, count, zugzwangs, format } = flags;
    let workshop = Workshop::new(settings);
    let found = workshop.mending(&|_| (), |builder| {
        let table = builder.ensure(endgame.material, metric)?;
        workshop.progress.going_through(format!("counting {} to {metric}", endgame.name()));
        statistics(&table, count, zugzwangs, &|done, total| workshop.progress.done(done, total))
    })?;
    let found = if endgame.swapped { swapped(found) } else { found };
    let report = Report::new(&endgame, metric, &found, zugzwangs);
    let mut output = Output::stdout();
    match format {
        Format::Json => output.json(&report)?,
        Format::Csv if zugzwangs => output.csv(&zugzwang_grid(&found.zugzwangs, metric))?,
        Format::Csv => output.csv(&report.histogram())?,
        Format::Table => for_people(&mut output, &report, metric, &found, zugzwangs)?,
    }
    Ok(Verdict::Clean)
}

/// The same statistics with the colours exchanged.
fn swapped(statistics: Statistics) -> Statistics {
    let mirrored = |fen: String, turn: Option<Color>| -> String {
        let Ok(parsed) = fen.parse::<Fen>() else { return fen };
        let mut setup = parsed.into_setup().into_mirrored();
        setup.turn = turn.unwrap_or(setup.turn);
        Fen::try_from_setup(setup).map_or(fen, |fen| fen.to_string())
    };
    let side = |side: SideStatistics| SideStatistics {
        deepest: side.deepest.into_iter().map(|(key, (value, fen))| (key, (value, mirrored(fen, None)))).collect(),
        ..side
    };
    let zugzwang = |found: Zugzwang| Zugzwang {
        // Given with White to move, whoever White is.
        fen: mirrored(found.fen, Some(Color::White)),
        white: found.black,
        black: found.white,
    };
    let Statistics { sides, zugzwangs, .. } = statistics;
    Statistics {
        sides: ByColor { white: side(sides.black), black: side(sides.white) },
        zugzwangs: Zugzwangs {
            count: zugzwangs.count,
            deepest: zugzwangs.deepest.map(zugzwang),
            list: zugzwangs.list.into_iter().map(zugzwang).collect(),
        },
        ..statistics
    }
}

#[derive(Debug, Serialize)]
struct Report {
    material: String,
    metric: String,
    count: String,
    white_to_move: Side,
    black_to_move: Side,
    mutual_zugzwangs: Squeezes,
}

#[derive(Debug, Serialize)]
struct Side {
    wins: u64,
    draws: u64,
    losses: u64,
    max_win_plies: Option<u16>,
    max_loss_plies: Option<u16>,
    histogram: Vec<Bin>,
    deepest: Vec<String>,
    #[serde(flatten)]
    spoilt: Option<Spoilt>,
}

/// What a move rule takes away.
#[derive(Debug, Serialize)]
struct Spoilt {
    cursed_wins: u64,
    blessed_losses: u64,
    max_cursed_win_plies: Option<u16>,
    max_blessed_loss_plies: Option<u16>,
}

#[derive(Debug, Serialize)]
struct Bin {
    outcome: &'static str,
    plies: Option<u16>,
    count: u64,
}

#[derive(Debug, Serialize)]
struct Squeezes {
    count: u64,
    deepest: Option<Squeeze>,
    /// Null unless asked for.
    list: Option<Vec<Squeeze>>,
}

#[derive(Debug, Serialize)]
struct Squeeze {
    fen: String,
    white_to_move: Depth,
    black_to_move: Depth,
}

impl Squeeze {
    fn new(found: &Zugzwang, metric: Metric) -> Squeeze {
        Squeeze {
            fen: found.fen.clone(),
            white_to_move: Depth::of(&found.white, metric),
            black_to_move: Depth::of(&found.black, metric),
        }
    }
}

impl Side {
    fn new(found: &SideStatistics, metric: Metric) -> Side {
        let deepest = |outcome| found.deepest.get(&outcome).map(|(value, _)| value.plies.0);
        // Wins first, the soonest first.
        let mut bins: Vec<_> = found.histogram.iter().filter(|(_, count)| **count > 0).collect();
        bins.sort_by_key(|&(&(outcome, plies), _)| (std::cmp::Reverse(outcome), plies));
        let mut fens: Vec<_> = found.deepest.values().collect();
        fens.sort_by_key(|(value, _)| std::cmp::Reverse(value.plies));
        Side {
            wins: found.count(Outcome::Win),
            draws: found.count(Outcome::Draw),
            losses: found.count(Outcome::Loss),
            max_win_plies: deepest(Outcome::Win),
            max_loss_plies: deepest(Outcome::Loss),
            histogram: bins
                .into_iter()
                .map(|(&(outcome, Plies(plies)), &count)| Bin {
                    outcome: outcome.name(),
                    plies: (outcome != Outcome::Draw).then_some(plies),
                    count,
                })
                .collect(),
            deepest: fens.into_iter().map(|(_, fen)| fen.clone()).collect(),
            spoilt: metric.rule_plies().map(|_| Spoilt {
                cursed_wins: found.count(Outcome::CursedWin),
                blessed_losses: found.count(Outcome::BlessedLoss),
                max_cursed_win_plies: deepest(Outcome::CursedWin),
                max_blessed_loss_plies: deepest(Outcome::BlessedLoss),
            }),
        }
    }
}

impl Report {
    fn new(endgame: &Endgame, metric: Metric, found: &Statistics, with_list: bool) -> Report {
        let zugzwangs = &found.zugzwangs;
        Report {
            material: endgame.name(),
            metric: metric.to_string(),
            count: found.counting.to_string(),
            white_to_move: Side::new(&found.sides.white, metric),
            black_to_move: Side::new(&found.sides.black, metric),
            mutual_zugzwangs: Squeezes {
                count: zugzwangs.count,
                deepest: zugzwangs.deepest.as_ref().map(|found| Squeeze::new(found, metric)),
                list: with_list.then(|| zugzwangs.list.iter().map(|found| Squeeze::new(found, metric)).collect()),
            },
        }
    }

    fn sides(&self) -> [(&'static str, &Side); 2] {
        [("white", &self.white_to_move), ("black", &self.black_to_move)]
    }

    fn histogram(&self) -> Grid {
        let mut grid =
            Grid::new(&["material", "metric", "count_convention", "side_to_move", "outcome", "plies", "count"]);
        for (name, side) in self.sides() {
            for bin in &side.histogram {
                grid.push([
                    self.material.clone(),
                    self.metric.clone(),
                    self.count.clone(),
                    name.to_owned(),
                    bin.outcome.to_owned(),
                    cell(bin.plies),
                    bin.count.to_string(),
                ]);
            }
        }
        grid
    }
}

fn zugzwang_grid(zugzwangs: &Zugzwangs, metric: Metric) -> Grid {
    let mut grid = Grid::new(&["fen", "white_outcome", "white_plies", "black_outcome", "black_plies"]);
    for found in &zugzwangs.list {
        let (white, black) = (Depth::of(&found.white, metric), Depth::of(&found.black, metric));
        grid.push([
            found.fen.clone(),
            white.outcome.to_owned(),
            cell(white.plies),
            black.outcome.to_owned(),
            cell(black.plies),
        ]);
    }
    grid
}

fn for_people(output: &mut Output, report: &Report, metric: Metric, found: &Statistics, with_list: bool) -> Result<()> {
    let counting = match found.counting {
        Counting::Once => "each position counted once up to symmetry",
        Counting::All => "every placement on the 64 squares counted",
        Counting::Ordered => "each position counted once up to symmetry, like men told apart",
    };
    output.line(&format!("{} to {metric}, {counting}\n", report.material))?;
    output.grid(&summary(report))?;
    output.line("\nDeepest:")?;
    for (turn, side) in [(Color::White, &found.sides.white), (Color::Black, &found.sides.black)] {
        for (value, fen) in side.deepest.values().rev() {
            output.line(&format!("  {fen}  {}{}", sentence(value, turn, metric), phase_note(value, metric)))?;
        }
    }
    let zugzwangs = &found.zugzwangs;
    output.line(&format!("\nMutual zugzwangs: {}", grouped(zugzwangs.count)))?;
    let shown = if with_list { &zugzwangs.list[..] } else { zugzwangs.deepest.as_slice() };
    for zugzwang in shown {
        let [white, black] = [(&zugzwang.white, Color::White), (&zugzwang.black, Color::Black)]
            .map(|(value, turn)| sentence(value, turn, metric));
        output.line(&format!("  {}  {white}; {black}", zugzwang.fen))?;
    }
    Ok(())
}

fn summary(report: &Report) -> Grid {
    let mut grid = match report.white_to_move.spoilt {
        Some(_) => Grid::new(&["to move", "wins", "cursed wins", "draws", "blessed losses", "losses"]),
        None => Grid::new(&["to move", "wins", "draws", "losses"]),
    };
    for (name, side) in [("White", &report.white_to_move), ("Black", &report.black_to_move)] {
        let counts = match &side.spoilt {
            Some(spoilt) => vec![side.wins, spoilt.cursed_wins, side.draws, spoilt.blessed_losses, side.losses],
            None => vec![side.wins, side.draws, side.losses],
        };
        grid.push([name.to_owned()].into_iter().chain(counts.into_iter().map(grouped)));
    }
    grid
}
