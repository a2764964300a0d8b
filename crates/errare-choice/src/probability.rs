//! From preferences and weights to probabilities, in logarithms throughout.

use crate::candidate::Candidate;
use crate::competence::Competence;
use crate::preference::Preference;
use crate::state::State;

/// A choice whose probabilities cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// No candidate, or none of positive weight.
    #[error("there is nothing to choose from")]
    Nothing,
    /// The preference function returned NaN.
    #[error("the preference for a {state} at competence {c} is not a number")]
    Preference {
        /// The state that was asked for.
        state: State,
        /// The competence that was asked for.
        c: f64,
    },
    /// No candidate has this index.
    #[error("invalid index {index} of a candidate: expected a number below {count}")]
    Index {
        /// The index that was asked for.
        index: usize,
        /// The number of candidates.
        count: usize,
    },
    /// A loss is below 0, or not a number.
    #[error("invalid loss {loss} of candidate {index}: expected 0 or more")]
    Loss {
        /// The index of the candidate.
        index: usize,
        /// The invalid loss.
        loss: f64,
    },
    /// Every candidate has a loss, so that none is the best to which losses are relative.
    #[error("no candidate is the best: expected a loss of 0, but the least is {least}")]
    NoBest {
        /// The least loss.
        least: f64,
    },
}

/// Computes the probability of each candidate: v S_c(s), divided by the sum over all candidates.
///
/// Nothing overflows, whatever c: preferences are taken relative to the greatest. Candidates with the same state and
/// weight have exactly the same probability, excluded ones exactly 0.
///
/// ```
/// use errare_choice::{Candidate, Competence, Depth, Kappa, PowerLaw, State, States, probabilities};
/// let law = PowerLaw::new(States::new(Depth(3), Depth(0)), Kappa::ONE)?;
/// let candidates = [Candidate::new("good", State::Win(Depth(1))), Candidate::new("bad", State::Win(Depth(3)))];
/// // 2^-1 against 4^-1.
/// let found = probabilities(&law, Competence::new(1.0)?, &candidates)?;
/// assert!((found[0] - 2.0 / 3.0).abs() < 1e-15);
/// assert_eq!(probabilities(&law, Competence::INFALLIBLE, &candidates)?, [1.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no candidate has a positive weight, or if the preference function returns NaN.
pub fn probabilities<P: Preference + ?Sized, T>(
    preference: &P,
    competence: Competence,
    candidates: &[Candidate<T>],
) -> Result<Vec<f64>, ChoiceError> {
    let logs = logs(preference, competence, candidates)?;
    Ok(shares(candidates, &logs).1)
}

/// Computes the logarithm of the probability of one candidate, which does not underflow where the probability would.
///
/// # Errors
/// As [`probabilities`](probabilities()), and if no candidate has this index.
pub fn log_probability<P: Preference + ?Sized, T>(
    preference: &P,
    competence: Competence,
    candidates: &[Candidate<T>],
    index: usize,
) -> Result<f64, ChoiceError> {
    let chosen = candidates.get(index).ok_or(ChoiceError::Index { index, count: candidates.len() })?;
    let logs = logs(preference, competence, candidates)?;
    let (log_sum, _) = shares(candidates, &logs);
    // Minus infinity for weight 0; the sum keeps the greatest weight as its unit, and so must this.
    Ok((chosen.weight() / greatest_weight(candidates)).ln() + logs[index] - log_sum)
}

/// Picks the index of a choice with these probabilities, given a random number drawn uniformly from [0, 1).
///
/// A choice of probability 0 is never picked; the result is none only if all are.
pub fn pick(probabilities: &[f64], uniform: f64) -> Option<usize> {
    let mut rest = uniform;
    let mut last = None;
    for (place, &probability) in probabilities.iter().enumerate().filter(|&(_, &probability)| probability > 0.0) {
        if rest < probability {
            return Some(place);
        }
        rest -= probability;
        last = Some(place);
    }
    // Rounding may leave a little beyond the last.
    last
}

