//! `errare predict`.

use crate::Exit;
use crate::modelling::{PlayerFlags, SideFlag, moves};
use crate::settings::Settings;
use crate::table::Sample;
use anyhow::Result;
use clap::Args;
use errare_lab::PredictRequest;
use errare_terminal::Output;

/// Predict how long a position takes, and how likely it is won in time
///
/// One side errs, with the competence given; the other does not. In a position that somebody wins the winner errs unless
/// --fallible says otherwise; in a drawn one the side that is weaker by its men. The Markov model of the endgame is
/// worked out for every competence that is thought possible, and the predictions are weighed by their probabilities.
///
/// Chances within so many moves count from the position's halfmove clock: after 20 moves without a capture or a pawn
/// move 30 are left of 50. Five men take minutes, or seconds with --sample 50000.
///
/// JSON: see `errare schema predict`; outcome and depth are as the fallible side sees them. CSV: a row for each number of
/// moves.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare predict 'K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1' --competence 20
  errare predict 'K3r3/8/5k2/Q7/8/8/8/8 w - - 60 31' --competence browne.json --within 50,75
  errare predict '8/8/8/4k3/8/2n5/4K3/7R w - - 0 1' --competence 10 --fallible black")]
pub struct Flags {
    /// The position, quoted or as several words
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// Competence of the side that errs: a number, inf, -inf, or a file with a posterior as `assess` writes it
    /// [default: the prior]
    #[arg(long, short, alias = "opponent", allow_hyphen_values = true, value_name = "C|FILE")]
    competence: Option<String>,
    /// The side that errs [default: the winner; in a drawn position the weaker side]
    #[arg(long, value_enum)]
    fallible: Option<SideFlag>,
    /// Numbers of moves within which to win, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "50", value_name = "MOVES", value_parser = moves())]
    within: Vec<u32>,
    #[command(flatten)]
    sample: Sample,
    #[command(flatten)]
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    if flags.competence.is_some() {
        flags.players.analysis.refuse("with --competence, which says what is known of the player")?;
    }
    let (sample, seed) = flags.sample.draws()?;
    let request = PredictRequest {
        fen: flags.fen.join(" "),
        competence: flags.competence.as_deref().map(Into::into),
        fallible: flags.fallible.map(Into::into),
        within: flags.within,
        sample,
        seed,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let found = settings.run(&request)?;
    Output::stdout().response(flags.players.format, &found, |output, found| output.lines(found.sentences()))?;
    Ok(Exit::Clean)
}
