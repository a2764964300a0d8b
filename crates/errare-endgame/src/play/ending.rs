//! The end of a game against an agent, and the counts towards a draw.

use errare_tables::Material;
use shakmaty::{Chess, Color, Position};

use crate::move_rule::MoveRule;

/// The number of occurrences of a position after which a draw can be claimed.
const REPETITIONS_TO_CLAIM: u32 = 3;

/// The number of occurrences of a position after which the game is drawn without a claim.
const REPETITIONS_TO_END: u32 = 5;

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayEndReason {
    /// A player was checkmated.
    Mate,
    /// The game was drawn by the rules of chess.
    Draw(DrawReason),
    /// The person resigned.
    Resignation,
    /// No table knows this endgame, so that the game cannot go on.
    LeftTables(Material),
}

/// The reason why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side has enough men left to mate with.
    InsufficientMaterial,
    /// The move rule makes the game a draw.
    MoveRule,
    /// The position occurred too often.
    Repetition,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayEnd {
    /// The reason why the game ended.
    pub reason: PlayEndReason,
    /// The winner of the game, if anybody won.
    pub winner: Option<Color>,
    /// The side that claimed a draw; none if no claim was needed.
    pub claimed_by: Option<Color>,
}

impl PlayEnd {
    pub(super) fn drawn(reason: DrawReason) -> PlayEnd {
        PlayEnd { reason: PlayEndReason::Draw(reason), winner: None, claimed_by: None }
    }
}

/// The count towards the move rule, and how often the position has occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawCount {
    /// Number of plies since the last capture or pawn move.
    pub plies: u32,
    /// The move rule in force.
    pub rule: MoveRule,
    /// Number of times that the position has occurred since the last capture or pawn move, now included.
    pub repetitions: u32,
}

impl DrawCount {
    /// The reason for which the side to move may claim a draw; none if it may not.
    pub fn claim(&self) -> Option<DrawReason> {
        self.reached(1.0, REPETITIONS_TO_CLAIM)
    }

    /// The reason for which the game is drawn without a claim: after half as many moves again as the rule has, so 75
    /// for the 50-move rule, or when the position has occurred five times.
    pub(super) fn forced(&self) -> Option<DrawReason> {
        self.reached(1.5, REPETITIONS_TO_END)
    }

    fn reached(&self, share: f64, repetitions: u32) -> Option<DrawReason> {
        let limit = self.rule.moves().map(|moves| share * f64::from(moves));
        if self.repetitions >= repetitions {
            Some(DrawReason::Repetition)
        } else if limit.is_some_and(|moves| f64::from(self.plies) >= 2.0 * moves) {
            Some(DrawReason::MoveRule)
        } else {
            None
        }
    }
}

/// Returns the end that the rules of chess bring about in a position without a claim by anybody.
pub(super) fn forced_end(position: &Chess, count: &DrawCount) -> Option<PlayEnd> {
    if position.is_checkmate() {
        let winner = Some(!position.turn());
        return Some(PlayEnd { reason: PlayEndReason::Mate, winner, claimed_by: None });
    }
    let reason = if position.is_stalemate() {
        Some(DrawReason::Stalemate)
    } else if position.is_insufficient_material() {
        Some(DrawReason::InsufficientMaterial)
    } else {
        count.forced()
    };
    reason.map(PlayEnd::drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(plies: u32, rule: MoveRule, repetitions: u32) -> DrawCount {
        DrawCount { plies, rule, repetitions }
    }

    #[test]
    fn draws_are_claimed_at_the_rule_and_forced_later() {
        let fifty = MoveRule::FIFTY;
        assert_eq!(count(99, fifty, 2).claim(), None);
        assert_eq!(count(100, fifty, 1).claim(), Some(DrawReason::MoveRule));
        assert_eq!(count(149, fifty, 4).forced(), None);
        assert_eq!(count(150, fifty, 1).forced(), Some(DrawReason::MoveRule));
        assert_eq!(count(0, MoveRule::NONE, 3).claim(), Some(DrawReason::Repetition));
        assert_eq!(count(0, MoveRule::NONE, 5).forced(), Some(DrawReason::Repetition));
        assert_eq!(count(10_000, MoveRule::NONE, 1).forced(), None);
    }
}
