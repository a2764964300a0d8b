//! Criteria by which positions are looked for.

use crate::metric::Metric;
use crate::value::{Outcome, Value};
use shakmaty::Color;
use std::fmt;
use std::str::FromStr;

/// A range of whole numbers, both ends included: `5`, `3..5`, `3..` or `..5`.
///
/// ```
/// use errare_tables::CountRange;
/// let range: CountRange = "3..5".parse()?;
/// assert!(range.contains(5) && !range.contains(6));
/// assert_eq!(range.to_string(), "3..5");
/// # Ok::<(), errare_tables::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CountRange {
    from: u16,
    to: Option<u16>,
}

/// A text that is not a valid range of numbers or depths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {what} `{text}`: expected {expected}")]
pub struct RangeError {
    what: &'static str,
    text: String,
    expected: &'static str,
}

impl CountRange {
    /// The range of one number.
    pub const fn exactly(number: u16) -> CountRange {
        CountRange { from: number, to: Some(number) }
    }

    /// The range of all numbers from this one on.
    pub const fn at_least(number: u16) -> CountRange {
        CountRange { from: number, to: None }
    }

    /// Whether a number is in the range.
    pub fn contains(self, number: u16) -> bool {
        self.from <= number && self.to.is_none_or(|to| number <= to)
    }

    fn parse(text: &str) -> Option<CountRange> {
        let number = |text: &str| text.parse::<u16>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let Some((from, to)) = text.split_once("..") else { return number(text).map(CountRange::exactly) };
        let range = match (from, to) {
            ("", "") => return None,
            ("", to) => CountRange { from: 0, to: Some(number(to)?) },
            (from, "") => CountRange::at_least(number(from)?),
            (from, to) => CountRange { from: number(from)?, to: Some(number(to)?) },
        };
        range.to.is_none_or(|to| range.from <= to).then_some(range)
    }
}

impl FromStr for CountRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<CountRange, RangeError> {
        let expected = "a number or a range, as in 1, 2..4 or 3..";
        CountRange::parse(text).ok_or_else(|| RangeError { what: "range", text: text.to_owned(), expected })
    }
}

impl fmt::Display for CountRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.to) {
            (from, Some(to)) if from == to => write!(f, "{from}"),
            (from, Some(to)) => write!(f, "{from}..{to}"),
            (from, None) => write!(f, "{from}.."),
        }
    }
}

/// A range of depths, both ends included: in moves of the winner as in `20..31`, or in plies as in `39..61p`.
///
/// ```
/// use errare_tables::{DepthRange, Metric, Outcome, Value};
/// let value = Value::new(Outcome::Win, 61);
/// assert!("31".parse::<DepthRange>()?.contains(&value, Metric::Dtc));
/// assert!("61p".parse::<DepthRange>()?.contains(&value, Metric::Dtc));
/// assert!(!"..60p".parse::<DepthRange>()?.contains(&value, Metric::Dtc));
/// # Ok::<(), errare_tables::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthRange {
    range: CountRange,
    in_plies: bool,
}

impl DepthRange {
    /// A range of depths in moves of the winner.
    pub const fn of_moves(range: CountRange) -> DepthRange {
        DepthRange { range, in_plies: false }
    }

    /// Whether the depth of a value in a metric is in the range. A draw has no depth.
    pub fn contains(self, value: &Value, metric: Metric) -> bool {
        value.winner_moves(metric).is_some_and(|moves| {
            let depth = if self.in_plies { value.plies.0 } else { moves.0 };
            self.range.contains(depth)
        })
    }
}

impl FromStr for DepthRange {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<DepthRange, RangeError> {
        let expected = "moves of the winner, as in 31, 20..31 or 20.., or plies, as in 61p or 39..61p";
        let (numbers, in_plies) = text.strip_suffix('p').map_or((text, false), |numbers| (numbers, true));
        let range = CountRange::parse(numbers);
        let range = range.ok_or_else(|| RangeError { what: "depth", text: text.to_owned(), expected })?;
        Ok(DepthRange { range, in_plies })
    }
}

impl fmt::Display for DepthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.range, if self.in_plies { "p" } else { "" })
    }
}

/// An outcome to look for: that of the side to move, or a win of one side, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WantedOutcome {
    /// An outcome for the side to move.
    ToMove(Outcome),
    /// A win of this side, within the move rule where the metric has one.
    WonBy(Color),
}

