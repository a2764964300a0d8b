//! Moves evaluated by a search, for positions that no table knows.

use crate::scores::number;
use crate::search::FAR_BEHIND;
use errare_choice::{ChoiceError, Competence, probabilities_by_loss};
use errare_uci::Score;
use shakmaty::Move;

/// The moves of a position with their scores, as a search evaluated them.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// Depth of the search in plies.
    pub depth: u32,
    /// Number of positions searched.
    pub nodes: u64,
    /// Moves with their scores, best first.
    pub moves: Vec<AdvisedMove>,
}

/// A move with its score and principal variation.
#[derive(Clone, Debug)]
pub struct AdvisedMove {
    /// The move.
    pub mv: Move,
    /// The score of the move for the side to move, in hundredths of a pawn; mates are near 30,000.
    pub score: i32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<Move>,
}

impl AdvisedMove {
    /// Makes an advised move of the score that an engine gives a move.
    pub fn new(mv: Move, score: Score) -> AdvisedMove {
        AdvisedMove { mv, score: number(score), pv: vec![mv] }
    }

    /// Makes an advised move of score 0, for a move of which nothing is known.
    pub fn bare(mv: Move) -> AdvisedMove {
        AdvisedMove { mv, score: 0, pv: vec![mv] }
    }
}

/// The probabilities with which R_c makes the moves: in proportion to (1 + delta)^-c, where delta is how many pawns a
/// move is behind the best. A move that is far behind counts as [`FAR_BEHIND`], however bad it is.
///
/// # Errors
/// If there are no moves.
pub fn probabilities(moves: &[AdvisedMove], competence: Competence) -> Result<Vec<f64>, ChoiceError> {
    let best = moves.iter().map(|advised| advised.score).max().unwrap_or(0);
    let loss = |advised: &AdvisedMove| f64::from((best - advised.score).min(FAR_BEHIND)) / 100.0;
    probabilities_by_loss(&moves.iter().map(loss).collect::<Vec<f64>>(), competence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn at(c: f64, scores: &[i32]) -> Vec<f64> {
        let moves = Chess::default().legal_moves();
        let advised = scores.iter().zip(moves).map(|(&score, mv)| AdvisedMove { score, ..AdvisedMove::bare(mv) });
        probabilities(&advised.collect::<Vec<_>>(), Competence::new(c).expect("a competence")).expect("probabilities")
    }

    #[test]
    fn moves_are_weighed_by_pawns_behind_the_best() {
        // 1, (1 + 1)^-2 and (1 + 3)^-2.
        let found = at(2.0, &[50, -50, -250]);
        let sum = 1.0 + 0.25 + 0.0625;
        for (found, expected) in found.iter().zip([1.0 / sum, 0.25 / sum, 0.0625 / sum]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(at(0.0, &[50, -50, -29_000, 29_000]), [0.25; 4]);
        assert_eq!(at(f64::INFINITY, &[50, 50, 0]), [0.5, 0.5, 0.0]);
        assert_eq!(at(f64::NEG_INFINITY, &[50, 0, -50]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn what_is_far_behind_is_alike_and_nothing_overflows() {
        let found = at(1.0, &[29_990, 500, -29_990]);
        assert!((found[1] - found[2]).abs() < 1e-15 && (found[0] / found[1] - 11.0).abs() < 1e-9);
        assert_eq!(at(f64::NEG_INFINITY, &[29_990, 500, -29_990]), [0.0, 0.5, 0.5]);
        for c in [1e100, -1e100, 500.0, -500.0] {
            let found = at(c, &[900, 0, -100]);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
        }
    }
}