/// Computes ln S_c relative to the greatest among the open candidates: at most 0, and 0 for some open one.
fn logs<P: Preference + ?Sized, T>(
    preference: &P,
    competence: Competence,
    candidates: &[Candidate<T>],
) -> Result<Vec<f64>, ChoiceError> {
    let open = || candidates.iter().filter(|candidate| candidate.is_open()).map(Candidate::state);
    let Some(c) = competence.finite() else {
        let best = if competence == Competence::INFALLIBLE { open().max() } else { open().min() };
        let best = best.ok_or(ChoiceError::Nothing)?;
        return Ok(candidates
            .iter()
            .map(|candidate| if candidate.state() == best { 0.0 } else { f64::NEG_INFINITY })
            .collect());
    };
    let mut logs = Vec::with_capacity(candidates.len());
    let mut greatest: Option<f64> = None;
    for candidate in candidates {
        let log = preference.log_preference(candidate.state(), c);
        if log.is_nan() {
            return Err(ChoiceError::Preference { state: candidate.state(), c });
        }
        if candidate.is_open() {
            greatest = Some(greatest.map_or(log, |greatest| greatest.max(log)));
        }
        logs.push(log);
    }
    let greatest = greatest.ok_or(ChoiceError::Nothing)?;
    logs.iter_mut().for_each(|log| *log = relative(*log, greatest));
    Ok(logs)
}

/// Computes the logarithm of the ratio of two preferences; equal infinities count as equal.
pub(crate) fn relative(log: f64, to: f64) -> f64 {
    if log == to { 0.0 } else { log - to }
}

fn greatest_weight<T>(candidates: &[Candidate<T>]) -> f64 {
    candidates.iter().map(Candidate::weight).fold(0.0, f64::max)
}

