//! Rules that change weights: choices that a player never makes, or is inclined to make, whatever the competence.

use crate::candidate::{Candidate, checked_weight};
use crate::state::{Outcome, State};

/// The facts about the whole choice that a rule may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The best state that any candidate leads to, even an excluded one: what optimal play reaches.
    pub best: State,
}

impl Overview {
    /// The theoretical value of the choice.
    pub fn value(&self) -> Outcome {
        self.best.outcome()
    }
}

/// A rule that multiplies the weights of candidates.
///
/// Rules are applied one after the other: by [`weigh`] to candidates, or by [`Tally::weigh`](crate::Tally::weigh) if
/// they look at states only. A rule that would leave nothing to choose *steps aside*: it changes nothing, and that is
/// reported. Haworth (2003) has the clause "if other moves exist" for one rule; here every rule has it.
pub trait Rule<T> {
    /// The rule's name, for reports.
    fn name(&self) -> &str;

    /// The factor that a candidate's weight is multiplied by: 0 excludes the candidate, 1 leaves its weight.
    fn factor(&self, overview: &Overview, candidate: &Candidate<T>) -> f64;
}

/// A rule that looks at nothing but the state a candidate leads to.
pub trait StateRule {
    /// The rule's name, for reports.
    fn name(&self) -> &str;

    /// The factor that the weight of a candidate with this state is multiplied by: 0 excludes it, 1 leaves its weight.
    fn factor(&self, overview: &Overview, state: State) -> f64;
}

impl<T, R: StateRule + ?Sized> Rule<T> for R {
    fn name(&self) -> &str {
        StateRule::name(self)
    }

    fn factor(&self, overview: &Overview, candidate: &Candidate<T>) -> f64 {
        StateRule::factor(self, overview, candidate.state())
    }
}

impl<R: StateRule + ?Sized> StateRule for Box<R> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn factor(&self, overview: &Overview, state: State) -> f64 {
        (**self).factor(overview, state)
    }
}

fn unless(excluded: bool) -> f64 {
    if excluded { 0.0 } else { 1.0 }
}

/// Excludes choices that give up the theoretical value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeepValue;

impl StateRule for KeepValue {
    fn name(&self) -> &str {
        "keep value"
    }

    fn factor(&self, overview: &Overview, state: State) -> f64 {
        unless(state.outcome() < overview.value())
    }
}

/// Excludes choices that give up a win; a player who is not winning may still err.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeepWin;

impl StateRule for KeepWin {
    fn name(&self) -> &str {
        "keep win"
    }

    fn factor(&self, overview: &Overview, state: State) -> f64 {
        unless(overview.value() == Outcome::Win && state.outcome() < Outcome::Win)
    }
}

/// Excludes choices that lose, if there are others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AvoidLoss;

impl StateRule for AvoidLoss {
    fn name(&self) -> &str {
        "avoid loss"
    }

    fn factor(&self, _overview: &Overview, state: State) -> f64 {
        unless(state.outcome() == Outcome::Loss)
    }
}

/// A player's search horizon of H moves: wins in at most H moves are found, and choices that give up the value and
/// lose in at most H moves are avoided.
///
/// "H = 7 would reflect an assumption that the player will find wins or losses up to 14 plies deep" (Haworth (2003),
/// footnote 4). The choice itself is the first of those plies. So a win is in sight if the state chosen has depth
/// below H, the choice being one of the winner's H moves, and then only the best is left; a loss is in sight if the
/// state chosen has depth H or less. A draw has no depth and is never in sight (footnote 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon(pub u16);

impl StateRule for Horizon {
    fn name(&self) -> &str {
        "horizon"
    }

    fn factor(&self, overview: &Overview, state: State) -> f64 {
        let win_in_sight = matches!(overview.best, State::Win(depth) if depth.0 < self.0);
        let loss_in_sight = matches!(state, State::Loss(depth) if depth.0 <= self.0);
        let gives_up_value = state.outcome() < overview.value();
        unless((win_in_sight && state != overview.best) || (loss_in_sight && gives_up_value))
    }
}

/// A rule made of a name and a function.
///
/// ```
/// use errare_choice::{Candidate, Custom, Overview, State, weigh};
/// let eager = Custom::new("twice as fond of attack", |_: &Overview, candidate: &Candidate<&str>| {
///     if *candidate.choice() == "attack" { 2.0 } else { 1.0 }
/// });
/// let mut candidates = [Candidate::new("attack", State::Draw), Candidate::new("wait", State::Draw)];
/// weigh(&mut candidates, &[&eager])?;
/// assert_eq!(candidates[0].weight(), 2.0);
/// # Ok::<(), errare_choice::RuleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Custom<F> {
    name: String,
    factor: F,
}

impl<F> Custom<F> {
    /// Makes a rule of a name and of a function that returns the factor.
    pub fn new<T>(name: impl Into<String>, factor: F) -> Custom<F>
    where
        F: Fn(&Overview, &Candidate<T>) -> f64,
    {
        Custom { name: name.into(), factor }
    }
}

impl<T, F: Fn(&Overview, &Candidate<T>) -> f64> Rule<T> for Custom<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn factor(&self, overview: &Overview, candidate: &Candidate<T>) -> f64 {
        (self.factor)(overview, candidate)
    }
}

/// The result of applying rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a rule that stepped aside may matter"]
pub struct Weighing {
    /// The indices, in the list of rules, of those that stepped aside because nothing would have been left.
    pub stepped_aside: Vec<usize>,
}

