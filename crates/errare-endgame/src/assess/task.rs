//! The task of a player in a position, and the value that a move gives up.

use errare_choice::State;

/// The task of the side to move, by the value of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// The position is won: the task is to win it.
    Attack,
    /// The position is drawn or lost: the task is to hold the draw, or to resist as long as possible.
    Defence,
}

impl Task {
    /// The task in a position of this value.
    pub fn of(value: State) -> Task {
        if matches!(value, State::Win(_)) { Task::Attack } else { Task::Defence }
    }

    /// The name of the task, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Task::Attack => "attack",
            Task::Defence => "defence",
        }
    }
}

/// A theoretical value that a move gave up. In their order the worst comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GivenUp {
    /// A draw was given up: the position became lost.
    DrawToLoss,
    /// A win was given up: the position became a draw.
    WinToDraw,
    /// A win was given up: the position became lost.
    WinToLoss,
}

impl GivenUp {
    /// The value given up by a move that leads to one state where it could have led to a better one; none if the value
    /// was kept.
    pub fn between(best: State, after: State) -> Option<GivenUp> {
        match (best, after) {
            (State::Draw, State::Loss(_)) => Some(GivenUp::DrawToLoss),
            (State::Win(_), State::Draw) => Some(GivenUp::WinToDraw),
            (State::Win(_), State::Loss(_)) => Some(GivenUp::WinToLoss),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use errare_choice::Depth;

    #[test]
    fn only_worse_outcomes_give_something_up() {
        let [win, loss] = [State::Win(Depth(3)), State::Loss(Depth(3))];
        let states = [win, State::Draw, loss];
        let found: Vec<_> = states
            .iter()
            .flat_map(|&best| states.iter().filter_map(move |&after| GivenUp::between(best, after)))
            .collect();
        assert_eq!(found, [GivenUp::WinToDraw, GivenUp::WinToLoss, GivenUp::DrawToLoss]);
        assert_eq!(GivenUp::between(win, State::Win(Depth(9))), None);
        assert_eq!(states.map(Task::of), [Task::Attack, Task::Defence, Task::Defence]);
    }
}
