//! `errare table find`.

use crate::Verdict;
use crate::depth::sentence;
use crate::modelling::SideFlag;
use crate::output::{Format, Grid, Output, OutputError, cell, counted, grouped};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{DepthsThereAre, Endgame, FindRequest, FoundPositions, Numeric, Side, TABLE_METRIC, Text};
use errare_tables::{CountRange, DepthRange, Metric, WantedOutcome};
use shakmaty::Color;

/// Search endgames for positions by depth, outcome and number of keeping moves
///
/// White is the side typed first: KRKQ has the rook's side as White. A position and its images under rotations and
/// reflections of the board count as one, as in `errare table stats`, and only one of them is shown. By default a sample
/// of ten is drawn from the positions that match, each being as likely as any other; a smaller sample of the same seed
/// is the beginning of a larger one.
///
/// A depth is the number of moves that the winner still has to make, or with the suffix p a number of plies; both ends of
/// a range are included. A move keeps the value if it neither gives up a win nor a draw. Missing tables are built first.
///
/// If nothing matches the exit status is 1, and the depths that there are are listed.
///
/// JSON: a list, see `errare schema find`. CSV: a row for each position.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table find KQKR --depth 31 --metric dtc
  errare table find KRKN --outcome white-wins --depth 20..27 --turn b --sample 3 --seed 7
  errare table find KPK --outcome win --only-moves --format csv
  errare table find KRKN --metric dtc --zugzwang --turn w --all
  errare table find KQKR KQKB --depth 39..41p --keeping 2..3 --format json")]
pub struct Flags {
    /// The endgames, such as KQKR
    #[arg(required = true, value_name = "MATERIAL")]
    endgames: Vec<Endgame>,
    /// Metric of the depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr
    #[arg(long, default_value_t = TABLE_METRIC)]
    metric: Metric,
    /// Moves of the winner, as in 31, 20..31 or 20.., or plies, as in 61p or 39..61p
    #[arg(long, value_name = "DEPTH")]
    depth: Option<DepthRange>,
    /// The side to move: w or b
    #[arg(long, value_enum, value_name = "SIDE")]
    turn: Option<SideFlag>,
    /// win, draw, loss, cursed-win or blessed-loss for the side to move; white-wins or black-wins whoever is to move
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<WantedOutcome>,
    /// Only mutual zugzwangs: neither side, if it is to move, wins, and at least one loses
    #[arg(long)]
    zugzwang: bool,
    /// Number of moves that keep the value, as in 1, 2..4 or 3..
    #[arg(long, value_name = "N")]
    keeping: Option<CountRange>,
    /// Only positions in which exactly one move keeps the value: the same as --keeping 1
    #[arg(long, conflicts_with = "keeping")]
    only_moves: bool,
    /// Number of positions to draw from those that match
    #[arg(long, default_value_t = 10, value_name = "N")]
    sample: usize,
    /// Random seed of the sample
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// List all positions that match, deepest first, up to 100,000
    #[arg(long, conflicts_with_all = ["sample", "seed"])]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let metric = flags.metric;
    let request = FindRequest {
        materials: flags.endgames.into_iter().map(Text).collect(),
        metric: Some(Text(metric)),
        turn: flags.turn.map(Into::into),
        outcome: flags.outcome.map(Text),
        depth: flags.depth.map(Numeric),
        zugzwang: flags.zugzwang,
        keeping: if flags.only_moves { Some(CountRange::exactly(1)) } else { flags.keeping }.map(Numeric),
        sample: flags.sample,
        all: flags.all,
        seed: flags.seed,
    };
    let mut output = Output::stdout();
    let mut matched = 0;
    match flags.format {
        Format::Table => settings.run_each(&request, |found| {
            if matched > 0 {
                output.line("")?;
            }
            matched += found.matched;
            for_people(&mut output, found, metric)
        })?,
        format => {
            let found = settings.run(&request)?;
            matched = found.iter().map(|found| found.matched).sum();
            found.iter().filter(|found| found.matched == 0).for_each(|found| crate::say(&no_match(found)));
            if format == Format::Json { output.json(&found)? } else { output.csv(&csv(&found))? }
        }
    }
    Ok(if matched > 0 { Verdict::Clean } else { Verdict::Finding })
}

fn csv(endgames: &[FoundPositions]) -> Grid {
    let mut grid = Grid::new(&["material", "metric", "fen", "outcome", "plies", "moves", "keeping", "legal"]);
    for endgame in endgames {
        for found in &endgame.positions {
            grid.push([
                endgame.material.clone(),
                endgame.metric.clone(),
                found.fen.clone(),
                found.depth.outcome.name().to_owned(),
                cell(found.depth.plies),
                cell(found.depth.moves),
                found.keeping.to_string(),
                found.legal.to_string(),
            ]);
        }
    }
    grid
}

fn for_people(output: &mut Output, found: &FoundPositions, metric: Metric) -> Result<(), OutputError> {
    if found.matched == 0 {
        return output.line(&no_match(found));
    }
    let listed = match found.seed {
        _ if found.positions.len() as u64 == found.matched => "all of them".to_owned(),
        Some(seed) => format!("a sample of {}, seed {seed}", grouped(found.positions.len() as u64)),
        None => "all of them".to_owned(),
    };
    output.line(&format!(
        "{} to {metric}: {} match up to symmetry, {} with White to move and {} with Black; {listed}",
        found.material,
        counted(found.matched, "position"),
        grouped(found.white_to_move),
        grouped(found.black_to_move)
    ))?;
    if found.positions.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let mut grid = Grid::new(&["position", "value", "keeping moves"]);
    for position in &found.positions {
        let turn = if position.fen.contains(" w ") { Color::White } else { Color::Black };
        let value = sentence(&position.depth.value(None), turn, metric);
        grid.push([position.fen.clone(), value, format!("{} of {}", position.keeping, position.legal)]);
    }
    output.grid(&grid)
}

/// Says that nothing matches, and which depths there are.
fn no_match(found: &FoundPositions) -> String {
    let side = |side: Side| {
        let there: Vec<String> = found.depths.iter().filter(|depths| depths.turn == side).map(depths).collect();
        format!("with {} to move there are {}", side.title(), there.join(", "))
    };
    let FoundPositions { material, metric, .. } = found;
    format!("no position of {material} matches; by {metric}, {}; {}", side(Side::White), side(Side::Black))
}

fn depths(depths: &DepthsThereAre) -> String {
    let name = match (depths.outcome.name(), depths.count) {
        (name, 1) => name.to_owned(),
        ("loss", _) => "losses".to_owned(),
        ("blessed-loss", _) => "blessed losses".to_owned(),
        (name, _) => format!("{}s", name.replace('-', " ")),
    };
    let range = match (depths.min_moves, depths.max_moves) {
        (Some(min), Some(max)) if min == max => format!(" in {min}"),
        (Some(min), Some(max)) => format!(" in {min} to {max}"),
        _ => String::new(),
    };
    format!("{} {name}{range}", grouped(depths.count))
}
