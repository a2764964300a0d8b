//! Sections 4, 6 and 7, and the note added later: strategies that fail on won positions.

use super::choices::{FOLLOWING, followed, word};
use crate::bench::Bench;
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::Study;
use errare_endgame::Success;

pub const STUDY: Study = Study {
    name: "strategies that fail",
    is_quick: false,
    covers: |id| ["002-4-conjecture", "002-6-1-sr-fails", "002-7-nested", "002-note"].contains(&id),
    needs: |_| vec![("KNNKP", FOLLOWING.to_vec())],
    run,
};

/// A won position of KNNKP, with a zero count, in which the plain metrics fail; no phase need be longer than 44 moves.
pub const START: &str = "8/K7/p2N4/8/2N2k2/8/8/8 w - - 0 1";

const STRATEGIES: [&str; 7] = ["SZ", "SC", "SM", "SM*", "SA1", "SR", "SR*"];

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let strategies = &STRATEGIES;
    let found = followed(bench, START, strategies, "SR")?;
    let of = |names: &[&str]| -> Vec<(String, Success)> {
        found.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
    };
    let why = format!("followed from {START} (KNNKP) in every line, under the fifty-move rule, against SR");
    items
        .iter()
        .map(|item| {
            let names: &[&str] = match item.id {
                "002-4-conjecture" => &["SM*", "SA1"],
                "002-6-1-sr-fails" => &["SR", "SR*"],
                "002-7-nested" | "002-note" => &["SZ", "SC", "SM"],
                _ => return Err(ReproduceError::Internal("a study does not know a statement that it covers")),
            };
            let chosen = of(names);
            let fails = chosen.iter().all(|(_, success)| matches!(success, Success::Slips(_)));
            let computed = listed(chosen.iter().map(|(name, success)| format!("{name} {}", word(success))));
            Ok(Finding::fact(item, fails, computed).because(why.clone()))
        })
        .collect()
}
