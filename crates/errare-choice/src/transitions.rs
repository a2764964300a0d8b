//! The Markov matrix of a contest, accumulated choice by choice.

use crate::matrix::{MatrixError, StochasticMatrix};
use crate::spectrum::Spectrum;
use crate::state::States;
use crate::tally::Tally;

/// The average probability of going from each state to each other, for each competence of a spectrum: M_c of Haworth
/// (2003), section 9.6.
///
/// Choices are recorded under the state they are made in. Parts recorded apart, as by several threads, can be merged.
#[derive(Clone, Debug)]
pub struct Transitions {
    states: States,
    lanes: usize,
    /// The weight of the choices recorded in each state.
    recorded: Vec<f64>,
    /// Sums of probabilities, by state before, state after, and competence.
    sums: Vec<f64>,
}

impl Transitions {
    /// Begins an empty record of choices, for the competences and states of a spectrum.
    pub fn new(spectrum: &Spectrum) -> Transitions {
        let (states, lanes) = (spectrum.states(), spectrum.competences().len());
        let count = states.count();
        Transitions { states, lanes, recorded: vec![0.0; count], sums: vec![0.0; count * count * lanes] }
    }

    /// Records a choice made in the state with this number, counted `times` times. An empty tally is not recorded.
    ///
    /// # Panics
    /// If no state has this number, or if the spectrum has other states or another number of competences than the one
    /// given to [`Transitions::new`].
    pub fn record(&mut self, spectrum: &Spectrum, from: usize, tally: &Tally, times: f64) {
        if tally.open().is_empty() {
            return;
        }
        let length = self.states.count() * self.lanes;
        let rows = &mut self.sums[from * length..(from + 1) * length];
        spectrum.add_probabilities(tally, times, rows);
        self.recorded[from] += times;
    }

    /// Adds the record of another part, made with a spectrum like this one's.
    ///
    /// # Panics
    /// If the other has other states or another number of competences.
    pub fn merge(&mut self, other: &Transitions) {
        assert_eq!((self.states, self.lanes), (other.states, other.lanes), "transitions of the same kind");
        self.recorded.iter_mut().zip(&other.recorded).for_each(|(sum, more)| *sum += more);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// The weight of the choices recorded in a state.
    ///
    /// # Panics
    /// If no state has this number.
    pub fn recorded(&self, from: usize) -> f64 {
        self.recorded[from]
    }

    /// The matrix for the competence with this index in the spectrum.
    ///
    /// States in which nothing was recorded are never left: the first and the last, which absorb, need no record.
    ///
    /// # Errors
    /// If the sums of recorded probabilities overflow.
    ///
    /// # Panics
    /// If no competence of the spectrum has this index.
    pub fn matrix(&self, lane: usize) -> Result<StochasticMatrix, MatrixError> {
        assert!(lane < self.lanes, "a competence of the spectrum");
        let count = self.states.count();
        let mut entries: Vec<f64> = self.sums.iter().skip(lane).step_by(self.lanes).copied().collect();
        for (from, row) in entries.chunks_exact_mut(count).enumerate() {
            if self.recorded[from] > 0.0 {
                // Dividing by the sum, and not by the count, keeps rounding errors out of the row.
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
