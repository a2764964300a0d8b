//! Values of positions as programs read them: outcome, and depth with its unit.

use errare_choice::State;
use errare_tables::{Metric, Plies, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The outcome of a position for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A win, within the move rule where there is one.
    Win,
    /// A win that the move rule turns into a draw.
    CursedWin,
    /// A draw.
    Draw,
    /// A loss that the move rule turns into a draw.
    BlessedLoss,
    /// A loss, within the move rule where there is one.
    Loss,
}

impl Outcome {
    /// The name of the outcome as JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        errare_tables::Outcome::from(self).name()
    }
}

impl From<errare_tables::Outcome> for Outcome {
    fn from(outcome: errare_tables::Outcome) -> Outcome {
        match outcome {
            errare_tables::Outcome::Win => Outcome::Win,
            errare_tables::Outcome::CursedWin => Outcome::CursedWin,
            errare_tables::Outcome::Draw => Outcome::Draw,
            errare_tables::Outcome::BlessedLoss => Outcome::BlessedLoss,
            errare_tables::Outcome::Loss => Outcome::Loss,
        }
    }
}

impl From<State> for Outcome {
    fn from(state: State) -> Outcome {
        match state {
            State::Win(_) => Outcome::Win,
            State::Draw => Outcome::Draw,
            State::Loss(_) => Outcome::Loss,
        }
    }
}

impl From<Outcome> for errare_tables::Outcome {
    fn from(outcome: Outcome) -> errare_tables::Outcome {
        match outcome {
            Outcome::Win => errare_tables::Outcome::Win,
            Outcome::CursedWin => errare_tables::Outcome::CursedWin,
            Outcome::Draw => errare_tables::Outcome::Draw,
            Outcome::BlessedLoss => errare_tables::Outcome::BlessedLoss,
            Outcome::Loss => errare_tables::Outcome::Loss,
        }
    }
}

/// The value of a position in a metric. A draw has no depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Depth {
    /// The outcome for the side in question.
    pub outcome: Outcome,
    /// The depth in plies.
    pub plies: Option<u16>,
    /// The depth in moves of the winner still to be made.
    pub moves: Option<u16>,
}

impl Depth {
    /// Converts a value to that of the side to move.
    #[must_use]
    pub fn of(value: &Value, metric: Metric) -> Depth {
        let plies = (value.outcome != errare_tables::Outcome::Draw).then_some(value.plies.0);
        Depth { outcome: value.outcome.into(), plies, moves: value.winner_moves(metric).map(|moves| moves.0) }
    }

    /// Converts a value to that of the side that has just moved; the depth stays that of the position reached.
    #[must_use]
    pub fn after_move(value: &Value, metric: Metric) -> Depth {
        let there = Value { outcome: value.outcome.reversed(), ..*value };
        Depth { outcome: value.outcome.into(), ..Depth::of(&there, metric) }
    }

    /// Converts a depth back to a value, given the length of its phase where that differs from the depth.
    #[must_use]
    pub fn value(&self, phase_plies: Option<u16>) -> Value {
        let value = Value::new(self.outcome.into(), self.plies.unwrap_or(0));
        Value { phase: phase_plies.map_or(value.phase, Plies), ..value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_tables::Outcome as Table;

    #[test]
    fn after_a_move_the_winner_counts_what_is_left() {
        // The mover wins; the loser, to move, must convert in one ply: no move of the winner's.
        let depth = Depth::after_move(&Value::new(Table::Win, 1), Metric::Dtc);
        assert_eq!(depth, Depth { outcome: Outcome::Win, plies: Some(1), moves: Some(0) });
        let lost = Depth::after_move(&Value::new(Table::Loss, 5), Metric::Dtm);
        assert_eq!(lost, Depth { outcome: Outcome::Loss, plies: Some(5), moves: Some(3) });
        let drawn = Depth::after_move(&Value::DRAW, Metric::Dtm);
        assert_eq!(drawn, Depth { outcome: Outcome::Draw, plies: None, moves: None });
    }

    #[test]
    fn a_phase_may_begin_with_the_winner_though_the_loser_is_to_move() {
        assert_eq!(Depth::of(&Value::new(Table::Loss, 11), Metric::Dtr).moves, Some(6));
        assert_eq!(Depth::of(&Value::new(Table::Loss, 11), Metric::Dtc).moves, Some(5));
    }

    #[test]
    fn names_are_those_of_the_tables() {
        for outcome in [Outcome::Win, Outcome::CursedWin, Outcome::Draw, Outcome::BlessedLoss, Outcome::Loss] {
            let json = serde_json::to_string(&outcome).expect("an outcome");
            assert_eq!(json, format!("\"{}\"", outcome.name()));
        }
    }
}
