//! Section 4.3, and the end of 4.1: which moves a Predator would have chosen for BELLE.

use crate::bench::{Bench, analysis, kappa, san};
use crate::browne_belle::{assessed, moves, printed};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::listed;
use crate::study::Study;
use errare_choice::Kappa;
use errare_endgame::{Agent, Predator, Scope};
use errare_tables::Metric;
use shakmaty::{Color, Move, Position};

pub const STUDY: Study = Study {
    name: "a Predator in BELLE's place",
    is_quick: true,
    covers: |id| id.starts_with("001-4-3-") || id == "001-4-1-choices",
    needs: |_| vec![("KQKR", vec![Metric::Dtc, Metric::Dtm])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    match item.id {
        "001-4-1-choices" => {
            let mut changed = Vec::new();
            for kappa in [kappa(0.5)?, Kappa::ONE, kappa(2.0)?, kappa(4.0)?] {
                let mut count = 0;
                for game in [0, 1] {
                    let choices = |kappa: Kappa| -> Result<Vec<Move>> {
                        let black = assessed(bench, game, kappa)?.into_iter();
                        Ok(black
                            .filter(|remark| remark.position.turn() == Color::Black)
                            .map(|remark| remark.model_choice)
                            .collect())
                    };
                    let (zero, other) = (choices(Kappa::ZERO_PLUS)?, choices(kappa)?);
                    count += zero.iter().zip(&other).filter(|(one, two)| one != two).count();
                }
                changed.push(count);
            }
            let computed = format!(
                "of BELLE's 94 moves, choices that differ from those at kappa 0+ at kappa 0.5, 1, 2, 4: {}",
                listed(&changed)
            );
            Ok(Finding::fact(item, changed.iter().all(|&count| count <= 2), computed))
        }
        "001-4-3-optimal" => Ok(Finding::fact_of(item, suboptimal(bench, Metric::Dtc)?)),
        "001-4-3-dtm" => Ok(Finding::fact_of(item, suboptimal(bench, Metric::Dtm)?)),
        "001-4-3-diverge" => diverge(bench, item),
        "001-4-3-queen" => {
            let (start, _) = moves(0)?;
            let rooks = (start.board().rooks() & start.board().black()).count();
            let queens = (start.board().queens() & start.board().black()).count();
            let printed = printed(1)?;
            let capture = printed.last().map_or("", |last| last.san);
            Ok(Finding::fact(
                item,
                queens > 0,
                format!("BELLE has {rooks} rook and {queens} queens; game 2 ends with {capture}"),
            )
            .because("a slip of the pen: BELLE defended with the rook, and Browne captured it"))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}

impl Finding {
    /// Makes a finding of the result of [`suboptimal`].
    fn fact_of(item: &Item, (count, computed): (usize, String)) -> Finding {
        Finding::fact(item, count == 0, computed)
    }
}

/// Counts the suboptimal choices of a Predator that learns from Browne's moves and may choose any move that keeps the value.
fn suboptimal(bench: &Bench<'_>, metric: Metric) -> Result<(usize, String)> {
    let oracle = bench.oracle(metric);
    let mut found = Vec::new();
    let mut total = 0;
    for (name, kappa) in [("0+", Kappa::ZERO_PLUS), ("1", Kappa::ONE)] {
        for game in [0, 1] {
            let (mut at, moves) = moves(game)?;
            let mut predator = Predator::learning(&analysis(kappa, 0.0, 1.0, 50.0)?, 2, Scope::Keeping)?;
            for mv in moves {
                let options = oracle.options(&at)?;
                let is_black = at.turn() == Color::Black;
                if is_black {
                    total += 1;
                    let chances = predator.judge(&oracle, &options, bench.progress)?.probabilities;
                    let optimal = options.optimal();
                    let chosen = (0..chances.len()).filter(|&place| chances[place] > 0.0);
                    for place in chosen.filter(|place| !optimal.contains(place)) {
                        let number = at.fullmoves();
                        let chosen = san(&at, options.candidates[place].choice().mv);
                        found.push(format!("game {}, {number}...{chosen} at kappa {name}", game + 1));
                    }
                }
                let place = options.find(mv).ok_or(ReproduceError::Internal("a move of the game is not legal"))?;
                predator.watch(&options, place, is_black)?;
                at.play_unchecked(mv);
            }
        }
    }
    let which = if found.is_empty() { String::new() } else { format!(": {}", listed(&found)) };
    Ok((found.len(), format!("{} suboptimal of {total} choices (both games, kappa 0+ and 1){which}", found.len())))
}

/// Compares the optimal moves by DTC and by DTM in all positions of both games.
fn diverge(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let [dtc, dtm] = [Metric::Dtc, Metric::Dtm].map(|metric| bench.oracle(metric));
    let (mut same, mut overlapping, mut disjoint, mut total) = (0, 0, 0, 0);
    for game in [0, 1] {
        let (mut at, moves) = moves(game)?;
        for mv in moves {
            let (by_dtc, by_dtm) = (dtc.options(&at)?.optimal(), dtm.options(&at)?.optimal());
            total += 1;
            if by_dtc == by_dtm {
                same += 1;
            } else if by_dtc.iter().any(|place| by_dtm.contains(place)) {
                overlapping += 1;
            } else {
                disjoint += 1;
            }
            at.play_unchecked(mv);
        }
    }
    let computed = format!(
        "of the {total} positions of both games: {same} the same, {overlapping} overlapping, {disjoint} disjoint"
    );
    Ok(Finding::fact(item, same > disjoint && disjoint > 0, computed))
}
