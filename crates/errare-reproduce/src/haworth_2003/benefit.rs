//! Section 8: the benefit of BELLE's choices.

use crate::bench::{Bench, competence, keeping, san};
use crate::browne_belle::{assessed, printed};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed};
use crate::study::Study;
use errare_choice::{Kappa, State};
use errare_endgame::{Agent, Belief, Oracle, Predator, Remark, Scope};
use errare_tables::Metric;
use shakmaty::{Color, Position};

pub const STUDY: Study = Study {
    name: "BELLE's choices",
    is_quick: true,
    covers: |id| {
        let ids = ["choices", "correct", "gain-1", "gain-2", "speculation"];
        id.strip_prefix("000-8-").is_some_and(|rest| ids.contains(&rest))
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// Black's moves where there was a choice of several optimal ones.
fn choices(remarks: &[Remark]) -> impl Iterator<Item = &Remark> {
    remarks.iter().filter(|remark| remark.position.turn() == Color::Black && remark.optimal.len() > 1)
}

fn number(remark: &Remark) -> usize {
    remark.ply / 2 + 1
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let remarks = assessed(bench, 1, Kappa::ZERO_PLUS)?;
    match item.id {
        "000-8-choices" => {
            let before = choices(&remarks).map(number).filter(|number| *number < 34);
            let after: Vec<usize> = choices(&remarks).map(number).filter(|number| *number >= 34).collect();
            Ok(Finding::text(item, listed(before))
                .because(format!("and, beyond the cycle, on moves {}, where the game is over", listed(after))))
        }
        "000-8-correct" => {
            let correct = choices(&remarks).filter(|remark| number(remark) < 34 && remark.model_choice == remark.mv);
            Ok(Finding::text(item, listed(correct.map(number))))
        }
        "000-8-gain-2" => gain(bench, item, 1),
        "000-8-gain-1" => gain(bench, item, 0),
        "000-8-speculation" => speculation(bench, item),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Computes the expected depth after Black's move and R_20's reply, less that after the move played, over all choices.
fn gain(bench: &Bench<'_>, item: &Item, game: usize) -> Result<Finding> {
    let mut parts = Vec::new();
    let mut totals = [0.0; 2];
    let oracle = bench.oracle(Metric::Dtc);
    let circled: Vec<usize> = printed(game)?.iter().filter(|one| one.circled.is_some()).map(|one| one.number).collect();
    for (at, kappa) in [Kappa::ZERO_PLUS, Kappa::ONE].into_iter().enumerate() {
        let belief = Belief::point(keeping(kappa), competence(20.0)?);
        let mut predator = Predator::new(belief, 2, Scope::Optimal)?;
        for remark in choices(&assessed(bench, game, kappa)?).filter(|remark| circled.contains(&number(remark))) {
            let options = oracle.options(&remark.position)?;
            let figures = predator.judge(&oracle, &options, bench.progress)?.figures;
            let best = figures.iter().flatten().copied().fold(f64::MIN, f64::max);
            let place = options.find(remark.mv).ok_or(ReproduceError::Internal("a move of the game is not legal"))?;
            let lost = best - figures[place].unwrap_or(best);
            totals[at] += lost;
            if at == 0 && lost > 0.0 {
                let place = figures.iter().position(|figure| *figure == Some(best));
                let name = place.map(|place| san(&remark.position, options.candidates[place].choice().mv));
                parts.push(format!("{} on move {} by {}", decimals(lost, 3), number(remark), name.unwrap_or_default()));
            }
        }
    }
    Ok(Finding::numbers(item, &totals[..1])?.because(format!(
        "against R_20 at kappa = 0+, the sum over the moves with a printed choice: {}. At kappa 1 the sum is {}",
        listed(parts),
        decimals(totals[1], 3)
    )))
}

/// Whether a suboptimal move would have been better against the posterior of the moment.
fn speculation(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let oracle: &Oracle = &bench.oracle(Metric::Dtc);
    let mut better = Vec::new();
    let mut total = 0;
    for game in [0, 1] {
        for c in [17.0, 20.0] {
            let belief = Belief::point(keeping(Kappa::ZERO_PLUS), competence(c)?);
            let mut predator = Predator::new(belief, 2, Scope::Keeping)?;
            for remark in assessed(bench, game, Kappa::ZERO_PLUS)? {
                if remark.position.turn() == Color::White || !matches!(remark.before, State::Loss(_)) {
                    continue;
                }
                let options = oracle.options(&remark.position)?;
                let chances = predator.judge(oracle, &options, bench.progress)?.probabilities;
                let optimal = options.optimal();
                let speculative = (0..chances.len()).filter(|place| chances[*place] > 0.0 && !optimal.contains(place));
                better.extend(speculative.map(|place| {
                    let name = san(&remark.position, options.candidates[place].choice().mv);
                    format!("game {}, {}...{name} against R_{c}", game + 1, number(&remark))
                }));
                total += 1;
            }
        }
    }
    let which = if better.is_empty() { String::new() } else { format!(": {}", listed(&better)) };
    let computed =
        format!("{} of {total} choices of BELLE's in both games, against R_17 and R_20{which}", better.len());
    Ok(Finding::fact(item, 20 * better.len() <= total, computed)
        .because("unlikely: at most one choice in twenty; kappa = 0+"))
}
