//! The preference function of Haworth (2003): a power of the depth.

use crate::kappa::Kappa;
use crate::preference::{DrawDepths, Preference, PreferenceError};
use crate::state::{Depth, State, States};

/// The power law of Haworth (2003), section 6 (there SF_c):
///
/// ```text
/// S_c(win, d)  = (d + kappa)^-c
/// S_c(draw)    = (d_W + kappa)^-c
/// S_c(loss, d) = lambda (d + kappa)^c,   lambda = [(d_W + kappa) (d_L + kappa)]^-c
/// ```
///
/// At kappa = 0+ a win of depth 0 is preferred without limit for c > 0, and shunned without limit for c < 0; a loss of
/// depth 0 the other way round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    states: States,
    kappa: Kappa,
    draw: DrawDepths,
}

impl PowerLaw {
    /// Makes the power law whose d_W and d_L are one beyond the deepest states.
    ///
    /// # Errors
    /// [`PreferenceError::TooDeep`] if no depth is left beyond the deepest states.
    pub fn new(states: States, kappa: Kappa) -> Result<PowerLaw, PreferenceError> {
        Ok(PowerLaw { states, kappa, draw: DrawDepths::nearest(states)? })
    }

    /// Replaces d_W and d_L: the greater they are, the less likely a draw, or a loss, is chosen.
    ///
    /// # Errors
    /// [`PreferenceError::DrawNotBeyond`] if they are not beyond the deepest states.
    pub fn with_draw_depths(self, draw: DrawDepths) -> Result<PowerLaw, PreferenceError> {
        Ok(PowerLaw { draw: draw.checked(self.states)?, ..self })
    }

    /// The logarithm ln(d + kappa); minus infinity for depth 0 at 0+.
    fn log_depth(&self, depth: Depth) -> f64 {
        (f64::from(depth.0) + self.kappa.value()).ln()
    }
}

impl Preference for PowerLaw {
    fn states(&self) -> States {
        self.states
    }

    fn draw_depths(&self) -> DrawDepths {
        self.draw
    }

    fn log_preference(&self, state: State, c: f64) -> f64 {
        // 0 times the infinite logarithm of 0+ would not be a number, and R_0 knows no preference.
        if c == 0.0 {
            return 0.0;
        }
        let draw = self.log_depth(self.draw.win);
        match state {
            State::Win(depth) => -c * self.log_depth(depth),
            State::Draw => -c * draw,
            State::Loss(depth) => -c * (draw + (self.log_depth(self.draw.loss) - self.log_depth(depth))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, two: f64) -> bool {
        (one - two).abs() < 1e-14 * two.abs().max(1.0)
    }

    #[test]
    fn figures_1_and_2_of_haworth_2003() -> Result<(), PreferenceError> {
        // c = kappa = 1, n_W = 31, n_L = 3, d_W = 32, d_L = 4.
        let law = PowerLaw::new(States::new(Depth(31), Depth(3)), Kappa::ONE)?;
        assert_eq!(law.draw_depths(), DrawDepths { win: Depth(32), loss: Depth(4) });
        assert!(close(law.log_preference(State::Win(Depth(0)), 1.0), 0.0));
        assert!(close(law.log_preference(State::Win(Depth(31)), 1.0), -(32_f64.ln())));
        assert!(close(law.log_preference(State::Draw, 1.0), -(33_f64.ln())));
        assert!(close(law.log_preference(State::Loss(Depth(3)), 1.0), (4.0 / 165.0_f64).ln()));
        assert!(close(law.log_preference(State::Loss(Depth(0)), 1.0), (1.0 / 165.0_f64).ln()));
        Ok(())
    }

    #[test]
    fn zero_plus_is_the_limit() -> Result<(), Box<dyn std::error::Error>> {
        let states = States::new(Depth(31), Depth(3));
        let limit = PowerLaw::new(states, Kappa::ZERO_PLUS)?;
        assert_eq!(limit.log_preference(State::Win(Depth(0)), 2.0), f64::INFINITY);
        assert_eq!(limit.log_preference(State::Win(Depth(0)), -2.0), f64::NEG_INFINITY);
        assert_eq!(limit.log_preference(State::Loss(Depth(0)), 2.0), f64::NEG_INFINITY);
        assert_eq!(limit.log_preference(State::Loss(Depth(0)), -2.0), f64::INFINITY);
        let near = PowerLaw::new(states, Kappa::new(1e-12)?)?;
        for state in states.iter() {
            assert_eq!(limit.log_preference(state, 0.0), 0.0);
            if state.depth() != Some(Depth(0)) {
                assert!((limit.log_preference(state, 3.0) - near.log_preference(state, 3.0)).abs() < 1e-10);
            }
        }
        Ok(())
    }

    #[test]
    fn a_draw_lies_beyond_the_deepest() -> Result<(), PreferenceError> {
        let law = PowerLaw::new(States::new(Depth(31), Depth(3)), Kappa::ONE)?;
        let refused = law.with_draw_depths(DrawDepths { win: Depth(31), loss: Depth(4) });
        assert_eq!(refused, Err(PreferenceError::DrawNotBeyond { draw: Depth(31), deepest: Depth(31) }));
        assert!(law.with_draw_depths(DrawDepths { win: Depth(100), loss: Depth(4) }).is_ok());
        assert!(PowerLaw::new(States::new(Depth(u16::MAX), Depth(3)), Kappa::ONE).is_err());
        Ok(())
    }
}
