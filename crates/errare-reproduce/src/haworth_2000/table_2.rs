//! Section 3, Table 2: depths of the positions in four metrics.

use super::by_the_rule;
use crate::bench::{Bench, position};
use crate::error::{ReproduceError, Result};
use crate::finding::{Finding, Verdict};
use crate::list::Item;
use crate::study::{Needs, Study};
use errare_tables::{Metric, Outcome};
use shakmaty::Position;

pub const STUDY: Study = Study {
    name: "the positions of Table 2",
    is_quick: false,
    covers: |id| cell(id).is_some(),
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The positions: key, endgame, FEN.
pub const POSITIONS: [(&str, &str, &str); 14] = [
    ("mxrn-nn", "KRNKNN", "6N1/5KR1/2n5/8/8/8/2n5/1k6 w - - 0 1"),
    ("qbb-n1", "KQBBKN", "6Q1/8/8/1n6/8/7K/7B/k6B w - - 0 1"),
    ("mxnn-p1", "KNNKP", "6N1/8/7p/8/8/8/3N1k2/7K w - - 0 1"),
    ("mxq-nn", "KQKNN", "7Q/8/8/8/4n3/2k5/8/3K3n b - - 0 1"),
    ("mxqp-q1", "KQPKQ", "8/q7/P6k/Q7/8/8/8/6K1 w - - 0 1"),
    ("nn-p2", "KNNKP", "8/8/4k3/8/7p/6KN/6N1/8 w - - 0 25"),
    ("nn-p3", "KNNKP", "8/8/8/8/7p/1N1K4/7N/4k3 w - - 76 63"),
    ("nn-p4", "KNNKP", "8/8/8/8/7p/3K4/3N3N/4k3 b - - 77 63"),
    ("qp-q2", "KQPKQ", "8/8/P7/6k1/3q4/8/4Q1K1/8 w - - 0 1"),
    ("qp-q3", "KQPKQ", "K7/7k/P7/8/6q1/2Q5/8/8 w - - 98 50"),
    ("qbb-n2", "KBBKN", "8/8/8/1n6/8/7K/k6B/7B w - - 0 1"),
    ("q-nn1", "KQKNN", "8/8/2k5/8/4n3/3Q2n1/8/4K3 w - - 0 1"),
    ("q-nn2", "KQKNN", "8/8/1n1K4/n1Q5/k7/8/8/8 w - - 74 38"),
    ("nn-p5", "KNNKP", "7k/5K2/8/4N1N1/8/8/7p/8 b - - 0 1"),
];

const METRICS: [(&str, Metric); 4] =
    [("dtz", Metric::Dtz), ("dtc", Metric::Dtc), ("dtm", Metric::Dtm), ("dtr", Metric::Dtr)];

/// The FEN of a position of the table.
pub fn fen(key: &str) -> Result<&'static str> {
    let found = POSITIONS.iter().find(|(known, ..)| *known == key);
    found.map(|(_, _, fen)| *fen).ok_or(ReproduceError::Internal("a study names an unknown position"))
}

/// The cell of Table 2 that an id stands for: endgame, FEN, and the metric or none for the value.
fn cell(id: &str) -> Option<(&'static str, &'static str, Option<Metric>)> {
    let (key, column) = id.strip_prefix("002-table-2-")?.rsplit_once('-')?;
    let (_, endgame, fen) = POSITIONS.into_iter().find(|(known, ..)| *known == key)?;
    let metric = METRICS.into_iter().find(|(name, _)| *name == column).map(|(_, metric)| metric);
    (metric.is_some() || column == "value").then_some((endgame, fen, metric))
}

fn needs(item: &Item) -> Needs {
    let Some((endgame, _, metric)) = cell(item.id) else { return Vec::new() };
    match metric.unwrap_or(Metric::Dtz) {
        // With six men it depends on other tables whether one to DTR is needed.
        Metric::Dtr if item.needs_six_men => Vec::new(),
        metric => vec![(endgame, vec![metric])],
    }
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let (endgame, fen, metric) = cell(item.id).ok_or(ReproduceError::Internal("a cell that is none"))?;
    if item.needs_six_men && metric == Some(Metric::Dtr) {
        return Finding::numbers(item, &[f64::from(by_the_rule::plies(bench, endgame, fen)?)]);
    }
    let at = position(fen)?;
    let value = bench.source().value(&at, metric.unwrap_or(Metric::Dtz))?;
    let Some(_) = metric else {
        let white = if at.turn().is_white() { value.outcome } else { value.outcome.reversed() };
        return Ok(Finding::text(
            item,
            match white {
                Outcome::Win => "1-0",
                Outcome::Loss => "0-1",
                _ => "drawn",
            },
        ));
    };
    let plies = f64::from(value.plies.0);
    match item.printed {
        "?" => Ok(Finding::cannot(item, value.plies.0.to_string(), "the paper leaves the cell open: this fills it")),
        "at most 24" => {
            let finding = Finding::fact(item, plies <= 24.0, value.plies.0.to_string());
            Ok(finding.differing(format!("+{}", value.plies.0.saturating_sub(24))))
        }
        _ => {
            let finding = Finding::numbers(item, &[plies])?;
            let is_even = value.plies.0.is_multiple_of(2) && finding.verdict == Verdict::Differs;
            Ok(if is_even && at.turn().is_white() {
                finding.because(
                    "a win with White to move in an even number of plies: the loser makes the last move of the phase",
                )
            } else {
                finding
            })
        }
    }
}
