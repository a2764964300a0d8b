//! The flags of the move rule.

use clap::Args;
use shakmaty::{Chess, Position};

/// Which move rule is in force.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "The move rule")]
pub struct RuleFlags {
    /// A draw can be claimed after so many moves by each side without a capture or a pawn move
    #[arg(long, default_value_t = 50, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..=9999))]
    rule: u16,
    /// No such rule is in force
    #[arg(long, conflicts_with = "rule")]
    ignore_rule: bool,
}

impl RuleFlags {
    /// The moves of the rule, if there is one.
    pub fn moves(&self) -> Option<u16> {
        (!self.ignore_rule).then_some(self.rule)
    }

    /// mleft: the moves that the side to move may still make before a draw can be claimed.
    pub fn moves_left(&self, position: &Chess) -> Option<u32> {
        let plies = 2 * u32::from(self.moves()?);
        Some(plies.saturating_sub(position.halfmoves()).div_ceil(2))
    }
}
