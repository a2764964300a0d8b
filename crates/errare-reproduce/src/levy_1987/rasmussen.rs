//! Rasmussen's correction of an analysis by Gipslis, KRKN.

use crate::bench::{Bench, play, position, san};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::Study;
use errare_tables::{Metric, Outcome};
use shakmaty::{Chess, Position};

pub const STUDY: Study = Study {
    name: "Rasmussen's position",
    is_quick: true,
    covers: |id| ["turn", "nf7", "nd7", "replies"].iter().any(|rest| id.strip_prefix("003-rasmussen-") == Some(rest)),
    needs: |_| vec![("KRKN", vec![Metric::Dtm])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

const START: &str = "8/8/8/4N3/4r3/4k3/6K1/8 w - - 0 1";

/// The value of a position for White, in words.
fn for_white(bench: &Bench<'_>, at: &Chess) -> Result<String> {
    let value = bench.source().value(at, Metric::Dtm)?;
    let outcome = if at.turn().is_white() { value.outcome } else { value.outcome.reversed() };
    let moves = value.winner_moves(Metric::Dtm).map_or(0, |moves| moves.0);
    Ok(match outcome {
        Outcome::Win => format!("won, mate in {moves}"),
        Outcome::Loss => format!("lost, mate in {moves}"),
        _ => "drawn".to_owned(),
    })
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let start = position(START)?;
    let oracle = bench.oracle(Metric::Dtm);
    match item.id {
        "003-rasmussen-turn" => {
            let is_legal = play(&start, "Nf7").is_ok() && play(&start, "Nd7").is_ok();
            let computed = format!(
                "White to move: Nf7 and Nd7 {}; the position is {} whatever White plays",
                if is_legal { "are legal" } else { "are not legal" },
                for_white(bench, &start)?,
            );
            Ok(Finding::fact(item, false, computed).because("with Black to move 1. Nf7 and 1. Nd7 would not be moves"))
        }
        "003-rasmussen-nf7" => {
            let value = for_white(bench, &play(&start, "Nf7")?.0)?;
            Ok(Finding::fact(item, value.starts_with("lost"), value))
        }
        "003-rasmussen-nd7" => {
            let lines = ["Nd7", "Nd7 Kf4", "Nd7 Kf4 Nc5", "Nd7 Kf4 Nc5 Re2+"];
            let values =
                lines.iter().map(|line| for_white(bench, &play(&start, line)?.0)).collect::<Result<Vec<_>>>()?;
            let shown = lines.iter().zip(&values).map(|(line, value)| format!("after {line}: {value}"));
            Ok(Finding::fact(item, values[3].starts_with("lost"), listed(shown)))
        }
        "003-rasmussen-replies" => {
            let (at, _) = play(&start, "Nd7 Kf4 Nc5 Re2+")?;
            let mut names: Vec<String> = at.legal_moves().iter().map(|&mv| san(&at, mv)).collect();
            names.sort();
            let options = oracle.options(&at)?;
            let mut depths = Vec::new();
            for place in 0..options.candidates.len() {
                let name = san(&at, options.candidates[place].choice().mv);
                depths.push(format!("{name} {}", for_white(bench, &options.after(place))?));
            }
            Ok(Finding::text(item, listed(&names)).because(listed(depths)))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
