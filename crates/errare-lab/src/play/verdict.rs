//! The review of a game in plain sentences.

use super::response::{PlayEndName, PlayEnding, PlayResponse, PlayedMove};
use crate::depth::Outcome;
use errare_endgame::{Review, SideReview};

/// The review: how the game ended, what theory says, what the moves cost, and how strong the person seems.
pub(super) fn sentences(game: &PlayResponse, review: &Review) -> Vec<String> {
    let mut sentences: Vec<String> = game.end.iter().map(|end| ending(end, game)).collect();
    if let Some(result) = review.result {
        sentences.push(against_theory(game.theory, super::response::outcome(result)).to_owned());
    }
    if review.human.moves > 0 {
        sentences.push(moves(&review.human));
        sentences.extend(review.costliest.iter().filter_map(|&place| game.moves.get(place)).map(costly));
        sentences.push(competence(game, review.is_enough));
    }
    if review.opponent.dropped > 0 {
        let times = match review.opponent.dropped {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            more => format!("{more} times"),
        };
        sentences.push(format!("Your opponent gave up the value of the position {times}."));
    }
    sentences
}

/// How the game ended, as the person sees it.
fn ending(end: &PlayEnding, game: &PlayResponse) -> String {
    let result = match end.winner {
        Some(winner) if winner == game.human => "You won",
        Some(_) => "You lost",
        None => "The game is drawn",
    };
    let by_claim = |what: &str| match end.claimed_by {
        Some(side) if side == game.human => format!("{result}: you claimed a draw by {what}."),
        Some(_) => format!("{result}: your opponent claimed a draw by {what}."),
        None => format!("{result} by {what}."),
    };
    match end.reason {
        PlayEndName::Mate => format!("{result} by checkmate."),
        PlayEndName::Stalemate => format!("{result}: {} is stalemated.", game.turn.title()),
        PlayEndName::InsufficientMaterial => format!("{result}: neither side has enough left to mate with."),
        PlayEndName::MoveRule => by_claim(&format!("the {}-move rule", game.clock.rule)),
        PlayEndName::Repetition => by_claim("repetition"),
        PlayEndName::Resignation => format!("{result} by resigning."),
        PlayEndName::LeftTables => {
            format!("The game cannot go on: the tables do not have what {} leads to.", game.material)
        }
    }
}

fn against_theory(theory: Outcome, result: Outcome) -> &'static str {
    match (theory, result) {
        (Outcome::Win, Outcome::Win) => "The position was won for you, and you won it.",
        (Outcome::Win, Outcome::Draw) => "The position was won for you: half a point was lost.",
        (Outcome::Win, _) => "The position was won for you: a whole point was lost.",
        (Outcome::Loss, Outcome::Win) => "The position was lost for you: you gained a whole point.",
        (Outcome::Loss, Outcome::Draw) => "The position was lost for you: you gained half a point.",
        (Outcome::Loss, _) => "The position was lost for you from the start.",
        (_, Outcome::Win) => "The position was a draw: you gained half a point.",
        (_, Outcome::Draw) => "The position was a draw, and a draw it is.",
        (_, _) => "The position was a draw: half a point was lost.",
    }
}

fn moves(side: &SideReview) -> String {
    let SideReview { moves, optimal, conceded, dropped } = *side;
    let found = match (optimal, moves) {
        (1, 1) => return "Your only move was a best move.".to_owned(),
        (_, 1) if dropped > 0 => return "Your only move gave up the value of the position.".to_owned(),
        (_, 1) => return format!("Your only move cost {} of depth.", plural(conceded, "move")),
        (optimal, moves) if optimal == moves => format!("All your {moves} moves were best moves"),
        (optimal, moves) => format!("{optimal} of your {moves} moves were best moves"),
    };
    let others = if moves - optimal - dropped == 1 { "the other" } else { "the others" };
    let given_up = format!("{} gave up the value of the position", plural(dropped, "move"));
    let cost = match (conceded, dropped) {
        (0, 0) => String::new(),
        (conceded, 0) => format!("; {others} cost {} of depth", plural(conceded, "move")),
        (0, _) => format!("; {given_up}"),
        (conceded, _) => format!("; {given_up}, {others} cost {} of depth", plural(conceded, "move")),
    };
    format!("{found}{cost}.")
}

/// A costly move, and what was better.
fn costly(mv: &PlayedMove) -> String {
    let better = match &mv.best[..] {
        [only] => format!("{only} was better"),
        [first, second] => format!("{first} or {second} was better"),
        [first, second, ..] => format!("{first}, {second} or others were better"),
        [] => "nothing was better".to_owned(),
    };
    let (number, san) = (&mv.number, &mv.name.san);
    match mv.conceded {
        Some(moves) => format!("{number} {san} cost {}: {better}.", plural(u32::from(moves), "move")),
        None => {
            let (from, to) = (mv.best_outcome.name(), mv.outcome.name());
            format!("{number} {san} turned a {from} into a {to}: {better}.")
        }
    }
}

fn competence(game: &PlayResponse, is_enough: bool) -> String {
    if !is_enough {
        return "That is too little to say how strong you are in this endgame.".to_owned();
    }
    let seen = &game.competence;
    let [low, high] = seen.interval;
    format!(
        "You played like a player of competence {:.0} (nine tenths of the belief lie between {low} and {high}).",
        seen.expected_c
    )
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
        assert_eq!(side(1, 1, 0, 0), "Your only move was a best move.");
        assert_eq!(side(9, 9, 0, 0), "All your 9 moves were best moves.");
        assert_eq!(side(9, 7, 1, 0), "7 of your 9 moves were best moves; the others cost 1 move of depth.");
        let both = "7 of your 9 moves were best moves; 1 move gave up the value of the position, the other cost 3 moves of depth.";
        assert_eq!(side(9, 7, 3, 1), both);
        assert_eq!(side(1, 0, 0, 1), "Your only move gave up the value of the position.");
        assert_eq!(side(1, 0, 2, 0), "Your only move cost 2 moves of depth.");
    }
}
