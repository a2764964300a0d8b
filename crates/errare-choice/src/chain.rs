//! Absorbing Markov chains: how long a contest lasts and how it ends.

use crate::condition::{Condition, Square};
use crate::deviation::Ways;
use crate::gth::Elimination;
use crate::matrix::StochasticMatrix;

/// A Markov chain with absorbing states, which end the contest.
///
/// ```
/// use errare_choice::{AbsorbingChain, StochasticMatrix};
/// // From state 1 the contest ends with probability 1/4 a step; state 2 is one step further away.
/// let matrix = StochasticMatrix::new(3, vec![1.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.0, 1.0, 0.0])?;
/// let chain = AbsorbingChain::new(matrix, &[0])?;
/// let solution = chain.solve()?;
/// assert_eq!(solution.lengths, [0.0, 4.0, 5.0]);
/// assert_eq!(chain.within(&[0], 2)?, [1.0, 0.4375, 0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AbsorbingChain {
    matrix: StochasticMatrix,
    absorbing: Vec<bool>,
}

/// A chain that is not valid, or that cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The state does not exist.
    #[error("invalid state {state}: expected a number below {size}")]
    NoState {
        /// The number of the state that was asked for.
        state: usize,
        /// The number of states.
        size: usize,
    },
    /// The state is not absorbing.
    #[error("invalid state {0}: expected an absorbing state")]
    NotAbsorbing(usize),
    /// Nothing ends the contest.
    #[error("no state is absorbing: expected at least one")]
    NeverEnds,
    /// The probability of ever leaving a state underflows.
    #[error("cannot solve the chain: the probability of leaving state {0} is too small for floating-point numbers")]
    TooSeldom(usize),
}

/// The solution of a chain's equations.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The expected number of steps to absorption from each state: 0 from absorbing ones, infinite from states that
    /// may end where no absorbing state can be reached.
    pub lengths: Vec<f64>,
    /// The standard deviation of the number of steps; infinite where the expected number is.
    pub sds: Vec<f64>,
    /// The condition of the equations that were solved.
    pub condition: Condition,
    /// The absorbing states, increasing.
    absorbing: Vec<usize>,
    /// The probability of ending in each absorbing state (outer), by starting state (inner).
    absorption: Vec<Vec<f64>>,
}

impl Solution {
    /// The probability of ending in an absorbing state, from each state; none if the state is not absorbing.
    pub fn absorption(&self, into: usize) -> Option<&[f64]> {
        let place = self.absorbing.binary_search(&into).ok()?;
        Some(&self.absorption[place])
    }
}

impl AbsorbingChain {
    /// Makes the chain that ends in the given states, whatever their rows in the matrix are.
    ///
    /// # Errors
    /// If one of the states does not exist, or if none is given.
    pub fn new(matrix: StochasticMatrix, absorbing: &[usize]) -> Result<AbsorbingChain, ChainError> {
        let size = matrix.size();
        let mut marks = vec![false; size];
        for &state in absorbing {
            *marks.get_mut(state).ok_or(ChainError::NoState { state, size })? = true;
        }
        if absorbing.is_empty() {
            return Err(ChainError::NeverEnds);
        }
        Ok(AbsorbingChain { matrix, absorbing: marks })
    }

    /// The matrix of the chain's steps.
    pub fn matrix(&self) -> &StochasticMatrix {
        &self.matrix
    }

    /// Whether a state ends the contest; false if it does not exist.
    pub fn is_absorbing(&self, state: usize) -> bool {
        self.absorbing.get(state).copied().unwrap_or(false)
    }

