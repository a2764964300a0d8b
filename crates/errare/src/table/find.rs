//! `errare table find`.

use crate::Exit;
use crate::modelling::SideFlag;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{Endgame, FindRequest, FoundPositions, Numeric, Sheet, TABLE_METRIC, Text, ToSheet, value_sentence};
use errare_tables::{CountRange, DepthRange, Metric, WantedOutcome};
use errare_terminal::{Format, Output, OutputError};
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

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
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
            found.iter().filter(|found| found.matched == 0).for_each(|found| crate::say(&found.no_match_sentence()));
            if format == Format::Json { output.json(&found)? } else { output.csv(&found.to_sheet())? }
        }
    }
    Ok(if matched > 0 { Exit::Clean } else { Exit::Finding })
}

fn for_people(output: &mut Output, found: &FoundPositions, metric: Metric) -> Result<(), OutputError> {
    if found.matched == 0 {
        return output.line(&found.no_match_sentence());
    }
    output.line(&found.summary_sentence())?;
    if found.positions.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let mut grid = Sheet::new(&["position", "value", "keeping moves"]);
    for position in &found.positions {
        let turn = if position.fen.contains(" w ") { Color::White } else { Color::Black };
        let value = value_sentence(&position.depth.value(None), turn, metric);
        grid.push([position.fen.clone(), value, format!("{} of {}", position.keeping, position.legal)]);
    }
    output.table(&grid)
}
