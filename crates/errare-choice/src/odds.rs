//! From losses to probabilities, with their derivatives by the skill.

use crate::curve::Aversion;
use crate::probability::ChoiceError;
use crate::relation::{Link, Powers, Ratio, Relation};
use crate::skill::{Formula, Skill};
use std::f64::consts::LN_2;

/// The probabilities of one decision, with their derivatives. Meant to be reused, so that nothing is allocated anew.
///
/// ```
/// use errare_choice::{Formula, Odds, Skill};
/// let mut odds = Odds::default();
/// odds.weigh(Formula::PAPER, Skill::new(0.1, 0.5)?, &[0.0, 0.1])?;
/// // p_1 = p_0^e, and both sum to 1.
/// let p = odds.probabilities();
/// assert!((p[0].powf(std::f64::consts::E) - p[1]).abs() < 1e-14);
/// // The more sensitive the player, the likelier the better choice: s is smaller then.
/// let [by_log_s, by_log_c] = odds.gradient(0);
/// assert!(by_log_s < 0.0 && by_log_c.abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Odds {
    aversions: Vec<Aversion>,
    logs: Vec<f64>,
    probabilities: Vec<f64>,
    /// The derivative phi' for each choice.
    slopes: Vec<f64>,
    /// The derivatives of the level z, which are subtracted from those of the aversions.
    mean: [f64; 2],
    /// The prepared part of each choice's surprise (see [`Link`]).
    prepared: Vec<f64>,
    /// The prepared parts of the choices that are not negligible while the level is solved for.
    counting: Vec<f64>,
}

/// A difference of surprises beyond which a choice adds nothing to a sum of hundreds: e^-45 is 3e-20.
const NEGLIGIBLE: f64 = 45.0;

impl Odds {
    /// Computes the probabilities of candidates by their losses against the best, one of which must be 0.
    ///
    /// # Errors
    /// If the candidates are empty, if a loss is negative or not a number, or if no loss is 0.
    pub fn weigh<D: Copy + Into<f64>>(
        &mut self,
        formula: Formula,
        skill: Skill,
        losses: &[D],
    ) -> Result<(), ChoiceError> {
        let curve = formula.curve.of(skill);
        self.aversions.clear();
        let mut least = f64::INFINITY;
        for (index, &loss) in losses.iter().enumerate() {
            let loss = checked(index, loss.into())?;
            least = least.min(loss);
            self.aversions.push(curve.aversion(loss));
        }
        if least > 0.0 && !losses.is_empty() {
            return Err(ChoiceError::NoBest { least });
        }
        self.solve(formula.relation)
    }

    /// Computes the probabilities of candidates whose losses several judges estimate, each judge with a weight.
    ///
    /// g is the weighted sum of the judges' g (Regan and Haworth (2011), section 3, where judges are depths of search).
    /// Judges may disagree on which candidate is best. Aversions are then taken relative to the least, so that the
    /// candidate that is best by all judges together plays the part of m_0; with one judge the result is that of
    /// [`Odds::weigh`].
    ///
    /// # Errors
    /// If the candidates are empty, if a loss is negative or not a number, or if a judge has fewer losses than the first.
    pub fn weigh_by_judges<D: Copy + Into<f64>>(
        &mut self,
        formula: Formula,
        skill: Skill,
        judges: &[(f64, &[D])],
    ) -> Result<(), ChoiceError> {
        let curve = formula.curve.of(skill);
        let count = judges.first().map_or(0, |(_, losses)| losses.len());
        self.aversions.clear();
        for index in 0..count {
            let (mut g, mut by_s, mut by_c) = (0.0, 0.0, 0.0);
            for (weight, losses) in judges {
                let loss = *losses.get(index).ok_or(ChoiceError::Index { index, count: losses.len() })?;
                let judged = curve.aversion(checked(index, loss.into())?);
                let share = weight * (-judged.value).exp();
                if share > 0.0 {
                    g += share;
                    by_s += share * judged.by_log_s;
                    by_c += share * judged.by_log_c;
                }
            }
            // If every judge's g underflows, the aversion is the greatest that a number can express.
            let g = g.max(f64::MIN_POSITIVE);
            self.aversions.push(Aversion { value: -g.ln(), by_log_s: by_s / g, by_log_c: by_c / g });
        }
        let least = self.aversions.iter().map(|aversion| aversion.value).fold(f64::INFINITY, f64::min);
        self.aversions.iter_mut().for_each(|aversion| aversion.value -= least);
        self.solve(formula.relation)
    }

