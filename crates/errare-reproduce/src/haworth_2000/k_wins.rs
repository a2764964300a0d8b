//! Section 4: endgames with wins beyond 50 moves.

use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::{Needs, Study};
use errare_tables::{Criteria, Listing, Metric, TableError, WantedOutcome, deepest, find};
use shakmaty::{Color, Position, Role, Square};
use std::collections::BTreeMap;

pub const STUDY: Study = Study {
    name: "wins beyond 50 moves",
    is_quick: false,
    covers: |id| ENDGAMES.iter().any(|(own, _)| *own == id) || id.starts_with("002-4-kqpkq-"),
    needs,
    run,
};

const ENDGAMES: [(&str, &str); 7] = [
    ("002-4-kbbkn", "KBBKN"),
    ("002-4-kbnkn", "KBNKN"),
    ("002-4-knnkp", "KNNKP"),
    ("002-4-kqkbb", "KQKBB"),
    ("002-4-kqknn", "KQKNN"),
    ("002-4-kqrkq", "KQRKQ"),
    ("002-4-krbkr", "KRBKR"),
];

/// The squares that Haworth (2000) names.
const SQUARES: [Square; 9] =
    [Square::A6, Square::A7, Square::B3, Square::B6, Square::B7, Square::C3, Square::D3, Square::D4, Square::D6];

fn endgame(id: &str) -> Option<&'static str> {
    ENDGAMES.iter().find(|(own, _)| *own == id).map(|(_, name)| *name)
}

fn needs(item: &Item) -> Needs {
    match endgame(item.id) {
        Some(name) => vec![(name, vec![Metric::Dtr])],
        None => vec![("KQPKQ", vec![Metric::Dtr, Metric::Dtz])],
    }
}

/// The greatest depths, in moves, of White's wins beyond 50 moves, by the square of the pawn.
type BySquare = BTreeMap<Square, u16>;

fn by_square(bench: &Bench<'_>, metric: Metric) -> Result<BySquare> {
    let beyond = "51..".parse().map_err(|_| ReproduceError::Internal("a range that is none"))?;
    let criteria = Criteria {
        outcome: Some(WantedOutcome::WonBy(Color::White)),
        depth: Some(beyond),
        turn: None,
        zugzwang: false,
        keeping: None,
    };
    let ours = bench.tables.our_library().ok_or(TableError::Internal("tables of other makers cannot be searched"))?;
    let listing = Listing::All { limit: 1_000_000 };
    let found = find(ours, (material("KQPKQ")?, false), metric, &criteria, listing, bench.progress)?;
    let mut deepest = BySquare::new();
    for one in &found.positions {
        let pawns = one.position.board().by_role(Role::Pawn);
        let moves = one.value.winner_moves(metric).map_or(0, |moves| moves.0);
        for pawn in pawns {
            // Each position is found once up to symmetry: the pawn may be on either wing.
            let square = if pawn.file() as u32 > 3 { pawn.flip_horizontal() } else { pawn };
            let known = deepest.entry(square).or_insert(0);
            *known = moves.max(*known);
        }
    }
    Ok(deepest)
}

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let squares = if items.iter().any(|item| endgame(item.id).is_none()) {
        [by_square(bench, Metric::Dtr)?, by_square(bench, Metric::Dtz)?]
    } else {
        Default::default()
    };
    items.iter().map(|item| finding(bench, &squares, item)).collect()
}

/// Compares the greatest depth of an endgame with print, where `54+` is a lower bound.
pub fn greatest_depth(item: &Item, most: u16) -> Result<Finding> {
    match item.printed.strip_suffix('+') {
        Some(least) => {
            let least: u16 = least.parse().map_err(|_| ReproduceError::Internal("a depth that is none"))?;
            Ok(Finding::fact(item, most >= least, most.to_string())
                .differing(format!("+{}", most.saturating_sub(least))))
        }
        None => Finding::numbers(item, &[f64::from(most)]),
    }
}

fn finding(bench: &Bench<'_>, [dtr, dtz]: &[BySquare; 2], item: &Item) -> Result<Finding> {
    if let Some(name) = endgame(item.id) {
        let most = deepest(&*bench.source(), material(name)?, Metric::Dtr, bench.progress)?;
        let most = most.white.max(most.black).0;
        return greatest_depth(item, most);
    }
    if item.id == "002-4-kqpkq-others" {
        let others = |depths: &BySquare| -> String {
            let shown = depths
                .iter()
                .filter(|(square, _)| !SQUARES.contains(square))
                .map(|(square, depth)| format!("{square} {depth}"));
            let shown = listed(shown);
            if shown.is_empty() { "none".to_owned() } else { shown }
        };
        let (by_dtr, by_dtz) = (others(dtr), others(dtz));
        return Ok(Finding::fact(item, by_dtr == "none", format!("by DTR {by_dtr}; by DTZ {by_dtz}")).because(
            "by DTR a win counts its later phases too: a pawn below a6 has to pass through the long phases above",
        ));
    }
    let square = SQUARES.into_iter().find(|square| item.id.ends_with(&square.to_string()));
    let square = square.ok_or(ReproduceError::Internal("a square that is none"))?;
    let depth = |depths: &BySquare| depths.get(&square).copied().unwrap_or(50);
    let finding = Finding::numbers(item, &[f64::from(depth(dtr))])?;
    Ok(finding
        .because(format!("the deepest win by DTZ, the length of the phase with the pawn there, is {}", depth(dtz))))
}
