//! The elimination against exact rational arithmetic.

use errare_choice::{AbsorbingChain, StochasticMatrix};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;

type Rows = Vec<Vec<BigRational>>;

fn exact(number: f64) -> BigRational {
    BigRational::from_float(number).expect("finite")
}

/// I - Q of a chain in which state 0 alone absorbs: the probability of leaving on the diagonal. Rows add up to 1 but for
/// rounding, and here exactly.
fn equations(matrix: &StochasticMatrix) -> Rows {
    let size = matrix.size();
    let row = |from: usize| -> Vec<BigRational> {
        let row: Vec<BigRational> = matrix.row(from).iter().map(|&entry| exact(entry)).collect();
        let sum: BigRational = row.iter().sum();
        let leaving: BigRational = (0..size).filter(|&to| to != from).map(|to| &row[to]).sum();
        let entry = |to: usize| if from == to { leaving.clone() } else { -row[to].clone() };
        (1..size).map(|to| entry(to) / &sum).collect()
    };
    (1..size).map(row).collect()
}

/// Gauss and Jordan.
fn solve(mut rows: Rows, mut side: Vec<BigRational>) -> Vec<BigRational> {
    for pivot in 0..rows.len() {
        let swap = (pivot..rows.len()).find(|&row| !rows[row][pivot].is_zero()).expect("regular");
        rows.swap(pivot, swap);
        side.swap(pivot, swap);
        let (pivot_row, pivot_side) = (rows[pivot].clone(), side[pivot].clone());
        for row in (0..rows.len()).filter(|&row| row != pivot) {
            let factor = &rows[row][pivot] / &pivot_row[pivot];
            if !factor.is_zero() {
                rows[row].iter_mut().zip(&pivot_row).for_each(|(entry, above)| *entry -= &factor * above);
                side[row] -= &factor * &pivot_side;
            }
        }
    }
    (0..rows.len()).map(|row| &side[row] / &rows[row][row]).collect()
}

/// The expected lengths and variances of the chain with these probabilities of leaving.
fn lengths_and_variances(matrix: &StochasticMatrix) -> (Vec<BigRational>, Vec<BigRational>) {
    let rows = equations(matrix);
    let lengths = solve(rows.clone(), vec![BigRational::one(); rows.len()]);
    // E[T^2] = N (2 L - 1).
    let side = lengths.iter().map(|length| length + length - BigRational::one()).collect();
    let squares = solve(rows, side);
    let variances = squares.iter().zip(&lengths).map(|(square, length)| square - length * length).collect();
    (lengths, variances)
}

fn off(found: f64, expected: &BigRational) -> f64 {
    ((exact(found) - expected) / expected).to_f64().expect("a number").abs()
}

/// From state i one gains a step or loses one with these probabilities, at the far end gains or stays: the length grows
/// like a power of their ratio.
fn uphill(size: usize, gain: f64, lose: f64) -> StochasticMatrix {
    let mut entries = vec![0.0; size * size];
    entries[0] = 1.0;
    for from in 1..size {
        entries[from * size + from - 1] = gain;
        entries[from * size + (from + 1).min(size - 1)] = lose;
        entries[from * size + from] += 1.0 - gain - lose;
    }
    StochasticMatrix::new(size, entries).expect("stochastic")
}

#[test]
fn lengths_of_1e15_keep_their_digits() -> Result<(), Box<dyn std::error::Error>> {
    // No binary fractions: 1 less the probability of staying is not exactly that of leaving.
    let matrix = uphill(30, 0.2, 0.7);
    let (lengths, variances) = lengths_and_variances(&matrix);
    let solution = AbsorbingChain::new(matrix, &[0])?.solve()?;
    assert!(solution.lengths[29] > 1e15, "{}", solution.lengths[29]);
    for from in 1..30 {
        assert!(off(solution.lengths[from], &lengths[from - 1]) < 1e-14);
        assert!(off(solution.sds[from] * solution.sds[from], &variances[from - 1]) < 1e-13);
        assert!((solution.absorption(0).ok_or("absorbs")?[from] - 1.0).abs() < 1e-13);
    }
    // Beyond what could be had from the matrix alone, whose least singular value is lost in rounding.
    assert!((1e15..1e18).contains(&solution.condition.transient), "{:?}", solution.condition);
    Ok(())
}

