//! Stalemate, seen without generating all moves where that can be.

use shakmaty::{Chess, Position, attacks};

/// Whether the side to move is stalemated. Nearly always its king has a move, which is seen at once.
pub fn is_stalemate(position: &Chess) -> bool {
    !king_can_move(position) && position.is_stalemate()
}

fn king_can_move(position: &Chess) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return false };
    // The king hides no square behind it from the men that attack it.
    let others = board.occupied().without(king);
    let steps = attacks::king_attacks(king) & !board.by_color(turn);
    steps.into_iter().any(|to| board.attacks_to(to, !turn, others).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_fen;

    #[test]
    fn stalemate_is_what_the_rules_say() {
        let cases = [
            ("k7/8/1Q6/8/8/8/8/K7 b - - 0 1", false, true),
            ("k7/1R6/K7/8/8/8/8/8 b - - 0 1", false, true),
            ("k7/2Q5/8/8/8/8/7p/K7 b - - 0 1", false, false),
            ("7k/8/8/8/8/p7/K7/1q6 w - - 0 1", true, false),
            // The square behind the king is attacked through it.
            ("8/8/8/8/8/2k5/8/r3K3 w - - 0 1", true, false),
            ("8/8/8/8/8/8/3k4/r6K w - - 0 1", true, false),
            ("5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", false, true),
            // Mate is no stalemate.
            ("8/8/8/8/8/1k6/pp6/K7 w - - 0 1", false, false),
            ("8/8/8/8/8/2k5/p7/K7 w - - 0 1", true, false),
        ];
        for (fen, king_moves, stalemate) in cases {
            let position = parse_fen(fen).expect(fen);
            assert_eq!((king_can_move(&position), is_stalemate(&position)), (king_moves, stalemate), "{fen}");
            assert_eq!(position.is_stalemate(), stalemate, "{fen}");
        }
    }
}
