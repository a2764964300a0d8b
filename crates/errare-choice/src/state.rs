//! The ordered states that choices lead to: own wins, the draw, own losses.

use std::cmp::{Ordering, Reverse};
use std::fmt;

/// A depth in moves still to be made by the winner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Depth(pub u16);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A theoretical value, ordered: a better one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Lost by the player who chooses.
    Loss,
    /// Drawn.
    Draw,
    /// Won by the player who chooses.
    Win,
}

impl Outcome {
    /// The outcome as the other side sees it.
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The value as a number, val(s) in Haworth (2003): 1, 0 or -1.
    pub fn value(self) -> f64 {
        match self {
            Outcome::Loss => -1.0,
            Outcome::Draw => 0.0,
            Outcome::Win => 1.0,
        }
    }
}

/// The state that a choice leads to, seen by the player who chooses.
///
/// States are ordered by attractiveness, the better one being greater: short wins, long wins, the draw, long losses,
/// short losses. (Haworth (2003) *numbers* them the other way, from the best at 0: see [`States`].)
///
/// ```
/// use errare_choice::{Depth, State};
/// assert!(State::Win(Depth(2)) > State::Win(Depth(3)));
/// assert!(State::Win(Depth(90)) > State::Draw);
/// assert!(State::Loss(Depth(3)) > State::Loss(Depth(2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Won, with the number of own moves still needed.
    Win(Depth),
    /// Drawn.
    Draw,
    /// Lost, with the number of moves that the other side still needs.
    Loss(Depth),
}

impl State {
    /// The theoretical value of the state.
    pub fn outcome(self) -> Outcome {
        match self {
            State::Win(_) => Outcome::Win,
            State::Draw => Outcome::Draw,
            State::Loss(_) => Outcome::Loss,
        }
    }

    /// The depth of a win or loss; none for a draw.
    pub fn depth(self) -> Option<Depth> {
        match self {
            State::Win(depth) | State::Loss(depth) => Some(depth),
            State::Draw => None,
        }
    }

    /// The state as the other side sees it.
    pub fn reversed(self) -> State {
        match self {
            State::Win(depth) => State::Loss(depth),
            State::Draw => State::Draw,
            State::Loss(depth) => State::Win(depth),
        }
    }
}

impl Ord for State {
    fn cmp(&self, other: &State) -> Ordering {
        match (self, other) {
            (State::Win(one), State::Win(two)) => Reverse(one).cmp(&Reverse(two)),
            (State::Loss(one), State::Loss(two)) => one.cmp(two),
            _ => self.outcome().cmp(&other.outcome()),
        }
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &State) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Win(depth) => write!(f, "win in {depth}"),
            State::Draw => f.write_str("draw"),
            State::Loss(depth) => write!(f, "loss in {depth}"),
        }
    }
}

/// The finite set of states of a contest, numbered from the best as in Haworth (2003), section 2.
///
/// Wins of depth 0 to n_W have the numbers 0 to n_W, the draw n_W + 1, losses of depth n_L to 0 the numbers n_W + 2 to
/// ns - 1, where ns = n_W + n_L + 3. The first and the last absorb.
///
/// ```
/// use errare_choice::{Depth, State, States};
/// let states = States::new(Depth(31), Depth(3));
/// assert_eq!(states.count(), 37);
/// assert_eq!(states.number(State::Draw), Some(32));
/// assert_eq!(states.state(33), Some(State::Loss(Depth(3))));
/// // The other side numbers the same states backwards.
/// assert_eq!(states.reversed().number(State::Win(Depth(3))), Some(36 - 33));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct States {
    deepest_win: Depth,
    deepest_loss: Depth,
}

impl States {
    /// The states with wins to depth n_W and losses to depth n_L.
    pub fn new(deepest_win: Depth, deepest_loss: Depth) -> States {
        States { deepest_win, deepest_loss }
    }

    /// The depth n_W of the deepest win.
    pub fn deepest_win(self) -> Depth {
        self.deepest_win
    }

    /// The depth n_L of the deepest loss.
    pub fn deepest_loss(self) -> Depth {
        self.deepest_loss
    }

