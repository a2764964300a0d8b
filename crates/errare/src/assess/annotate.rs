//! Games with the assessment written into them.

use crate::notation::{san, state_of};
use errare_endgame::{Mark, Remark, Stretch};
use errare_games::{Annotation, Game, Nag};
use errare_tables::Metric;

/// The comments and glyphs of a game's moves.
pub fn annotations(game: &Game, stretches: &[Stretch], metric: Metric) -> Vec<Annotation> {
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

/// As in the paper: what was conceded, of how much in all, and what was better; then depth and apparent competence.
fn comment(remark: &Remark) -> String {
    let mut parts = Vec::new();
    let optimal: Vec<String> = remark.optimal.iter().map(|&mv| san(&remark.position, mv)).collect();
    let (outcome, _) = state_of(remark.before);
    match remark.conceded {
        Some(0) => {}
        Some(moves) => parts.push(format!("+{moves}/+{}: {} optimal", remark.conceded_total, optimal.join(", "))),
        None => parts.push(format!("lets go of the {outcome}: {} optimal", optimal.join(", "))),
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
    let (outcome, depth) = state_of(remark.after);
    parts.push(depth.map_or_else(|| outcome.to_owned(), |depth| format!("{outcome} in {depth}")));
    if remark.is_impossible {
        parts.push("impossible by the model".to_owned());
    }
    let (low, high) = remark.interval;
    parts.push(format!("E[c] {:.2} ({low} to {high})", remark.expected));
    parts.join("; ")
}
