//! Statements about endgames of six men. Their tables take hours, so they are computed only if that is asked for.

use super::appendix_a::{AFTER_B, AFTER_E};
use super::by_the_rule::deepest_win;
use super::choices::{FOLLOWED_HOW, FOLLOWING, TOO_MANY, followed, word};
use super::k_wins::greatest_depth;
use super::table_2::fen;
use crate::bench::{Bench, material, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::marks::{compared, words};
use crate::study::{Needs, Study};
use errare_endgame::Success;
use errare_tables::{Counting, Metric, Outcome, deepest};

pub const STUDY: Study = Study {
    name: "endgames of six men",
    is_quick: false,
    covers: |id| {
        listed(id).is_some()
            || line(id).is_some()
            || [
                "002-2-krbknn",
                "002-2-krnknn",
                "002-table-2-mxrn-nn-max",
                "002-4-qbb-n1",
                "002-4-kbbknn",
                "002-6-4-sr1",
                "002-4-six-krbknn-99",
            ]
            .contains(&id)
    },
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The endgames of the list in section 4 that have no pawns.
const LISTED: [&str; 22] = [
    "KBBBKR", "KBBNKR", "KNNNKB", "KNNNKN", "KQKBBB", "KQKBBN", "KQNKRR", "KQNNKQ", "KQRKQB", "KQRKQN", "KQRKQR",
    "KRBKBB", "KRBKBN", "KRBKNN", "KRNKBB", "KRNKBN", "KRNKNN", "KRRBKQ", "KRRKRB", "KRRKRN", "KRRNKQ", "KRRRKQ",
];

/// A name of that list which has five men. Only KQBKRR fits the six men, the order of the names and the depth.
const MISPRINTED: &str = "kqbkr";

/// The beginning of the ids of the statements of that list, in section 4.
const LIST: &str = "002-4-six-";

/// The endgame that a statement of the list is about.
fn listed(id: &str) -> Option<&'static str> {
    let name = id.strip_prefix(LIST)?;
    if name == MISPRINTED {
        return Some("KQBKRR");
    }
    LISTED.into_iter().find(|listed| listed.eq_ignore_ascii_case(name))
}

/// The position after line a, at 207b.
const AFTER_A: &str = "5k2/2n5/3N4/6K1/1n2R3/8/8/8 b - - 0 207";

/// The lines of appendix A: the position where each begins, and the strategies of White and Black by which it is
/// marked.
fn line(id: &str) -> Option<(&'static str, [&'static str; 2])> {
    Some(match id {
        "002-a-line-a" => ("6N1/5KR1/2n5/8/8/8/2n5/1k6 w - - 0 1", ["SCM", "SCM"]),
        "002-a-line-b" => (AFTER_A, ["SCM", "SCM"]),
        "002-a-line-c" => (AFTER_B, ["SCM", "SCM"]),
        "002-a-line-d" => (AFTER_B, ["SMC", "SCM"]),
        "002-a-line-e" => (AFTER_A, ["SCM", "SMC"]),
        "002-a-line-f" => (AFTER_E, ["SCM", "SMC"]),
        "002-a-line-g" => (AFTER_E, ["SMC", "SMC"]),
        _ => return None,
    })
}

fn needs(item: &Item) -> Needs {
    match item.id {
        "002-2-krbknn" => vec![("KRBKNN", vec![Metric::Dtc])],
        "002-2-krnknn" => vec![("KRNKNN", vec![Metric::Dtc])],
        "002-table-2-mxrn-nn-max" => vec![("KRNKNN", vec![Metric::Dtc, Metric::Dtm])],
        "002-4-qbb-n1" | "002-6-4-sr1" => vec![("KQBBKN", FOLLOWING.to_vec())],
        "002-4-kbbknn" => vec![("KBBKNN", vec![Metric::Dtc, Metric::Dtm])],
        // Which tables the list takes is known only when those to a zeroing move are there.
        id if id.starts_with(LIST) => Vec::new(),
        _ => vec![("KRNKNN", vec![Metric::Dtc, Metric::Dtm, Metric::Dtz])],
    }
}

