//! Levy's example: three drawing and two losing moves.

use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::study::{Study, no_tables};
use errare_endgame::error_chance;

pub const STUDY: Study = Study {
    name: "Levy's example",
    is_quick: true,
    covers: |id| {
        ["game-value", "probabilities", "value", "expectation", "node"]
            .iter()
            .any(|rest| id.strip_prefix("003-levy-") == Some(rest))
    },
    needs: no_tables,
    run: |_, items| items.iter().map(|item| finding(item)).collect(),
};

const DRAWING: usize = 3;
const LOSING: usize = 2;
const P: f64 = 0.01;

fn finding(item: &Item) -> Result<Finding> {
    let of_losing = P;
    let of_drawing = (1.0 - LOSING as f64 * P) / DRAWING as f64;
    match item.id {
        "003-levy-game-value" => Finding::numbers(item, &[0.0_f64.max(-1.0)]),
        "003-levy-probabilities" => {
            Finding::numbers(item, &[DRAWING as f64 * of_drawing + LOSING as f64 * of_losing])
        }
        // MAX is the one who errs: the value of the node is that of the opponent's gain, reversed.
        "003-levy-value" => Finding::numbers(item, &[-error_chance(LOSING, DRAWING, P)]),
        "003-levy-expectation" => Ok(Finding::numbers(item, &[-(LOSING as f64) * of_losing])?.because(
            "two losing moves of probability 0.01 each cost 0.02 on average; the note divides by the number of moves once more",
        )),
        "003-levy-node" => Finding::numbers(item, &[error_chance(LOSING, DRAWING, P)]),
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
