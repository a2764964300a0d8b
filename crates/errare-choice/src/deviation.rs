//! Standard deviations of the length of a contest, by eliminating states whose ways take a random time.
//!
//! The variance is also the sum, over all steps, of the variance that each step adds. But a contest of 1e50 steps sums up
//! 1e50 rounding errors, and nothing else is left. So states are eliminated one by one, as in
//! [`gth`](crate::gth): each way from one state to another is kept with its probability, its mean time and the spread of
//! that time, and a state that is passed through is added to the ways that lead through it. Probabilities, means and
//! spreads are only multiplied, divided and added. Means are compared (as `one - other`, squared) once for each pair of
//! ways, not once for each step.

/// All ways between states while some of them are being eliminated. Column 0 is the end of the contest, and column s + 1
/// is state s.
pub(crate) struct Ways {
    size: usize,
    /// The probability of each way.
    chances: Vec<f64>,
    /// The mean time of each way; 0 where there is none.
    means: Vec<f64>,
    /// The variance of the time of each way, divided by the square of its mean. So a time of 1e200 steps has no variance
    /// beyond the range of a number.
    spreads: Vec<f64>,
}

/// A time: its mean, and its variance divided by the square of its mean.
#[derive(Clone, Copy)]
struct Time {
    mean: f64,
    spread: f64,
}

impl Time {
    /// The time of two stretches, one after the other.
    fn then(self, next: Time) -> Time {
        let mean = self.mean + next.mean;
        if mean == 0.0 {
            return self;
        }
        let (one, two) = (self.mean / mean, next.mean / mean);
        Time { mean, spread: one * one * self.spread + two * two * next.spread }
    }

    /// The time of one of two ways, with the share of the first.
    fn or(self, other: Time, share: f64, other_share: f64) -> Time {
        let mean = share * self.mean + other_share * other.mean;
        let (one, two, between) = (self.mean / mean, other.mean / mean, (self.mean - other.mean) / mean);
        let within = share * one * one * self.spread + other_share * two * two * other.spread;
        Time { mean, spread: within + share * other_share * between * between }
    }

    /// The time of all rounds of this length that are made before a state is left, which happens with probability
    /// `outflow` after each of them, another round being made with probability `staying`.
    fn repeated(self, staying: f64, outflow: f64) -> Time {
        let rounds = staying / outflow;
        if rounds == 0.0 {
            return Time { mean: 0.0, spread: 0.0 };
        }
        // The number of rounds has the mean r and, being geometric, the variance r (1 + r).
        Time { mean: rounds * self.mean, spread: (self.spread + 1.0 + rounds) / rounds }
    }
}

impl Ways {
    /// The ways of one step each, given the probabilities between states row by row, and of ending from each state.
    pub(crate) fn new(size: usize, transient: &[f64], ending: &[f64]) -> Ways {
        let rows = transient.chunks_exact(size.max(1)).zip(ending);
        let chances: Vec<f64> = rows.flat_map(|(row, &end)| std::iter::once(end).chain(row.iter().copied())).collect();
        let means = chances.iter().map(|&chance| f64::from(u8::from(chance > 0.0))).collect();
        Ways { size, spreads: vec![0.0; chances.len()], chances, means }
    }

    fn place(&self, from: usize, column: usize) -> usize {
        from * (self.size + 1) + column
    }

    fn time(&self, place: usize) -> Time {
        Time { mean: self.means[place], spread: self.spreads[place] }
    }

    /// The probability of going from a state to the end or to a state before it.
    fn outflow(&self, state: usize) -> f64 {
        self.chances[self.place(state, 0)..=self.place(state, state)].iter().sum()
    }

    /// Eliminates a state behind which no state is left: adds it to the ways that lead through it.
    fn eliminate(&mut self, last: usize) {
        let outflow = self.outflow(last);
        let staying = self.place(last, last + 1);
        let rounds = self.time(staying).repeated(self.chances[staying], outflow);
        for from in 0..last {
            let entering = self.place(from, last + 1);
            if self.chances[entering] == 0.0 {
                continue;
            }
            let entered = self.chances[entering] / outflow;
            let until_left = self.time(entering).then(rounds);
            for column in 0..=last {
                let (onward, way) = (self.place(last, column), self.place(from, column));
                let through = entered * self.chances[onward];
                if through == 0.0 {
                    continue;
                }
                let time = until_left.then(self.time(onward));
                let chance = self.chances[way] + through;
                let time = self.time(way).or(time, self.chances[way] / chance, through / chance);
                (self.chances[way], self.means[way], self.spreads[way]) = (chance, time.mean, time.spread);
            }
        }
    }

    /// The standard deviations, given the expected lengths. `proceed` is asked before each elimination.
    pub(crate) fn deviations<E>(
        mut self,
        lengths: &[f64],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<f64>, E> {
        for last in (0..self.size).rev() {
            proceed()?;
            self.eliminate(last);
        }
        // The variance of each length, divided by the square of the length.
        let mut spreads: Vec<f64> = Vec::with_capacity(self.size);
        for state in 0..self.size {
            let length = lengths[state];
            let mut spread = 0.0;
            // To the end or to a state before this one, or to this one again.
            for column in 0..=state + 1 {
                let way = self.place(state, column);
                let (chance, time) = (self.chances[way], self.time(way));
                if chance == 0.0 {
                    continue;
                }
                let (rest, rest_spread) = match column.checked_sub(1) {
                    None => (0.0, 0.0),
                    Some(to) if to == state => (length, 0.0),
                    Some(to) => (lengths[to], spreads[to]),
                };
                let (own, after, off) = (time.mean / length, rest / length, (time.mean + rest - length) / length);
                spread += chance * (own * own * time.spread + after * after * rest_spread + off * off);
            }
            spreads.push(spread / self.outflow(state));
        }
        let deviation = |(&length, spread): (&f64, f64)| length * spread.sqrt();
        Ok(lengths.iter().zip(spreads).map(deviation).collect())
    }
}
