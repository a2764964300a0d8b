//! Elimination without subtraction, after Grassmann, Taksar and Heyman.
//!
//! Gaussian elimination on I - Q subtracts: where a state is almost never left, 1 - q loses every digit. But 1 - q is
//! the sum of the probabilities of leaving, and eliminating a state only adds probabilities. Multiplications,
//! divisions and additions of non-negative numbers keep the relative accuracy of each of them, however long the
//! contest lasts.

/// The factors of I - Q, by which it can be solved for any right-hand side that is not negative.
pub(crate) struct Elimination {
    size: usize,
    /// Below the diagonal: the probabilities of going from the row's state to the states before it, after all states
    /// behind it have been eliminated. Above the diagonal: the probability of entering the column's state, divided by
    /// its outflow.
    factors: Vec<f64>,
    /// The probability of leaving each state, after all states behind it have been eliminated.
    outflow: Vec<f64>,
}

impl Elimination {
    /// Eliminates the transient part Q, given row by row, with the probability of leaving it from each of its states.
    ///
    /// The diagonal of Q is ignored. `trapped` makes the error of a state that cannot be left, be it by underflow, and
    /// `proceed` is asked before each state is eliminated.
    pub(crate) fn new<E>(
        size: usize,
        transient: Vec<f64>,
        mut leaving: Vec<f64>,
        trapped: impl Fn(usize) -> E,
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Elimination, E> {
        let mut factors = transient;
        let mut outflow = vec![0.0; size];
        for last in (0..size).rev() {
            proceed()?;
            let (before, rest) = factors.split_at_mut(last * size);
            let going = &rest[..last];
            outflow[last] = going.iter().sum::<f64>() + leaving[last];
            if outflow[last] < f64::MIN_POSITIVE {
                return Err(trapped(last));
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

    /// Replaces the right-hand side by the solution x of (I - Q) x = side. The relative accuracy is that of the
    /// right-hand side if nothing in it is negative.
    pub(crate) fn solve(&self, side: &mut [f64]) {
        for last in (0..self.size).rev() {
            let (before, rest) = side.split_at_mut(last);
            for (state, value) in before.iter_mut().enumerate() {
                *value += weighed(self.factors[state * self.size + last], rest[0]);
            }
        }
        for state in 0..self.size {
            let (before, rest) = side.split_at_mut(state);
            let row = &self.factors[state * self.size..state * self.size + state];
            let onward: f64 = row.iter().zip(before.iter()).map(|(&entry, &value)| weighed(entry, value)).sum();
            rest[0] = (rest[0] + onward) / self.outflow[state];
        }
    }

    /// The inverse of I - Q, column by column: the expected number of visits to each state (column) from each (row).
    pub(crate) fn inverse<E>(&self, proceed: &mut impl FnMut() -> Result<(), E>) -> Result<Vec<f64>, E> {
        let mut columns = vec![0.0; self.size * self.size];
        for (state, column) in columns.chunks_exact_mut(self.size.max(1)).enumerate() {
            proceed()?;
            column[state] = 1.0;
            self.solve(column);
        }
        Ok(columns)
    }
}

/// The product of a probability and a number that may be infinite: what cannot happen counts nothing.
fn weighed(probability: f64, number: f64) -> f64 {
    if probability == 0.0 { 0.0 } else { probability * number }
}
