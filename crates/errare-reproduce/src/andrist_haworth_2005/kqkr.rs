//! Sections 2 and 5 to 7, appendix C: the Markov model of KQKR.

use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::markov::{contests, model};
use crate::numerals::{decimals, grouped, scientific};
use crate::study::Study;
use errare_choice::Competence;
use errare_tables::Metric;
use shakmaty::Color;

pub const STUDY: Study = Study {
    name: "the Markov model of KQKR",
    is_quick: true,
    covers: |id| {
        ["001-2-states", "001-5-no-minimum", "001-6-markov-20", "001-6-markov-21", "001-7-1-kqkr", "001-7-1-power"]
            .contains(&id)
            || ["001-c-identity", "001-c-lengths"].contains(&id)
    },
    needs: |_| vec![("KQKR", vec![Metric::Dtc])],
    run,
};

const LEAST: [f64; 3] = [-5.0, -2.0, 0.0];

fn run(bench: &Bench<'_>, items: &[&Item]) -> Result<Vec<Finding>> {
    let (own, chains) = contests(bench, "KQKR", &[LEAST[0], LEAST[1], LEAST[2], 20.0, 21.0])?;
    let lengths = |lane: usize| {
        Ok::<_, ReproduceError>(chains[lane].chain().solve().map_err(errare_endgame::EndgameError::from)?)
    };
    let (at_20, at_21) = (lengths(3)?, lengths(4)?);
    items
        .iter()
        .map(|item| match item.id {
            "001-2-states" => {
                let states = bench.oracle(Metric::Dtc).states(material("KQKR")?)?;
                let [white, black] = [states.deepest_win().0, states.deepest_loss().0].map(f64::from);
                Finding::numbers(item, &[white, black, states.count() as f64])
            }
            "001-6-markov-20" | "001-7-1-kqkr" => Finding::numbers(item, &[at_20.lengths[31]]),
            "001-6-markov-21" => Finding::numbers(item, &[at_21.lengths[31]]),
            "001-5-no-minimum" => {
                let mut least_chance = 1.0_f64;
                let mut texts = Vec::new();
                for (lane, c) in LEAST.iter().enumerate() {
                    let solved = lengths(lane)?;
                    let won = solved.absorption(0).ok_or(ReproduceError::Internal("a win does not absorb"))?;
                    least_chance = least_chance.min(won.iter().copied().fold(1.0, f64::min));
                    let length = solved.lengths[31];
                    let length = if length < 1e9 { grouped(length.round() as u64) } else { scientific(length, 2) };
                    texts.push(format!("c = {c}: {length} moves from depth 31"));
                }
                let computed = format!("probability of winning {}; {}", decimals(least_chance, 9), texts.join("; "));
                Ok(Finding::fact(item, (least_chance - 1.0).abs() < 1e-9, computed))
            }
            "001-7-1-power" => {
                let chain = chains[3].chain();
                let within = chain.within(&[0], 50).map_err(errare_endgame::EndgameError::from)?;
                let power = chain.matrix().power(50);
                let gap = (0..within.len()).map(|d| (within[d] - power.row(d)[0]).abs()).fold(0.0, f64::max);
                let computed = format!(
                    "from depth 31, c = 20: {}; the two ways of computing differ by less than {} at every depth",
                    decimals(within[31], 6),
                    if gap < 1e-12 { "1e-12" } else { "1" },
                );
                Ok(Finding::fact(item, gap < 1e-12, computed))
            }
            "001-c-identity" => {
                let defender = model(bench, "KQKR", Color::Black, &[Competence::INFALLIBLE])?;
                let matrix = defender.matrix(0)?;
                let (draw, count) = (defender.states().draw(), defender.states().count());
                let least = (draw + 1..count).map(|state| matrix.row(state)[state]).fold(1.0, f64::min);
                let computed =
                    format!("least diagonal element over depths 0 to {}: {}", count - draw - 2, decimals(least, 12));
                Ok(Finding::fact(item, least == 1.0, computed))
            }
            "001-c-lengths" => {
                let matrix = own.matrix(3)?;
                let residual = |from: usize| {
                    let row = matrix.row(from).iter().zip(&at_20.lengths);
                    (at_20.lengths[from] - 1.0 - row.map(|(chance, length)| chance * length).sum::<f64>()).abs()
                };
                let worst = (1..at_20.lengths.len()).map(residual).fold(0.0, f64::max);
                let computed =
                    format!("largest residual at c = 20 {}", if worst < 1e-9 { "below 1e-9" } else { "above 1e-9" });
                Ok(Finding::fact(item, worst < 1e-9, computed))
            }
            _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
        })
        .collect()
}
