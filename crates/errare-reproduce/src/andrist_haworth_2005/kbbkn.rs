//! Section 7, Figures 1 to 4 and appendix C: the Markov model of KBBKN.

use super::figures;
use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::markov::{contests, progress_by_depth};
use crate::numerals::{decimals, listed, numbers, scientific};
use crate::study::Study;
use errare_choice::Solution;
use errare_endgame::{Contest, EndgameError, MarkovModel, Passage};
use errare_tables::Metric;

pub const STUDY: Study = Study {
    name: "the Markov model of KBBKN",
    is_quick: false,
    covers: |id| {
        id.starts_with("001-7-") && !["001-7-1-kqkr", "001-7-1-power"].contains(&id)
            || id.starts_with("001-fig-")
            || id.starts_with("001-c-condition")
    },
    needs: |_| vec![("KBBKN", vec![Metric::Dtc]), ("KQKR", vec![Metric::Dtc])],
    run,
};

/// The competences of the model: c = 9.95 is of appendix C, 15 to 40 of the figures; the rest shows where KBBKN is as
/// easy as KQKR.
pub const COMPETENCES: [f64; 10] = [9.95, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0];
/// The places of the competences that the figures show.
pub const DRAWN: std::ops::Range<usize> = 1..7;
/// Number of moves up to which probabilities are computed.
pub const MOVES: usize = 1000;

pub struct Solved {
    pub model: MarkovModel,
    pub contests: Vec<Contest>,
    pub solutions: Vec<Solution>,
    /// The chances to win from the deepest win by number of moves, for each competence.
    pub passages: Vec<Passage>,
    /// The chances to win within 50 moves by depth, for each competence.
    pub within: Vec<Vec<f64>>,
}

fn solve(bench: &Bench<'_>) -> Result<Solved> {
    let (model, contests) = contests(bench, "KBBKN", &COMPETENCES)?;
    let deepest = model.states().deepest_win().0;
    let mut solved = Solved { model, contests, solutions: Vec::new(), passages: Vec::new(), within: Vec::new() };
    for contest in &solved.contests {
        bench.progress.proceed()?;
        let chain = contest.chain();
        solved.solutions.push(chain.solve().map_err(EndgameError::from)?);
        solved.within.push(chain.within(&[0], 50).map_err(EndgameError::from)?);
        solved.passages.push(Passage::new(contest, deepest, MOVES, f64::INFINITY, bench.progress)?);
    }
    Ok(solved)
}

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let solved = solve(bench)?;
    items.iter().map(|item| finding(bench, &solved, item)).collect()
}

