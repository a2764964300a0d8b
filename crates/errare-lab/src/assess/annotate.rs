//! Games with the assessment written into them.

use crate::depth::Outcome;
use crate::notation::san;
use errare_choice::State;
use errare_endgame::{Mark, Remark, Stretch};
use errare_games::{Annotation, Game, Nag};
use errare_tables::Metric;

/// The comments and glyphs of a game's moves.
pub(super) fn annotations(game: &Game, stretches: &[Stretch], metric: Metric) -> Vec<Annotation> {
    let mut annotations = vec![Annotation::default(); game.moves().len()];
    for stretch in stretches {
        for (place, remark) in stretch.moves.iter().enumerate() {
            let opening = if place == 0 { format!("{} by {metric}. ", stretch.material) } else { String::new() };
            let nags = if remark.conceded.is_none() { vec![Nag::BLUNDER] } else { Vec::new() };
            annotations[remark.ply] = Annotation { nags, comment: Some(opening + &comment(remark)) };
        }
    }
    annotations
}

/// A comment as in Haworth (2003): what was conceded, of how much in all, and what was better; then depth and apparent competence.
fn comment(remark: &Remark) -> String {
    let mut parts = Vec::new();
    let optimal: Vec<String> = remark.optimal.iter().map(|&mv| san(&remark.position, mv)).collect();
    let outcome = outcome(remark.before);
    match remark.conceded {
        Some(0) => {}
        Some(moves) => parts.push(format!("+{moves}/+{}: {} optimal", remark.conceded_total, optimal.join(", "))),
        None => parts.push(format!("gives up the {outcome}: {} optimal", optimal.join(", "))),
    }
    match remark.mark {
        Some(Mark::OnlyLegal) => parts.push("only legal move".to_owned()),
        Some(Mark::OnlyKeeping) => parts.push(format!("only move to keep the {outcome}")),
        Some(Mark::OnlyOptimal) => parts.push("only optimal move".to_owned()),
        None if remark.optimal.len() > 1 && remark.conceded == Some(0) && outcome != "draw" => {
            parts.push(format!(
                "optimal: {}; the model prefers {}",
                optimal.join(", "),
                san(&remark.position, remark.model_choice)
            ));
        }
        None => {}
    }
    parts.push(match remark.after.depth() {
        Some(depth) => format!("{} in {depth}", self::outcome(remark.after)),
        None => self::outcome(remark.after).to_owned(),
    });
    if remark.is_impossible {
        parts.push("impossible by the model".to_owned());
    }
    let (low, high) = remark.interval;
    parts.push(format!("E[c] {:.2} ({low} to {high})", remark.expected));
    parts.join("; ")
}

fn outcome(state: State) -> &'static str {
    Outcome::from(state).name()
}
