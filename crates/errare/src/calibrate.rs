//! `errare calibrate`.

use crate::settings::Settings;
use crate::turns::CalibrationFlags;
use crate::{Exit, say};
use anyhow::Result;
use clap::Args;
use errare_lab::{CalibrateRequest, ToSheet, calibration_sentences, describe_turns, milepost_table};
use errare_ratings::Calibration;
use errare_terminal::{Format, Output};
use std::path::PathBuf;

/// Calibrate skill against Elo, from games of players of known rating
///
/// One model of skill over Elo, with a heavy tail for blunders, is fitted to all turns whose players have an Elo (WhiteElo and
/// BlackElo in games), errors counted by games: ratings rest on it. Beside it, as in the literature, turns with a "milepost" (an
/// Elo that both players are near to; without any, the nearest hundred) are fitted milepost by milepost. c_fit is a line
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
    #[command(flatten)]
    product: ProductFlags,
}

/// Where a file that is made for other commands goes, and what it says of itself.
#[derive(Args, Debug)]
pub struct ProductFlags {
    /// Write the result to this file, for other commands to use; `-` for stdout, instead of the table
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Describe the games for others who will use the file [default: the names of the files]
    #[arg(long, value_name = "TEXT")]
    pub about: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let ProductFlags { out, about, format } = flags.product;
    let request = CalibrateRequest { input: flags.input.into(), out, about };
    let found = settings.run(&request)?;
    let mut output = Output::beside(request.out.as_deref());
    if format == Format::Json {
        output.json(&found)?;
        return Ok(Exit::Clean);
    }
    let calibration = Calibration::try_from(found.calibration)?;
    if format == Format::Csv {
        found.read.duplicates_sentence().iter().for_each(|sentence| say(sentence));
        found.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        output.csv(&calibration.to_sheet())?;
        return Ok(Exit::Clean);
    }
    output.line(&describe_turns(&calibration.data, &calibration.engine, found.left_out))?;
    output.lines(found.read.duplicates_sentence())?;
    output.line(&format!("{}, fitted by {}", calibration.model.formula(), calibration.method))?;
    output.line("")?;
    output.table(&milepost_table(&calibration))?;
    output.line("")?;
    output.lines(calibration_sentences(&calibration))?;
    output.lines(found.warnings.iter().map(|warning| format!("warning: {warning}")))?;
    Ok(Exit::Clean)
}
