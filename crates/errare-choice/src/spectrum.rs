//! Many competences at once, by look-up: for loops over millions of choices.

use crate::competence::Competence;
use crate::preference::Preference;
use crate::probability::relative;
use crate::state::{State, States};
use crate::tally::Tally;
use std::ops::Range;

/// A spectrum of players {R_c}: for each of its competences, the ratio of the preferences of any two states.
///
/// The probabilities of a [`Tally`] are then look-ups, a sum and a division, computed together for all competences.
/// Ratios are relative to the state that a player prefers among those open (the best for c >= 0, the worst for c < 0),
/// so nothing overflows, and what underflows is negligible. A spectrum takes ns (ns + 1) / 2 numbers for each
/// competence: 5.6 kB for 37 states.
///
/// ```
/// use errare_choice::{Competence, Depth, Kappa, PowerLaw, Spectrum, States, Tally};
/// let states = States::new(Depth(3), Depth(0));
/// let law = PowerLaw::new(states, Kappa::ONE)?;
/// let spectrum = Spectrum::new(&law, &[Competence::RANDOM, Competence::new(1.0)?, Competence::INFALLIBLE])?;
/// let mut tally = Tally::new(states);
/// tally.add(1, 1.0);
/// tally.add(3, 1.0);
/// let mut depths = [0.0; 3];
/// spectrum.expectations(&tally, |number| number as f64, &mut depths);
/// assert!((depths[0] - 2.0).abs() < 1e-15);
/// assert!((depths[1] - (1.0 * 2.0 + 3.0) / 3.0).abs() < 1e-15);
/// assert_eq!(depths[2], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spectrum {
    states: States,
    competences: Vec<Competence>,
    /// Number of negative competences. They come first, and their ratios are relative to the worst state.
    negative: usize,
    /// The ratios of preferences, by pair of states (better, worse), then by competence: relative to the better state
    /// for c >= 0, to the worse state for c < 0.
    ratios: Vec<f64>,
    /// ln S_c by state, then by competence; unused for the limits.
    logs: Vec<f64>,
}

/// Competences or preferences that do not make a spectrum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectrumError {
    /// The competences are not in increasing order.
    #[error("invalid competences: expected increasing numbers, found {next} after {before}")]
    NotRising {
        /// The competence that is not less than the next one.
        before: Competence,
        /// The next competence in the list.
        next: Competence,
    },
    /// The preference function violates property p07.
    #[error(
        "invalid preference function: at competence {competence} the preferences for a {better} and a {worse} are in \
         the wrong order, or not numbers"
    )]
    Order {
        /// The competence at which the preferences are in the wrong order.
        competence: Competence,
        /// The better of two neighbouring states.
        better: State,
        /// The worse of the two neighbouring states.
        worse: State,
    },
}

impl Spectrum {
    /// Makes the spectrum of the players of these competences.
    ///
    /// # Errors
    /// If the competences do not increase, or if the preference function does not order the states by p07.
    pub fn new<P: Preference + ?Sized>(preference: &P, competences: &[Competence]) -> Result<Spectrum, SpectrumError> {
        for pair in competences.windows(2) {
            if pair[0] >= pair[1] {
                return Err(SpectrumError::NotRising { before: pair[0], next: pair[1] });
            }
        }
        let states = preference.states();
        let lanes = competences.len();
        let mut ratios = vec![0.0; states.count() * (states.count() + 1) / 2 * lanes];
        let mut all_logs = vec![0.0; states.count() * lanes];
        for (lane, &competence) in competences.iter().enumerate() {
            let logs = logs(preference, competence)?;
            logs.iter().enumerate().for_each(|(number, &log)| all_logs[number * lanes + lane] = log);
            for better in 0..states.count() {
                for worse in better..states.count() {
                    let (from, to) = if competence < Competence::RANDOM { (worse, better) } else { (better, worse) };
                    let ratio = if competence.finite().is_some() {
                        relative(logs[to], logs[from]).exp()
                    } else {
                        f64::from(u8::from(from == to))
                    };
                    ratios[pair(states, better, worse) * lanes + lane] = ratio;
                }
            }
        }
        let negative = competences.iter().take_while(|&&competence| competence < Competence::RANDOM).count();
        Ok(Spectrum { states, competences: competences.to_vec(), negative, ratios, logs: all_logs })
    }

    /// The states of the preference function.
    pub fn states(&self) -> States {
        self.states
    }

    /// The competences, increasing.
    pub fn competences(&self) -> &[Competence] {
        &self.competences
    }

    /// Sums weights times preferences for each competence, relative to the state that its player prefers.
    fn sums(&self, tally: &Tally, extremes: (usize, usize), sums: &mut [f64]) {
        sums.fill(0.0);
        let (low, high) = sums.split_at_mut(self.negative);
        for &number in tally.open() {
            let weight = tally.weight(number);
            let (below, above) = self.lanes(extremes, number);
            low.iter_mut().zip(below).for_each(|(sum, ratio)| *sum += weight * ratio);
            high.iter_mut().zip(above).for_each(|(sum, ratio)| *sum += weight * ratio);
        }
    }

