//! How people of an Elo choose among evaluated moves: the one place where a calibration becomes play.

use crate::advice::AdvisedMove;
use crate::search::score;
use errare_ratings::{Calibration, Evaluation, RatingsError};
use errare_uci::Score;
use errare_work::Progress;
use std::ops::RangeInclusive;

/// The model of people of any Elo that a calibration gives.
#[derive(Debug)]
pub struct EloAdvice {
    calibration: &'static Calibration,
}

impl EloAdvice {
    /// The model by the calibration that comes with the program; none if that cannot be read, which the tests rule out.
    pub fn new() -> Option<EloAdvice> {
        Some(EloAdvice { calibration: Calibration::shipped().first()? })
    }

    /// The Elos that the calibration knows.
    pub fn range() -> RangeInclusive<u16> {
        let (low, high) = Calibration::shipped().first().map_or((1600.0, 2800.0), Calibration::range);
        low.round() as u16..=high.round() as u16
    }

    /// The depth of the evaluations that the calibration was made with.
    pub fn depth(&self) -> u32 {
        self.calibration.engine.depth.map_or(10, u32::from)
    }

    /// What makes strength by Elo approximate, if an engine of this name evaluates to this depth, or our own search if there
    /// is none.
    pub fn caveat(&self, engine: Option<&str>, depth: u32) -> Option<String> {
        let known = &self.calibration.engine;
        let is_known = engine.is_some() && engine == known.name.as_deref() && depth == self.depth();
        let adviser = match engine {
            Some(name) => format!("{name} at depth {depth} advises"),
            None => "no engine advises".to_owned(),
        };
        (!is_known)
            .then(|| format!("the strength of an Elo is calibrated with {known}; {adviser}, so it is approximate"))
    }

    /// The probability of each move, in a position that so many plies led to.
    ///
    /// # Errors
    /// If the calibration has no players of the Elo, there are no moves, or the work is cancelled.
    pub fn probabilities(
        &self,
        moves: &[AdvisedMove],
        elo: u16,
        ply: u16,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, RatingsError> {
        let evaluations: Vec<Evaluation> = moves.iter().map(|advised| evaluation(advised.score)).collect();
        self.calibration.move_probabilities(f64::from(elo), &evaluations, ply, progress)
    }
}

fn evaluation(number: i32) -> Evaluation {
    match score(number) {
        Score::Centipawns(value) => Evaluation::Centipawns(value),
        Score::Mate(moves) => Evaluation::Mate(moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;
    use errare_work::Silent;
    use shakmaty::{Chess, Position};

    fn chances(elo: u16, scores: &[i32]) -> Vec<f64> {
        let moves = Chess::default().legal_moves();
        let advised = scores.iter().zip(moves).map(|(&score, mv)| AdvisedMove { score, ..AdvisedMove::bare(mv) });
        let advice = EloAdvice::new().expect("a calibration");
        advice.probabilities(&advised.collect::<Vec<_>>(), elo, 30, &Silent).expect("probabilities")
    }

    #[test]
    fn the_stronger_the_elo_the_likelier_the_best_move() {
        let scores = [30, 20, -10, -80, -300];
        let (low, high) = (*EloAdvice::range().start(), *EloAdvice::range().end());
        assert!(low <= 1900 && high >= 2700, "{low} {high}");
        let (weak, strong) = (chances(low, &scores), chances(high, &scores));
        assert!(strong[0] > weak[0] + 0.02, "{weak:?} {strong:?}");
        for found in [&weak, &strong] {
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
            assert!(found.windows(2).all(|pair| pair[0] > pair[1]), "{found:?}");
            assert!(found[4] < 0.02, "{found:?}");
        }
        // A mate is not missed for long, and a pawn more or less matters little where all is won.
        assert!(chances(low, &[MATE - 1, 900, 100])[0] > 0.9);
        let won = chances(low, &[1200, 1100]);
        assert!(won[1] > 0.3, "{won:?}");
    }

    #[test]
    fn what_makes_it_approximate_is_said() {
        let advice = EloAdvice::new().expect("a calibration");
        assert_eq!(advice.caveat(Some("Stockfish 15.1"), advice.depth()), None);
        assert!(advice.caveat(Some("Stockfish 15.1"), 4).is_some_and(|said| said.contains("at depth 4 advises")));
        assert!(advice.caveat(None, 5).is_some_and(|said| said.contains("no engine advises")));
    }
}
