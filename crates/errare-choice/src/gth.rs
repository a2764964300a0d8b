//! Elimination without subtraction, after Grassmann, Taksar and Heyman.
//!
//! Gaussian elimination on I - Q subtracts: where a state is all but never left, 1 - q loses every digit. But 1 - q is
//! the sum of the probabilities of leaving, and eliminating a state only adds probabilities up. Multiplications,
//! divisions and additions of what is not negative keep the relative accuracy of every number, however long the
//! contest lasts.

/// I - Q in factors, ready to be solved for any right-hand side that is not negative.
pub(crate) struct Elimination {
    size: usize,
    /// Below the diagonal, for the state of the row: its probabilities of going to the states before it, when all
    /// states after it have been eliminated. Above: the probability of entering the state of the column, divided by
    /// its outflow.
    factors: Vec<f64>,
    /// The probability of leaving a state, when all states after it have been eliminated.
    outflow: Vec<f64>,
}

impl Elimination {
    /// From the transient part Q, row by row, and the probability of leaving it from each of its states. The diagonal
    /// of Q is not looked at. The state is named that could not be left, be it by underflow.
    pub(crate) fn new(size: usize, transient: Vec<f64>, mut leaving: Vec<f64>) -> Result<Elimination, usize> {
        let mut factors = transient;
        let mut outflow = vec![0.0; size];
        for last in (0..size).rev() {
            let (before, rest) = factors.split_at_mut(last * size);
            let going = &rest[..last];
            outflow[last] = going.iter().sum::<f64>() + leaving[last];
            if outflow[last] < f64::MIN_POSITIVE {
                return Err(last);
            }
            for (state, row) in before.chunks_exact_mut(size).enumerate() {
                let entering = row[last] / outflow[last];
                row[last] = entering;
                if entering > 0.0 {
                    row[..last].iter_mut().zip(going).for_each(|(entry, onward)| *entry += entering * onward);
                    leaving[state] += entering * leaving[last];
                }
            }
        }
        Ok(Elimination { size, factors, outflow })
    }

    /// x with (I - Q) x = the right-hand side, in its place. To the relative accuracy of that if nothing in it is
    /// negative.
    pub(crate) fn solve(&self, side: &mut [f64]) {
        for last in (0..self.size).rev() {
            let (before, rest) = side.split_at_mut(last);
            for (state, value) in before.iter_mut().enumerate() {
                *value += self.factors[state * self.size + last] * rest[0];
            }
        }
        for state in 0..self.size {
            let (before, rest) = side.split_at_mut(state);
            let row = &self.factors[state * self.size..state * self.size + state];
            let onward: f64 = row.iter().zip(before.iter()).map(|(entry, value)| entry * value).sum();
            rest[0] = (rest[0] + onward) / self.outflow[state];
        }
    }

    /// The inverse of I - Q, column by column: how often each state (column) is visited from each (row).
    pub(crate) fn inverse(&self) -> Vec<f64> {
        let mut columns = vec![0.0; self.size * self.size];
        for (state, column) in columns.chunks_exact_mut(self.size.max(1)).enumerate() {
            column[state] = 1.0;
            self.solve(column);
        }
        columns
    }
}
