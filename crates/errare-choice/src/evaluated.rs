//! The fallible player among candidates that are evaluated on one scale instead of having states.
//!
//! "Taking the concept of the fallible player beyond the endgame with an EGT, a game-engine may ... be able to offer a
//! number of comparable options evaluated on the same basis. If so, an R_c player could be defined to choose its moves
//! stochastically" (Haworth 2003, section 9.1).

use crate::competence::Competence;
use crate::probability::ChoiceError;

/// The probabilities with which R_c chooses among candidates, given how much less each is worth than the best.
///
/// They are in proportion to (1 + loss)^-c: Haworth's power law with kappa = 1, with losses for depths.
///
/// ```
/// use errare_choice::{Competence, probabilities_by_loss};
/// // 1, (1 + 1)^-2 and (1 + 3)^-2.
/// let found = probabilities_by_loss(&[0.0, 1.0, 3.0], Competence::new(2.0)?)?;
/// assert!((found[0] - 16.0 / 21.0).abs() < 1e-15 && (found[2] - 1.0 / 21.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the candidates are empty, or a loss is negative or not finite.
pub fn probabilities_by_loss(losses: &[f64], competence: Competence) -> Result<Vec<f64>, ChoiceError> {
    if let Some(index) = losses.iter().position(|loss| !(loss.is_finite() && *loss >= 0.0)) {
        return Err(ChoiceError::Loss { index, loss: losses[index] });
    }
    let least = losses.iter().copied().reduce(f64::min).ok_or(ChoiceError::Nothing)?;
    let greatest = losses.iter().copied().fold(least, f64::max);
    let share = |is_chosen: bool| if is_chosen { 1.0 } else { 0.0 };
    let weight = |&loss: &f64| match competence.finite() {
        None if competence == Competence::INFALLIBLE => share(loss == least),
        None => share(loss == greatest),
        Some(c) => {
            // Relative to the likeliest, so that nothing overflows.
            let unit = if c > 0.0 { least } else { greatest };
            (-c * (loss.ln_1p() - unit.ln_1p())).exp()
        }
    };
    let weights: Vec<f64> = losses.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    Ok(weights.into_iter().map(|weight| weight / sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(c: f64, losses: &[f64]) -> Vec<f64> {
        probabilities_by_loss(losses, Competence::new(c).expect("a competence")).expect("probabilities")
    }

    #[test]
    fn losses_are_weighed_by_the_power_law() {
        let sum = 1.0 + 0.25 + 0.0625;
        for (found, expected) in at(2.0, &[0.0, 1.0, 3.0]).iter().zip([1.0 / sum, 0.25 / sum, 0.0625 / sum]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(at(0.0, &[5.0, 1.0, 0.0, 10.0]), [0.25; 4]);
        assert_eq!(at(f64::INFINITY, &[0.0, 0.0, 0.5]), [0.5, 0.5, 0.0]);
        assert_eq!(at(f64::NEG_INFINITY, &[0.0, 0.5, 1.0]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn nothing_overflows() {
        for c in [Competence::MAX, -Competence::MAX, 500.0, -500.0] {
            let found = at(c, &[0.0, 9.0, 10.0]);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn what_is_no_loss_is_refused() {
        let refused = |losses: &[f64]| probabilities_by_loss(losses, Competence::RANDOM).err();
        assert_eq!(refused(&[]), Some(ChoiceError::Nothing));
        assert_eq!(refused(&[0.0, -1.0]), Some(ChoiceError::Loss { index: 1, loss: -1.0 }));
        assert!(matches!(refused(&[f64::NAN]), Some(ChoiceError::Loss { index: 0, .. })));
        assert!(matches!(refused(&[f64::INFINITY]), Some(ChoiceError::Loss { index: 0, .. })));
    }
}
