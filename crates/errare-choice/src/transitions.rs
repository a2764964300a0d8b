//! The Markov matrix of a contest, gathered choice by choice.

use crate::matrix::{MatrixError, StochasticMatrix};
use crate::spectrum::Spectrum;
use crate::state::States;
use crate::tally::Tally;

/// For each competence of a spectrum, the average probability of going from each state to each: M_c of section 9.6 of
/// the paper.
///
/// Choices are recorded under the state they are made in. Parts recorded apart, as by several threads, are merged.
#[derive(Clone, Debug)]
pub struct Transitions {
    states: States,
    lanes: usize,
    /// How much has been recorded in each state.
    recorded: Vec<f64>,
    /// By state from, state to, competence.
    sums: Vec<f64>,
}

impl Transitions {
    /// Nothing recorded yet.
    pub fn new(spectrum: &Spectrum) -> Transitions {
        let (states, lanes) = (spectrum.states(), spectrum.competences().len());
        let count = states.count();
        Transitions { states, lanes, recorded: vec![0.0; count], sums: vec![0.0; count * count * lanes] }
    }

    /// Records a choice made in the state of this number, counting so many times. An empty tally is not recorded.
    ///
    /// # Panics
    /// If there is no such state, or the spectrum is not like that of the beginning.
    pub fn record(&mut self, spectrum: &Spectrum, from: usize, tally: &Tally, times: f64) {
        if tally.open().is_empty() {
            return;
        }
        let length = self.states.count() * self.lanes;
        let rows = &mut self.sums[from * length..(from + 1) * length];
        spectrum.add_probabilities(tally, times, rows);
        self.recorded[from] += times;
    }

    /// Adds what has been recorded elsewhere, with a spectrum like this one's.
    ///
    /// # Panics
    /// If the other has other states or another number of competences.
    pub fn merge(&mut self, other: &Transitions) {
        assert_eq!((self.states, self.lanes), (other.states, other.lanes), "transitions of the same kind");
        self.recorded.iter_mut().zip(&other.recorded).for_each(|(sum, more)| *sum += more);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// How much has been recorded in a state.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn recorded(&self, from: usize) -> f64 {
        self.recorded[from]
    }

    /// The matrix for the competence of this place in the spectrum.
    ///
    /// States in which nothing was recorded are never left: the first and the last, which absorb, need no record.
    ///
    /// # Panics
    /// If the spectrum has no such place.
    pub fn matrix(&self, lane: usize) -> Result<StochasticMatrix, MatrixError> {
        assert!(lane < self.lanes, "a competence of the spectrum");
        let count = self.states.count();
        let mut entries: Vec<f64> = self.sums.iter().skip(lane).step_by(self.lanes).copied().collect();
        for (from, row) in entries.chunks_exact_mut(count).enumerate() {
            if self.recorded[from] > 0.0 {
                // The sum and not the count: what rounding there is stays out of the row.
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|entry| *entry /= sum);
            } else {
                row[from] = 1.0;
            }
        }
        StochasticMatrix::new(count, entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competence::Competence;
    use crate::kappa::Kappa;
    use crate::power_law::PowerLaw;
    use crate::state::Depth;

    #[test]
    fn averages_by_hand() -> Result<(), Box<dyn std::error::Error>> {
        let states = States::new(Depth(2), Depth(0));
        let competences = [Competence::RANDOM, Competence::new(1.0)?, Competence::INFALLIBLE];
        let spectrum = Spectrum::new(&PowerLaw::new(states, Kappa::ONE)?, &competences)?;
        let mut tally = Tally::new(states);
        let mut transitions = Transitions::new(&spectrum);
        // Three positions with one move to each of the wins 0 and 1, one with two to win 1, recorded apart.
        tally.add(0, 1.0);
        tally.add(1, 1.0);
        transitions.record(&spectrum, 1, &tally, 3.0);
        let mut others = Transitions::new(&spectrum);
        tally.clear();
        others.record(&spectrum, 1, &tally, 7.0);
        tally.add(1, 2.0);
        others.record(&spectrum, 1, &tally, 1.0);
        transitions.merge(&others);
        assert_eq!(transitions.recorded(1), 4.0);
        for (lane, won) in [3.0 / 8.0, 3.0 / 4.0 * 2.0 / 3.0, 3.0 / 4.0].into_iter().enumerate() {
            let matrix = transitions.matrix(lane)?;
            assert!((matrix.row(1)[0] - won).abs() < 1e-15);
            assert_eq!(matrix.row(0), [1.0, 0.0, 0.0, 0.0, 0.0]);
            assert_eq!(matrix.row(2), [0.0, 0.0, 1.0, 0.0, 0.0]);
        }
        Ok(())
    }
}
