//! The move rule: the number of quiet moves after which a draw can be claimed.

use shakmaty::{Chess, Position};
use std::fmt;
use std::str::FromStr;

/// The number of moves by each side without a capture or a pawn move after which a draw can be claimed, if any.
///
/// ```
/// use errare_endgame::MoveRule;
/// assert_eq!("75".parse::<MoveRule>()?.moves(), Some(75));
/// assert_eq!("none".parse::<MoveRule>()?, MoveRule::NONE);
/// assert_eq!(MoveRule::default().to_string(), "50");
/// # Ok::<(), errare_endgame::MoveRuleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveRule(Option<u16>);

/// A text or number that is not a valid move rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid move rule `{0}`: expected a number of moves from 1 to {max} or `none`", max = MoveRule::MAX)]
pub struct MoveRuleError(String);

impl MoveRule {
    /// The fifty-move rule of chess.
    pub const FIFTY: MoveRule = MoveRule(Some(50));

    /// No move rule at all.
    pub const NONE: MoveRule = MoveRule(None);

    /// The most moves that a rule may have.
    pub const MAX: u16 = 9999;

    /// Makes the rule of a number of moves.
    ///
    /// # Errors
    /// If it has no moves, or more than [`MAX`](MoveRule::MAX).
    pub fn new(moves: u16) -> Result<MoveRule, MoveRuleError> {
        match moves {
            1..=MoveRule::MAX => Ok(MoveRule(Some(moves))),
            _ => Err(MoveRuleError(moves.to_string())),
        }
    }

    /// The number of moves of the rule, if there is one.
    pub fn moves(self) -> Option<u16> {
        self.0
    }

    /// Number of moves that the side to move may still make before a draw can be claimed, if there is a rule.
    pub fn moves_left(self, position: &Chess) -> Option<u32> {
        let plies = 2 * u32::from(self.0?);
        Some(plies.saturating_sub(position.halfmoves()).div_ceil(2))
    }
}

/// The default is the fifty-move rule of chess.
impl Default for MoveRule {
    fn default() -> MoveRule {
        MoveRule::FIFTY
    }
}

impl FromStr for MoveRule {
    type Err = MoveRuleError;

    fn from_str(text: &str) -> Result<MoveRule, MoveRuleError> {
        if text == "none" {
            return Ok(MoveRule::NONE);
        }
        let refused = || MoveRuleError(text.to_owned());
        MoveRule::new(text.parse().map_err(|_| refused())?).map_err(|_| refused())
    }
}

impl fmt::Display for MoveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(moves) => moves.fmt(f),
            None => f.pad("none"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_they_are_read() {
        for text in ["1", "50", "9999", "none"] {
            assert_eq!(text.parse::<MoveRule>().map(|rule| rule.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "0", "10000", "-5", "few", "50.5", "70000"] {
            let error = text.parse::<MoveRule>().map_err(|error| error.to_string());
            let expected = format!("invalid move rule `{text}`: expected a number of moves from 1 to 9999 or `none`");
            assert_eq!(error, Err(expected));
        }
    }

    #[test]
    fn the_clock_counts_towards_the_rule() {
        let position = errare_tables::parse_fen("8/8/8/8/8/2k5/1R6/K7 w - - 13 20").expect("a position");
        assert_eq!(MoveRule::FIFTY.moves_left(&position), Some(44));
        assert_eq!(MoveRule::NONE.moves_left(&position), None);
        assert_eq!(MoveRule::new(5).map(|rule| rule.moves_left(&position)), Ok(Some(0)));
    }
}
