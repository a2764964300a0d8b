//! Sections 4 to 6: properties of the preference function, theorems on players, and Figures 1 to 3.

use crate::bench::{Bench, competence, kappa};
use crate::browne_belle::moves;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed, numbers};
use crate::properties::{self, Choices, kqkr};
use crate::study::Study;
use errare_choice::{Depth, DrawDepths, Kappa, PowerLaw, Preference, State, States, probabilities};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::Metric;
use shakmaty::Position;

pub const STUDY: Study = Study {
    name: "preference functions",
    is_quick: true,
    covers: |id| {
        let ids = ["theorem-1", "theorem-2", "theorem-3", "theorem-4", "theorem-5", "fig-1", "fig-2", "fig-3"];
        id.strip_prefix("000-").is_some_and(|rest| {
            rest.starts_with('p') && rest != "proofs"
                || rest.starts_with('q')
                || ids.contains(&rest)
                || ["6-lambda", "6-draw-depths"].contains(&rest)
        })
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let (holds, computed) = match item.id {
        "000-p03" => properties::p03()?,
        "000-p04" => properties::p04()?,
        "000-p05" | "000-6-lambda" => properties::p05()?,
        "000-q06" => properties::q06()?,
        "000-q07" => properties::q07()?,
        "000-q08" => properties::q08()?,
        "000-q09" => properties::q09()?,
        "000-p08-win" => properties::p08_win()?,
        "000-p08-loss" => properties::p08_loss()?,
        "000-theorem-1" => properties::theorem_1()?,
        "000-theorem-2" => Choices::new(bench)?.theorem_2()?,
        "000-theorem-3" => Choices::new(bench)?.theorem_3()?,
        "000-theorem-4" => Choices::new(bench)?.theorem_4()?,
        "000-theorem-5" => properties::all()?,
        "000-6-draw-depths" => draw_depths(bench)?,
        "000-fig-1" => return figure(item, kqkr(), &[1.0]),
        "000-fig-2" => return figure(item, kqkr().reversed(), &[1.0]),
        "000-fig-3" => return figure(item, kqkr(), &[1.0, 1.2, 1.4, 1.6]),
        _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    };
    Ok(Finding::fact(item, holds, computed))
}

/// Computes the chance that R_5 gives up the win, at move 6 of game 1, as d_W grows.
fn draw_depths(bench: &Bench<'_>) -> Result<(bool, String)> {
    let (mut at, moves) = moves(0)?;
    moves[..10].iter().for_each(|&mv| at.play_unchecked(mv));
    let options = bench.oracle(Metric::Dtc).options(&at)?;
    let mut chances = Vec::new();
    for depth in [32, 100, 1000, 60_000] {
        let draw = DrawDepths { win: Depth(depth), loss: Depth(4) };
        let preference = PowerLaw::new(options.states, Kappa::ONE)?.with_draw_depths(draw)?;
        let of_moves = probabilities(&preference, competence(5.0)?, &options.candidates)?;
        let gives_up = |place: &usize| !matches!(options.candidates[*place].state(), State::Win(_));
        chances.push((0..of_moves.len()).filter(gives_up).map(|place| of_moves[place]).sum::<f64>());
    }
    let computed = format!(
        "R_5 at move 6 of game 1, kappa 1: chance to give up the win with d_W = 32, 100, 1,000, 60,000: {}",
        numbers(chances.iter().copied(), 9)
    );
    Ok((chances.is_sorted_by(|one, two| one > two) && chances[3] < 1e-9, computed))
}

/// Draws Figures 1 to 3: preferences by state.
fn figure(item: &Item, states: States, competences: &[f64]) -> Result<Finding> {
    let function = PowerLaw::new(states, kappa(1.0)?)?;
    let value =
        |c: f64, number: usize| states.state(number).map_or(f64::NAN, |state| function.log_preference(state, c).exp());
    // Figure 3 shows the wins alone.
    let last = if competences.len() > 1 { states.draw() } else { states.count() };
    let line = |&c: &f64| Series::line(format!("c = {c}"), (0..last).map(|number| (number as f64, value(c, number))));
    let wins = states.deepest_win().0;
    let chart = LineChart {
        title: item.place.split(", ").last().unwrap_or_default().to_owned(),
        x: Axis::linear(format!("state number (0 to {wins}: wins by depth, {}: draw, then losses)", wins + 1)),
        y: Axis::log("preference S_c"),
        series: competences.iter().map(line).collect(),
        marks: Vec::new(),
    };
    let draw = states.draw();
    let texts = competences.iter().map(|&c| {
        format!("c = {c}: {} in state 0, {} in state {draw}", decimals(value(c, 0), 4), decimals(value(c, draw), 6))
    });
    let why = "the curve of the paper carries no numbers: drawn from the formula, to be compared by eye";
    Ok(Finding::cannot(item, listed(texts), why).with_picture(format!("{}: {}", item.place, item.claim), chart))
}
