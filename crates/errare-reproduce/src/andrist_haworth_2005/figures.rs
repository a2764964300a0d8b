//! Figures 1 to 4.

use super::kbbkn::{COMPETENCES, DRAWN, MOVES, Solved};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, listed};
use errare_endgame::Passage;
use errare_figures::{Axis, LineChart, Series};

fn named(lane: usize) -> String {
    format!("c = {}", COMPETENCES[lane])
}

fn chart(title: &str, x: &str, y: Axis, series: Vec<Series>) -> LineChart {
    LineChart { title: title.to_owned(), x: Axis::linear(x), y, series, marks: Vec::new() }
}

/// Formats a value for each competence that is drawn.
fn sampled(meaning: &str, value: impl Fn(usize) -> f64, count: usize) -> String {
    let values = DRAWN.map(|lane| format!("{} at c = {}", decimals(value(lane), count), COMPETENCES[lane]));
    format!("{meaning}: {}", listed(values))
}

/// Draws lines of chances by number of moves, one for each competence.
fn by_moves(solved: &Solved, chances: fn(&Passage) -> &[f64], most: usize) -> Vec<Series> {
    let line = |lane: usize| {
        let points = chances(&solved.passages[lane]).iter().take(most + 1).enumerate();
        Series::line(named(lane), points.map(|(m, &chance)| (m as f64, chance)))
    };
    DRAWN.map(line).collect()
}

/// Draws lines of values by depth, one for each competence.
fn by_depth<'a>(values: impl Fn(usize) -> &'a [f64], first: usize) -> Vec<Series> {
    let line = |lane: usize| {
        let points = values(lane).iter().enumerate().skip(first);
        Series::line(named(lane), points.map(|(depth, &value)| (depth as f64, value)))
    };
    DRAWN.map(line).collect()
}

/// Draws a figure anew.
pub fn figure(solved: &Solved, item: &Item) -> Result<Finding> {
    let moves = "moves m from the deepest win";
    let depth = "initial depth (DTC, moves)";
    let probability = || Axis::linear("probability");
    let (computed, chart) = match item.id {
        "001-fig-1" => (
            sampled("chance to win within 1,000 moves", |lane| solved.passages[lane].at_most[MOVES], 4),
            chart(
                "Figure 1: KBBKN, converted in at most m moves",
                moves,
                probability(),
                by_moves(solved, |passage| &passage.at_most, MOVES),
            ),
        ),
        "001-fig-2" => (
            sampled("chance to win in exactly 200 moves", |lane| solved.passages[lane].exactly[200], 7),
            chart(
                "Figure 2: KBBKN, converted in exactly m moves",
                moves,
                probability(),
                by_moves(solved, |passage| &passage.exactly, 400),
            ),
        ),
        "001-fig-3" => (
            sampled("expected moves from depth 66", |lane| solved.solutions[lane].lengths[66], 1),
            chart(
                "Figure 3: KBBKN, expected moves to conversion",
                depth,
                Axis::log("expected moves"),
                by_depth(|lane| &solved.solutions[lane].lengths, 1),
            ),
        ),
        "001-fig-4" => (
            sampled("chance to win in 50 moves from depth 25", |lane| solved.within[lane][25], 4),
            chart(
                "Figure 4: KBBKN, won within 50 moves",
                depth,
                probability(),
                by_depth(|lane| &solved.within[lane], 0),
            ),
        ),
        _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    };
    let why = "the curves of the paper carry no numbers: drawn from the computation, to be compared by eye";
    Ok(Finding::cannot(item, computed, why).with_picture(format!("{}: {}", item.place, item.claim), chart))
}
