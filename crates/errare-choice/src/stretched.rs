//! A second preference function, of another shape than the power law: a stretched exponential of the depth.

use crate::preference::{DrawDepths, Preference, PreferenceError};
use crate::state::{Depth, State, States};

/// A preference function that sees a power of the depth (as in Stevens' law), where the power law sees its logarithm
/// (as in Fechner's):
///
/// ```text
/// S_c(win, d)  = exp(-c d^alpha),   0 < alpha < 1
/// S_c(draw)    = exp(-c d_W^alpha)
/// S_c(loss, d) = exp(-c (d_W^alpha + d_L^alpha - d^alpha))
/// ```
///
/// It has the properties p03 to p08, is finite at depth 0 without a kappa, and distinguishes deep wins better than the
/// power law does. It shows how much a result depends on the choice of S_c. Its c is on another scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchedExponential {
    states: States,
    exponent: f64,
    draw: DrawDepths,
}

impl StretchedExponential {
    /// Makes the function with the exponent alpha, and with d_W and d_L one beyond the deepest states.
    ///
    /// # Errors
    /// [`PreferenceError::Exponent`] if alpha is not between 0 and 1, [`PreferenceError::TooDeep`] if no depth is left
    /// beyond the deepest states.
    pub fn new(states: States, exponent: f64) -> Result<StretchedExponential, PreferenceError> {
        if !(exponent > 0.0 && exponent < 1.0) {
            return Err(PreferenceError::Exponent(exponent));
        }
        Ok(StretchedExponential { states, exponent, draw: DrawDepths::nearest(states)? })
    }

    /// Replaces d_W and d_L.
    ///
    /// # Errors
    /// [`PreferenceError::DrawNotBeyond`] if they are not beyond the deepest states.
    pub fn with_draw_depths(self, draw: DrawDepths) -> Result<StretchedExponential, PreferenceError> {
        Ok(StretchedExponential { draw: draw.checked(self.states)?, ..self })
    }

    fn felt(&self, depth: Depth) -> f64 {
        f64::from(depth.0).powf(self.exponent)
    }
}

impl Preference for StretchedExponential {
    fn states(&self) -> States {
        self.states
    }

    fn draw_depths(&self) -> DrawDepths {
        self.draw
    }

    fn log_preference(&self, state: State, c: f64) -> f64 {
        let draw = self.felt(self.draw.win);
        match state {
            State::Win(depth) => -c * self.felt(depth),
            State::Draw => -c * draw,
            State::Loss(depth) => -c * (draw + (self.felt(self.draw.loss) - self.felt(depth))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_computed_case() -> Result<(), PreferenceError> {
        let stretched = StretchedExponential::new(States::new(Depth(8), Depth(3)), 0.5)?;
        assert!((stretched.log_preference(State::Win(Depth(4)), 3.0) + 6.0).abs() < 1e-14);
        assert!((stretched.log_preference(State::Draw, 3.0) + 9.0).abs() < 1e-14);
        assert!((stretched.log_preference(State::Loss(Depth(1)), 3.0) + 12.0).abs() < 1e-14);
        Ok(())
    }

    #[test]
    fn the_exponent_lies_between_0_and_1() {
        for exponent in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(StretchedExponential::new(States::new(Depth(8), Depth(3)), exponent).is_err());
        }
    }
}