/// Computes the logarithm of the sum of weighted preferences (the greatest weight and preference being 1), and each
/// candidate's share.
fn shares<T>(candidates: &[Candidate<T>], logs: &[f64]) -> (f64, Vec<f64>) {
    let unit = greatest_weight(candidates);
    let mut shares: Vec<f64> = candidates
        .iter()
        .zip(logs)
        .map(|(candidate, log)| if candidate.is_open() { candidate.weight() / unit * log.exp() } else { 0.0 })
        .collect();
    let sum: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    (sum.ln(), shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kappa::Kappa;
    use crate::power_law::PowerLaw;
    use crate::state::{Depth, States};

    fn candidates(states: &[(State, f64)]) -> Vec<Candidate> {
        states.iter().map(|&(state, weight)| Candidate::weighted((), state, weight).expect("a weight")).collect()
    }

    fn law(kappa: Kappa) -> PowerLaw {
        PowerLaw::new(States::new(Depth(243), Depth(243)), kappa).expect("depths left")
    }

    fn at(c: f64) -> Competence {
        Competence::new(c).expect("a number")
    }

    const WIN_0: State = State::Win(Depth(0));
    const LOSS_0: State = State::Loss(Depth(0));

    #[test]
    fn competence_0_and_its_limits_are_exact() -> Result<(), ChoiceError> {
        let all =
            candidates(&[(State::Win(Depth(2)), 1.0), (State::Win(Depth(2)), 3.0), (State::Draw, 4.0), (LOSS_0, 2.0)]);
        for kappa in [Kappa::ZERO_PLUS, Kappa::ONE] {
            assert_eq!(probabilities(&law(kappa), Competence::RANDOM, &all)?, [0.1, 0.3, 0.4, 0.2]);
            assert_eq!(probabilities(&law(kappa), Competence::INFALLIBLE, &all)?, [0.25, 0.75, 0.0, 0.0]);
            assert_eq!(probabilities(&law(kappa), Competence::ANTI_INFALLIBLE, &all)?, [0.0, 0.0, 0.0, 1.0]);
        }
        // The best is the best of those that are open.
        let closed = candidates(&[(WIN_0, 0.0), (State::Draw, 1.0), (LOSS_0, 1.0)]);
        assert_eq!(probabilities(&law(Kappa::ONE), Competence::INFALLIBLE, &closed)?, [0.0, 1.0, 0.0]);
        Ok(())
    }

    #[test]
    fn zero_plus_takes_the_win_at_hand_and_shuns_the_loss_at_hand() -> Result<(), ChoiceError> {
        let law = law(Kappa::ZERO_PLUS);
        let all = candidates(&[(WIN_0, 1.0), (WIN_0, 3.0), (State::Win(Depth(1)), 1.0), (LOSS_0, 1.0)]);
        assert_eq!(probabilities(&law, at(0.001), &all)?, [0.25, 0.75, 0.0, 0.0]);
        assert_eq!(probabilities(&law, at(-0.001), &all)?, [0.0, 0.0, 0.0, 1.0]);
        // (1 + 0)^-c against (3 + 0)^-c, the loss at hand never.
        let some = candidates(&[(State::Win(Depth(1)), 1.0), (State::Win(Depth(3)), 1.0), (LOSS_0, 1.0)]);
        let found = probabilities(&law, at(1.0), &some)?;
        assert!((found[0] - 0.75).abs() < 1e-15 && (found[1] - 0.25).abs() < 1e-15 && found[2] == 0.0);
        // Nothing else there: they share.
        assert_eq!(probabilities(&law, at(5.0), &candidates(&[(LOSS_0, 1.0), (LOSS_0, 1.0)]))?, [0.5, 0.5]);
        assert_eq!(probabilities(&law, at(-5.0), &candidates(&[(WIN_0, 1.0), (WIN_0, 1.0)]))?, [0.5, 0.5]);
        Ok(())
    }

    #[test]
    fn great_competence_on_deep_tables_stays_finite() -> Result<(), ChoiceError> {
        let states = States::new(Depth(243), Depth(243));
        let all: Vec<Candidate> = states.iter().map(|state| Candidate::new((), state)).collect();
        for kappa in [Kappa::ZERO_PLUS, Kappa::ONE] {
            for c in [500.0, -500.0, 1e9, -1e9, 1e-300, Competence::MAX, -Competence::MAX] {
                for from in [0, 1, 200, 243, 244, 400] {
                    let some = &all[from..];
                    let found = probabilities(&law(kappa), at(c), some)?;
                    if c.abs() == Competence::MAX {
                        assert_eq!(found, probabilities(&law(kappa), at(c.signum() * f64::INFINITY), some)?);
                    }
                    assert!(found.iter().all(|probability| (0.0..=1.0).contains(probability)));
                    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-13);
                    let log = log_probability(&law(kappa), at(c), some, some.len() - 1)?;
                    assert!(log <= 0.0, "{log}");
                }
            }
        }
        // Not minus infinity, although the probability underflows.
        let deep = log_probability(&law(Kappa::ONE), at(500.0), &all, 487)?;
        assert!((-6000.0..-5000.0).contains(&deep), "{deep}");
        Ok(())
    }

    #[test]
    fn weights_of_any_size_are_relative() -> Result<(), ChoiceError> {
        for unit in [1e-300, 1.0, 1e308] {
            let found = probabilities(&law(Kappa::ONE), at(0.0), &candidates(&[(WIN_0, unit), (LOSS_0, unit)]))?;
            assert_eq!(found, [0.5, 0.5]);
        }
        assert!(Candidate::weighted((), WIN_0, -1.0).is_err());
        assert!(Candidate::weighted((), WIN_0, f64::INFINITY).is_err());
        Ok(())
    }

    #[test]
    fn nothing_to_choose_from_is_an_error() {
        for competence in [Competence::RANDOM, Competence::INFALLIBLE, at(3.0)] {
            assert_eq!(probabilities::<_, ()>(&law(Kappa::ONE), competence, &[]), Err(ChoiceError::Nothing));
            let closed = candidates(&[(WIN_0, 0.0)]);
            assert_eq!(probabilities(&law(Kappa::ONE), competence, &closed), Err(ChoiceError::Nothing));
        }
        let one = candidates(&[(WIN_0, 1.0)]);
        let missing = log_probability(&law(Kappa::ONE), at(1.0), &one, 1);
        assert_eq!(missing, Err(ChoiceError::Index { index: 1, count: 1 }));
    }

    #[test]
    fn picks_follow_the_probabilities() {
        let probabilities = [0.0, 0.25, 0.0, 0.75, 0.0];
        assert_eq!(pick(&probabilities, 0.0), Some(1));
        assert_eq!(pick(&probabilities, 0.249), Some(1));
        assert_eq!(pick(&probabilities, 0.25), Some(3));
        assert_eq!(pick(&probabilities, 1.0), Some(3));
        assert_eq!(pick(&[0.0], 0.5), None);
    }
}
