//! `errare calibrate`.

use crate::output::{Format, Grid, Output, elo, exact, range_note};
use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{CalibrateRequest, describe_turns};
use errare_ratings::{Calibration, Milepost};
use std::path::PathBuf;

/// Calibrate skill against Elo, from games of players of known rating
///
/// Turns with a "milepost" (an Elo that both players are near to) are fitted milepost by milepost. c_fit is a line
/// through the fitted c, and s_fit is s fitted again with that c, as in the table of Regan and Haworth (2011). The expected
/// loss of each milepost on a reference set of 400 positions gives a line to Elo. A calibration is valid for one engine,
/// depth and net: it names them, and `errare rate` and `errare screen` refuse turns of another.
///
/// A calibration needs three mileposts of 50 turns each. Everything made with it carries a warning if a milepost has fewer
/// than ten games, or if the slope from expected loss to Elo is not certain (its 95% interval contains 0): ratings by such
/// a calibration mean little. An Elo below the lowest or above the highest milepost is marked wherever it is shown.
///
/// JSON is the calibration itself: see `errare schema calibrate`. CSV has a row for each milepost, with all digits.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare calibrate *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --out sf15-d10.json
  errare calibrate *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --method moments")]
pub struct Flags {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Write the calibration to this file; `-` for stdout, instead of the table
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Describe the games for others who will use the calibration [default: the names of the files]
    #[arg(long, value_name = "TEXT")]
    about: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let request = CalibrateRequest { input: flags.input.into(), out: flags.out, about: flags.about };
    let found = settings.run(&request)?;
    let mut output = Output::beside(request.out.as_deref());
    if flags.format == Format::Json {
        output.json(&found)?;
        return Ok(Verdict::Clean);
    }
    let calibration = Calibration::try_from(found.calibration)?;
    if flags.format == Format::Csv {
        found.read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
        found.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        output.csv(&exact_table(&calibration))?;
        return Ok(Verdict::Clean);
    }
    output.line(&describe_turns(&calibration.data, &calibration.engine, found.left_out))?;
    found.read.duplicates_sentence().iter().try_for_each(|sentence| output.line(sentence))?;
    output.line(&format!("{}, fitted by {}", calibration.model.formula(), calibration.method))?;
    output.line("")?;
    output.grid(&table(&calibration))?;
    if rated(&calibration).any(|(_, rated)| calibration.is_outside_range(rated)) {
        output.line(&range_note(calibration.range()))?;
    }
    let (c, line) = (&calibration.skill_curve.c_line, &calibration.skill_curve.elo_line);
    output.line("")?;
    output.line(&format!("c_fit = {:.4} {:+.6} Elo", c.intercept, c.slope))?;
    output.line(&format!(
        "Elo = {:.0} {:+.0} expected ad (mileposts scatter by {:.0}, {:.0} of it beyond what their samples explain)",
        line.intercept,
        line.slope,
        line.scatter,
        calibration.excess()
    ))?;
    found.warnings.iter().try_for_each(|warning| output.line(&format!("warning: {warning}")))?;
    Ok(Verdict::Clean)
}

/// The columns of the table of Regan and Haworth (2011), and those that lead to Elo.
const COLUMNS: [&str; 17] = [
    "elo",
    "games",
    "turns",
    "s",
    "se_s",
    "c",
    "se_c",
    "c_fit",
    "s_fit",
    "mm_expected",
    "mm",
    "ad_expected",
    "ad",
    "q_fit",
    "expected_ad",
    "se_expected_ad",
    "ipr",
];

/// The mileposts from the highest down, each with the Elo that the line gives it.
fn rated(calibration: &Calibration) -> impl Iterator<Item = (&Milepost, f64)> {
    calibration.mileposts.iter().rev().map(|milepost| (milepost, calibration.elo(milepost.reference_ad)))
}

/// The numbers of a milepost between its turns and its rating, each with the digits that people read.
fn numbers(milepost: &Milepost) -> [(f64, usize); 13] {
    let projection = milepost.projection;
    [
        (milepost.skill.s(), 4),
        (milepost.se[0], 4),
        (milepost.skill.c(), 4),
        (milepost.se[1], 4),
        (milepost.c_fit, 4),
        (milepost.s_fit, 4),
        (projection.expected_mm, 4),
        (projection.mm, 4),
        (projection.expected_ad, 4),
        (projection.ad, 4),
        (milepost.quality, 5),
        (milepost.reference_ad, 4),
        (milepost.se_reference_ad, 4),
    ]
}

fn table(calibration: &Calibration) -> Grid {
    let mut grid = Grid::new(&COLUMNS);
    for (milepost, rated) in rated(calibration) {
        let mut row = vec![milepost.elo.to_string(), milepost.games.to_string(), milepost.projection.turns.to_string()];
        row.extend(numbers(milepost).map(|(value, digits)| format!("{value:.digits$}")));
        row.push(elo(rated, calibration.is_outside_range(rated)));
        grid.push(row);
    }
    grid
}

fn exact_table(calibration: &Calibration) -> Grid {
    let mut columns = COLUMNS.to_vec();
    columns.push("outside_range");
    let mut grid = Grid::new(&columns);
    for (milepost, rated) in rated(calibration) {
        let mut row = vec![exact(milepost.elo), milepost.games.to_string(), milepost.projection.turns.to_string()];
        row.extend(numbers(milepost).map(|(value, _)| exact(value)));
        row.extend([exact(rated), calibration.is_outside_range(rated).to_string()]);
        grid.push(row);
    }
    grid
}