    /// The probability of being absorbed in one of these states after *exactly* 0, 1, 2, ... steps, without end: for
    /// each number of steps, from each starting state.
    ///
    /// # Errors
    /// If no such state exists, or it does not absorb.
    pub fn passages(&self, into: &[usize]) -> Result<impl Iterator<Item = Vec<f64>> + '_, ChainError> {
        let size = self.matrix.size();
        let mut passage = vec![0.0; size];
        for &state in into {
            if state >= size {
                return Err(ChainError::NoState { state, size });
            }
            if !self.absorbing[state] {
                return Err(ChainError::NotAbsorbing(state));
            }
            passage[state] = 1.0;
        }
        Ok(std::iter::successors(Some(passage), |passage| Some(self.pull(passage))))
    }

    /// The probability of being absorbed in one of these states after *exactly* so many steps, for 0, 1, ... `steps`
    /// steps (outer) and each starting state (inner).
    ///
    /// # Errors
    /// As [`passages`](AbsorbingChain::passages).
    pub fn first_passage(&self, into: &[usize], steps: usize) -> Result<Vec<Vec<f64>>, ChainError> {
        Ok(self.passages(into)?.take(steps.saturating_add(1)).collect())
    }

    /// The probability of being absorbed in one of the given states after *at most* `steps` steps, from each state.
    ///
    /// With a rule that ends the contest after k moves, of which m are gone, `steps` is k - m.
    ///
    /// # Errors
    /// As [`passages`](AbsorbingChain::passages).
    pub fn within(&self, into: &[usize], steps: usize) -> Result<Vec<f64>, ChainError> {
        self.try_within(into, steps, || Ok(()))
    }

    /// As [`within`](AbsorbingChain::within), asking before every step whether to go on.
    ///
    /// # Errors
    /// As [`passages`](AbsorbingChain::passages), and the error by which `proceed` stops the work.
    pub fn try_within<E: From<ChainError>>(
        &self,
        into: &[usize],
        steps: usize,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<f64>, E> {
        let mut within = vec![0.0; self.matrix.size()];
        for passage in self.passages(into)?.take(steps.saturating_add(1)) {
            proceed()?;
            // Rounding must not make it more than certain.
            within
                .iter_mut()
                .zip(&passage)
                .for_each(|(sum, probability): (&mut f64, _)| *sum = (*sum + probability).min(1.0));
        }
        Ok(within)
    }

    /// The expectation of a function of the state one step later; 0 from absorbing states, where no step is made.
    fn pull(&self, values: &[f64]) -> Vec<f64> {
        let expected = |row: &[f64]| row.iter().zip(values).map(|(p, value)| p * value).sum();
        self.matrix
            .rows()
            .zip(&self.absorbing)
            .map(|(row, &absorbing)| if absorbing { 0.0 } else { expected(row) })
            .collect()
    }

    /// Solves the chain's equations for lengths, their standard deviations and the probabilities of ends.
    ///
    /// # Errors
    /// [`ChainError::TooSeldom`] if the probability of leaving a state underflows, or a length is beyond the range of
    /// floating-point numbers.
    pub fn solve(&self) -> Result<Solution, ChainError> {
        self.try_solve(|| Ok(()))
    }

    /// As [`solve`](AbsorbingChain::solve), asking for every state several times whether to go on: the work of a chain
    /// grows with the cube of the number of its states.
    ///
    /// # Errors
    /// As [`solve`](AbsorbingChain::solve), and the error by which `proceed` stops the work.
    pub fn try_solve<E: From<ChainError>>(&self, mut proceed: impl FnMut() -> Result<(), E>) -> Result<Solution, E> {
        let size = self.matrix.size();
        let ends = self.reaching(|state| self.absorbing[state]);
        let hangs = self.reaching(|state| !ends[state]);
        let inner: Vec<usize> = (0..size).filter(|&state| ends[state] && !self.absorbing[state]).collect();
        let elimination = self.eliminate(&inner, &mut proceed)?;
        let solve = |side: &dyn Fn(usize) -> f64| {
            let mut solved: Vec<f64> = inner.iter().map(|&state| side(state)).collect();
            elimination.solve(&mut solved);
            solved
        };

        let mut lengths: Vec<f64> = (0..size).map(|state| if hangs[state] { f64::INFINITY } else { 0.0 }).collect();
        let mut sds = lengths.clone();
        for (&state, length) in inner.iter().zip(solve(&|_| 1.0)).filter(|(state, _)| !hangs[**state]) {
            if !length.is_finite() {
                return Err(ChainError::TooSeldom(state).into());
            }
            lengths[state] = length;
        }
        self.deviate(&inner, &lengths, &mut sds, &mut proceed)?;

        let absorbing: Vec<usize> = (0..size).filter(|&state| self.absorbing[state]).collect();
        let absorption = absorbing.iter().map(|&into| {
            let mut from = vec![0.0; size];
            from[into] = 1.0;
            inner.iter().zip(solve(&|state| self.matrix.row(state)[into])).for_each(|(&state, p)| from[state] = p);
            from
        });
        let absorption: Vec<Vec<f64>> = absorption.collect();
        let condition = self.condition(&inner, &elimination, &absorption, &mut proceed)?;
        Ok(Solution { lengths, sds, condition, absorbing, absorption })
    }

    /// Fills in the standard deviations of finite lengths. States of infinite length have infinite deviations already,
    /// and states of finite length lead to none of them.
    fn deviate<E>(
        &self,
        inner: &[usize],
        lengths: &[f64],
        sds: &mut [f64],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (finite, infinite): (Vec<usize>, Vec<usize>) = inner.iter().partition(|&&state| lengths[state].is_finite());
        infinite.iter().for_each(|&state| sds[state] = f64::INFINITY);
        let entries = |from: usize| finite.iter().map(move |&to| self.matrix.row(from)[to]);
        let transient: Vec<f64> = finite.iter().flat_map(|&from| entries(from)).collect();
        let ends = |from: usize| self.matrix.row(from).iter().zip(&self.absorbing).filter(|(_, absorbing)| **absorbing);
        let ending: Vec<f64> = finite.iter().map(|&from| ends(from).map(|(chance, _)| chance).sum()).collect();
        let finite_lengths: Vec<f64> = finite.iter().map(|&state| lengths[state]).collect();
        let found = Ways::new(finite.len(), &transient, &ending).deviations(&finite_lengths, proceed)?;
        finite.iter().zip(found).for_each(|(&state, sd)| sds[state] = sd);
        Ok(())
    }

    /// Marks the states from which a goal can be reached, goals included; no path leads through an absorbing state.
    fn reaching(&self, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        let size = self.matrix.size();
        let mut reaching: Vec<bool> = (0..size).map(&goal).collect();
        let mut front: Vec<usize> = (0..size).filter(|&state| reaching[state]).collect();
        while let Some(to) = front.pop() {
            for (from, reached) in reaching.iter_mut().enumerate() {
                if !*reached && !self.absorbing[from] && self.matrix.row(from)[to] > 0.0 {
                    *reached = true;
                    front.push(from);
                }
            }
        }
        reaching
    }

    fn eliminate<E: From<ChainError>>(
        &self,
        inner: &[usize],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Elimination, E> {
        let mut is_inner = vec![false; self.matrix.size()];
        inner.iter().for_each(|&state| is_inner[state] = true);
        let transient = inner.iter().flat_map(|&from| inner.iter().map(move |&to| self.matrix.row(from)[to])).collect();
        let leaving = inner.iter().map(|&from| {
            let row = self.matrix.row(from).iter().zip(&is_inner);
            row.filter(|(_, is_inner)| !**is_inner).map(|(probability, _)| probability).sum()
        });
        let trapped = |place: usize| ChainError::TooSeldom(inner[place]).into();
        Elimination::new(inner.len(), transient, leaving.collect(), trapped, proceed)
    }

    fn condition<E>(
        &self,
        inner: &[usize],
        elimination: &Elimination,
        absorption: &[Vec<f64>],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Condition, E> {
        let (size, others) = (inner.len(), absorption.len());
        let whole = size + others;
        // Column by column.
        let columns = elimination.inverse(proceed)?;
        let inverse = Square::new(size, |row, column| columns[column * size + row]);
        // The sum of the probabilities of leaving has more correct digits than 1 minus that of staying.
        let entry = |from: usize, to: usize| {
            let row = self.matrix.row(inner[from]);
            if from == to {
                row.iter().enumerate().filter(|&(state, _)| state != inner[from]).map(|(_, p)| p).sum()
            } else {
                -row[inner[to]]
            }
        };
        let transient = Square::new(size, entry);
        let absorbing: Vec<usize> = (0..self.matrix.size()).filter(|&state| self.absorbing[state]).collect();
        let block = |corner: &Square, edge: &dyn Fn(usize, usize) -> f64| {
            Square::new(whole, |row, column| match (row < size, column < size) {
                (true, true) => corner.at(row, column),
                (true, false) => edge(row, column - size),
                (false, _) => f64::from(u8::from(row == column)),
            })
        };
        let fixed = block(&transient, &|row, end| -self.matrix.row(inner[row])[absorbing[end]]);
        let fixed_inverse = block(&inverse, &|row, end| absorption[end][inner[row]]);
        Ok(Condition {
            transient: transient.norm(proceed)? * inverse.norm(proceed)?,
            fixed: fixed.norm(proceed)? * fixed_inverse.norm(proceed)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Test = Result<(), Box<dyn std::error::Error>>;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-13 * expected.abs()
    }

    #[test]
    fn the_gambler_by_hand() -> Test {
        // 0 and 4 end it; elsewhere one up or down, evenly. From i: length i (4 - i), P(end at 4) = i / 4.
        let mut entries = vec![0.0; 25];
        for state in 1..4 {
            entries[state * 5 + state - 1] = 0.5;
            entries[state * 5 + state + 1] = 0.5;
        }
        entries[0] = 1.0;
        entries[24] = 1.0;
        let chain = AbsorbingChain::new(StochasticMatrix::new(5, entries)?, &[0, 4])?;
        let solution = chain.solve()?;
        for state in 0..5 {
            let i = state as f64;
            assert!(close(solution.lengths[state], i * (4.0 - i)));
            assert!(close(solution.absorption(4).ok_or("absorbs")?[state], i / 4.0));
        }
        // Known: the variance from i of n is i (n - i) (i^2 + (n - i)^2 - 2) / 3.
        assert!(close(solution.sds[1], 8.0_f64.sqrt()) && close(solution.sds[2], 8.0_f64.sqrt()));
        assert_eq!(solution.absorption(2), None);
        // I - Q has the eigenvalues 1 - cos(k pi / 4).
        assert!(close(solution.condition.transient, (1.0 + 0.5_f64.sqrt()) / (1.0 - 0.5_f64.sqrt())));
        // From 2 both ends are reached together, and only after an even number of steps.
        let passage = chain.first_passage(&[0, 4], 4)?;
        assert_eq!(passage.iter().map(|step| step[2]).collect::<Vec<_>>(), [0.0, 0.0, 0.5, 0.0, 0.25]);
        assert_eq!(chain.within(&[4], 4)?, [0.0, 0.125, 0.375, 0.625, 1.0]);
        Ok(())
    }

    #[test]
    fn both_condition_numbers_by_hand() -> Test {
        // I - Q is 1/2 alone; A is (1/2, -1/2; 0, 1), whose singular values have the square of the golden ratio between.
        let matrix = StochasticMatrix::new(2, vec![1.0, 0.0, 0.5, 0.5])?;
        let condition = AbsorbingChain::new(matrix, &[0])?.solve()?.condition;
        assert_eq!(condition.transient, 1.0);
        assert!(close(condition.fixed, (3.0 + 5.0_f64.sqrt()) / 2.0), "{condition:?}");
        Ok(())
    }

    #[test]
    fn a_certain_length_has_no_deviation() -> Test {
        let mut entries = vec![0.0; 100];
        (0..10_usize).for_each(|state| entries[state * 10 + state.saturating_sub(1)] = 1.0);
        let solution = AbsorbingChain::new(StochasticMatrix::new(10, entries)?, &[0])?.solve()?;
        assert_eq!(solution.lengths, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(solution.sds, [0.0; 10]);
        Ok(())
    }

    #[test]
    fn what_may_never_end_lasts_for_ever() -> Test {
        // 1 may end in 0 or fall into 2 and 3, which only know each other; 4 goes to 0.
        let entries = vec![
            1.0, 0.0, 0.0, 0.0, 0.0, //
            0.5, 0.25, 0.25, 0.0, 0.0, //
            0.0, 0.0, 0.0, 1.0, 0.0, //
            0.0, 0.0, 1.0, 0.0, 0.0, //
            1.0, 0.0, 0.0, 0.0, 0.0,
        ];
        let solution = AbsorbingChain::new(StochasticMatrix::new(5, entries)?, &[0])?.solve()?;
        let forever = f64::INFINITY;
        assert_eq!(solution.lengths, [0.0, forever, forever, forever, 1.0]);
        assert_eq!(solution.sds, [0.0, forever, forever, forever, 0.0]);
        let absorption = solution.absorption(0).ok_or("absorbs")?;
        assert!(close(absorption[1], 2.0 / 3.0) && absorption[2] == 0.0 && absorption[4] == 1.0);
        Ok(())
    }

    #[test]
    fn a_chain_that_is_over_has_nothing_to_solve() -> Test {
        let still = StochasticMatrix::new(2, vec![1.0, 0.0, 0.0, 1.0])?;
        let solution = AbsorbingChain::new(still, &[0, 1])?.solve()?;
        assert_eq!(solution.lengths, [0.0, 0.0]);
        assert_eq!(solution.condition, Condition { transient: 1.0, fixed: 1.0 });
        Ok(())
    }

    #[test]
    fn the_work_can_be_stopped_anywhere() -> Test {
        #[derive(Debug, PartialEq)]
        enum Stop {
            Chain(ChainError),
            Asked,
        }
        impl From<ChainError> for Stop {
            fn from(error: ChainError) -> Stop {
                Stop::Chain(error)
            }
        }
        let size = 40;
        let entry = |place: usize| 1.0 + (place * place % 7) as f64;
        let sums: Vec<f64> = (0..size).map(|row| (0..size).map(|column| entry(row * size + column)).sum()).collect();
        let entries = (0..size * size).map(|place| entry(place) / sums[place / size]).collect();
        let chain = AbsorbingChain::new(StochasticMatrix::new(size, entries)?, &[0])?;
        let solve = |stop_at: usize| {
            let mut asked = 0;
            let solved = chain.try_solve(|| {
                asked += 1;
                if asked > stop_at { Err(Stop::Asked) } else { Ok(()) }
            });
            (solved, asked)
        };
        let (solved, questions) = solve(usize::MAX);
        assert_eq!(solved, Ok(chain.solve()?));
        // Eliminated twice (lengths, deviations), inverted once, and four norms of two sweeps each.
        assert!(questions >= 11 * (size - 1), "{questions}");
        for stop_at in 0..questions {
            assert_eq!(solve(stop_at), (Err(Stop::Asked), stop_at + 1));
        }
        Ok(())
    }

    #[test]
    fn what_is_refused() -> Test {
        let matrix = StochasticMatrix::new(2, vec![1.0, 0.0, 0.5, 0.5])?;
        assert_eq!(AbsorbingChain::new(matrix.clone(), &[]), Err(ChainError::NeverEnds));
        assert_eq!(AbsorbingChain::new(matrix.clone(), &[2]), Err(ChainError::NoState { state: 2, size: 2 }));
        let chain = AbsorbingChain::new(matrix, &[0])?;
        assert_eq!(chain.within(&[1], 3), Err(ChainError::NotAbsorbing(1)));
        assert_eq!(chain.within(&[5], 3), Err(ChainError::NoState { state: 5, size: 2 }));
        let stuck = StochasticMatrix::new(2, vec![1.0, 0.0, f64::MIN_POSITIVE / 4.0, 1.0])?;
        assert_eq!(AbsorbingChain::new(stuck, &[0])?.solve(), Err(ChainError::TooSeldom(1)));
        // Three states, each left towards the end with a probability of 1e-150, else for the one further away.
        let rare = 1e-150;
        let far = vec![
            1.0, 0.0, 0.0, 0.0, //
            rare, 0.0, 1.0, 0.0, //
            0.0, rare, 0.0, 1.0, //
            0.0, 0.0, rare, 1.0,
        ];
        assert!(matches!(
            AbsorbingChain::new(StochasticMatrix::new(4, far)?, &[0])?.solve(),
            Err(ChainError::TooSeldom(_))
        ));
        Ok(())
    }
}
