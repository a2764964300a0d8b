//! The properties of preference functions and of the players R_c (Haworth 2003, sections 3 to 6), checked by number.

use crate::bench::{Bench, competence, kappa};
use crate::browne_belle::moves;
use crate::error::Result;
use errare_choice::{Depth, Kappa, PowerLaw, Preference, State, States};
use errare_endgame::{Habits, Model, Options};
use errare_tables::Metric;
use shakmaty::Position;

/// Whether a property holds, with the cases that were checked.
pub type Checked = (bool, String);

/// The states of KQKR by DTC.
pub fn kqkr() -> States {
    States::new(Depth(31), Depth(3))
}

const COMPETENCES: [f64; 9] = [-20.0, -5.0, -1.0, -0.1, 0.0, 0.1, 1.0, 5.0, 20.0];
/// A competence so large that the limit is reached.
const FAR: f64 = 1e6;

/// The preference functions that are checked.
fn functions() -> Result<Vec<PowerLaw>> {
    [0.01, 0.5, 1.0, 4.0].into_iter().map(|value| Ok(PowerLaw::new(kqkr(), kappa(value)?)?)).collect()
}

fn win(depth: u16) -> State {
    State::Win(Depth(depth))
}

fn loss(depth: u16) -> State {
    State::Loss(Depth(depth))
}

/// Counts the cases in which a condition on the function and c fails.
fn everywhere(fails: impl Fn(&PowerLaw, f64) -> bool) -> Result<Checked> {
    let mut count = 0;
    for function in functions()? {
        count += COMPETENCES.iter().filter(|&&c| fails(&function, c)).count();
    }
    let looked_at = "KQKR, kappa 0.01, 0.5, 1, 4, c from -20 to 20";
    Ok((count == 0, format!("{count} exceptions of 36 ({looked_at})")))
}

/// Whether log-ratios of worse to better states, each a difference of logarithms, fall as c grows, and have their limits.
fn ratios_fall(pairs: &[(State, State)]) -> Result<Checked> {
    let mut exceptions = 0;
    for function in functions()? {
        for &(worse, better) in pairs {
            let ratio = |c: f64| function.log_preference(worse, c) - function.log_preference(better, c);
            let falls = COMPETENCES.windows(2).all(|pair| ratio(pair[1]) < ratio(pair[0]));
            exceptions += usize::from(!(falls && ratio(FAR) < -1e3 && ratio(-FAR) > 1e3));
        }
    }
    let total = 4 * pairs.len();
    Ok((
        exceptions == 0,
        format!("{exceptions} exceptions of {total} ratios (KQKR, kappa 0.01, 0.5, 1, 4, c from -20 to 20)"),
    ))
}

/// Whether the ratio of neighbours falls (c > 0) or grows (c < 0) with the depth, and tends to 1.
fn less_differentiable(better: impl Fn(u16) -> State, worse: impl Fn(u16) -> State) -> Result<Checked> {
    everywhere(|function, c| {
        let ratio = |d: u16| function.log_preference(better(d), c) - function.log_preference(worse(d), c);
        let is_ordered = |pair: [f64; 2]| match c.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Greater) => pair[1] < pair[0],
            Some(std::cmp::Ordering::Less) => pair[1] > pair[0],
            _ => pair[0] == 0.0 && pair[1] == 0.0,
        };
        let ordered = (0..40).all(|d| is_ordered([ratio(d), ratio(d + 1)]));
        !ordered || ratio(60_000).abs() > 1e-3
    })
}

/// Checks p03: preferences are finite and positive.
pub fn p03() -> Result<Checked> {
    everywhere(|function, c| kqkr().iter().any(|state| !function.log_preference(state, c).is_finite()))
}

/// Checks p04: preferences are constant at c = 0.
pub fn p04() -> Result<Checked> {
    everywhere(|function, _| {
        kqkr().iter().any(|state| function.log_preference(state, 0.0) != function.log_preference(win(0), 0.0))
    })
}

/// Checks p05: a draw is worth a win of depth d_W and a loss of depth d_L.
pub fn p05() -> Result<Checked> {
    everywhere(|function, c| {
        let depths = function.draw_depths();
        let draw = function.log_preference(State::Draw, c);
        let sides = [State::Win(depths.win), State::Loss(depths.loss)];
        sides.into_iter().any(|state| (function.log_preference(state, c) - draw).abs() > 1e-9)
    })
}

/// Checks q06 for wins.
pub fn q06() -> Result<Checked> {
    ratios_fall(&(0..31).map(|d| (win(d + 1), win(d))).collect::<Vec<_>>())
}

/// Checks q07 for losses.
pub fn q07() -> Result<Checked> {
    ratios_fall(&(0..3).map(|d| (loss(d), loss(d + 1))).collect::<Vec<_>>())
}

/// Checks q08: for c > 0 deeper wins are preferred less, for c < 0 more.
pub fn q08() -> Result<Checked> {
    everywhere(|function, c| {
        let value = |d: u16| c.signum() * function.log_preference(win(d), c);
        c != 0.0 && (0..31).any(|d| value(d + 1) >= value(d))
    })
}

/// Checks q09: for c > 0 deeper losses are preferred more, for c < 0 less.
pub fn q09() -> Result<Checked> {
    everywhere(|function, c| {
        let value = |d: u16| c.signum() * function.log_preference(loss(d), c);
        c != 0.0 && (0..3).any(|d| value(d + 1) <= value(d))
    })
}

