//! How a game against an agent ends.

use errare_tables::Material;
use shakmaty::{Chess, Color, Position};

use crate::move_rule::MoveRule;

/// How often a position has to occur for a draw to be claimed.
const REPETITIONS_TO_CLAIM: u32 = 3;

/// How often a position has to occur for the game to be drawn without a claim.
const REPETITIONS_TO_END: u32 = 5;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayEndReason {
    /// Checkmate.
    Mate,
    /// A draw by the rules of chess.
    Draw(DrawReason),
    /// The person resigned.
    Resignation,
    /// No table knows this endgame, so that the game cannot go on.
    LeftTables(Material),
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// Stalemate.
    Stalemate,
    /// Nobody has enough left to mate with.
    InsufficientMaterial,
    /// The move rule.
    MoveRule,
    /// The position occurred too often.
    Repetition,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayEnd {
    /// Why it ended.
    pub reason: PlayEndReason,
    /// Who won, if anybody.
    pub winner: Option<Color>,
    /// Who claimed a draw; none if nobody had to.
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
    /// Plies since the last capture or pawn move.
    pub plies: u32,
    /// The move rule.
    pub rule: MoveRule,
    /// How often the position has occurred since then, now included.
    pub repetitions: u32,
}

impl DrawCount {
    /// Why the side to move may claim a draw; none if it may not.
    pub fn claim(&self) -> Option<DrawReason> {
        self.reached(1.0, REPETITIONS_TO_CLAIM)
    }

    /// Why the game is drawn without a claim: after half as many moves again as the rule has, so 75 for the 50-move
    /// rule, or when the position has occurred five times.
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

/// The end that the rules of chess bring about in a position, without anybody claiming anything.
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
