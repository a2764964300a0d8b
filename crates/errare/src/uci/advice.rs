//! Advice on moves that no table knows, and how a fallible player makes use of it.
//!
//! "Taking the concept of the fallible player beyond the endgame with an EGT, a game-engine may ... be able to offer a
//! number of comparable options evaluated on the same basis. If so, an R_c player could be defined to choose its moves
//! stochastically" (first paper, section 9.1).

use super::search::FAR_BEHIND;
use errare_choice::Competence;
use shakmaty::Move;

/// What an adviser has found.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Moves with their scores, best first.
    pub lines: Vec<Line>,
}

/// A move, what it is worth, and what follows.
#[derive(Clone, Debug)]
pub struct Line {
    pub mv: Move,
    /// For the side to move, in hundredths of a pawn; mates are near [`MATE`](super::search::MATE).
    pub score: i32,
    /// Beginning with the move.
    pub pv: Vec<Move>,
}

impl Line {
    /// A move of which nothing is known.
    pub fn bare(mv: Move) -> Line {
        Line { mv, score: 0, pv: vec![mv] }
    }
}

/// How likely R_c is to make each of the moves: in proportion to (1 + delta)^-c, where delta is how many pawns the move
/// is behind the best.
///
/// That is the paper's power law with kappa = 1, with pawns for depth. Delta ends where moves are far behind.
pub fn chances(lines: &[Line], competence: Competence) -> Vec<f64> {
    let best = lines.iter().map(|line| line.score).max().unwrap_or(0);
    let behind = |line: &Line| (best - line.score).min(FAR_BEHIND);
    let furthest = lines.iter().map(behind).max().unwrap_or(0);
    let weight = |line: &Line| match competence.finite() {
        None if competence == Competence::INFALLIBLE => f64::from(u8::from(behind(line) == 0)),
        None => f64::from(u8::from(behind(line) == furthest)),
        Some(c) => {
            // Relative to the likeliest, so that nothing overflows.
            let unit = if c > 0.0 { 0 } else { furthest };
            let log = |behind: i32| (f64::from(behind) / 100.0).ln_1p();
            (-c * (log(behind(line)) - log(unit))).exp()
        }
    };
    let weights: Vec<f64> = lines.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    fn lines(scores: &[i32]) -> Vec<Line> {
        let moves = Chess::default().legal_moves();
        scores.iter().zip(moves).map(|(&score, mv)| Line { score, ..Line::bare(mv) }).collect()
    }

    fn at(c: f64, scores: &[i32]) -> Vec<f64> {
        chances(&lines(scores), Competence::new(c).expect("a competence"))
    }

    #[test]
    fn moves_are_weighed_by_the_power_law() {
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
        for c in [1e300, -1e300, 500.0, -500.0] {
            let found = at(c, &[900, 0, -100]);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
        }
    }
}