    /// The number of candidates.
    pub fn count(&self) -> usize {
        self.logs.len()
    }

    /// The logarithm of the probability of each candidate.
    pub fn log_probabilities(&self) -> &[f64] {
        &self.logs
    }

    /// The probability of each candidate.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The derivatives of the logarithm of the probability of a candidate by ln s and ln c.
    ///
    /// # Panics
    /// If no candidate has this index.
    pub fn gradient(&self, index: usize) -> [f64; 2] {
        let (aversion, slope) = (&self.aversions[index], self.slopes[index]);
        [-slope * (aversion.by_log_s - self.mean[0]), -slope * (aversion.by_log_c - self.mean[1])]
    }

    fn solve(&mut self, relation: Relation) -> Result<(), ChoiceError> {
        let count = self.aversions.len();
        self.logs.clear();
        self.slopes.clear();
        self.probabilities.clear();
        match (relation, count) {
            (_, 0) => return Err(ChoiceError::Nothing),
            // A single candidate is certain, whatever the skill.
            (_, 1) => {
                self.logs.push(0.0);
                self.probabilities.push(1.0);
                self.slopes.push(0.0);
                self.mean = [0.0; 2];
            }
            (Relation::Shares, _) => self.solve_shares(),
            (Relation::Powers, _) => self.solve_by::<Powers>(),
            (Relation::Ratio, _) => self.solve_by::<Ratio>(),
        }
        Ok(())
    }

    fn solve_shares(&mut self) {
        self.probabilities.extend(self.aversions.iter().map(|aversion| (-aversion.value).exp()));
        let (best, _) = two_least(&self.aversions);
        let others: f64 = self.probabilities[..best].iter().chain(&self.probabilities[best + 1..]).sum();
        // The best contributes 1, which is kept apart so that the others do not lose digits.
        let (sum, level) = (1.0 + others, others.ln_1p());
        self.mean = [0.0; 2];
        for (probability, aversion) in self.probabilities.iter_mut().zip(&self.aversions) {
            *probability /= sum;
            self.logs.push(-aversion.value - level);
            self.slopes.push(1.0);
            self.mean[0] += product(*probability, aversion.by_log_s);
            self.mean[1] += product(*probability, aversion.by_log_c);
        }
    }

