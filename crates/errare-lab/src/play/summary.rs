//! The summary of a finished game in three plain sentences.

use super::response::{PlayEndName, PlayEnding, PlayResponse, PlayedMove};
use crate::depth::Outcome;
use errare_endgame::{Review, SideReview};

/// Describes the game in three sentences: how it ended against what the start was worth, how well the person played,
/// and what decided it or could be better.
pub(super) fn sentences(game: &PlayResponse, review: &Review) -> [String; 3] {
    let result = review.result.map(super::response::outcome);
    [ended(game, result), moves(&review.human), decided(game, review, result)]
}

/// Describes how the game ended, and how that compares with the value of the start.
fn ended(game: &PlayResponse, result: Option<Outcome>) -> String {
    let end = game.end.as_ref().map_or_else(String::new, |end| ending(end, game));
    format!("{end}; {}.", against_theory(game.theory, result))
}

/// Describes how the game ended, as the person sees it.
fn ending(end: &PlayEnding, game: &PlayResponse) -> String {
    let result = match end.winner {
        Some(winner) if winner == game.human => "You won",
        Some(_) => "You lost",
        None => "The game is drawn",
    };
    let by_claim = |what: &str| match end.claimed_by {
        Some(side) if side == game.human => format!("{result}: you claimed a draw by {what}"),
        Some(_) => format!("{result}: your opponent claimed a draw by {what}"),
        None => format!("{result} by {what}"),
    };
    match end.reason {
        PlayEndName::Mate => format!("{result} by checkmate"),
        PlayEndName::Stalemate => format!("{result}: {} is stalemated", game.turn.title()),
        PlayEndName::InsufficientMaterial => format!("{result}: neither side has enough left to mate with"),
        PlayEndName::MoveRule => by_claim(&format!("the {}-move rule", game.clock.rule)),
        PlayEndName::Repetition => by_claim("repetition"),
        PlayEndName::Resignation => format!("{result} by resigning"),
        PlayEndName::LeftTables => {
            format!("The game cannot go on: the tables do not have what {} leads to", game.material)
        }
    }
}

fn against_theory(theory: Outcome, result: Option<Outcome>) -> &'static str {
    match (theory, result) {
        (Outcome::Win, Some(Outcome::Win)) => "the position was won for you, and you won it",
        (Outcome::Win, Some(Outcome::Draw)) => "the position was won for you, so half a point was lost",
        (Outcome::Win, Some(_)) => "the position was won for you, so a whole point was lost",
        (Outcome::Win, None) => "the position was won for you",
        (Outcome::Loss, Some(Outcome::Win)) => "the position was lost for you, so you gained a whole point",
        (Outcome::Loss, Some(Outcome::Draw)) => "the position was lost for you, so you gained half a point",
        (Outcome::Loss, Some(_)) => "the position was lost for you from the start",
        (Outcome::Loss, None) => "the position was lost for you",
        (_, Some(Outcome::Win)) => "the position was a draw, so you gained half a point",
        (_, Some(Outcome::Draw)) => "the position was a draw, and a draw it is",
        (_, Some(_)) => "the position was a draw, so half a point was lost",
        (_, None) => "the position was a draw",
    }
}

/// Describes how well the person played.
fn moves(side: &SideReview) -> String {
    let SideReview { moves, optimal, conceded, dropped } = *side;
    let found = match (optimal, moves) {
        (_, 0) => return "You made no move.".to_owned(),
        (1, 1) => return "Your only move was a best move.".to_owned(),
        (_, 1) if dropped > 0 => return "Your only move gave up the value of the position.".to_owned(),
        (_, 1) => return format!("Your only move cost {}.", plural(conceded, "move")),
        (optimal, moves) if optimal == moves => format!("All your {moves} moves were best moves"),
        (optimal, moves) => format!("{optimal} of your {moves} moves were best moves"),
    };
    let (others, in_all) = if moves - optimal - dropped == 1 { ("the other", "") } else { ("the others", " in all") };
    let given_up = format!("{} gave up the value of the position", plural(dropped, "move"));
    let cost = match (conceded, dropped) {
        (0, 0) => String::new(),
        (conceded, 0) => format!("; {others} cost {}{in_all}", plural(conceded, "move")),
        (0, _) => format!("; {given_up}"),
        (conceded, _) => format!("; {given_up}, {others} cost {}{in_all}", plural(conceded, "move")),
    };
    format!("{found}{cost}.")
}

