//! The flags of the move rule.

use clap::Args;
use errare_endgame::MoveRule;

/// Which move rule is in force.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "The move rule")]
pub struct RuleFlags {
    /// Moves by each side without a capture or a pawn move after which a draw can be claimed, or `none`
    /// [default: 50; for match none, unless the start is drawn]
    #[arg(long, value_name = "MOVES|none")]
    rule: Option<MoveRule>,
    /// Short for --rule none
    #[arg(long, hide = true, conflicts_with = "rule")]
    ignore_rule: bool,
}

impl RuleFlags {
    /// The rule that was asked for.
    pub fn given(&self) -> Option<MoveRule> {
        if self.ignore_rule { Some(MoveRule::NONE) } else { self.rule }
    }

    /// The rule that was asked for, or that of chess.
    pub fn rule(&self) -> MoveRule {
        self.given().unwrap_or_default()
    }
}
