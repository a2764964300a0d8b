//! A game against an agent as PGN, with comments on its moves.

use super::response::{PlayEndName, PlayResponse, PlayedMove};
use crate::error::LabError;
use errare_endgame::{PlayConditions, PlayedGame};
use errare_games::{Annotation, Game, Nag, write_game};
use errare_tables::Material;
use shakmaty::{KnownOutcome, Outcome, Position};

/// Makes the game with a comment for each move that cost something, and for each move of the person.
pub(super) fn annotated(
    conditions: &PlayConditions,
    played: &PlayedGame,
    response: &PlayResponse,
) -> Result<String, LabError> {
    let mut game = Game::new(conditions.start.clone());
    game.set_tag("Event", &format!("errare play, seed {}", conditions.seed));
    let names = ["You".to_owned(), conditions.opponent.to_string()];
    let [white, black] = conditions.human.fold_wb([0, 1], [1, 0]).map(|place| &names[place]);
    game.set_tag("White", white);
    game.set_tag("Black", black);
    for made in &played.moves {
        game.push(made.mv).map_err(|_| LabError::Internal("a game has an illegal move"))?;
    }
    let end = response.end.filter(|end| end.reason != PlayEndName::LeftTables);
    game.result = Some(match end.map(|end| end.winner) {
        None => Outcome::Unknown,
        Some(None) => Outcome::Known(KnownOutcome::Draw),
        Some(Some(winner)) => Outcome::Known(KnownOutcome::Decisive { winner: winner.into() }),
    });
    let (material, swapped) = Material::of_board(conditions.start.board());
    let opening = format!("{} by {}. ", material.oriented(swapped), response.model.metric);
    let annotations = response.moves.iter().enumerate().map(|(ply, mv)| {
        let opening = if ply == 0 { &opening[..] } else { "" };
        annotation(mv, opening)
    });
    let mut pgn = Vec::new();
    write_game(&mut pgn, &game, &annotations.collect::<Vec<_>>())
        .map_err(|_| LabError::Internal("a game cannot be written to memory"))?;
    String::from_utf8(pgn).map_err(|_| LabError::Internal("a game is not text"))
}

/// Writes a comment in the words of an assessment: what was conceded and what was better, then depth and apparent
/// competence.
fn annotation(mv: &PlayedMove, opening: &str) -> Annotation {
    let mut parts = Vec::new();
    let best = mv.best.join(", ");
    match mv.conceded {
        Some(0) => {}
        Some(moves) => parts.push(format!("+{moves}: {best} optimal")),
        None => parts.push(format!("gives up the {}: {best} optimal", mv.best_outcome.name())),
    }
    parts.push(match mv.depth {
        Some(depth) => format!("{} in {depth}", mv.outcome.name()),
        None => mv.outcome.name().to_owned(),
    });
    if let Some(seen) = &mv.competence {
        let [low, high] = seen.interval;
        parts.push(format!("E[c] {:.2} ({low} to {high})", seen.expected_c));
    }
    let nags = if mv.conceded.is_none() { vec![Nag::BLUNDER] } else { Vec::new() };
    Annotation { nags, comment: Some(format!("{opening}{}", parts.join("; "))) }
}
