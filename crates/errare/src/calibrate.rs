//! `errare calibrate`.

use crate::Verdict;
use crate::output::{Format, Grid, Output};
use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use anyhow::Result;
use clap::Args;
use errare_lab::{CalibrateRequest, describe_turns};
use errare_ratings::Calibration;
use std::path::PathBuf;

/// Calibrate skill against Elo, from games of players of known rating
///
/// Turns with a "milepost" (an Elo that both players are near to) are fitted milepost by milepost. c_fit is a line
/// through the fitted c, and s_fit is s fitted again with that c, as in the table of Regan and Haworth (2011). The expected
/// loss of each milepost on a reference set of 400 positions gives a line to Elo. A calibration is valid for one engine,
/// depth and net: it names them, and `errare rate` and `errare screen` refuse turns of another.
///
/// JSON is the calibration itself: see `errare schema calibrate`. CSV has a row for each milepost.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare calibrate *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --out sf15-d10.json
  errare calibrate *.jsonl.gz --engine 'Stockfish 15.1' --depth 10 --method moments")]
pub struct Flags {
    #[command(flatten)]
    input: CalibrationFlags,
    /// Write the calibration to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    let found = settings.run(&CalibrateRequest { input: flags.input.into(), out: flags.out })?;
    let mut output = Output::stdout();
    if flags.format == Format::Json {
        output.json(&found)?;
        return Ok(Verdict::Clean);
    }
    let calibration = Calibration::try_from(found.calibration)?;
    let grid = table(&calibration);
    if flags.format == Format::Csv {
        output.csv(&grid)?;
        return Ok(Verdict::Clean);
    }
    output.line(&describe_turns(&calibration.data, &calibration.engine, found.left_out))?;
    output.line(&format!("{}, fitted by {}", calibration.model.formula(), calibration.method))?;
    output.line("")?;
    output.grid(&grid)?;
    let (c, elo) = (&calibration.skill_curve.c_line, &calibration.skill_curve.elo_line);
    output.line("")?;
    output.line(&format!("c_fit = {:.4} {:+.6} Elo", c.intercept, c.slope))?;
    output.line(&format!(
        "Elo = {:.0} {:+.0} expected ad (mileposts scatter by {:.0}, {:.0} of it beyond what their samples explain)",
        elo.intercept,
        elo.slope,
        elo.scatter,
        calibration.excess()
    ))?;
    Ok(Verdict::Clean)
}

/// The columns of the table of Regan and Haworth (2011), and those that lead to Elo.
fn table(calibration: &Calibration) -> Grid {
    let mut header = vec!["elo", "games", "turns", "s", "se_s", "c", "se_c", "c_fit", "s_fit"];
    header.extend(["mm_expected", "mm", "ad_expected", "ad", "q_fit", "expected_ad", "se_expected_ad", "ipr"]);
    let mut grid = Grid::new(&header);
    for milepost in calibration.mileposts.iter().rev() {
        let projection = milepost.projection;
        let mut row = vec![milepost.elo.to_string(), milepost.games.to_string(), projection.turns.to_string()];
        let skill = [milepost.skill.s(), milepost.se[0], milepost.skill.c(), milepost.se[1]];
        let normalised = [milepost.c_fit, milepost.s_fit];
        let statistics = [projection.expected_mm, projection.mm, projection.expected_ad, projection.ad];
        let numbers = skill.into_iter().chain(normalised).chain(statistics);
        row.extend(numbers.map(|value| format!("{value:.4}")));
        row.push(format!("{:.5}", milepost.quality));
        row.extend([milepost.reference_ad, milepost.se_reference_ad].map(|value| format!("{value:.4}")));
        row.push(format!("{:.0}", calibration.elo(milepost.reference_ad)));
        grid.push(row);
    }
    grid
}