    /// The ratios for one state, given the best and the worst: for the negative competences, and for the others.
    fn lanes(&self, (best, worst): (usize, usize), number: usize) -> (&[f64], &[f64]) {
        let lanes = self.competences.len();
        let below = pair(self.states, number, worst) * lanes;
        let above = pair(self.states, best, number) * lanes;
        (&self.ratios[below..below + self.negative], &self.ratios[above + self.negative..above + lanes])
    }

    /// Adds to the row of each state the probability that each player goes there, times `times`.
    ///
    /// `rows` has a row for each state, and in it a number for each competence. An empty tally adds nothing.
    ///
    /// # Panics
    /// If `rows` has another length, or if the tally is of other states.
    pub fn add_probabilities(&self, tally: &Tally, times: f64, rows: &mut [f64]) {
        let lanes = self.competences.len();
        assert_eq!(tally.states(), self.states, "a tally of the spectrum's states");
        assert_eq!(rows.len(), self.states.count() * lanes, "a row for each state");
        let Some((best, worst)) = tally.extremes() else { return };
        self.add_lanes(tally, 0..self.negative, |number| pair(self.states, number, worst), times, rows);
        let favourite = pair(self.states, best, best);
        self.add_lanes(tally, self.negative..lanes, |number| favourite + (number - best), times, rows);
    }

    /// Adds probabilities for a range of competences, given the place of each state's ratios.
    fn add_lanes(
        &self,
        tally: &Tally,
        lanes: Range<usize>,
        place: impl Fn(usize) -> usize,
        times: f64,
        rows: &mut [f64],
    ) {
        let mut lane = lanes.start;
        while lane + 8 <= lanes.end {
            self.add_block::<8>(tally, lane, &place, times, rows);
            lane += 8;
        }
        while lane + 2 <= lanes.end {
            self.add_block::<2>(tally, lane, &place, times, rows);
            lane += 2;
        }
        if lane < lanes.end {
            self.add_block::<1>(tally, lane, &place, times, rows);
        }
    }

    /// Adds probabilities for a block of competences, small enough to keep their sums in registers.
    fn add_block<const WIDTH: usize>(
        &self,
        tally: &Tally,
        lane: usize,
        place: &impl Fn(usize) -> usize,
        times: f64,
        rows: &mut [f64],
    ) {
        let lanes = self.competences.len();
        let ratios = |number: usize| {
            let start = place(number) * lanes + lane;
            self.ratios[start..start + WIDTH].iter()
        };
        let mut scales = [0.0; WIDTH];
        for &number in tally.open() {
            let weight = tally.weight(number);
            scales.iter_mut().zip(ratios(number)).for_each(|(sum, ratio)| *sum += weight * ratio);
        }
        scales.iter_mut().for_each(|sum| *sum = times / *sum);
        for &number in tally.open() {
            let weight = tally.weight(number);
            let start = number * lanes + lane;
            let row = rows[start..start + WIDTH].iter_mut().zip(&scales).zip(ratios(number));
            row.for_each(|((entry, scale), ratio)| *entry += weight * ratio * scale);
        }
    }

    /// Computes the expectation of a function of the state's number for each competence. All are 0 for an empty tally.
    ///
    /// # Panics
    /// If `expectations` has not one number for each competence, or if the tally is of other states.
    pub fn expectations(&self, tally: &Tally, value: impl Fn(usize) -> f64, expectations: &mut [f64]) {
        self.check(tally, expectations);
        expectations.fill(0.0);
        let Some(extremes) = tally.extremes() else { return };
        let mut sums = vec![0.0; self.competences.len()];
        self.sums(tally, extremes, &mut sums);
        for &number in tally.open() {
            let share = tally.weight(number) * value(number);
            let (below, above) = self.lanes(extremes, number);
            for (expectation, ratio) in expectations.iter_mut().zip(below.iter().chain(above)) {
                *expectation += share * ratio;
            }
        }
        expectations.iter_mut().zip(&sums).for_each(|(expectation, sum)| *expectation /= sum);
    }

    /// Computes, for each competence, the logarithm of the probability of going to the state with this number.
    ///
    /// This is the likelihood by which an observed choice updates a [`Posterior`](crate::Posterior). It does not
    /// underflow; it is minus infinity where the tally or a limit excludes the state.
    ///
    /// # Panics
    /// If `likelihoods` has not one number for each competence, or if the tally is of other states.
    pub fn log_likelihoods(&self, tally: &Tally, number: usize, likelihoods: &mut [f64]) {
        self.check(tally, likelihoods);
        let Some(extremes) = tally.extremes().filter(|_| tally.weight(number) > 0.0) else {
            likelihoods.fill(f64::NEG_INFINITY);
            return;
        };
        self.sums(tally, extremes, likelihoods);
        let log_weight = tally.weight(number).ln();
        let (below, above) = self.lanes(extremes, number);
        let lanes = self.competences.len();
        for (lane, (likelihood, &ratio)) in likelihoods.iter_mut().zip(below.iter().chain(above)).enumerate() {
            // The difference of logarithms does not underflow where the ratio would.
            let log = if self.competences[lane].finite().is_some() {
                let favourite = if lane < self.negative { extremes.1 } else { extremes.0 };
                relative(self.logs[number * lanes + lane], self.logs[favourite * lanes + lane])
            } else {
                ratio.ln()
            };
            *likelihood = log_weight + log - likelihood.ln();
        }
    }

