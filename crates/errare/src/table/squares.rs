//! `errare table squares`.

use crate::Exit;
use crate::say;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{SquaresRequest, SquaresResponse, Text, man_in_words, phase_note, value_sentence};
use errare_tables::{Metric, SourceSpec, parse_fen_within};
use errare_terminal::{Format, Output, square_values};
use shakmaty::{Piece, Position};

/// More men than any tables have.
const ANY_MEN: usize = 32;

/// Look up the value of a position with one of its men on each of the 64 squares
///
/// The other men and the side to move stay, and values are those of the side to move. Missing tables are built first.
/// A move rule, as in dtz50, counts from a zero count; nothing can be captured en passant once a man was moved.
///
/// JSON: see `errare schema squares`. CSV: a row for each square, a1 to h1 first.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare table squares '8/8/8/8/2r5/8/2k5/K6Q w' h1
  errare table squares 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1 c4 --metric dtc
  errare table squares '8/8/8/8/4k3/8/4P3/4K3 w' e1 --format json")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The square on which the man stands
    #[arg(required = true)]
    square: String,
    /// Metric of the depths: dtm, dtc, dtz, dtz50 (or another move rule) or dtr [default: dtm, or what the source knows]
    #[arg(long)]
    metric: Option<Metric>,
    /// Tables to ask instead of ours: syzygy:DIR, gaviota:DIR, or tables:DIR for ours elsewhere;
    /// several folders as in PATH
    #[arg(long, value_name = "KIND:DIR")]
    source: Option<SourceSpec>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    let request = SquaresRequest {
        fen: flags.fen.join(" "),
        square: flags.square,
        metric: flags.metric.map(Text),
        source: flags.source.map(Text),
    };
    let found = settings.run(&request)?;
    found.notes.iter().for_each(|note| say(&format!("note: {note}")));
    Output::stdout().response(flags.format, &found, for_people)?;
    Ok(Exit::Clean)
}

fn for_people(output: &mut Output, found: &SquaresResponse) -> Result<()> {
    let (position, metric) = (parse_fen_within(&found.fen, ANY_MEN)?, found.metric.parse::<Metric>()?);
    let man = Piece::from_char(found.man).map_or_else(String::new, man_in_words);
    output.line(&found.fen)?;
    if let Some(here) = found.squares.iter().find(|there| there.square == found.square)
        && let Some(value) = here.value
    {
        let value = value.value(here.phase_plies);
        let words = value_sentence(&value, position.turn(), metric) + &phase_note(&value, metric);
        output.line(&format!("the {man} on {}: {words}", found.square))?;
    }
    output.line("")?;
    output.lines(square_values(found, position.board()))?;
    output.line("")?;
    Ok(output.lines(found.legend(metric, position.turn().into()))?)
}