    /// The number of states, ns.
    pub fn count(self) -> usize {
        usize::from(self.deepest_win.0) + usize::from(self.deepest_loss.0) + 3
    }

    /// The draw's number in the order of states.
    pub fn draw(self) -> usize {
        usize::from(self.deepest_win.0) + 1
    }

    /// The number of a state in the order of states; none if the state is deeper than the deepest.
    pub fn number(self, state: State) -> Option<usize> {
        match state {
            State::Win(depth) => (depth <= self.deepest_win).then_some(usize::from(depth.0)),
            State::Draw => Some(self.draw()),
            State::Loss(depth) => (depth <= self.deepest_loss).then(|| self.count() - 1 - usize::from(depth.0)),
        }
    }

    /// The nearest of these states: one that is deeper than the deepest becomes the deepest.
    pub fn clamp(self, state: State) -> State {
        match state {
            State::Win(depth) => State::Win(depth.min(self.deepest_win)),
            State::Draw => State::Draw,
            State::Loss(depth) => State::Loss(depth.min(self.deepest_loss)),
        }
    }

    /// The number of the nearest of these states.
    pub fn clamped_number(self, state: State) -> usize {
        match self.clamp(state) {
            State::Win(depth) => usize::from(depth.0),
            State::Draw => self.draw(),
            State::Loss(depth) => self.count() - 1 - usize::from(depth.0),
        }
    }

    /// The state that has a number; none from ns on.
    pub fn state(self, number: usize) -> Option<State> {
        // Every depth up to the deepest fits: a number that does not belongs to no state.
        let depth = |moves: usize| u16::try_from(moves).ok().map(Depth);
        match number.cmp(&self.draw()) {
            Ordering::Less => depth(number).map(State::Win),
            Ordering::Equal => Some(State::Draw),
            Ordering::Greater => (self.count() - 1).checked_sub(number).and_then(depth).map(State::Loss),
        }
    }

    /// All states from the best to the worst.
    pub fn iter(self) -> impl Iterator<Item = State> {
        let wins = (0..=self.deepest_win.0).map(|depth| State::Win(Depth(depth)));
        let losses = (0..=self.deepest_loss.0).rev().map(|depth| State::Loss(Depth(depth)));
        wins.chain([State::Draw]).chain(losses)
    }

    /// The numbers of the states that end the contest: the first and the last.
    pub fn absorbing(self) -> [usize; 2] {
        [0, self.count() - 1]
    }

    /// The states as the other side sees them and numbers them: backwards.
    pub fn reversed(self) -> States {
        States { deepest_win: self.deepest_loss, deepest_loss: self.deepest_win }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_states_are_inverse_and_ordered() {
        for states in
            [States::new(Depth(31), Depth(3)), States::new(Depth(0), Depth(0)), States::new(Depth(2), Depth(9))]
        {
            let all: Vec<State> = states.iter().collect();
            assert_eq!(all.len(), states.count());
            assert!(all.windows(2).all(|pair| pair[0] > pair[1]));
            for (number, &state) in all.iter().enumerate() {
                assert_eq!(states.number(state), Some(number));
                assert_eq!((states.clamp(state), states.clamped_number(state)), (state, number));
                assert_eq!(states.reversed().number(state.reversed()), Some(states.count() - 1 - number));
            }
            assert_eq!(states.state(states.count()), None);
            assert_eq!(states.number(State::Win(Depth(states.deepest_win().0 + 1))), None);
            assert_eq!(states.number(State::Loss(Depth(states.deepest_loss().0 + 1))), None);
            assert_eq!(states.clamped_number(State::Win(Depth(u16::MAX))), states.draw() - 1);
            assert_eq!(states.clamped_number(State::Loss(Depth(u16::MAX))), states.draw() + 1);
        }
    }

    #[test]
    fn the_deepest_possible_states_have_numbers() {
        let states = States::new(Depth(u16::MAX), Depth(u16::MAX));
        assert_eq!(states.state(states.count() - 1), Some(State::Loss(Depth(0))));
        assert_eq!(states.state(states.draw() + 1), Some(State::Loss(Depth(u16::MAX))));
    }
}
