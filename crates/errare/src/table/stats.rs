//! `errare table stats`.

use crate::Exit;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{
    Endgame, EndgameStatistics, Sheet, Side, SideStatistics, StatsRequest, TABLE_METRIC, Text, ToSheet, grouped,
    phase_note, value_sentence,
};
use errare_tables::{Counting, Metric};
use errare_terminal::{Format, Output, OutputError};
use shakmaty::Color;

/// Count the positions of endgames by outcome and depth
///
/// White is the side typed first: KRKQ has the rook's side as White. Mutual zugzwangs are positions
/// in which neither side, if it is to move, wins, and at least one loses. Missing tables are built
/// first.
///
/// JSON: a list, see `errare schema stats`. CSV: the histograms, or with --zugzwangs the zugzwangs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table stats KQKR
  errare table stats KQKR KRKN
  errare table stats KBBKN --metric dtc --count all --format json
  errare table stats KRKN --zugzwangs --format csv")]
pub struct Flags {
    /// The endgames, such as KQKR
    #[arg(required = true, value_name = "MATERIAL")]
    endgames: Vec<Endgame>,
    /// Metric of the depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr
    #[arg(long, default_value_t = TABLE_METRIC)]
    metric: Metric,
    /// What counts as one position: once (up to symmetry), all (every placement on the 64 squares),
    /// ordered (up to symmetry, but like men distinguished)
    #[arg(long, default_value_t, value_name = "CONVENTION")]
    count: Counting,
    /// List every mutual zugzwang
    #[arg(long)]
    zugzwangs: bool,
    /// How the statistics are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let Flags { endgames, metric, count, zugzwangs, format } = flags;
    let materials = endgames.into_iter().map(Text).collect();
    let request = StatsRequest { materials, metric: Some(Text(metric)), count: Text(count), zugzwangs };
    let mut output = Output::stdout();
    match format {
        Format::Json => output.json(&settings.run(&request)?)?,
        Format::Csv => output.csv(&settings.run(&request)?.to_sheet())?,
        Format::Table => {
            let mut is_first = true;
            settings.run_each(&request, |found| {
                if !std::mem::take(&mut is_first) {
                    output.line("")?;
                }
                for_people(&mut output, found, metric, count)
            })?;
        }
    }
    Ok(Exit::Clean)
}

fn sides(found: &EndgameStatistics) -> [(Color, &SideStatistics); 2] {
    [(Color::White, &found.white_to_move), (Color::Black, &found.black_to_move)]
}

fn for_people(
    output: &mut Output,
    found: &EndgameStatistics,
    metric: Metric,
    counting: Counting,
) -> Result<(), OutputError> {
    let counting = match counting {
        Counting::Once => "each position counted once up to symmetry",
        Counting::All => "every placement on the 64 squares counted",
        Counting::Ordered => "each position counted once up to symmetry, like men distinguished",
    };
    output.line(&format!("{} to {metric}, {counting}\n", found.material))?;
    output.table(&summary(found))?;
    output.line("\nDeepest:")?;
    for (turn, side) in sides(found) {
        for (fen, entry) in side.deepest.iter().zip(&side.deepest_values) {
            let value = entry.depth.value(Some(entry.phase_plies));
            output.line(&format!("  {fen}  {}{}", value_sentence(&value, turn, metric), phase_note(&value, metric)))?;
        }
    }
    let zugzwangs = &found.mutual_zugzwangs;
    output.line(&format!("\nMutual zugzwangs: {}", grouped(zugzwangs.count)))?;
    for zugzwang in zugzwangs.list.as_deref().unwrap_or(zugzwangs.deepest.as_slice()) {
        let sides = [(&zugzwang.white_to_move, Color::White), (&zugzwang.black_to_move, Color::Black)];
        let [white, black] = sides.map(|(depth, turn)| value_sentence(&depth.value(None), turn, metric));
        output.line(&format!("  {}  {white}; {black}", zugzwang.fen))?;
    }
    Ok(())
}

fn summary(found: &EndgameStatistics) -> Sheet {
    let mut grid = match found.white_to_move.spoilt {
        Some(_) => Sheet::new(&["to move", "wins", "cursed wins", "draws", "blessed losses", "losses"]),
        None => Sheet::new(&["to move", "wins", "draws", "losses"]),
    };
    for (turn, side) in sides(found) {
        let counts = match &side.spoilt {
            Some(spoilt) => vec![side.wins, spoilt.cursed_wins, side.draws, spoilt.blessed_losses, side.losses],
            None => vec![side.wins, side.draws, side.losses],
        };
        grid.push([Side::from(turn).title().to_owned()].into_iter().chain(counts.into_iter().map(grouped)));
    }
    grid
}