/// Rules that could not be applied.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// No candidate, or none of positive weight, before any rule.
    #[error("there is nothing to choose from")]
    Nothing,
    /// A rule returned a factor that does not give a valid weight.
    #[error("invalid weight {weight} by the rule `{rule}`: expected a finite number, 0 or greater")]
    Weight {
        /// The name of the rule.
        rule: String,
        /// The weight that the rule would have given.
        weight: f64,
    },
    /// A bug in errare: a tally holds a number that no state has.
    #[error("internal error (a bug in errare): no state has the number {0}")]
    Internal(usize),
}

/// Applies rules in their order.
///
/// # Errors
/// If there is nothing to choose from, or if a rule would give an invalid weight. No weight has been changed then.
pub fn weigh<T>(candidates: &mut [Candidate<T>], rules: &[&dyn Rule<T>]) -> Result<Weighing, RuleError> {
    let best = candidates.iter().map(Candidate::state).max().ok_or(RuleError::Nothing)?;
    if !candidates.iter().any(Candidate::is_open) {
        return Err(RuleError::Nothing);
    }
    let overview = Overview { best };
    let before: Vec<f64> = candidates.iter().map(Candidate::weight).collect();
    let mut weighing = Weighing::default();
    for (place, rule) in rules.iter().enumerate() {
        let made = candidates.iter().map(|candidate| {
            let weight = candidate.weight() * rule.factor(&overview, candidate);
            checked_weight(weight).map_err(|error| RuleError::Weight { rule: rule.name().to_owned(), weight: error.0 })
        });
        match made.collect::<Result<Vec<f64>, RuleError>>() {
            Ok(weights) if weights.iter().any(|&weight| weight > 0.0) => set(candidates, &weights),
            Ok(_) => weighing.stepped_aside.push(place),
            Err(error) => {
                set(candidates, &before);
                return Err(error);
            }
        }
    }
    Ok(weighing)
}

fn set<T>(candidates: &mut [Candidate<T>], weights: &[f64]) {
    candidates.iter_mut().zip(weights).for_each(|(candidate, &weight)| candidate.set_weight(weight));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Depth;

    const WIN_1: State = State::Win(Depth(1));
    const WIN_9: State = State::Win(Depth(9));
    const LOSS_2: State = State::Loss(Depth(2));
    const LOSS_9: State = State::Loss(Depth(9));

    fn weights(states: &[State], rules: &[&dyn Rule<()>]) -> (Vec<f64>, Vec<usize>) {
        let mut candidates: Vec<Candidate> = states.iter().map(|&state| Candidate::new((), state)).collect();
        let weighing = weigh(&mut candidates, rules).expect("something to choose from");
        (candidates.iter().map(Candidate::weight).collect(), weighing.stepped_aside)
    }

    #[test]
    fn keep_value_excludes_what_concedes() {
        assert_eq!(weights(&[WIN_1, WIN_9, State::Draw, LOSS_2], &[&KeepValue]).0, [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(weights(&[State::Draw, LOSS_2], &[&KeepValue]).0, [1.0, 0.0]);
        assert_eq!(weights(&[LOSS_9, LOSS_2], &[&KeepValue]), (vec![1.0, 1.0], vec![]));
    }

    #[test]
    fn avoid_loss_steps_aside_when_all_is_lost() {
        assert_eq!(weights(&[WIN_9, State::Draw, LOSS_2], &[&AvoidLoss]), (vec![1.0, 1.0, 0.0], vec![]));
        assert_eq!(weights(&[LOSS_9, LOSS_2], &[&AvoidLoss]), (vec![1.0, 1.0], vec![0]));
    }

    #[test]
    fn the_horizon_shows_short_wins_and_short_losses() {
        let all = [WIN_1, WIN_9, State::Draw, LOSS_9, LOSS_2];
        assert_eq!(weights(&all, &[&Horizon(2)]).0, [1.0, 0.0, 0.0, 0.0, 0.0]);
        // With one move in sight the win in two is not seen, nor is the loss.
        assert_eq!(weights(&all, &[&Horizon(1)]).0, [1.0; 5]);
        assert_eq!(weights(&all[1..], &[&Horizon(2)]).0, [1.0, 1.0, 1.0, 0.0]);
        // All lose: nothing is conceded.
        assert_eq!(weights(&all[3..], &[&Horizon(9)]), (vec![1.0, 1.0], vec![]));
    }

    #[test]
    fn a_rule_never_leaves_nothing() {
        let never = Custom::new(
            "never a draw",
            |_: &Overview, candidate: &Candidate| {
                if candidate.state() == State::Draw { 0.0 } else { 0.5 }
            },
        );
        assert_eq!(weights(&[State::Draw, LOSS_2], &[&never, &KeepValue]), (vec![0.0, 0.5], vec![1]));
        assert_eq!(weigh::<()>(&mut [], &[&KeepValue]), Err(RuleError::Nothing));
    }

    #[test]
    fn a_bad_factor_changes_nothing() {
        let bad = Custom::new("bad", |_: &Overview, _: &Candidate| f64::NAN);
        let mut candidates = [Candidate::new((), WIN_1), Candidate::new((), LOSS_2)];
        assert!(matches!(weigh(&mut candidates, &[&KeepValue, &bad]), Err(RuleError::Weight { .. })));
        assert!(candidates.iter().all(|candidate| candidate.weight() == 1.0));
    }
}
