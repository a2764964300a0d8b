//! `errare calibrate`.

use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use crate::{Verdict, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{CalibrateRequest, Sheet, ToSheet, describe_turns, elo_text, range_note};
use errare_ratings::Calibration;
use errare_terminal::{Format, Output};
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
    let mileposts = calibration.to_sheet();
    if flags.format == Format::Csv {
        found.read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
        found.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        output.csv(&mileposts)?;
        return Ok(Verdict::Clean);
    }
    output.line(&describe_turns(&calibration.data, &calibration.engine, found.left_out))?;
    output.lines(found.read.duplicates_sentence())?;
    output.line(&format!("{}, fitted by {}", calibration.model.formula(), calibration.method))?;
    output.line("")?;
    let is_marked = |elo: f64| calibration.is_outside_range(elo);
    output.table(&rounded(mileposts, is_marked))?;
    if calibration.mileposts.iter().any(|milepost| is_marked(calibration.elo(milepost.reference_ad))) {
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
    output.lines(found.warnings.iter().map(|warning| format!("warning: {warning}")))?;
    Ok(Verdict::Clean)
}

/// The mileposts with as many digits as people read, and Elos beyond the range marked.
fn rounded(mileposts: Sheet, is_outside_range: impl Fn(f64) -> bool) -> Sheet {
    let is_whole = |column: &str| matches!(column, "elo" | "games" | "turns");
    mileposts
        .without("outside_range")
        .formatted(|column| column == "ipr", |elo| elo_text(elo, is_outside_range(elo)))
        .formatted(|column| column == "q_fit", |value| format!("{value:.5}"))
        .formatted(|column| !is_whole(column) && !matches!(column, "ipr" | "q_fit"), |value| format!("{value:.4}"))
}
