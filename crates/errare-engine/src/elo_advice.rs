//! Advice by Elo: how people of an Elo choose among evaluated moves. No other module turns a calibration into play.

use crate::advice::AdvisedMove;
use crate::search::score;
use errare_ratings::{Calibration, Evaluation, RatingsError};
use errare_uci::Score;
use errare_work::Progress;
use std::ops::RangeInclusive;

/// The standard error of the calibration, in points, up to which an Elo can be played at.
const BEARABLE: f64 = 80.0;

/// The model of people of any Elo that a calibration gives.
#[derive(Debug)]
pub struct EloAdvice {
    calibration: &'static Calibration,
}

impl EloAdvice {
    /// Makes the model by the calibration that comes with the program; none if that cannot be read, which the tests
    /// rule out.
    pub fn new() -> Option<EloAdvice> {
        Some(EloAdvice { calibration: Calibration::shipped().first()? })
    }

    /// The range of Elos that can be played at: those at which the calibration's own error is bearable.
    pub fn range() -> RangeInclusive<u16> {
        let joint = Calibration::shipped().first().and_then(|calibration| calibration.joint.as_ref());
        let known = joint.map_or(&[][..], |joint| &joint.precision);
        let mut bearable = known.iter().filter(|at| at.calibration_se <= BEARABLE).map(|at| at.elo);
        let low = bearable.next().unwrap_or(1600.0);
        low as u16..=bearable.next_back().unwrap_or(2800.0) as u16
    }

    /// The range of Elos of the games that the calibration was made from.
    pub fn calibrated() -> RangeInclusive<u16> {
        let (low, high) = Calibration::shipped().first().map_or((1600.0, 2800.0), Calibration::range);
        low.round() as u16..=high.round() as u16
    }

    /// The depth of the evaluations that the calibration was made with.
    pub fn depth(&self) -> u32 {
        self.calibration.engine.depth.map_or(10, u32::from)
    }

    /// Explains what makes the strength of an Elo approximate, if an engine of this name evaluates to this depth, or
    /// our own search if no engine is named; none if nothing does.
    pub fn caveat(&self, elo: u16, engine: Option<&str>, depth: u32) -> Option<String> {
        let range = EloAdvice::calibrated();
        let by_range = (!range.contains(&elo)).then(|| {
            format!(
                "Elo {elo} is extrapolated: the calibration was made from games of players from {} to {}",
                range.start(),
                range.end()
            )
        });
        let all: Vec<String> = by_range.into_iter().chain(self.engine_caveat(engine, depth)).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    fn engine_caveat(&self, engine: Option<&str>, depth: u32) -> Option<String> {
        let known = &self.calibration.engine;
        let is_known = engine.is_some() && engine == known.name.as_deref() && depth == self.depth();
        let adviser = match engine {
            Some(name) => format!("{name} at depth {depth} advises"),
            None => "no engine advises".to_owned(),
        };
        (!is_known)
            .then(|| format!("the strength of an Elo is calibrated with {known}; {adviser}, so it is approximate"))
    }

    /// The probability of each move for people of an Elo, in a position that so many plies led to.
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
        assert!(low <= 1600 && high >= 2700, "{low} {high}");
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
        assert_eq!(advice.caveat(2000, Some("Stockfish 15.1"), advice.depth()), None);
        assert!(advice.caveat(2000, Some("Stockfish 15.1"), 4).is_some_and(|said| said.contains("at depth 4 advises")));
        assert!(advice.caveat(2000, None, 5).is_some_and(|said| said.contains("no engine advises")));
        let weak = advice.caveat(1600, Some("Stockfish 15.1"), advice.depth());
        assert!(weak.is_some_and(|said| said.starts_with("Elo 1600 is extrapolated")));
        let (playable, known) = (EloAdvice::range(), EloAdvice::calibrated());
        assert!(playable.contains(&1600) && playable.contains(&2800), "{playable:?}");
        assert!(playable.start() < known.start() && known.end() < playable.end(), "{playable:?} {known:?}");
    }
}
