//! The costliest move of a game: what it cost, what was better, and why the choice was hard.

use super::response::{PlayedMove, named};
use super::summary::cost;
use crate::choose::NamedMove;
use crate::notation::fen_of;
use errare_endgame::PlayedGame;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The person's costliest move, seen as a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurningPoint {
    /// The place of the move in `moves`, from 0.
    pub place: usize,
    /// The number of the move, as in 12. or 12... before Black's.
    pub number: String,
    /// The position before the move, as a FEN.
    pub fen: String,
    /// The move that was made.
    #[serde(rename = "move")]
    pub mv: NamedMove,
    /// The best moves in the position.
    pub best: Vec<NamedMove>,
    /// The cost of the move, in words.
    pub cost: String,
    /// Number of legal moves.
    pub legal: usize,
    /// Number of moves that kept the theoretical value.
    pub keeping: usize,
    /// Number of best moves.
    pub optimal: usize,
    /// The chance that a player like the person, by the belief after the game, makes a move that keeps the value.
    pub keeping_chance: f64,
    /// The chance that a player like the person makes a best move.
    pub optimal_chance: f64,
    /// The opponent's reply, if it kept what the move had given away; else null.
    pub reply: Option<NamedMove>,
    /// An explanation of why the choice was hard, in one or two sentences.
    pub why: String,
}

impl TurningPoint {
    /// Converts the turning point to its form in responses; none if the game has no such move.
    pub(super) fn new(
        found: &errare_endgame::TurningPoint,
        played: &PlayedGame,
        moves: &[PlayedMove],
    ) -> Option<TurningPoint> {
        let (made, shown) = (played.moves.get(found.place)?, moves.get(found.place)?);
        let reply = moves.get(found.place + 1).filter(|_| found.is_exploited);
        Some(TurningPoint {
            place: found.place,
            number: shown.number.clone(),
            fen: fen_of(&made.position),
            mv: shown.name.clone(),
            best: made.optimal.iter().map(|&mv| named(&made.position, mv)).collect(),
            cost: format!("It {}.", cost(shown)),
            legal: found.legal,
            keeping: found.keeping,
            optimal: found.optimal,
            keeping_chance: found.keeping_chance,
            optimal_chance: found.optimal_chance,
            reply: reply.map(|reply| reply.name.clone()),
            why: why(found, shown),
        })
    }
}

/// The chance to find a good move above which missing it is a slip.
const SLIP: f64 = 0.8;

/// Explains why the choice was hard, or that it was not.
fn why(found: &errare_endgame::TurningPoint, mv: &PlayedMove) -> String {
    let (count, chance, did) = match mv.conceded {
        None => (found.keeping, found.keeping_chance, format!("kept the {}", mv.best_outcome.name())),
        Some(_) if found.optimal == 1 => (1, found.optimal_chance, "was best".to_owned()),
        Some(_) => (found.optimal, found.optimal_chance, "were best".to_owned()),
    };
    let it = if count == 1 { "it" } else { "one of them" };
    let only = if 2 * count < found.legal { "Only " } else { "" };
    let slip = if chance >= SLIP { " This was a slip rather than a hard choice." } else { "" };
    format!("{only}{count} of {} moves {did}; a player like you finds {it} {}.{slip}", found.legal, often(chance))
}

/// Describes how often something of this chance happens.
fn often(chance: f64) -> String {
    match (chance * 10.0).round() as u32 {
        _ if chance < 0.01 => "hardly ever".to_owned(),
        _ if chance < 0.05 => "less than 1 time in 20".to_owned(),
        _ if chance > 0.99 => "nearly always".to_owned(),
        _ if chance > 0.95 => "more than 19 times in 20".to_owned(),
        0 | 1 => "1 time in 10".to_owned(),
        10 => "more than 9 times in 10".to_owned(),
        times => format!("{times} times in 10"),
    }
}

#[cfg(test)]
mod tests {
    use super::often;

    #[test]
    fn chances_are_said_in_times() {
        let said = [0.0, 0.03, 0.06, 0.14, 0.38, 0.95, 0.96, 0.999].map(often);
        let expected = [
            "hardly ever",
            "less than 1 time in 20",
            "1 time in 10",
            "1 time in 10",
            "4 times in 10",
            "more than 9 times in 10",
            "more than 19 times in 20",
            "nearly always",
        ];
        assert_eq!(said, expected);
    }
}