/// Describes what decided the game, or could be better.
fn decided(game: &PlayResponse, review: &Review, result: Option<Outcome>) -> String {
    if let Some(sentence) = given_away_at_the_end(game, result) {
        return sentence;
    }
    let (theory, result) = (points(game.theory), result.map_or_else(|| points(game.theory), points));
    let mut errors = game.moves.iter().filter(|mv| mv.side != game.human && mv.conceded.is_none());
    if let Some(mv) = errors.next_back().filter(|_| result > theory) {
        return format!("Your opponent's {} {} decided it: it {}.", mv.number, mv.name.san, cost(mv));
    }
    if let Some(mv) = review.costliest.first().and_then(|&place| game.moves.get(place)) {
        let label = if mv.conceded.is_none() && result < theory { "decided it" } else { "cost most" };
        return format!("{} {} {label}: it {}; {}.", mv.number, mv.name.san, cost(mv), better(&mv.best));
    }
    match review.human.moves {
        0 => "There was nothing to choose.".to_owned(),
        _ => "Nothing that you played could have been better.".to_owned(),
    }
}

/// Describes what happened if the game ended while the person stood better than the result says: by resigning, by
/// claiming a draw, or by a rule.
fn given_away_at_the_end(game: &PlayResponse, result: Option<Outcome>) -> Option<String> {
    let (result, end) = (result?, game.end.as_ref()?);
    let standing = match game.moves.last() {
        None => game.theory,
        Some(mv) if mv.side == game.human => mv.outcome,
        Some(mv) => reversed(mv.outcome),
    };
    let worth = match (standing, result) {
        (Outcome::Win, Outcome::Draw | Outcome::Loss) => "won",
        (Outcome::Draw, Outcome::Loss) => "drawn",
        _ => return None,
    };
    Some(match end.reason {
        PlayEndName::Resignation => format!("You resigned a position that was still {worth}."),
        PlayEndName::MoveRule | PlayEndName::Repetition if end.claimed_by == Some(game.human) => {
            format!("You claimed a draw in a position that was still {worth}.")
        }
        PlayEndName::MoveRule => {
            format!("The position was still {worth}, but the {}-move rule ended the game first.", game.clock.rule)
        }
        PlayEndName::Repetition => format!("The position was still {worth}, but it had been on the board too often."),
        _ => return None,
    })
}

/// Number of half points of an outcome.
fn points(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => 2,
        Outcome::CursedWin | Outcome::Draw | Outcome::BlessedLoss => 1,
        Outcome::Loss => 0,
    }
}

fn reversed(outcome: Outcome) -> Outcome {
    errare_tables::Outcome::from(outcome).reversed().into()
}

/// Describes what a move cost, in words that follow "it".
pub(super) fn cost(mv: &PlayedMove) -> String {
    match (mv.conceded, mv.outcome) {
        (None, _) => format!("turned a {} into a {}", mv.best_outcome.name(), mv.outcome.name()),
        (Some(moves), Outcome::Loss) => format!("brought the loss {} nearer", plural(moves.into(), "move")),
        (Some(moves), _) => format!("made the win {} longer", plural(moves.into(), "move")),
    }
}

/// Describes which moves were better than a costly one.
fn better(best: &[String]) -> String {
    match best {
        [only] => format!("{only} was better"),
        [first, second] => format!("{first} or {second} was better"),
        [first, second, ..] => format!("{first}, {second} or others were better"),
        [] => "nothing was better".to_owned(),
    }
}

fn plural(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_added_up_in_words() {
        let side = |moves, optimal, conceded, dropped| self::moves(&SideReview { moves, optimal, conceded, dropped });
        assert_eq!(side(0, 0, 0, 0), "You made no move.");
        assert_eq!(side(1, 1, 0, 0), "Your only move was a best move.");
        assert_eq!(side(9, 9, 0, 0), "All your 9 moves were best moves.");
        assert_eq!(side(9, 7, 1, 0), "7 of your 9 moves were best moves; the others cost 1 move in all.");
        let both =
            "7 of your 9 moves were best moves; 1 move gave up the value of the position, the other cost 3 moves.";
        assert_eq!(side(9, 7, 3, 1), both);
        assert_eq!(side(1, 0, 0, 1), "Your only move gave up the value of the position.");
        assert_eq!(side(1, 0, 2, 0), "Your only move cost 2 moves.");
    }
}
