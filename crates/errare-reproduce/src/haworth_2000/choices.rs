//! Section 4: the moves that strategies choose in the positions of Table 2.

use super::table_2::fen;
use crate::bench::{Bench, play, position, san};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::{Needs, Study};
use errare_endgame::{Follower, Goals, Situation, Strategy, Success};
use errare_tables::Metric;

pub const STUDY: Study = Study {
    name: "strategies in the positions of Table 2",
    is_quick: false,
    covers: |id| {
        ["002-3-nested", "002-4-q-nn2-left", "002-4-q-nn2-sm", "002-4-q-nn2-sc", "002-4-q-nn2-smc", "002-4-nn-p2-h3"]
            .contains(&id)
            || [
                "002-4-nn-p3-sc",
                "002-4-nn-p4-kf2",
                "002-4-nn-p3-sz",
                "002-4-qp-q3-sz",
                "002-4-qp-q3-sc",
                "002-4-sm-star",
            ]
            .contains(&id)
    },
    needs,
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The metrics whose tables are needed to follow strategies under the fifty-move rule.
pub const FOLLOWING: [Metric; 5] = [Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr, Metric::DtzRule(50)];

fn needs(item: &Item) -> Needs {
    let depths = || vec![Metric::Dtz, Metric::Dtc, Metric::Dtm];
    match item.id {
        "002-3-nested" => vec![("KQKNN", FOLLOWING.to_vec())],
        "002-4-sm-star" => vec![("KQKNN", FOLLOWING.to_vec()), ("KQPKQ", depths()), ("KNNKP", vec![Metric::Dtz])],
        id if id.contains("q-nn2") => vec![("KQKNN", depths())],
        id if id.contains("qp-q3") => vec![("KQPKQ", depths())],
        _ => vec![("KNNKP", depths())],
    }
}

fn strategy(text: &str) -> Result<Strategy> {
    text.parse().map_err(|_| ReproduceError::Internal("a strategy that is none"))
}

/// The moves that a strategy allows under the fifty-move rule, by name.
fn allowed(bench: &Bench<'_>, key: &str, text: &str) -> Result<String> {
    let at = position(fen(key)?)?;
    let source = bench.source();
    let situation = Situation::new(&*source, &at, Some(50))?;
    let places = strategy(text)?.select(&situation, &mut Goals::default())?;
    let mut names: Vec<String> = places.into_iter().map(|place| san(&at, situation.moves()[place])).collect();
    names.sort();
    Ok(listed(names))
}

/// Whether every move that a strategy allows leaves time to end the phase under the fifty-move rule.
fn in_time(bench: &Bench<'_>, key: &str, text: &str) -> Result<bool> {
    let at = position(fen(key)?)?;
    let source = bench.source();
    let situation = Situation::new(&*source, &at, Some(50))?;
    let places = strategy(text)?.select(&situation, &mut Goals::default())?;
    let after = situation.successors(Metric::Dtz)?;
    Ok(places.iter().all(|&place| situation.made() + u32::from(after[place].through.plies.0) <= 100))
}

/// The explanation of how strategies are followed in statements about six men.
pub const FOLLOWED_HOW: &str = "followed in every line, under the fifty-move rule, against SR";
/// The explanation of why following a strategy may not come to an end.
pub const TOO_MANY: &str = "a search may keep two million positions, which are too few here";

/// Follows strategies from a position under the fifty-move rule against a defence, and returns each with its result.
pub fn followed(bench: &Bench<'_>, fen: &str, strategies: &[&str], defence: &str) -> Result<Vec<(String, Success)>> {
    let at = position(fen)?;
    let source = bench.source();
    let attacks = strategies.iter().map(|text| strategy(text)).collect::<Result<Vec<_>>>()?;
    let mut follower = Follower::new(&*source, 50, attacks, strategy(defence)?);
    let found = follower.follow(&at, bench.progress)?;
    Ok(strategies.iter().map(|&text| text.to_owned()).zip(found).collect())
}

/// The result of following a strategy, in words.
pub fn word(success: &Success) -> &'static str {
    match success {
        Success::Wins => "wins",
        Success::Slips(_) => "slips",
        Success::NotWon => "not won in time",
        Success::TooMany => "unsettled",
    }
}

