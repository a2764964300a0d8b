//! Scores of positions, as UCI writes them.

use std::fmt;

/// A score from the side of the player to move, as UCI writes it after `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate: the player to move mates if positive, is mated if negative, is mated already if zero.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(hundredths) => write!(f, "cp {hundredths}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_uci_has_them() {
        assert_eq!(Score::Centipawns(-35).to_string(), "cp -35");
        assert_eq!(Score::Mate(3).to_string(), "mate 3");
    }
}
