//! Sections 2 to 6: ratings, models, curves, and the counting of percentiles.

use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed, numbers};
use crate::study::{Study, no_tables};
use errare_choice::{Curve, Formula, Odds, Relation, Skill};
use errare_figures::{Axis, LineChart, Series};
use errare_ratings::Scale;

pub const STUDY: Study = Study {
    name: "formulas of intrinsic ratings",
    is_quick: true,
    covers: |id| {
        let computed = ["004-5-integral", "004-6-equal", "004-6-straddle"];
        ["004-2-", "004-3-", "004-4-"].iter().any(|start| id.starts_with(start)) || computed.contains(&id)
    },
    needs: no_tables,
    run: |_, items| items.iter().map(|item| finding(item)).collect(),
};

/// The spread of the paper's first example, section 5.
const SPREAD: [f64; 5] = [0.0, 0.04, 0.12, 0.12, 0.39];
/// The skill (s, c) of players of the 2500 milepost, 2006-2009.
const PLAYER: (f64, f64) = (0.092, 0.491);

fn weighed(formula: Formula, (s, c): (f64, f64), spread: &[f64]) -> Result<Odds> {
    let skill = Skill::new(s, c).map_err(|_| ReproduceError::Internal("a skill that is none"))?;
    let mut odds = Odds::default();
    odds.weigh(formula, skill, spread)?;
    Ok(odds)
}

fn chances(relation: Relation, curve: Curve, player: (f64, f64), spread: &[f64]) -> Result<Vec<f64>> {
    Ok(weighed(Formula { relation, curve }, player, spread)?.probabilities().to_vec())
}

/// g(delta), which is the ratio of probabilities in the model of shares.
fn g(curve: Curve, player: (f64, f64), delta: f64) -> Result<f64> {
    let found = chances(Relation::Shares, curve, player, &[0.0, delta])?;
    Ok(found[1] / found[0])
}

/// The curves g as Regan and Haworth (2011) print them.
fn printed_curve(curve: Curve, (s, c): (f64, f64), delta: f64) -> f64 {
    let x = (delta / s).powf(c);
    match curve {
        Curve::InvExp => (-x).exp(),
        Curve::Ipa => 1.0 / (1.0 + x),
        Curve::Ipb => 1.0 / (1.0 + delta / s).powf(c),
        Curve::SechA => 2.0 / (x.exp() + (-x).exp()),
        Curve::SechB => 4.0 / (x.exp() + 2.0 + (-x).exp()),
    }
}

