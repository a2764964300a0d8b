//! The value of a position: its outcome and depth.

use crate::metric::Metric;
use std::fmt;

/// A depth in plies (half-moves).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Plies(pub u16);

/// A depth in moves still to be made by the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WinnerMoves(pub u16);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "ply" } else { "plies" })
    }
}

impl fmt::Display for WinnerMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "move" } else { "moves" })
    }
}

/// The result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The side to move loses.
    Loss,
    /// The side to move would lose, but the move rule makes it a draw.
    BlessedLoss,
    /// The position is drawn.
    Draw,
    /// The side to move would win, but the move rule makes it a draw.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// All outcomes, the best for the side to move first.
    pub const BEST_FIRST: [Outcome; 5] =
        [Outcome::Win, Outcome::CursedWin, Outcome::Draw, Outcome::BlessedLoss, Outcome::Loss];

    /// The name of the outcome in every output.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::BlessedLoss => "blessed-loss",
            Outcome::Draw => "draw",
            Outcome::CursedWin => "cursed-win",
            Outcome::Win => "win",
        }
    }

    /// The outcome as the other side sees it.
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::BlessedLoss => Outcome::CursedWin,
            Outcome::Draw => Outcome::Draw,
            Outcome::CursedWin => Outcome::BlessedLoss,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The outcome of play under the move rule: a cursed win or a blessed loss is a draw.
    pub fn under_rule(self) -> Outcome {
        match self {
            Outcome::CursedWin | Outcome::BlessedLoss => Outcome::Draw,
            other => other,
        }
    }

    /// Whether the side to move wins without a move rule.
    pub fn is_win(self) -> bool {
        matches!(self, Outcome::Win | Outcome::CursedWin)
    }

    /// Whether the side to move loses without a move rule.
    pub fn is_loss(self) -> bool {
        matches!(self, Outcome::Loss | Outcome::BlessedLoss)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The value of a legal position: a table's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The depth in the table's metric; 0 for a draw.
    pub plies: Plies,
    /// Plies to the end of the phase when the table's metric is followed. It differs from `plies`
    /// only under DTR, whose depth may belong to a later phase.
    pub phase: Plies,
}

impl Value {
    /// The value of a drawn position.
    pub const DRAW: Value = Value { outcome: Outcome::Draw, plies: Plies(0), phase: Plies(0) };

    /// Makes a decisive value whose depth is also that of its phase.
    pub fn new(outcome: Outcome, plies: u16) -> Value {
        Value { outcome, plies: Plies(plies), phase: Plies(plies) }
    }

    /// Whether the side to move is mated: lost, with nothing left to count.
    pub(crate) fn is_mate(&self) -> bool {
        *self == Value::new(Outcome::Loss, 0)
    }

    /// The number of moves that the winner still has to make; `None` for a draw.
    ///
    /// This is half the plies, rounded up with the winner to move and down with the loser to move. The phase that
    /// determines DTR need not begin with the side to move, so its plies are halved upwards for either.
    ///
    /// ```
    /// use errare_tables::{Metric, Outcome, Value, WinnerMoves};
    /// assert_eq!(Value::new(Outcome::Win, 5).winner_moves(Metric::Dtm), Some(WinnerMoves(3)));
    /// assert_eq!(Value::new(Outcome::Loss, 1).winner_moves(Metric::Dtc), Some(WinnerMoves(0)));
    /// assert_eq!(Value::new(Outcome::Loss, 11).winner_moves(Metric::Dtr), Some(WinnerMoves(6)));
    /// ```
    pub fn winner_moves(&self, metric: Metric) -> Option<WinnerMoves> {
        let Plies(plies) = self.plies;
        match self.outcome {
            Outcome::Draw => None,
            outcome if outcome.is_win() || metric == Metric::Dtr => Some(WinnerMoves(plies.div_ceil(2))),
            _ => Some(WinnerMoves(plies / 2)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Outcome::Draw => f.write_str("draw"),
            outcome => write!(f, "{outcome} in {}", self.plies),
        }
    }
}
