//! `errare predict`.

use crate::Verdict;
use crate::modelling::{PlayerFlags, SideFlag, moves};
use crate::output::{Grid, Output, counted, exact};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{PredictRequest, PredictResponse};

/// Predict how long a position takes, and how likely it is won in time
///
/// One side errs, with the competence given; the other does not. In a position that somebody wins the winner errs unless
/// --fallible says otherwise; in a drawn one the side that is weaker by its men. The Markov model of the endgame is
/// worked out for every competence that is thought possible, and the predictions are weighed by their probabilities.
///
/// Chances within so many moves count from the position's halfmove clock: after 20 moves without a capture or a pawn
/// move 30 are left of 50.
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
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Verdict> {
    if flags.competence.is_some() {
        flags.players.analysis.refuse("with --competence, which says what is known of the player")?;
    }
    let request = PredictRequest {
        fen: flags.fen.join(" "),
        competence: flags.competence.as_deref().map(Into::into),
        fallible: flags.fallible.map(Into::into),
        within: flags.within,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let found = settings.run(&request)?;
    let text = |output: &mut Output, found: &_| Ok(output.lines(&sentences(found))?);
    Output::stdout().response(flags.players.format, &found, csv, text)?;
    Ok(Verdict::Clean)
}

fn csv(found: &PredictResponse) -> Grid {
    let mut grid = Grid::new(&["within", "left", "won", "lost"]);
    for (moves, chances) in &found.within {
        grid.push([moves.to_string(), chances.left.to_string(), exact(chances.won), exact(chances.lost)]);
    }
    grid
}

fn sentences(found: &PredictResponse) -> Vec<String> {
    let depth = found.depth.map_or_else(String::new, |depth| format!(" in {}", counted(depth, "move")));
    let (side, model) = (found.fallible.title(), &found.model);
    let mut lines = vec![
        found.fen.clone(),
        format!("{side} errs, competence {} ({})", found.competence, model.sentence()),
        format!("for {side}: {}{depth} by {}", found.outcome.name(), model.metric),
        format!("expected: {} moves, sd {}", readable(found.expected_moves), readable(found.sd_moves)),
    ];
    lines.extend(found.within.iter().map(|(moves, chances)| {
        format!(
            "within {} ({} left): {side} has won with probability {:.4}, lost {:.4}",
            counted(*moves, "move"),
            chances.left,
            chances.won,
            chances.lost
        )
    }));
    lines
}

/// As many digits as mean something.
fn readable(number: f64) -> String {
    if number < 1e6 { format!("{number:.1}") } else { format!("{number:.2e}") }
}