fn finding(item: &Item) -> Result<Finding> {
    match item.id {
        "004-2-76" => Finding::numbers(item, &[100.0 / (1.0 + 10_f64.powf(-200.0 / 400.0))]),
        "004-2-75" => {
            // Elo's own model: performances normal with a standard deviation of 200 each.
            let normal = 100.0 * (1.0 - errare_ratings::upper_tail(std::f64::consts::FRAC_1_SQRT_2));
            let logistic = 100.0 / (1.0 + 10_f64.powf(-0.5));
            Ok(Finding::numbers(item, &[logistic])?.because(format!(
                "{} by the normal model: both round to 76, which the paper calls approximately 75",
                decimals(normal, 2)
            )))
        }
        "004-3-shares" | "004-3-powers" | "004-3-ratio" => relation(item),
        "004-3-decreasing" => {
            let mut exceptions = 0;
            for formula in Formula::all() {
                for player in [PLAYER, (0.05, 0.3), (0.3, 2.0)] {
                    // Logarithms: some probabilities are too small to be numbers.
                    let found = weighed(formula, player, &[0.0, 0.01, 0.1, 0.5, 1.0, 2.0])?;
                    exceptions += usize::from(!found.log_probabilities().is_sorted_by(|one, two| one > two));
                }
            }
            Ok(Finding::fact(
                item,
                exceptions == 0,
                format!("{exceptions} exceptions: 15 formulas, 3 players, deltas 0 to 2 pawns"),
            ))
        }
        "004-4-normalised" => {
            let values = Curve::ALL.iter().map(|&curve| g(curve, PLAYER, 0.0)).collect::<Result<Vec<_>>>()?;
            Finding::numbers(item, &values)
        }
        "004-4-sensitivity" => {
            let at =
                |s: f64| Ok::<_, ReproduceError>(chances(Relation::Powers, Curve::InvExp, (s, 0.5), &[0.0, 0.2])?[1]);
            let found = [at(0.05)?, at(0.1)?, at(0.2)?];
            let computed = format!(
                "probability of a move 0.2 pawns worse than the only other, c = 0.5, s = 0.05, 0.1, 0.2: {}",
                numbers(found, 4)
            );
            Ok(Finding::fact(item, found.is_sorted_by(|one, two| one < two), computed))
        }
        "004-4-similar" => similar(item),
        "004-4-curves" => {
            let mut gap = 0.0_f64;
            for curve in Curve::ALL {
                for delta in [0.01, 0.1, 0.5, 1.0, 3.0] {
                    gap = gap.max((g(curve, PLAYER, delta)? - printed_curve(curve, PLAYER, delta)).abs());
                }
            }
            Ok(Finding::fact(
                item,
                gap < 1e-12,
                format!(
                    "ours and the printed formulas differ by {} (5 curves, 5 deltas)",
                    if gap < 1e-12 { "less than 1e-12" } else { "more than 1e-12" }
                ),
            ))
        }
        "004-5-integral" => {
            let scale = Scale::default();
            let found = [scale.loss(0.50, -0.75), 1.25];
            let computed = format!(
                "integral from -0.75 to +0.50 of dz/(1 + |z|) = {}, for an error of {} pawns",
                decimals(found[0], 4),
                decimals(found[1], 2)
            );
            let by_hand = 1.75_f64.ln() + 1.5_f64.ln();
            Ok(Finding::fact(item, (found[0] - by_hand).abs() < 1e-9, computed)
                .because("the paper does not print its scale; ours is the one of the authors' later work"))
        }
        "004-6-equal" => equal_spreads(item),
        "004-6-straddle" => {
            let (low, high, q) = (0.0, 0.9, 0.30);
            let up: f64 = (q - low) / (high - low);
            let computed = format!(
                "{} up, {} down for a move that spans 0 to 0.9 at q = 0.30",
                decimals(up, 3),
                decimals(1.0 - up, 3)
            );
            Ok(Finding::fact(item, (up - 1.0 / 3.0).abs() < 1e-12, computed))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Checks the defining equation of a model, on the spread of the paper's example.
fn relation(item: &Item) -> Result<Finding> {
    let relation = match item.id {
        "004-3-shares" => Relation::Shares,
        "004-3-powers" => Relation::Powers,
        _ => Relation::Ratio,
    };
    let mut gap = 0.0_f64;
    let mut sum_gap = 0.0_f64;
    for curve in Curve::ALL {
        let found = chances(relation, curve, PLAYER, &SPREAD)?;
        sum_gap = sum_gap.max((found.iter().sum::<f64>() - 1.0).abs());
        for (chance, delta) in found.iter().zip(SPREAD) {
            let g = printed_curve(curve, PLAYER, delta);
            let r = match relation {
                Relation::Shares => chance / found[0],
                Relation::Powers => found[0].ln() / chance.ln(),
                Relation::Ratio => chance * -found[0].ln() / (found[0] * -chance.ln()),
            };
            gap = gap.max((r - g).abs());
        }
    }
    let small = |gap: f64| if gap < 1e-9 { "below 1e-9" } else { "above 1e-9" };
    let computed = format!(
        "residual of the equation {}, of the sum {} (5 curves, the spread of section 5)",
        small(gap),
        small(sum_gap)
    );
    Ok(Finding::fact(item, gap < 1e-9 && sum_gap < 1e-9, computed))
}

/// Compares the five curves near the origin, and draws a figure of them.
fn similar(item: &Item) -> Result<Finding> {
    let mut series = Vec::new();
    for curve in Curve::ALL {
        let mut points = Vec::new();
        for step in 0..=100 {
            let delta = f64::from(step) / 100.0;
            points.push((delta, g(curve, PLAYER, delta)?));
        }
        series.push(Series::line(curve.name(), points));
    }
    let at = |delta: f64| Curve::ALL.iter().map(|&curve| g(curve, PLAYER, delta)).collect::<Result<Vec<_>>>();
    let (near, far) = (at(0.01)?, at(0.5)?);
    let computed = format!(
        "g at 0.01 and 0.5 pawns, s = 0.092, c = 0.491: {}",
        listed(Curve::ALL.iter().zip(near.iter().zip(&far)).map(|(curve, (one, two))| format!(
            "{curve} {} {}",
            decimals(*one, 3),
            decimals(*two, 3)
        )))
    );
    let chart = LineChart {
        title: "The five curves with the parameters of the 2500 milepost".to_owned(),
        x: Axis::linear("loss delta (pawns)"),
        y: Axis::linear("g"),
        series,
        marks: Vec::new(),
    };
    let why = "similar has no number; with the same s and c the curves are not close, with s and c fitted to each they are closer";
    Ok(Finding::cannot(item, computed, why).with_picture("Section 4: the curves", chart))
}

/// Frequencies of a player on one spread: least squares and maximum likelihood over a grid of s.
fn equal_spreads(item: &Item) -> Result<Finding> {
    let truth = chances(Relation::Shares, Curve::InvExp, (0.1, 0.5), &SPREAD)?;
    let mut best = [(f64::INFINITY, 0.0), (f64::INFINITY, 0.0)];
    for step in 1..=40 {
        let s = f64::from(step) * 0.005;
        let found = chances(Relation::Shares, Curve::InvExp, (s, 0.5), &SPREAD)?;
        let squares: f64 = found.iter().zip(&truth).map(|(one, two)| (one - two).powi(2)).sum();
        let likelihood: f64 = -found.iter().zip(&truth).map(|(one, two)| two * one.ln()).sum::<f64>();
        for (known, score) in best.iter_mut().zip([squares, likelihood]) {
            if score < known.0 {
                *known = (score, s);
            }
        }
    }
    let computed = format!(
        "frequencies of s = 0.1, c = 0.5 on one spread: s = {} by least squares, {} by likelihood",
        decimals(best[0].1, 3),
        decimals(best[1].1, 3)
    );
    Ok(Finding::fact(item, (best[0].1 - best[1].1).abs() < 1e-9, computed)
        .because("with frequencies that the model can meet exactly; in general the two weigh misfits differently"))
}
