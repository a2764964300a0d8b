//! Values in words: every depth with its metric and unit.

use crate::side::Side;
use errare_tables::{Metric, Outcome, Plies, Value};
use shakmaty::{Color, Piece, Role};

/// Describes a value of the side to move in a sentence: who wins, when, counted to what.
#[must_use]
pub fn value_sentence(value: &Value, turn: Color, metric: Metric) -> String {
    let winner = Side::from(if value.outcome.is_win() { turn } else { !turn }).title();
    let turn = Side::from(turn).title();
    match value.outcome {
        Outcome::Draw => format!("draw, {turn} to move"),
        _ if value.plies == Plies(0) => format!("checkmate: win for {winner}"),
        Outcome::Win | Outcome::Loss => {
            let preposition = if metric == Metric::Dtr { "with" } else { "in" };
            format!("win for {winner} {preposition} {}, {turn} to move", depth_phrase(value, metric))
        }
        Outcome::CursedWin | Outcome::BlessedLoss => {
            format!("cursed win for {winner}: {}, {turn} to move", depth_phrase(value, metric))
        }
    }
}

/// Describes how long the phase takes, where that is not the depth; to be put after a sentence or a phrase.
#[must_use]
pub fn phase_note(value: &Value, metric: Metric) -> String {
    if metric == Metric::Dtr && value.outcome != Outcome::Draw && value.plies != Plies(0) {
        format!("; this phase takes {}", value.phase)
    } else {
        String::new()
    }
}

/// Describes the depth of a value of the side to move in words; empty for a draw.
#[must_use]
pub fn depth_phrase(value: &Value, metric: Metric) -> String {
    let Some(moves) = value.winner_moves(metric) else { return String::new() };
    let plies = value.plies;
    let spoilt = matches!(value.outcome, Outcome::CursedWin | Outcome::BlessedLoss);
    match metric {
        _ if plies == Plies(0) => "mate".to_owned(),
        Metric::Dtm => format!("{moves} ({plies}) to mate"),
        Metric::Dtc => format!("{moves} ({plies}) to conversion"),
        Metric::Dtz => format!("{moves} ({plies}) to a zeroing move"),
        Metric::DtzRule(rule) if spoilt => {
            format!("{moves} ({plies}) to a zeroing move, a draw by the {rule}-move rule")
        }
        Metric::DtzRule(rule) => format!("{moves} ({plies}) to a zeroing move within the {rule}-move rule"),
        Metric::Dtr => format!("no phase over {moves} ({plies})"),
    }
}

/// Names a man in words, as in "white knight".
#[must_use]
pub fn man_in_words(man: Piece) -> String {
    let role = match man.role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    format!("{} {role}", man.color.fold_wb("white", "black"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_the_winner_and_the_unit() {
        let say = |outcome, plies, metric| value_sentence(&Value::new(outcome, plies), Color::White, metric);
        assert_eq!(say(Outcome::Win, 69, Metric::Dtm), "win for White in 35 moves (69 plies) to mate, White to move");
        assert_eq!(
            say(Outcome::Loss, 2, Metric::Dtc),
            "win for Black in 1 move (2 plies) to conversion, White to move"
        );
        assert_eq!(say(Outcome::Loss, 0, Metric::Dtm), "checkmate: win for Black");
        assert_eq!(
            say(Outcome::CursedWin, 119, Metric::DtzRule(50)),
            "cursed win for White: 60 moves (119 plies) to a zeroing move, a draw by the 50-move rule, White to move"
        );
        assert_eq!(
            say(Outcome::Win, 3, Metric::Dtr),
            "win for White with no phase over 2 moves (3 plies), White to move"
        );
    }

    #[test]
    fn a_phase_is_noted_where_it_may_differ() {
        let value = Value { phase: Plies(1), ..Value::new(Outcome::Win, 15) };
        assert_eq!(phase_note(&value, Metric::Dtr), "; this phase takes 1 ply");
        assert_eq!(phase_note(&value, Metric::Dtc), "");
        assert_eq!(phase_note(&Value::DRAW, Metric::Dtr), "");
    }
}
