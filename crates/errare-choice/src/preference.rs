//! Preference functions: how much a player of competence c likes a state.

use crate::state::{Depth, State, States};

/// A preference function S_c, given by its logarithm.
///
/// The properties p03 to p08 of the paper are what an implementation must have; `tests/properties.rs` states them as
/// tests that run on any implementation. In short: S_0 is constant; a state's preference relative to a better one
/// falls as c grows, to 0; wins, and losses, differ less the deeper they are; the draw is worth a win of some depth
/// d_W beyond the deepest, and a loss of some depth d_L beyond the deepest. That better states are preferred for
/// c > 0 and worse ones for c < 0 (p07) follows.
///
/// The limits of c to plus and minus infinity are no concern of an implementation: they follow from the order of
/// states alone.
pub trait Preference {
    /// The states that the function was made for.
    fn states(&self) -> States;

    /// d_W and d_L, for which S_c(draw) = S_c(win, d_W) = S_c(loss, d_L) (p05).
    fn draw_depths(&self) -> DrawDepths;

    /// ln S_c(s) for finite c; never NaN.
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

/// d_W and d_L: the depths of win and of loss at which a draw is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawDepths {
    /// d_W, beyond the deepest win.
    pub win: Depth,
    /// d_L, beyond the deepest loss.
    pub loss: Depth,
}

impl DrawDepths {
    /// The least possible: one more than the deepest.
    pub fn nearest(states: States) -> Result<DrawDepths, PreferenceError> {
        let beyond = |deepest: Depth| deepest.0.checked_add(1).map(Depth).ok_or(PreferenceError::TooDeep(deepest));
        Ok(DrawDepths { win: beyond(states.deepest_win())?, loss: beyond(states.deepest_loss())? })
    }

    /// Itself, if it lies beyond the deepest states.
    pub(crate) fn checked(self, states: States) -> Result<DrawDepths, PreferenceError> {
        for (draw, deepest) in [(self.win, states.deepest_win()), (self.loss, states.deepest_loss())] {
            if draw <= deepest {
                return Err(PreferenceError::DrawNotBeyond { draw, deepest });
            }
        }
        Ok(self)
    }
}

/// Parameters that make no preference function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PreferenceError {
    /// d_W or d_L is not beyond the deepest state.
    #[error("a draw is put at depth {draw}, but the deepest state has depth {deepest}: it must lie beyond")]
    DrawNotBeyond {
        /// d_W or d_L.
        draw: Depth,
        /// n_W or n_L.
        deepest: Depth,
    },
    /// No depth is left beyond the deepest.
    #[error("no depth is left for the draw beyond {0}")]
    TooDeep(Depth),
    /// The exponent of a stretched exponential.
    #[error("the exponent {0} is not between 0 and 1")]
    Exponent(f64),
}