/// The depth of the deepest win of either side, in moves.
fn greatest(bench: &Bench<'_>, name: &str, metric: Metric) -> Result<u16> {
    let found = deepest(&*bench.source(), material(name)?, metric, bench.progress)?;
    Ok(found.white.max(found.black).0)
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    if let Some((start, strategies)) = line(item.id) {
        let found = compared(bench, &position(start)?, item.printed, strategies)?;
        let names = format!("{}-{}", &strategies[0][1..], &strategies[1][1..]);
        return Ok(Finding::fact(item, found.1.is_empty(), words(&found)).because(format!("marked by {names} play")));
    }
    if let Some(name) = listed(item.id) {
        let deepest = deepest_win(bench, name)?;
        let meant = if item.id.ends_with(MISPRINTED) { "KQBKR has five men, KQBKRR is meant; " } else { "" };
        let shown = format!("{meant}for example {}; {}", deepest.fen, deepest.how);
        return Ok(greatest_depth(item, deepest.moves)?.because(shown));
    }
    match item.id {
        "002-2-krbknn" => Finding::numbers(item, &[f64::from(greatest(bench, "KRBKNN", Metric::Dtc)?)]),
        "002-2-krnknn" => Finding::numbers(item, &[f64::from(greatest(bench, "KRNKNN", Metric::Dtc)?)]),
        "002-4-six-krbknn-99" => {
            let [first, second] = ["KRBKNN", "KRBNKQ"].map(|name| deepest_win(bench, name));
            let (first, second) = (first?, second?);
            let finding = Finding::numbers(item, &[f64::from(first.moves), f64::from(second.moves)])?;
            let shown =
                format!("the list names KRBKNN twice, with 223 and 99; for example {} and {}", first.fen, second.fen);
            Ok(finding.because(shown))
        }
        "002-table-2-mxrn-nn-max" => {
            let mut shown = Vec::new();
            let mut holds = true;
            for metric in [Metric::Dtc, Metric::Dtm] {
                let most = deepest(&*bench.source(), material("KRNKNN")?, metric, bench.progress)?.white.0;
                let value = bench.source().value(&position(fen("mxrn-nn")?)?, metric)?;
                let own = value.winner_moves(metric).map_or(0, |moves| moves.0);
                holds &= own == most;
                shown.push(format!("{metric} {own} moves, the deepest win of White {most}"));
            }
            Ok(Finding::fact(item, holds, shown.join("; ")))
        }
        "002-4-qbb-n1" | "002-6-4-sr1" => {
            let strategy = if item.id == "002-6-4-sr1" { "SR1" } else { "SZ" };
            let found = followed(bench, fen("qbb-n1")?, &[strategy], "SR")?;
            let success = &found.first().ok_or(ReproduceError::Internal("a strategy was not followed"))?.1;
            let (shown, how) = (format!("{strategy} {}", word(success)), FOLLOWED_HOW);
            let holds = match success {
                Success::Wins => strategy == "SR1",
                Success::Slips(_) => strategy == "SZ",
                Success::NotWon => false,
                Success::TooMany => return Ok(Finding::cannot(item, shown, format!("{how}: {TOO_MANY}"))),
            };
            Ok(Finding::fact(item, holds, shown).because(how))
        }
        "002-4-kbbknn" => {
            let to_mate = bench.counts("KBBKNN", Metric::Dtm, Counting::Once)?;
            let white = &to_mate.sides.white;
            let (mut wins, mut long, mut all) = (0, 0, 0);
            for (&(outcome, plies), &count) in &white.histogram {
                all += count;
                if outcome == Outcome::Win {
                    wins += count;
                    long += if plies.0 > 100 { count } else { 0 };
                }
            }
            let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
            let depths = [greatest(bench, "KBBKNN", Metric::Dtm)?, greatest(bench, "KBBKNN", Metric::Dtc)?];
            Finding::numbers(
                item,
                &[f64::from(depths[0]), f64::from(depths[1]), percent(wins, all), percent(long, wins)],
            )
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
