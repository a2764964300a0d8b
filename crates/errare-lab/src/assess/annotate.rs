//! Games with the assessment written into them.

use crate::depth::Outcome;
use crate::notation::san;
use crate::numbers::counted;
use errare_choice::State;
use errare_endgame::{Mark, Remark, Stretch};
use errare_games::{Annotation, Game, Nag};
use errare_tables::Metric;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The least number of moves conceded that makes a move a mistake, though the result was kept.
const MISTAKE: u16 = 5;

/// The least number of moves conceded that makes a move dubious, though the result was kept.
const DUBIOUS: u16 = 2;

/// The greatest number of better moves that a comment names.
const NAMED: usize = 6;

/// Makes the comments and glyphs of a game's moves.
pub(super) fn annotations(game: &Game, stretches: &[Stretch], metric: Metric) -> Vec<Annotation> {
    let mut annotations = vec![Annotation::default(); game.moves().len()];
    for stretch in stretches {
        for (place, remark) in stretch.moves.iter().enumerate() {
            let opening =
                if place == 0 { format!("{}, depths by {metric}. ", stretch.material) } else { String::new() };
            let nags = glyph(remark.conceded).into_iter().map(Glyph::nag).collect();
            annotations[remark.ply] = Annotation { nags, comment: Some(opening + &comment(remark)) };
        }
    }
    annotations
}

/// The mark of a move that gave something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Glyph {
    /// The move gave up a win or a draw.
    #[serde(rename = "??")]
    Blunder,
    /// The move conceded five or more moves of depth.
    #[serde(rename = "?")]
    Mistake,
    /// The move conceded two to four moves of depth.
    #[serde(rename = "?!")]
    Dubious,
}

impl Glyph {
    fn nag(self) -> Nag {
        match self {
            Glyph::Blunder => Nag::BLUNDER,
            Glyph::Mistake => Nag::MISTAKE,
            Glyph::Dubious => Nag::DUBIOUS,
        }
    }
}

/// The mark for a number of moves conceded, where none means that a win or a draw was given up; none if there is
/// nothing to mark.
pub(super) fn glyph(conceded: Option<u16>) -> Option<Glyph> {
    match conceded {
        None => Some(Glyph::Blunder),
        Some(MISTAKE..) => Some(Glyph::Mistake),
        Some(DUBIOUS..) => Some(Glyph::Dubious),
        Some(_) => None,
    }
}

/// Writes the comment on a move: the depth before and after, what was conceded (as in Haworth (2003) also of how much
/// in all), what was better, and the apparent competence.
fn comment(remark: &Remark) -> String {
    let (before, after) = (outcome(remark.before), outcome(remark.after));
    let mut parts = vec![match remark.conceded {
        None => format!("gives up the {}, now {}", value(remark.before), value(remark.after)),
        Some(_) => match (remark.before.depth(), remark.after.depth()) {
            (Some(depth), Some(now)) => format!("{before} in {depth}, now in {now}"),
            _ => after.to_owned(),
        },
    }];
    match remark.conceded {
        Some(0) => {}
        Some(moves) => {
            let conceded = counted(moves, "move");
            parts.push(format!("{conceded} conceded, {} so far", remark.conceded_total));
            parts.push(format!("better: {}", listed(remark)));
        }
        None => parts.push(format!("better: {}", listed(remark))),
    }
    match remark.mark {
        Some(Mark::OnlyLegal) => parts.push("only legal move".to_owned()),
        Some(Mark::OnlyKeeping) => parts.push(format!("only move to keep the {before}")),
        Some(Mark::OnlyOptimal) => parts.push("only optimal move".to_owned()),
        None if remark.optimal.len() > 1 && remark.conceded == Some(0) && before != "draw" => {
            let preferred = san(&remark.position, remark.model_choice);
            parts.push(format!("optimal: {}; the model prefers {preferred}", listed(remark)));
        }
        None => {}
    }
    if remark.is_impossible {
        parts.push("impossible by the model".to_owned());
    }
    if !remark.certainty.is_too_little() {
        let (low, high) = remark.interval;
        parts.push(format!("E[c] {:.2} ({low} to {high})", remark.expected));
    }
    parts.join("; ")
}

/// Lists the optimal moves, but not too many of them.
fn listed(remark: &Remark) -> String {
    let mut moves: Vec<String> = remark.optimal.iter().take(NAMED).map(|&mv| san(&remark.position, mv)).collect();
    if let more @ 1.. = remark.optimal.len().saturating_sub(NAMED) {
        moves.push(format!("{more} more"));
    }
    moves.join(", ")
}

fn value(state: State) -> String {
    match state.depth() {
        Some(depth) => format!("{} in {depth}", outcome(state)),
        None => outcome(state).to_owned(),
    }
}

fn outcome(state: State) -> &'static str {
    Outcome::from(state).name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_follow_what_was_conceded() {
        let glyphs = [None, Some(9), Some(5), Some(4), Some(2), Some(1), Some(0)].map(glyph);
        let [blunder, mistake, dubious] = [Glyph::Blunder, Glyph::Mistake, Glyph::Dubious].map(Some);
        // `??`, `?` and `?!` as the PGN standard numbers them.
        assert_eq!([Glyph::Blunder, Glyph::Mistake, Glyph::Dubious].map(|glyph| glyph.nag().0), [4, 2, 6]);
        assert_eq!(glyphs, [blunder, mistake, mistake, dubious, dubious, None, None]);
    }
}
