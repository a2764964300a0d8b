//! Table 2, notes: which positions optimal play leads from and to, and which are of the greatest depth.

use super::table_2::fen;
use crate::bench::{Bench, material, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{grouped, listed};
use crate::study::{Needs, Study};
use errare_endgame::{Goals, Situation, Strategy};
use errare_tables::{Metric, deepest};
use shakmaty::{Chess, Position};
use std::collections::HashSet;

pub const STUDY: Study = Study {
    name: "lines between the positions of Table 2",
    is_quick: false,
    covers: |id| {
        let notes = ["mxnn-p1-max", "mxqp-q1-max", "nn-p5-forced"];
        let note = id.strip_prefix("002-table-2-");
        note.is_some_and(|rest| notes.contains(&rest) || rest.ends_with("-line")) || id == "002-4-qp-q3-line"
    },
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn needs(item: &Item) -> Needs {
    match item.id {
        "002-table-2-mxnn-p1-max" => vec![("KNNKP", vec![Metric::Dtm])],
        "002-table-2-mxqp-q1-max" | "002-4-qp-q3-line" => vec![("KQPKQ", vec![Metric::Dtz])],
        "002-table-2-nn-p5-forced" => vec![("KNNKP", vec![Metric::Dtz])],
        id if id.contains("q-nn") => vec![("KQKNN", vec![Metric::Dtc, Metric::Dtm, Metric::Dtz])],
        _ => vec![("KNNKP", vec![Metric::Dtc, Metric::Dtm, Metric::Dtz])],
    }
}

/// The greatest number of positions that are followed at once.
const MOST: usize = 50_000;

/// Finds all positions that the strategies can come to after so many plies; none if they are too many to follow.
fn reached(bench: &Bench<'_>, start: &Chess, strategies: [&str; 2], plies: usize) -> Result<Option<HashSet<Chess>>> {
    let source = bench.source();
    let parse = |text: &str| text.parse::<Strategy>().map_err(|_| ReproduceError::Internal("a strategy that is none"));
    let strategies = [parse(strategies[0])?, parse(strategies[1])?];
    let mut at = HashSet::from([start.clone()]);
    for _ in 0..plies {
        let mut next = HashSet::new();
        for position in &at {
            bench.progress.proceed()?;
            let situation = Situation::new(&*source, position, None)?;
            let strategy = &strategies[usize::from(position.turn().is_black())];
            for place in strategy.select(&situation, &mut Goals::default())? {
                let mut after = position.clone();
                after.play_unchecked(situation.moves()[place]);
                next.insert(after);
            }
            if next.len() > MOST {
                return Ok(None);
            }
        }
        at = next;
    }
    Ok(Some(at))
}

/// Checks whether optimal play from one position can come to another after so many plies.
fn leads(bench: &Bench<'_>, item: &Item, from: &str, to: &str, strategies: [&str; 2], plies: usize) -> Result<Finding> {
    let (start, target) = (position(fen(from)?)?, position(fen(to)?)?);
    let names = format!("{}-{}", &strategies[0][1..], &strategies[1][1..]);
    Ok(match reached(bench, &start, strategies, plies)? {
        Some(at) => {
            let is_there = at.iter().any(|found| found.board() == target.board() && found.turn() == target.turn());
            let computed = format!(
                "{} by {names} play after {plies} plies; positions that equal choices lead to: {}",
                if is_there { "reached" } else { "not reached" },
                grouped(at.len() as u64)
            );
            Finding::fact(item, is_there, computed)
        }
        None => Finding::cannot(item, "", format!("{names} play leads to more than {MOST} positions")),
    })
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let greatest = |endgame: &str, key: &str, metric: Metric| -> Result<Finding> {
        let most = deepest(&*bench.source(), material(endgame)?, metric, bench.progress)?.white.0;
        let value = bench.source().value(&position(fen(key)?)?, metric)?;
        let own = value.winner_moves(metric).map_or(0, |moves| moves.0);
        let computed = format!("{own} moves; the deepest win of White in {endgame} is {most}");
        Ok(Finding::fact(item, own == most, computed))
    };
    match item.id {
        "002-table-2-mxnn-p1-max" => greatest("KNNKP", "mxnn-p1", Metric::Dtm),
        "002-table-2-mxqp-q1-max" => greatest("KQPKQ", "mxqp-q1", Metric::Dtz),
        "002-table-2-mxnn-p1-line" => leads(bench, item, "mxnn-p1", "nn-p2", ["SMC", "SCM"], 48),
        "002-table-2-nn-p2-line" => leads(bench, item, "nn-p2", "nn-p3", ["SMC", "SCM"], 76),
        "002-table-2-mxq-nn-line" => leads(bench, item, "mxq-nn", "q-nn1", ["SMC", "SCM"], 27),
        "002-table-2-q-nn1-line" => leads(bench, item, "q-nn1", "q-nn2", ["SMC", "SCM"], 74),
        "002-4-qp-q3-line" => leads(bench, item, "qp-q2", "qp-q3", ["SZ", "SZ"], 98),
        "002-table-2-nn-p5-forced" => {
            let at = position(fen("nn-p5")?)?;
            let moves = at.legal_moves();
            let names = moves.iter().map(|&mv| crate::bench::san(&at, mv));
            let is_forced = moves.iter().all(|mv| mv.is_capture() || mv.is_promotion());
            Ok(Finding::fact(item, is_forced, format!("all legal moves: {}", listed(names))))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
