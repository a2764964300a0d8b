//! Section 2, and section 9.6 with Theorems 6 and 7: the endgame as a whole.

use crate::bench::{Bench, competence, material, position};
use crate::browne_belle::STARTS;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::markov::{contests, model, progress_by_depth};
use crate::numerals::{decimals, grouped, listed};
use crate::study::Study;
use errare_endgame::EndgameError;
use errare_tables::{Counting, Metric, Outcome, Plies};
use shakmaty::Color;

pub const STUDY: Study = Study {
    name: "KQKR as a whole",
    is_quick: true,
    covers: |id| {
        id.starts_with("000-2-")
            || id.starts_with("000-9-6-")
            || ["000-theorem-6", "000-theorem-7", "000-8-starts"].contains(&id)
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let states = bench.oracle(Metric::Dtc).states(material("KQKR")?)?;
    match item.id {
        "000-2-depths" => Finding::numbers(item, &[states.deepest_win().0, states.deepest_loss().0].map(f64::from)),
        "000-2-states" => {
            let draw = states.draw();
            Finding::numbers(item, &[0, draw - 1, draw, draw + 1, states.count() - 1].map(|number| number as f64))
        }
        "000-2-forced" => {
            let counts = bench.counts("KQKR", Metric::Dtc, Counting::Once)?;
            let count = |side: Color, plies: u16| {
                let histogram = &counts.sides.get(side).histogram;
                histogram.get(&(Outcome::Loss, Plies(plies))).copied().unwrap_or(0)
            };
            let mates = count(Color::Black, 0) + count(Color::White, 0);
            let forced = count(Color::Black, 1) + count(Color::White, 1);
            let computed = format!(
                "{} mates, {} positions in which every move converts to a loss",
                grouped(mates),
                grouped(forced)
            );
            Ok(Finding::fact(item, 10 * forced < mates, computed)
                .because("KQKR, both sides to move, each position once up to symmetry; much rarer: less than a tenth"))
        }
        "000-8-starts" => {
            let oracle = bench.oracle(Metric::Dtc);
            let mut depths = Vec::new();
            for fen in STARTS {
                let state = oracle.state(&position(fen)?)?;
                depths.push(state.depth().map_or(0.0, |depth| f64::from(depth.0)));
            }
            Finding::numbers(item, &depths)
        }
        "000-9-6-certain" => {
            let (_, chains) = contests(bench, "KQKR", &[-5.0, 0.0, 20.0])?;
            let mut least = 1.0_f64;
            for contest in &chains {
                let solved = contest.chain().solve().map_err(EndgameError::from)?;
                let won = solved.absorption(0).ok_or(ReproduceError::Internal("a win does not absorb"))?;
                least = won.iter().copied().fold(least, f64::min);
            }
            Ok(Finding::numbers(item, &[(least * 1e9).round() / 1e9])?.because("KQKR, c = -5, 0, 20, from every depth"))
        }
        "000-9-6-ground" => {
            let competences = [-5.0, 0.0, 5.0];
            let (own, _) = contests(bench, "KQKR", &competences)?;
            let mut counts = Vec::new();
            for lane in 0..competences.len() {
                counts.push(progress_by_depth(&own, lane)?.iter().filter(|gain| **gain < 0.0).count());
            }
            let texts = competences.iter().zip(&counts).map(|(c, count)| format!("{count} of 31 at c = {c}"));
            Ok(Finding::fact(
                item,
                counts[..2].iter().all(|&count| count > 15),
                format!("depths at which a move is expected to lose ground: {}", listed(texts)),
            ))
        }
        "000-theorem-6" => theorem_6(bench, item),
        "000-theorem-7" => theorem_7(bench, item),
        "000-9-6-briefly" => briefly(bench, item),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

/// Checks Theorem 6: with both sides fallible, p_n converges, and the lengths solve the equations.
fn theorem_6(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let lane = [competence(20.0)?];
    let (white, black) = (model(bench, "KQKR", Color::White, &lane)?, model(bench, "KQKR", Color::Black, &lane)?);
    let contest = white.against(0, &black, 0)?;
    let chain = contest.chain();
    let matrix = chain.matrix();
    let solved = chain.solve().map_err(EndgameError::from)?;
    let residual = |from: usize| {
        let row: f64 = matrix.row(from).iter().zip(&solved.lengths).map(|(chance, length)| chance * length).sum();
        (row - solved.lengths[from] + 1.0).abs()
    };
    let open = (0..matrix.size()).filter(|&state| !chain.is_absorbing(state));
    let worst = open.map(residual).fold(0.0, f64::max);
    let start: Vec<f64> = (0..matrix.size()).map(|state| f64::from(u8::from(state == 31))).collect();
    let (late, later) = (matrix.after(&start, 20_000)?, matrix.after(&start, 20_001)?);
    let moved = late.iter().zip(&later).map(|(one, two)| (one - two).abs()).fold(0.0, f64::max);
    let computed = format!(
        "R_20 against R_20 in KQKR, kappa 1: expected length from depth 31 {} moves; residuals {}, p_20000 and p_20001 {}",
        decimals(solved.lengths[31], 3),
        if worst < 1e-6 { "below 1e-6" } else { "above 1e-6" },
        if moved < 1e-9 { "equal to nine digits" } else { "not equal" },
    );
    Ok(Finding::fact(item, worst < 1e-6 && moved < 1e-9, computed))
}

/// Checks Theorem 7: the expected depth after one move, from every depth, for rising c.
fn theorem_7(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let (own, _) = contests(bench, "KQKR", &[-5.0, 0.0, 5.0, 10.0, 20.0, 40.0])?;
    let mut gains = Vec::new();
    for lane in 0..6 {
        gains.push(progress_by_depth(&own, lane)?);
    }
    let exceptions: usize = gains
        .windows(2)
        .map(|pair| pair[0].iter().zip(&pair[1]).filter(|(one, two)| *two + 1e-12 < **one).count())
        .sum();
    Ok(Finding::fact(
        item,
        exceptions == 0,
        format!("{exceptions} exceptions: KQKR from depths 1 to 31, c = -5, 0, 5, 10, 20, 40"),
    ))
}

/// Finds an example in which a weaker player is briefly ahead, by the Markov model.
fn briefly(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let competences: Vec<f64> = (0..=12).map(|step| f64::from(step) * 0.5).collect();
    let (own, chains) = contests(bench, "KQKR", &competences)?;
    let wins = own.states().draw();
    let mut found = None;
    'search: for from in (1..wins).rev() {
        let start: Vec<f64> = (0..wins).map(|state| f64::from(u8::from(state == from))).collect();
        let mut at: Vec<Vec<f64>> = vec![start; competences.len()];
        for moves in 1..=60_u32 {
            bench.progress.proceed()?;
            for (state, contest) in at.iter_mut().zip(&chains) {
                *state = contest.chain().matrix().after(state, 1)?;
            }
            let depth = |lane: usize| at[lane].iter().enumerate().map(|(d, p)| d as f64 * p).sum::<f64>();
            let depths: Vec<f64> = (0..competences.len()).map(depth).collect();
            if let Some(lane) = (1..competences.len()).find(|&lane| depths[lane] > depths[lane - 1] + 1e-6) {
                found = Some((from, moves, lane, depths[lane - 1], depths[lane]));
                break 'search;
            }
        }
    }
    Ok(match found {
        Some((from, moves, lane, weaker, stronger)) => {
            let computed = format!(
                "KQKR from depth {from} after {moves} moves: R_{} expects depth {}, R_{} {}",
                competences[lane - 1],
                decimals(weaker, 4),
                competences[lane],
                decimals(stronger, 4)
            );
            Finding::fact(item, moves > 1, computed)
        }
        None => Finding::cannot(
            item,
            "no example in KQKR by the Markov model, c = 0(0.5)6, up to 60 moves from every depth",
            "the claim is that it may happen from single positions; averaged over the endgame it does not here",
        ),
    })
}