    fn check(&self, tally: &Tally, lanes: &[f64]) {
        assert_eq!(tally.states(), self.states, "a tally of the spectrum's states");
        assert_eq!(lanes.len(), self.competences.len(), "a number for each competence");
    }
}

/// Computes ln S_c of all states and checks their order (p07). Empty for the limits, which need no logarithms.
fn logs<P: Preference + ?Sized>(preference: &P, competence: Competence) -> Result<Vec<f64>, SpectrumError> {
    let Some(c) = competence.finite() else { return Ok(Vec::new()) };
    let states: Vec<State> = preference.states().iter().collect();
    let logs: Vec<f64> = states.iter().map(|&state| preference.log_preference(state, c)).collect();
    for (number, pair) in logs.windows(2).enumerate() {
        let ordered = if c < 0.0 { pair[0] <= pair[1] } else { pair[0] >= pair[1] };
        if !ordered {
            return Err(SpectrumError::Order { competence, better: states[number], worse: states[number + 1] });
        }
    }
    Ok(logs)
}

/// The index of a pair of states among all pairs: row by row of the upper triangle.
fn pair(states: States, better: usize, worse: usize) -> usize {
    debug_assert!(better <= worse && worse < states.count());
    better * (2 * states.count() - better + 1) / 2 + (worse - better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use crate::kappa::Kappa;
    use crate::power_law::PowerLaw;
    use crate::probability::{log_probability, probabilities};
    use crate::state::Depth;

    const COMPETENCES: [f64; 9] = [f64::NEG_INFINITY, -500.0, -2.5, -1e-3, 0.0, 0.5, 20.0, 500.0, f64::INFINITY];

    fn competences() -> Vec<Competence> {
        COMPETENCES.iter().map(|&c| Competence::new(c).expect("a number")).collect()
    }

    #[test]
    fn look_ups_agree_with_the_direct_way() -> Result<(), Box<dyn std::error::Error>> {
        let states = States::new(Depth(243), Depth(60));
        for kappa in [Kappa::ZERO_PLUS, Kappa::ONE] {
            let law = PowerLaw::new(states, kappa)?;
            let spectrum = Spectrum::new(&law, &competences())?;
            let mut tally = Tally::new(states);
            for numbers in [&[3, 9, 243, 244, 250][..], &[0, 1, 304], &[303, 304, 305], &[0, 305], &[305], &[0]] {
                tally.clear();
                numbers.iter().for_each(|&number| tally.add(number, 1.0 + number as f64));
                let candidates: Vec<Candidate> = numbers
                    .iter()
                    .map(|&number| {
                        Candidate::weighted((), states.state(number).expect("a state"), tally.weight(number))
                    })
                    .collect::<Result<_, _>>()?;
                let mut rows = vec![0.0; states.count() * 9];
                spectrum.add_probabilities(&tally, 2.0, &mut rows);
                let mut likelihoods = [0.0; 9];
                for (lane, &competence) in spectrum.competences().iter().enumerate() {
                    let direct = probabilities(&law, competence, &candidates)?;
                    for (index, &number) in numbers.iter().enumerate() {
                        assert!((rows[number * 9 + lane] - 2.0 * direct[index]).abs() < 1e-14);
                        spectrum.log_likelihoods(&tally, number, &mut likelihoods);
                        let log = log_probability(&law, competence, &candidates, index)?;
                        let same = likelihoods[lane] == log || (likelihoods[lane] - log).abs() < 1e-11;
                        assert!(same, "{} {log} {number} {competence}", likelihoods[lane]);
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn what_is_excluded_has_no_likelihood() -> Result<(), Box<dyn std::error::Error>> {
        let states = States::new(Depth(3), Depth(3));
        let spectrum = Spectrum::new(&PowerLaw::new(states, Kappa::ONE)?, &competences())?;
        let mut tally = Tally::new(states);
        let mut likelihoods = [0.0; 9];
        spectrum.log_likelihoods(&tally, 2, &mut likelihoods);
        assert_eq!(likelihoods, [f64::NEG_INFINITY; 9]);
        tally.add(3, 1.0);
        spectrum.log_likelihoods(&tally, 2, &mut likelihoods);
        assert_eq!(likelihoods, [f64::NEG_INFINITY; 9]);
        Ok(())
    }

    #[test]
    fn competences_must_rise() -> Result<(), Box<dyn std::error::Error>> {
        let law = PowerLaw::new(States::new(Depth(3), Depth(3)), Kappa::ONE)?;
        let twice = [Competence::RANDOM, Competence::RANDOM];
        assert!(matches!(Spectrum::new(&law, &twice), Err(SpectrumError::NotRising { .. })));
        Ok(())
    }
}
