//! `errare draw`.

use crate::Exit;
use crate::modelling::{PlayerFlags, SideFlag, moves};
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use errare_lab::{DrawRequest, DrawResponse, Endgame, LessonTask, Numeric, Sheet, Text, cell, counted, grouped};
use errare_tables::{DepthRange, WantedOutcome};
use errare_terminal::Output;

/// Draw a position to practise, by lesson, depth or the chance to manage it
///
/// The position has you to move, and is the one that `errare play` starts from with the same endgame and seed. Your
/// chance is that to win a won position in time, or not to lose a drawn one in that time, against an opponent who does
/// not err, by the Markov model of the endgame. People do give up wins, so `--hold nothing` is the default, as in `play`.
/// Endgames of five men are estimated from a sample of their positions.
///
/// With --chance the depth is chosen at which your chance is nearest to the one wanted.
///
/// JSON: see `errare schema draw`. CSV: with --chance a row for each depth, else one row.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  errare draw KQKR --chance 0.7 --competence 20
  errare draw --lesson queen-rook --competence me.json
  errare draw KRKN --as black --outcome draw --seed 4")]
pub struct Flags {
    /// The endgame; White is the side named first [default: KQKR]
    #[arg(value_name = "MATERIAL", conflicts_with = "lesson")]
    material: Option<Endgame>,
    /// Draw for a lesson of `errare course`
    #[arg(long, value_name = "ID")]
    lesson: Option<String>,
    /// Depth in moves of the winner, as in 20, 15..31 or 15.. [default: any; 15.. if nothing is named]
    #[arg(long, value_name = "DEPTH")]
    depth: Option<DepthRange>,
    /// Outcome: win, draw or loss for you, white-wins or black-wins [default: any; win with --chance]
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<WantedOutcome>,
    /// The side that you play [default: white]
    #[arg(long = "as", value_enum, value_name = "SIDE", conflicts_with = "lesson")]
    side: Option<SideFlag>,
    /// Look for the depth at which your chance is nearest to this, from 0 to 1
    #[arg(long, value_name = "P")]
    chance: Option<f64>,
    /// Your competence: a number, inf, -inf, or a file with a posterior as `assess` writes it [default: the prior]
    #[arg(long, short, allow_hyphen_values = true, value_name = "C|FILE")]
    competence: Option<String>,
    /// Moves within which to win, or for which to hold a draw
    #[arg(long, default_value_t = 50, value_name = "MOVES", value_parser = moves())]
    within: u32,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    players: PlayerFlags,
}

pub fn run(flags: Flags, settings: &Settings) -> Result<Exit> {
    if flags.competence.is_some() {
        flags.players.analysis.refuse("with --competence, which says what is known of the player")?;
    }
    let request = DrawRequest {
        lesson: flags.lesson,
        material: flags.material.map(Text),
        human: flags.side.map(Into::into),
        depth: flags.depth.map(Numeric),
        outcome: flags.outcome.map(Text),
        chance: flags.chance,
        competence: flags.competence.as_deref().map(Into::into),
        within: flags.within,
        seed: flags.seed,
        model: flags.players.model.request(),
        analysis: flags.players.analysis.request(),
    };
    let found = settings.run(&request)?;
    Output::stdout().response(flags.players.format, &found, for_people)?;
    Ok(Exit::Clean)
}

fn for_people(output: &mut Output, found: &DrawResponse) -> Result<()> {
    let depth = found.depth.map_or_else(String::new, |depth| format!(" in {}", counted(depth, "move")));
    output.lines(&[
        found.fen.clone(),
        format!(
            "{}: you are {}, {} by perfect play{depth} ({}; seed {})",
            found.material,
            found.human.title(),
            found.outcome.name(),
            found.model.sentence(),
            found.seed
        ),
    ])?;
    output.line(&chance(found))?;
    if found.depths.is_empty() {
        return Ok(());
    }
    output.line("")?;
    let mut grid = Sheet::new(&["depth", "chance", "positions"]);
    for row in &found.depths {
        grid.push([cell(row.depth), format!("{:.3}", row.chance), grouped(row.positions)]);
    }
    Ok(output.table(&grid)?)
}

/// What is predicted, in words.
fn chance(found: &DrawResponse) -> String {
    let sample = found.sample.map_or_else(String::new, |sample| format!(", by {} positions drawn", grouped(sample)));
    let whom = format!("competence {}{sample}", found.competence);
    let moves = counted(found.within, "move");
    match (found.chance, found.task) {
        (Some(chance), LessonTask::Win) => format!("chance to win within {moves}: {chance:.3} ({whom})"),
        (Some(chance), _) => format!("chance to hold for {moves}: {chance:.3} ({whom})"),
        (None, _) => {
            let lasts = found.expected_moves.map(|moves| format!("; expected: {moves:.1} moves ({whom})"));
            format!("{}{}", found.why.as_deref().unwrap_or("nothing is predicted"), lasts.unwrap_or_default())
        }
    }
}
