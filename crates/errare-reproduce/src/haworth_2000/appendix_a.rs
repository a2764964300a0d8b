//! Appendix A: the ends of the lines, in five men and fewer.

use crate::bench::{Bench, play, position};
use crate::error::{ReproduceError, Result};
use crate::finding::Finding;
use crate::list::Item;
use crate::marks::{compared, words};
use crate::study::Study;
use errare_tables::Metric;
use shakmaty::Chess;

pub const STUDY: Study = Study {
    name: "the ends of the lines of appendix A",
    is_quick: false,
    covers: |id| {
        [
            "002-a-line-c-tail",
            "002-a-line-e-fen",
            "002-a-line-f-tail",
            "002-a-line-f-249",
            "002-a-line-f-250",
            "002-a-line-g-tail",
        ]
        .contains(&id)
    },
    needs: |_| vec![("KRNKN", vec![Metric::Dtc, Metric::Dtm, Metric::Dtz])],
    run: |bench, items| items.iter().map(|item| finding(bench, item)).collect(),
};

/// The position after line b, at 229w.
pub const AFTER_B: &str = "2k5/2n4R/n2K4/8/2N5/8/8/8 w - - 0 229";
/// The position after line e, at 239w; the printed FEN lacks an empty rank.
pub const AFTER_E: &str = "8/1nK5/3n4/3N2k1/8/8/8/5R2 w - - 0 239";
const LINE_C: &str = "Na5 Kd8 Nc6+ Kc8 Ne7+ Kd8 Nd5 Ne8+ Kc6 Nb8+ Kb5 Nd6+ Kc5 Nc8 Rh8+ Kd7 Nf6+ Kc7 Rh7+ Kd8 Rb7 Na6+ Kc6 Ne7+ \
                      Kb6 Nb4 Rd7+ Kc8 Rxe7";
const LINE_F: &str = "Nb6 Kg4 Rc1 Kf5 Nc4 Ne4 Kxb7";
const LINE_F_249: &str = "Nc5+ Kc6 Nd3 Ra1 Ke4 Ra4 Nf4 Kd6 Kd3 Ke5 Ng6+ Kf5 Nh4+ Kg4 Ng6";
const LINE_G: &str = "Kc6 Kg6 Nc7 Kg7 Ne6+ Kg6 Kc7 Kh6 Rg1 Kh5 Kc6 Kh6 Ng7 Kh7 Nh5 Kh6 Nf6 Nf7 Kxb7";

fn finding(bench: &Bench<'_>, item: &Item) -> Result<Finding> {
    let mates = |at: &Chess| -> Result<f64> {
        let value = bench.source().value(at, Metric::Dtm)?;
        Ok(value.winner_moves(Metric::Dtm).map_or(f64::NAN, |moves| f64::from(moves.0)))
    };
    let tail = |start: &str, line: &str, strategies: [&str; 2]| -> Result<Finding> {
        let (at, _) = play(&position(start)?, line)?;
        let found = compared(bench, &at, item.printed, strategies)?;
        Ok(Finding::fact(item, found.1.is_empty(), words(&found)))
    };
    match item.id {
        "002-a-line-c-tail" => tail(AFTER_B, LINE_C, ["SCM", "SCM"]),
        "002-a-line-f-tail" => tail(AFTER_E, LINE_F, ["SCM", "SMC"]),
        "002-a-line-g-tail" => Ok(tail(AFTER_E, LINE_G, ["SMC", "SMC"])?.because("255. Rxc6+ of the copy is Rxg6+")),
        "002-a-line-e-fen" => {
            let ranks = item.printed.split(' ').next().map_or(0, |board| board.split('/').count());
            Ok(Finding::fact(
                item,
                ranks == 8,
                format!("{ranks} ranks; with an empty rank before the last the lines go on: {AFTER_E}"),
            ))
        }
        "002-a-line-f-249" | "002-a-line-f-250" => {
            let (at, _) = play(&position(AFTER_E)?, LINE_F)?;
            let (at, _) = play(&at, LINE_F_249)?;
            if item.id == "002-a-line-f-249" {
                return Finding::numbers(item, &[mates(&at)?]);
            }
            let (at, _) = play(&at, "Ra7 Kxc4")?;
            let moves = mates(&at)?;
            Finding::numbers(item, &[moves, 250.0 + moves])
        }
        _ => Err(ReproduceError::Internal("a study does not know a statement that it covers")),
    }
}
