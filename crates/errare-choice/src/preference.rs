//! Preference functions: how much a player of competence c likes a state.

use crate::state::{Depth, State, States};

/// A preference function S_c, given by its logarithm.
///
/// An implementation must have the properties p03 to p08 of Haworth (2003); `tests/properties.rs` states them as
/// tests that run on any implementation. In short: S_0 is constant; a state's preference relative to a better one
/// falls as c grows, to 0; wins, and losses, differ less the deeper they are; the draw is worth a win of some depth
/// d_W beyond the deepest, and a loss of some depth d_L beyond the deepest. It follows that better states are preferred
/// for c > 0, and worse ones for c < 0 (p07).
///
/// Implementations need not handle the limits of c to plus and minus infinity, which follow from the order of states
/// alone.
pub trait Preference {
    /// The states that the function is defined for.
    fn states(&self) -> States;

    /// The depths d_W and d_L for which S_c(draw) = S_c(win, d_W) = S_c(loss, d_L) (p05).
    fn draw_depths(&self) -> DrawDepths;

    /// The logarithm of the preference, ln S_c(s), for finite c; never NaN.
    ///
    /// It may be infinite where the function is a limit, as the power law at kappa = 0+: choices of preference plus
    /// infinity are then taken before all others, those of minus infinity after all others, and choices of the same
    /// infinite preference share by weight.
    fn log_preference(&self, state: State, c: f64) -> f64;
}

impl<P: Preference + ?Sized> Preference for &P {
    fn states(&self) -> States {
        (**self).states()
    }

    fn draw_depths(&self) -> DrawDepths {
        (**self).draw_depths()
    }

    fn log_preference(&self, state: State, c: f64) -> f64 {
        (**self).log_preference(state, c)
    }
}

/// The depths d_W and d_L of the win and of the loss that a draw is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawDepths {
    /// The depth d_W, beyond the deepest win.
    pub win: Depth,
    /// The depth d_L, beyond the deepest loss.
    pub loss: Depth,
}

impl DrawDepths {
    /// The least possible depths: one more than the deepest win and loss.
    ///
    /// # Errors
    /// [`PreferenceError::TooDeep`] if a state already has the greatest depth that there is.
    pub fn nearest(states: States) -> Result<DrawDepths, PreferenceError> {
        let beyond = |deepest: Depth| deepest.0.checked_add(1).map(Depth).ok_or(PreferenceError::TooDeep(deepest));
        Ok(DrawDepths { win: beyond(states.deepest_win())?, loss: beyond(states.deepest_loss())? })
    }

    /// Returns the depths if they lie beyond the deepest states.
    pub(crate) fn checked(self, states: States) -> Result<DrawDepths, PreferenceError> {
        for (draw, deepest) in [(self.win, states.deepest_win()), (self.loss, states.deepest_loss())] {
            if draw <= deepest {
                return Err(PreferenceError::DrawNotBeyond { draw, deepest });
            }
        }
        Ok(self)
    }
}

/// Parameters that do not define a preference function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PreferenceError {
    /// The depth d_W or d_L of the draw is not beyond the deepest state.
    #[error("invalid depth {draw} for the draw: expected more than {deepest}, the depth of the deepest state")]
    DrawNotBeyond {
        /// The depth d_W or d_L that was asked for.
        draw: Depth,
        /// The depth n_W or n_L of the deepest state.
        deepest: Depth,
    },
    /// No depth is left for the draw beyond the deepest state.
    #[error("no depth is left for the draw: the deepest state already has depth {0}")]
    TooDeep(Depth),
    /// The exponent of a stretched exponential is not between 0 and 1.
    #[error("invalid exponent {0}: expected a number between 0 and 1")]
    Exponent(f64),
}