fn words(found: &[(String, Success)]) -> String {
    listed(found.iter().map(|(name, success)| format!("{name} {}", word(success))))
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let value =
        |key: &str, metric: Metric| -> Result<u16> { Ok(bench.source().value(&position(fen(key)?)?, metric)?.plies.0) };
    match item.id {
        "002-3-nested" => {
            let [plain, nested] = [in_time(bench, "q-nn2", "SM")?, in_time(bench, "q-nn2", "SMC")?];
            let word = |is_in_time: bool| if is_in_time { "only moves in time" } else { "a move that is too late" };
            let later = words(&followed(bench, fen("q-nn2")?, &["SM", "SMC", "SC"], "SC")?);
            Ok(Finding::fact(item, nested && !plain, format!("SM chooses {}, SMC {}", word(plain), word(nested)))
                .because(format!(
                    "the paper speaks of the moves in this position; followed to the end against SC: {later}"
                )))
        }
        "002-4-q-nn2-left" => {
            let at = position(fen("q-nn2")?)?;
            let source = bench.source();
            let left = Situation::new(&*source, &at, Some(50))?.moves_left().map_or(0, |left| left.0);
            let needed = value("q-nn2", Metric::Dtc)?.div_ceil(2);
            Ok(Finding::numbers(item, &[f64::from(left)])?.because(format!("the conversion takes {needed} moves")))
        }
        "002-4-q-nn2-sm" => Ok(Finding::text(item, allowed(bench, "q-nn2", "SM")?)),
        "002-4-q-nn2-sc" => Ok(Finding::text(item, allowed(bench, "q-nn2", "SC")?)),
        "002-4-q-nn2-smc" => Ok(Finding::text(item, allowed(bench, "q-nn2", "SMC")?)
            .because("the paper speaks of this move; six moves later SMC may slip as SM does")),
        "002-4-nn-p2-h3" => {
            let moves = value("nn-p2", Metric::Dtz)?.div_ceil(2);
            Ok(Finding::numbers(item, &[f64::from(24 + moves)])?.because(format!(
                "DTZ is {moves} moves: against the best defence h3 comes on move 76 at the earliest, and the draw can be claimed before"
            )))
        }
        "002-4-nn-p3-sc" => {
            Ok(Finding::text(item, format!("{}; {}", allowed(bench, "nn-p3", "SC")?, allowed(bench, "nn-p3", "SM")?)))
        }
        "002-4-nn-p4-kf2" => {
            let (after, _) = play(&position(fen("nn-p4")?)?, "Kf2")?;
            let plies = bench.source().value(&after, Metric::Dtz)?.plies.0;
            // White to move at 64: a phase of 2n or 2n - 1 plies ends on White's n-th move, or Black's reply to it.
            let last = 63 + plies.div_ceil(2);
            Ok(Finding::numbers(item, &[f64::from(last)])?
                .because(format!("after 63. ... Kf2 the pawn can be held off for {plies} plies")))
        }
        "002-4-nn-p3-sz" => {
            let plies = value("nn-p3", Metric::Dtz)?;
            Ok(Finding::text(item, if plies <= 24 { "wins" } else { "not won in time" })
                .because(format!("DTZ is {plies} plies, and 24 are left: nothing wins in time")))
        }
        "002-4-qp-q3-sz" => Ok(Finding::text(item, allowed(bench, "qp-q3", "SZ")?)),
        "002-4-qp-q3-sc" => {
            Ok(Finding::text(item, format!("{}; {}", allowed(bench, "qp-q3", "SC")?, allowed(bench, "qp-q3", "SM")?)))
        }
        "002-4-sm-star" => {
            let first = followed(bench, fen("q-nn2")?, &["SM*", "SA1"], "SC")?;
            let pushes = [allowed(bench, "qp-q3", "SM*")?, allowed(bench, "qp-q3", "SA1")?];
            let plies = value("nn-p3", Metric::Dtz)?;
            let wins = first.iter().all(|(_, success)| *success == Success::Wins);
            let holds = wins && pushes.iter().all(|push| push == "a7") && plies <= 24;
            let computed = format!(
                "Q-NN2: {}; QP-Q3: SM* plays {}, SA1 {}; NN-P3: not won in time, as DTZ is {plies} plies and 24 are left",
                words(&first),
                pushes[0],
                pushes[1]
            );
            Ok(Finding::fact(item, holds, computed).because("Q-NN2 followed in every line against SC"))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