/// Checks p08 for wins.
pub fn p08_win() -> Result<Checked> {
    less_differentiable(win, |d| win(d + 1))
}

/// Checks p08 for losses.
pub fn p08_loss() -> Result<Checked> {
    less_differentiable(|d| loss(d + 1), loss)
}

/// Checks p06 and p07 over all states, which follow by Theorem 1.
pub fn theorem_1() -> Result<Checked> {
    let states: Vec<State> = kqkr().iter().collect();
    let (p06, first) = ratios_fall(&states.windows(2).map(|pair| (pair[1], pair[0])).collect::<Vec<_>>())?;
    let (p07, second) = everywhere(|function, c| {
        let value = |state: State| c.signum() * function.log_preference(state, c);
        c != 0.0 && states.windows(2).any(|pair| value(pair[1]) >= value(pair[0]))
    })?;
    Ok((p06 && p07, format!("p06: {first}; p07: {second}")))
}

/// Checks p03 to p08 together.
pub fn all() -> Result<Checked> {
    let checks = [p03()?, p04()?, p05()?, q06()?, q07()?, q08()?, q09()?, p08_win()?, p08_loss()?, theorem_1()?];
    let failing = checks.iter().filter(|(holds, _)| !holds).count();
    Ok((failing == 0, format!("{failing} of 10 properties fail (p03 to p08, q06 to q09)")))
}

/// The choices in all positions of the Browne-BELLE games.
pub struct Choices {
    options: Vec<Options>,
    model: Model,
}

/// Probabilities of the states that a choice leads to, best first.
type ByState = Vec<(usize, f64)>;

impl Choices {
    /// Looks up the positions of the games.
    pub fn new(bench: &Bench<'_>) -> Result<Choices> {
        let oracle = bench.oracle(Metric::Dtc);
        let mut options = Vec::new();
        for game in [0, 1] {
            let (mut at, moves) = moves(game)?;
            for mv in moves {
                options.push(oracle.options(&at)?);
                at.play_unchecked(mv);
            }
        }
        Ok(Choices { options, model: Model::power_law(Kappa::ONE, Habits::default()) })
    }

    fn by_state(&self, options: &Options, c: f64) -> Result<ByState> {
        let chances = self.model.probabilities(options, competence(c)?)?;
        let mut sums = std::collections::BTreeMap::new();
        for (candidate, chance) in options.candidates.iter().zip(chances) {
            *sums.entry(options.states.clamped_number(candidate.state())).or_insert(0.0) += chance;
        }
        Ok(sums.into_iter().collect())
    }

    /// Counts the positions in which a condition on the probabilities at rising competences fails.
    fn check(&self, competences: &[f64], holds: impl Fn(&Options, &[ByState]) -> bool) -> Result<Checked> {
        let mut exceptions = 0;
        for options in &self.options {
            let found = competences.iter().map(|&c| self.by_state(options, c)).collect::<Result<Vec<_>>>()?;
            exceptions += usize::from(!holds(options, &found));
        }
        let total = self.options.len();
        Ok((
            exceptions == 0,
            format!("{exceptions} exceptions in the {total} positions of the Browne-BELLE games (kappa 1)"),
        ))
    }

    /// Checks Theorem 2: ratios of worse to better states fall with c, to 0.
    pub fn theorem_2(&self) -> Result<Checked> {
        self.check(&[-5.0, -1.0, 0.0, 1.0, 5.0, 20.0], |_, found| {
            let ratio = |at: &ByState, k: usize| at[k].1.ln() - at[0].1.ln();
            found.windows(2).all(|pair| (1..pair[0].len()).all(|k| ratio(&pair[1], k) < ratio(&pair[0], k)))
        })
    }

    /// Checks Theorem 3: expected state and value are no worse with a greater c; all moves are equally likely at c = 0.
    pub fn theorem_3(&self) -> Result<Checked> {
        let (first, text) = self.check(&[-20.0, -5.0, -1.0, 0.0, 1.0, 5.0, 20.0], |options, found| {
            let state = |at: &ByState| at.iter().map(|(number, p)| *number as f64 * p).sum::<f64>();
            let value = |at: &ByState| at.iter().map(|(number, p)| p * worth(options, *number)).sum::<f64>();
            found
                .windows(2)
                .all(|pair| state(&pair[1]) <= state(&pair[0]) + 1e-12 && value(&pair[1]) >= value(&pair[0]) - 1e-12)
        })?;
        let mut uneven = 0;
        for options in &self.options {
            let chances = self.model.probabilities(options, competence(0.0)?)?;
            uneven += usize::from(chances.iter().any(|chance| (chance * chances.len() as f64 - 1.0).abs() > 1e-12));
        }
        Ok((first && uneven == 0, format!("{text}; R_0 uneven in {uneven}")))
    }

    /// Checks Theorem 4: the limits are the infallible and the anti-infallible player.
    pub fn theorem_4(&self) -> Result<Checked> {
        self.check(&[-2e4, 2e4], |_, found| {
            let [worst, best] = found else { return false };
            best.first().is_some_and(|(_, p)| *p > 1.0 - 1e-9) && worst.last().is_some_and(|(_, p)| *p > 1.0 - 1e-9)
        })
    }
}

/// The theoretical value of a state for the mover: 1, 0 or -1.
fn worth(options: &Options, number: usize) -> f64 {
    match options.states.state(number) {
        Some(State::Win(_)) => 1.0,
        Some(State::Loss(_)) => -1.0,
        _ => 0.0,
    }
}