#[test]
fn lengths_of_1e100_keep_their_digits() -> Result<(), Box<dyn std::error::Error>> {
    let matrix = uphill(212, 0.25, 0.75);
    let solution = AbsorbingChain::new(matrix, &[0])?.solve()?;
    // L_n - L_n-1 = 4 + 3 (what it was one step further up), so from the far end d_n = 4 and d_i = 4 + 3 d_i+1.
    let mut step = BigRational::from_integer(4.into());
    let mut steps = vec![step.clone()];
    for _ in 2..212 {
        step = step * BigRational::from_integer(3.into()) + BigRational::from_integer(4.into());
        steps.push(step.clone());
    }
    let total: BigRational = steps.iter().sum();
    assert!(solution.lengths[211] > 1e100);
    assert!(off(solution.lengths[211], &total) < 1e-13);
    assert!(solution.condition.transient.is_finite());
    // Rational arithmetic is quick enough for the variances of a shorter walk.
    let matrix = uphill(60, 0.25, 0.75);
    let (lengths, variances) = lengths_and_variances(&matrix);
    let solution = AbsorbingChain::new(matrix, &[0])?.solve()?;
    assert!(solution.sds[59] > 1e25);
    for from in 1..60 {
        assert!(off(solution.lengths[from], &lengths[from - 1]) < 1e-13);
        assert!(off(solution.sds[from] * solution.sds[from], &variances[from - 1]) < 1e-12);
    }
    Ok(())
}

/// A walk so long that the square of its length is beyond the range of numbers.
#[test]
fn deviations_are_in_the_range_of_numbers_where_lengths_are() -> Result<(), Box<dyn std::error::Error>> {
    let solution = AbsorbingChain::new(uphill(400, 0.25, 0.75), &[0])?.solve()?;
    let (length, sd) = (solution.lengths[399], solution.sds[399]);
    assert!(length > 1e180 && length < 1e200, "{length}");
    // Whoever has to wait for a rare event waits for a time that deviates as much as it lasts.
    assert!((sd / length - 1.0).abs() < 1e-10, "{sd}");
    Ok(())
}

/// Weights of probabilities between 1 and 1e-15, many of them 0.
fn chain() -> impl Strategy<Value = StochasticMatrix> {
    let weight = prop_oneof![1 => Just(0.0), 2 => (0.1..1.0, 0..15).prop_map(|(w, places): (f64, i32)| w * 10_f64.powi(-places))];
    (2..7_usize)
        .prop_flat_map(move |size| (Just(size), proptest::collection::vec(weight.clone(), size * size)))
        .prop_map(|(size, mut entries)| {
            for (from, row) in entries.chunks_exact_mut(size).enumerate() {
                // Some way to the end there must be.
                let onward = from.saturating_sub(1);
                row[onward] = row[onward].max(1e-12);
                let sum: f64 = row.iter().sum();
                row.iter_mut().for_each(|entry| *entry /= sum);
            }
            StochasticMatrix::new(size, entries).expect("stochastic")
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn random_chains_are_solved_to_the_last_digits(matrix in chain()) {
        let (lengths, variances) = lengths_and_variances(&matrix);
        let solution = AbsorbingChain::new(matrix.clone(), &[0]).and_then(|chain| chain.solve()).expect("ends");
        for from in 1..matrix.size() {
            prop_assert!(off(solution.lengths[from], &lengths[from - 1]) < 1e-13);
            let (sd, variance) = (solution.sds[from], &variances[from - 1]);
            if variance.is_zero() {
                prop_assert!(sd < 1e-14 * solution.lengths[from], "{} of {}", sd, solution.lengths[from]);
            } else {
                prop_assert!(off(sd * sd, variance) < 1e-12, "{} {}", sd, variance.to_f64().unwrap_or(f64::NAN).sqrt());
            }
        }
    }

    #[test]
    fn lengths_and_deviations_are_those_of_the_distribution(matrix in chain()) {
        let chain = AbsorbingChain::new(matrix.clone(), &[0]).expect("a chain");
        let solution = chain.solve().expect("ends");
        prop_assume!(solution.lengths.iter().all(|&length| length < 50.0));
        let passage = chain.first_passage(&[0], 4000).expect("absorbs");
        let within = chain.within(&[0], 4000).expect("absorbs");
        for from in 0..matrix.size() {
            let moment = |power: i32| -> f64 {
                passage.iter().enumerate().map(|(steps, step)| (steps as f64).powi(power) * step[from]).sum()
            };
            prop_assert!((within[from] - moment(0)).abs() < 1e-12);
            prop_assume!((1.0 - within[from]).abs() < 1e-10);
            let (mean, sd) = (moment(1), (moment(2) - moment(1) * moment(1)).max(0.0).sqrt());
            prop_assert!((mean - solution.lengths[from]).abs() < 1e-6 * (1.0 + mean));
            prop_assert!((sd - solution.sds[from]).abs() < 1e-4 * (1.0 + sd), "{} {}", sd, solution.sds[from]);
        }
    }
}