impl WantedOutcome {
    /// All wanted outcomes, with their names.
    pub const ALL: [(WantedOutcome, &'static str); 7] = [
        (WantedOutcome::ToMove(Outcome::Win), "win"),
        (WantedOutcome::ToMove(Outcome::CursedWin), "cursed-win"),
        (WantedOutcome::ToMove(Outcome::Draw), "draw"),
        (WantedOutcome::ToMove(Outcome::BlessedLoss), "blessed-loss"),
        (WantedOutcome::ToMove(Outcome::Loss), "loss"),
        (WantedOutcome::WonBy(Color::White), "white-wins"),
        (WantedOutcome::WonBy(Color::Black), "black-wins"),
    ];

    fn is(self, turn: Color, outcome: Outcome) -> bool {
        match self {
            WantedOutcome::ToMove(wanted) => outcome == wanted,
            WantedOutcome::WonBy(winner) if winner == turn => outcome == Outcome::Win,
            WantedOutcome::WonBy(_) => outcome == Outcome::Loss,
        }
    }
}

/// A text that is not a valid outcome to look for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid outcome `{0}`: expected win, draw, loss, cursed-win or blessed-loss (for the side to move), white-wins or \
     black-wins"
)]
pub struct WantedOutcomeError(String);

impl FromStr for WantedOutcome {
    type Err = WantedOutcomeError;

    fn from_str(text: &str) -> Result<WantedOutcome, WantedOutcomeError> {
        let found = WantedOutcome::ALL.into_iter().find(|(_, name)| *name == text);
        found.map(|(outcome, _)| outcome).ok_or_else(|| WantedOutcomeError(text.to_owned()))
    }
}

impl fmt::Display for WantedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = WantedOutcome::ALL.into_iter().find(|(outcome, _)| outcome == self);
        f.pad(named.map_or("", |(_, name)| name))
    }
}

/// Criteria that a position has to meet, all of them; by default every position does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// The side to move; none if either may be to move.
    pub turn: Option<Color>,
    /// The outcome that is wanted; none if any will do.
    pub outcome: Option<WantedOutcome>,
    /// The depths that are wanted, which draws do not have; none if any will do.
    pub depth: Option<DepthRange>,
    /// Whether the position has to be a mutual zugzwang: see [`Zugzwang`](crate::Zugzwang).
    pub zugzwang: bool,
    /// The wanted number of moves that keep the value; none if any will do.
    pub keeping: Option<CountRange>,
}

impl Criteria {
    /// Returns the criteria with the colours exchanged.
    pub(super) fn swapped(self) -> Criteria {
        let outcome = self.outcome.map(|outcome| match outcome {
            WantedOutcome::WonBy(color) => WantedOutcome::WonBy(color.other()),
            other => other,
        });
        Criteria { turn: self.turn.map(Color::other), outcome, ..self }
    }

    /// Whether a position with this side to move may be among those wanted.
    pub(super) fn allows_turn(&self, turn: Color) -> bool {
        self.turn.is_none_or(|wanted| wanted == turn)
    }

    /// Whether a value, with this side to move, is among those wanted.
    pub(super) fn allows_value(&self, turn: Color, value: &Value, metric: Metric) -> bool {
        self.outcome.is_none_or(|outcome| outcome.is(turn, value.outcome))
            && self.depth.is_none_or(|depth| depth.contains(value, metric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_as_they_are_read() {
        for text in ["0", "31", "20..31", "20..", "0..5"] {
            assert_eq!(text.parse::<CountRange>().map(|range| range.to_string()), Ok(text.to_owned()));
            let plies = format!("{text}p");
            assert_eq!(plies.parse::<DepthRange>().map(|range| range.to_string()), Ok(plies));
        }
        assert_eq!("..5".parse::<CountRange>().map(|range| range.to_string()), Ok("0..5".to_owned()));
        for text in ["", "..", "5..3", "-1", "+1", "a", "1..2..3", "1...3", "70000", "p", "1p..3p", " 1"] {
            assert!(text.parse::<CountRange>().is_err(), "{text}");
            assert!(text.parse::<DepthRange>().is_err(), "{text}");
        }
        let error = "deep".parse::<DepthRange>().map_err(|error| error.to_string());
        assert!(error.is_err_and(|error| error.starts_with("invalid depth `deep`: expected moves of the winner")));
    }

    #[test]
    fn outcomes_are_those_of_the_side_to_move_or_of_a_colour() {
        for (outcome, name) in WantedOutcome::ALL {
            assert_eq!(name.parse(), Ok(outcome));
            assert_eq!(outcome.to_string(), name);
        }
        let white = WantedOutcome::WonBy(Color::White);
        assert!(white.is(Color::White, Outcome::Win) && white.is(Color::Black, Outcome::Loss));
        assert!(!white.is(Color::White, Outcome::Loss) && !white.is(Color::White, Outcome::CursedWin));
        assert!("white".parse::<WantedOutcome>().is_err());
    }
}