fn finding(bench: &Bench<'_>, solved: &Solved, item: &Item) -> Result<Finding> {
    let conditions: Vec<f64> = solved.solutions.iter().map(|solution| solution.condition.fixed).collect();
    match item.id {
        "001-7-maxdtc" => {
            let states = bench.oracle(Metric::Dtc).states(material("KBBKN")?)?;
            Finding::numbers(item, &[f64::from(states.deepest_win().0)])
        }
        "001-7-1-kbbkn" => Ok(Finding::numbers(item, &[solved.solutions[2].lengths[31]])?
            .because("0.4% more; the paper solved in double precision by elimination with subtraction, here nothing is subtracted")),
        "001-c-condition-15" => Finding::numbers(item, &[conditions[1]]),
        "001-c-condition-9.95" => Finding::numbers(item, &[conditions[0]]),
        "001-c-condition-grows" => {
            let computed = listed(COMPETENCES.iter().zip(&conditions).map(|(c, n)| format!("c = {c}: {}", scientific(*n, 2))));
            Ok(Finding::fact(item, conditions.is_sorted_by(|one, two| one > two), computed))
        }
        "001-7-fn-8" => {
            let transient: Vec<f64> = solved.solutions.iter().map(|solution| solution.condition.transient).collect();
            let drawn = listed(DRAWN.map(|lane| format!("c = {}: {}", COMPETENCES[lane], scientific(transient[lane], 2))));
            Ok(Finding::fact(item, DRAWN.clone().all(|lane| transient[lane] < 1e8), drawn)
                .because("the condition of I - M_c between states that are not yet won; it depends on c, and appendix C has more than 1e8 at c = 15 too"))
        }
        "001-7-progress" => progress(bench, solved, item),
        "001-7-decay" => {
            let chances = &solved.passages[2].exactly;
            let ratio = |m: usize| chances[m + 1] / chances[m];
            let (early, late) = (ratio(200), ratio(MOVES - 2));
            let computed = format!(
                "c = 20: each further move has {} of the chance of the one before at m = 200, {} at m = {}",
                decimals(early, 6),
                decimals(late, 6),
                MOVES - 2
            );
            let middle = ratio(MOVES / 2);
            Ok(Finding::fact(item, late < 1.0 && (middle - late).abs() < 1e-6, computed)
                .because("an exponential decay has a constant ratio: from m = 500 on it is constant to six digits"))
        }
        "001-7-harder" => harder(bench, solved, item),
        "001-7-1-peak" => {
            let peak = |lane: usize| {
                let chances = solved.passages[lane].exactly.iter().enumerate();
                chances.max_by(|one, two| one.1.total_cmp(two.1)).map_or(0, |(m, _)| m)
            };
            let peaks: Vec<usize> = DRAWN.map(peak).collect();
            let computed = listed(DRAWN.zip(&peaks).map(|(lane, m)| format!("c = {}: {m}", COMPETENCES[lane])));
            Ok(Finding::fact(item, peaks.is_sorted_by(|one, two| one >= two), computed)
                .because("the number of moves m with the greatest probability"))
        }
        "001-7-1-fn-9" => {
            let most = DRAWN.flat_map(|lane| solved.within[lane][51..].iter().copied()).fold(0.0, f64::max);
            Finding::numbers(item, &[most])
        }
        _ => figures::figure(solved, item),
    }
}

/// Finds the depth at which progress is slowest: between the extremes, if the claim holds.
fn progress(bench: &Bench<'_>, solved: &Solved, item: &Item) -> Result<Finding> {
    let (kqkr, _) = contests(bench, "KQKR", &[20.0])?;
    let mut texts = Vec::new();
    let mut holds = true;
    for (name, gains) in [("KQKR", progress_by_depth(&kqkr, 0)?), ("KBBKN", progress_by_depth(&solved.model, 2)?)] {
        let deepest = gains.len();
        let slowest = (0..deepest).min_by(|&one, &two| gains[one].total_cmp(&gains[two])).unwrap_or(0);
        holds &=
            slowest > 0 && slowest + 1 < deepest && gains[slowest] < gains[0] && gains[slowest] < gains[deepest - 1];
        texts.push(format!(
            "{name}, c = 20: {} moves of depth gained by a move at depth 1, {} at depth {deepest}, least {} at depth {}",
            decimals(gains[0], 3),
            decimals(gains[deepest - 1], 3),
            decimals(gains[slowest], 3),
            slowest + 1,
        ));
    }
    Ok(Finding::fact(item, holds, texts.join("; ")))
}

/// Finds the competence at which KBBKN is won with the efficiency of R_20 in KQKR.
fn harder(bench: &Bench<'_>, solved: &Solved, item: &Item) -> Result<Finding> {
    let (_, chains) = contests(bench, "KQKR", &[20.0])?;
    let kqkr = chains.first().ok_or(ReproduceError::Internal("a model without a lane"))?;
    let kqkr = kqkr.chain().solve().map_err(EndgameError::from)?.lengths;
    let share = |lengths: &[f64]| lengths.last().copied().unwrap_or(0.0) / (lengths.len() - 1) as f64;
    let target = share(&kqkr);
    let ratios: Vec<f64> = solved.solutions.iter().map(|solution| share(&solution.lengths)).collect();
    let first = ratios.iter().position(|&ratio| ratio <= target);
    let computed = format!(
        "expected length over depth, from the deepest win: KQKR at c = 20 {}; KBBKN at c = 20 to 55 {}",
        decimals(target, 3),
        numbers(ratios[2..].iter().copied(), 3)
    );
    Ok(Finding::fact(item, first.is_some_and(|lane| COMPETENCES[lane] > 20.0), computed))
}
