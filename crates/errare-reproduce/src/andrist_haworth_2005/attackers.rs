//! Section 4: Bronstein's and Timman's apparent competence, attacking in KBBKN.

use crate::bench::{Bench, analysis, famous_game, material};
use crate::browne_belle::{assessed, of_browne};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::numerals::{decimals, numbers};
use crate::study::Study;
use errare_choice::Kappa;
use errare_endgame::Assessor;
use errare_tables::Metric;
use shakmaty::{Color, Move, Position};
use std::collections::HashSet;
use std::sync::Arc;

pub const STUDY: Study = Study {
    name: "Bronstein and Timman with two bishops",
    is_quick: false,
    covers: |id| ["001-4-bronstein", "001-4-timman", "001-4-highest"].contains(&id),
    needs: |_| vec![("KBBKN", vec![Metric::Dtc]), ("KQKR", vec![Metric::Dtc])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The apparent c of an attacker in KBBKN, from all his moves there, and the number of these moves.
fn apparent(bench: &Bench<'_>, name: &str, side: Color, kappa: Kappa) -> Result<(f64, usize)> {
    let game = famous_game(name)?;
    let moves: Vec<Move> = game.moves().iter().map(|played| played.mv).collect();
    let covered = Some(Arc::new(HashSet::from([material("KBBKN")?])));
    let assessor = Assessor { oracle: bench.oracle(Metric::Dtc), analysis: analysis(kappa, 0.0, 1.0, 50.0)?, covered };
    let stretches = assessor.assess(game.start(), &moves, bench.progress)?;
    let own: Vec<f64> = stretches
        .iter()
        .flat_map(|stretch| &stretch.moves)
        .filter(|remark| remark.position.turn() == side)
        .map(|remark| remark.expected)
        .collect();
    let last = own.last().copied().ok_or(ReproduceError::Internal("a game without the endgame it is known for"))?;
    Ok((last, own.len()))
}

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let at = |name: &str, side: Color| -> Result<([f64; 2], usize)> {
        let (zero, count) = apparent(bench, name, side, Kappa::ZERO_PLUS)?;
        Ok(([zero, apparent(bench, name, side, Kappa::ONE)?.0], count))
    };
    let single = |(found, count): ([f64; 2], usize)| {
        let computed = format!("{} from {count} moves, at kappa 0+ and 1", numbers(found, 2));
        // The paper states kappa = 0+.
        let holds = found[0].round() == 15.0;
        Finding::fact(item, holds, computed).differing(numbers(found.map(|c| c - 15.0), 2))
    };
    match item.id {
        "001-4-bronstein" => Ok(single(at("Bronstein", Color::Black)?)
            .because("c = 0(1)50, all moves of Black in KBBKN, moves that give up the win left out of the model")),
        "001-4-timman" => Ok(single(at("Timman", Color::White)?)
            .because("c = 0(1)50, all moves of White in KBBKN, moves that give up the win left out of the model")),
        "001-4-highest" => {
            let others = [at("Bronstein", Color::Black)?.0[0], at("Timman", Color::White)?.0[0]];
            let browne: Vec<f64> = assessed(bench, 0, Kappa::ZERO_PLUS).map(|remarks| of_browne(&remarks))?;
            let browne = browne.last().copied().unwrap_or(0.0);
            let computed = format!(
                "at kappa 0+: Browne (game 1) {}, Bronstein and Timman {}",
                decimals(browne, 2),
                numbers(others, 2)
            );
            Ok(Finding::fact(item, others.iter().all(|other| *other < browne), computed))
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
