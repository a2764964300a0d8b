//! The probabilities with which players of an Elo choose moves, from an engine's evaluations.

use crate::calibration::Calibration;
use crate::error::RatingsError;
use crate::evaluation::Evaluation;
use crate::joint::JointOdds;
use errare_choice::Odds;
use errare_work::Progress;

impl Calibration {
    /// The probability with which a player of this Elo chooses each of the moves of a position, in the order of the
    /// evaluations, which need not be sorted.
    ///
    /// The evaluations are of all legal moves, by the calibration's engine at its depth, from the side of the player to
    /// move; `ply` is the number of plies made before. The probabilities are those of the joint model, or of the skill
    /// curve through the mileposts if the calibration has no joint model; the sum is 1.
    ///
    /// ```
    /// use errare_ratings::{Calibration, Evaluation};
    /// use errare_work::Silent;
    /// let calibration = &Calibration::shipped()[0];
    /// let evaluations = [31, 28, 5, -120].map(Evaluation::Centipawns);
    /// let weak = calibration.move_probabilities(1800.0, &evaluations, 30, &Silent)?;
    /// let strong = calibration.move_probabilities(2600.0, &evaluations, 30, &Silent)?;
    /// assert!((weak.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    /// assert!(strong[0] > weak[0] && strong[3] < weak[3]);
    /// # Ok::<(), errare_ratings::RatingsError>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::OutsideRange`](crate::Refusal::OutsideRange) if the model has no player of this Elo;
    /// [`RatingsError::Choice`] if there are no moves; [`RatingsError::Cancelled`] if the work is cancelled.
    pub fn move_probabilities(
        &self,
        elo: f64,
        evaluations: &[Evaluation],
        ply: u16,
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, RatingsError> {
        let pawns = evaluations.iter().map(|&evaluation| self.scale.pawns(evaluation));
        let best = pawns.clone().fold(f64::NEG_INFINITY, f64::max);
        let losses: Vec<f32> = pawns.map(|value| self.scale.loss(best, value) as f32).collect();
        match &self.joint {
            Some(joint) => {
                let mut odds = JointOdds::default();
                joint.model.weigh_losses(&mut odds, elo, &losses, ply)?;
                Ok(odds.probabilities().to_vec())
            }
            None => {
                let mut odds = Odds::default();
                self.model.weigh_losses(&mut odds, self.skill(elo, progress)?, |_| &losses)?;
                Ok(odds.probabilities().to_vec())
            }
        }
    }
}
