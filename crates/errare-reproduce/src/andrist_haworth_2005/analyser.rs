//! Sections 4, 4.1 and 4.2: how Browne's apparent competence depends on parameters.

use crate::bench::{Bench, analysis, kappa, keeping};
use crate::browne_belle::{assessed, assessed_by, of_browne};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed, numbers};
use crate::study::Study;
use errare_choice::{Grid, Kappa, Posterior, Prior};
use errare_endgame::{Analysis, Remark};
use errare_tables::Metric;
use shakmaty::{Color, Position};

pub const STUDY: Study = Study {
    name: "Browne's apparent competence",
    is_quick: true,
    covers: |id| {
        let of_4_1 = ["step", "range", "swift", "kappa", "random"];
        id == "001-4-browne"
            || id == "001-4-2-prior"
            || id.strip_prefix("001-4-1-").is_some_and(|rest| of_4_1.contains(&rest))
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    match item.id {
        "001-4-browne" => {
            let at =
                |game: usize, kappa: Kappa| Ok::<_, ReproduceError>(last(&of_browne(&assessed(bench, game, kappa)?)));
            let zero = [at(0, Kappa::ZERO_PLUS)?, at(1, Kappa::ZERO_PLUS)?];
            let one = [at(0, Kappa::ONE)?, at(1, Kappa::ONE)?];
            let computed = format!("{} at kappa 0+ (games 1, 2); {} at kappa 1", numbers(zero, 2), numbers(one, 2));
            let holds = zero.iter().all(|c| c.round() == 19.0);
            Ok(Finding::fact(item, holds, computed)
                .differing(listed(zero.map(|c| decimals(c - 19.0, 2))))
                .because("both round to 18 at the stated kappa = 0+; at kappa 1, game 1 rounds to 19 and game 2 to 20"))
        }
        "001-4-1-step" => {
            let steps = [0.01, 0.1, 1.0, 2.0, 5.0, 10.0];
            let mut found = Vec::new();
            for step in steps {
                let remarks = assessed_by(bench, 0, analysis(Kappa::ONE, 0.0, step, 50.0)?)?;
                found.push(last(&of_browne(&remarks)));
            }
            let texts = steps.iter().zip(&found).map(|(step, c)| format!("{} with a step of {step}", decimals(*c, 4)));
            Ok(Finding::fact(
                item,
                (found[2] - found[0]).abs() < 0.005,
                format!("final E[c] of game 1: {}", listed(texts)),
            )
            .because("ignored means here: no difference in the second decimal between steps of 1 and 0.01"))
        }
        "001-4-1-range" => {
            let narrow = last(&of_browne(&assessed(bench, 0, Kappa::ONE)?));
            let wide = last(&of_browne(&assessed_by(bench, 0, analysis(Kappa::ONE, -50.0, 1.0, 150.0)?)?));
            let computed = format!(
                "final E[c] of game 1 at kappa 1: {} over 0 to 50, {} over -50 to 150",
                decimals(narrow, 4),
                decimals(wide, 4)
            );
            Ok(Finding::fact(item, (narrow - wide).abs() < 0.005, computed))
        }
        "001-4-1-swift" => {
            let remarks = assessed(bench, 0, Kappa::ONE)?;
            let values = of_browne(&remarks);
            let optimal = remarks.iter().filter(|remark| remark.position.turn() == Color::White);
            let count = optimal.take_while(|remark| remark.conceded == Some(0)).count();
            let fall = values[..count].is_sorted();
            let computed = format!(
                "game 1, E[c] after its first {count} moves, all optimal: {}; the mean of the grid is 25, its end 50",
                numbers(values[..count].iter().copied(), 2)
            );
            Ok(Finding::fact(item, fall && values[count - 1] > 25.0, computed).because(
                "it rises with every optimal move; five moves with few alternatives take it a third of the way",
            ))
        }
        "001-4-1-kappa" => {
            let kappas = [Kappa::ZERO_PLUS, kappa(0.5)?, Kappa::ONE, kappa(2.0)?, kappa(4.0)?];
            let mut texts = Vec::new();
            let mut rises = true;
            for game in [0, 1] {
                let mut values = Vec::new();
                for kappa in kappas {
                    values.push(last(&of_browne(&assessed(bench, game, kappa)?)));
                }
                rises &= values.is_sorted_by(|one, two| one < two);
                texts.push(format!("game {}: {}", game + 1, numbers(values, 2)));
            }
            Ok(Finding::fact(item, rises, format!("final E[c] at kappa 0+, 0.5, 1, 2, 4: {}", texts.join("; "))))
        }
        "001-4-1-random" => {
            let (start, moves) = crate::browne_belle::moves(0)?;
            let mut at = start;
            moves[..10].iter().for_each(|&mv| at.play_unchecked(mv));
            let options = bench.oracle(Metric::Dtc).options(&at)?;
            let mut spreads = Vec::new();
            for value in [1.0, 10.0, 1e3, 1e6] {
                let chances = keeping(kappa(value)?).probabilities(&options, crate::bench::competence(20.0)?)?;
                let open = || chances.iter().copied().filter(|chance| *chance > 0.0);
                spreads.push(open().fold(0.0, f64::max) / open().fold(1.0, f64::min));
            }
            let computed = format!(
                "game 1, move 6, R_20: greatest over least probability of a winning move at kappa 1, 10, 1e3, 1e6: {}",
                numbers(spreads.iter().copied(), 4)
            );
            let falls = spreads.is_sorted_by(|one, two| one > two);
            Ok(Finding::fact(item, falls && (spreads[3] - 1.0).abs() < 1e-3, computed))
        }
        "001-4-2-prior" => prior(bench, item),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Assesses game 2 with three priors: uniform, the posterior of game 1, and normal.
fn prior(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let first = assessed(bench, 0, Kappa::ONE)?;
    let grid = Grid::new(0.0, 1.0, 50.0)?;
    let mut learned = Posterior::new(grid, Prior::Uniform)?;
    let browne = |remark: &&Remark| remark.position.turn() == Color::White;
    for remark in first.iter().filter(browne) {
        let _ = learned.observe(&remark.log_likelihoods)?;
    }
    let normal = Prior::Normal { mean: 25.0, sd: 10.0 };
    let mut curves = Vec::new();
    for prior in [Prior::Uniform, Prior::CarriedOver(learned), normal] {
        let analysis = Analysis::new(keeping(Kappa::ONE), grid, prior)?;
        curves.push(of_browne(&assessed_by(bench, 1, analysis)?));
    }
    let gap = |number: usize| {
        let at = || curves.iter().map(|curve| curve[number - 1]);
        at().fold(f64::MIN, f64::max) - at().fold(f64::MAX, f64::min)
    };
    let gaps = [1, 10, 20, 30, 40, 50].map(gap);
    let computed = format!(
        "game 2 with a uniform prior, game 1's posterior, a normal prior (25, 10): E[c] differ by at most {} after moves 1, 10, \
         20, 30, 40, 50",
        numbers(gaps, 3)
    );
    Ok(Finding::fact(item, gaps[2..].is_sorted_by(|one, two| one > two), computed)
        .because("it grows at first, while optimal moves say little against a high c, and decays from move 20 on"))
}