    /// Solves sum p = 1 for the surprise y = -ln p of the second best choice.
    ///
    /// f(y) = ln(1 - p_best) - ln(sum of all others) is increasing. For powers it is concave, and y >= ln 2 because no
    /// second best has a probability above 1/2: from there Newton's method rises to the root without ever passing it.
    /// For ratio this is not proved, so every step stays within a bracket.
    fn solve_by<L: Link>(&mut self) {
        let (best, second) = two_least(&self.aversions);
        let least = self.aversions[second].value;
        let lead = least - self.aversions[best].value;
        self.prepared.clear();
        self.prepared.extend(self.aversions.iter().map(|aversion| L::prepare((aversion.value - least).max(0.0))));
        // An infinite surprise excludes the best from the sum of the others.
        self.prepared[best] = f64::INFINITY;
        // Surprises move apart as y grows, so what is negligible at the least y is negligible at the root.
        let counts = |prepared: &&f64| L::surprise(LN_2, **prepared) < LN_2 + NEGLIGIBLE;
        self.counting.clear();
        self.counting.extend(self.prepared.iter().filter(counts));
        let (mut low, mut high) = (LN_2, f64::INFINITY);
        let mut y = LN_2;
        for _ in 0..100 {
            let (error, slope) = self.imbalance::<L>(y, lead);
            if error < 0.0 {
                low = y
            } else {
                high = y
            }
            let mut next = y - error / slope;
            if !(next >= low && next <= high) {
                next = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * low };
            }
            let step = (next - y).abs();
            y = next;
            // Convergence is quadratic: the error left is of the order of the square.
            if step <= 1e-9 * y || low >= high {
                break;
            }
        }
        self.finish::<L>(y, lead, best);
    }

    /// Computes f(y) and its derivative.
    fn imbalance<L: Link>(&self, y: f64, lead: f64) -> (f64, f64) {
        let (mut sum, mut slopes) = (0.0, 0.0);
        // Relative to the second best, so that the sum never underflows.
        for &prepared in &self.counting {
            let u = L::surprise(y, prepared);
            let share = (y - u).exp();
            sum += share;
            slopes += share * L::slope(u);
        }
        let log_u = L::log_best(y, lead);
        let (log_rest, pull) = of_best::<L>(log_u);
        (log_rest + y - sum.ln(), (slopes / sum + pull) / L::slope(y))
    }

    fn finish<L: Link>(&mut self, y: f64, lead: f64, best: usize) {
        let log_u = L::log_best(y, lead);
        let (_, pull) = of_best::<L>(log_u);
        let unit = L::slope(y);
        let others: f64 = self.counting.iter().map(|&prepared| (y - L::surprise(y, prepared)).exp()).sum();
        let second = (-y).exp();
        let (mut total, mut mean) = (0.0, [0.0; 2]);
        for (index, aversion) in self.aversions.iter().enumerate() {
            // Weights p phi', in units of the probability of all but the best and of phi' at the second best.
            let (u, probability, weight) = if index == best {
                // Two equally good choices must have exactly the same probability.
                let u = if lead == 0.0 { y } else { log_u.exp() };
                (u, if lead == 0.0 { second } else { (-u).exp() }, pull / unit)
            } else {
                let u = L::surprise(y, self.prepared[index]);
                let share = (y - u).exp();
                (u, share * second, product(share / others, L::slope(u) / unit))
            };
            self.logs.push(-u);
            self.probabilities.push(probability);
            self.slopes.push(L::slope(u));
            total += weight;
            mean[0] += product(weight, aversion.by_log_s);
            mean[1] += product(weight, aversion.by_log_c);
        }
        self.mean = [mean[0] / total, mean[1] / total];
    }
}

/// Computes ln(1 - p) and p phi' / (1 - p) for the best choice, whose surprise u is given by its logarithm because u
/// may underflow.
fn of_best<L: Link>(log_u: f64) -> (f64, f64) {
    let u = log_u.exp();
    if u < 1e-10 {
        return (log_u, 1.0);
    }
    let rest = -(-u).exp_m1();
    (rest.ln(), (1.0 - rest) * L::slope(u) / rest)
}

/// Multiplies so that a weight of 0 gives 0 even with an infinite value: what has no probability has no influence.
fn product(weight: f64, value: f64) -> f64 {
    if weight == 0.0 { 0.0 } else { weight * value }
}

/// Returns the loss if it is valid.
fn checked(index: usize, loss: f64) -> Result<f64, ChoiceError> {
    if loss >= 0.0 { Ok(loss) } else { Err(ChoiceError::Loss { index, loss }) }
}

/// The indices of the least aversion and of the second least.
fn two_least(aversions: &[Aversion]) -> (usize, usize) {
    let (mut best, mut second) = if aversions[1].value < aversions[0].value { (1, 0) } else { (0, 1) };
    for (place, aversion) in aversions.iter().enumerate().skip(2) {
        if aversion.value < aversions[best].value {
            (best, second) = (place, best);
        } else if aversion.value < aversions[second].value {
            second = place;
        }
    }
    (best, second)
}
