//! Slips under the fifty-move rule: how many wins strategies let slip, in the five-man endgames in which the rule
//! spoils wins.

use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::numerals::{decimals, grouped};
use errare_endgame::{Strategy, StrategyTally, WholeComparer};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::{Metric, TableError, tables_to_mate};
use errare_work::write_whole;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use std::fs;

pub const EXPERIMENT: Experiment = Experiment {
    name: "slips",
    title: "How many wins do SZ, SC, SM and SR let slip under the fifty-move rule?",
    question: "Haworth (2000, section 7) conjectures that strategies which do not know of the rule fail somewhere, and calls for \
               experiments in the deep five-man endgames.",
    method: "The twenty five-man endgames in which the statistics of syzygy-tables.info have wins that take more than fifty moves to a \
             capture or pawn move, there or in the phase that it begins; the page says which of them it covers. Every win under the rule, either side winning, the winner to move and the clock at zero, each position once \
             up to symmetry. A win slips if some move that the strategy allows, against some defence, leads to a position that \
             cannot be won under the rule any more. Every position is decided, none drawn by chance. Without pawns SC is SZ.",
    endgames: &ENDGAMES,
    // Endgame by endgame, so that what has been found is kept.
    needs: Vec::new,
    run,
};

const RULE: u16 = 50;
/// The endgames, from small to large, those with the fewest other endgames behind them first.
const ENDGAMES: [&str; 20] = [
    "KBBKN", "KQKNN", "KQKBB", "KBNKN", "KRBKR", "KQRKQ", "KNNKP", "KBBKP", "KNPKN", "KBPKN", "KRPKB", "KQKNP",
    "KQKRP", "KBNKP", "KQRKP", "KQPKQ", "KQKPP", "KRPKP", "KQPKP", "KPPKP",
];

/// The version of stored results: it rises when the same endgame would have other results.
const VERSION: u32 = 1;

/// The result of counting slips in one endgame.
#[derive(Serialize, Deserialize)]
struct Slips {
    version: u32,
    wins: u64,
    strategies: Vec<StrategySlips>,
    all_slipped: u64,
    /// A position in which every strategy slips, as a FEN; none if there is none.
    all_slip: Option<String>,
}

/// The wins that one strategy lets slip.
#[derive(Serialize, Deserialize)]
struct StrategySlips {
    strategy: String,
    slipped: u64,
    /// A position from which the strategy slips, as a FEN; none if there is none.
    example: Option<String>,
}

/// Counts the slips in an endgame, or reads what an earlier run with the same tables found.
fn slips(bench: &Bench<'_>, name: &str) -> Result<Slips> {
    let ours = bench.tables.our_library().ok_or(TableError::Internal("tables of other makers cannot be searched"))?;
    let kept = ours.folder().join(format!("{name}.slips.json"));
    let known: Option<Slips> = fs::read(&kept).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(known) = known.filter(|known| known.version == VERSION) {
        return Ok(known);
    }
    let material = material(name)?;
    let names: &[&str] = if material.has_pawns() { &["SZ", "SC", "SM", "SR"] } else { &["SZ", "SM", "SR"] };
    let strategies = names
        .iter()
        .map(|name| name.parse().map_err(|_| ReproduceError::Internal("a strategy that is none")))
        .collect::<Result<Vec<Strategy>>>()?;
    let needed = tables_to_mate(material, [Metric::DtzRule(RULE), Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr]);
    let found = bench.tables.build_and_work(&needed, bench.progress, || {
        let (source, library) = (&*bench.source(), Some(&**ours));
        // None of the strategies looks at the clock, so no more memory is taken than there has to be.
        let (strategies, examples, memory) = (&*strategies, 1, 0);
        let comparer = WholeComparer { source, library, material, rule: RULE, strategies, examples, memory };
        Ok::<_, ReproduceError>(comparer.compare(bench.progress)?)
    })?;
    let of_strategy = |(strategy, tally): (&&str, &StrategyTally)| StrategySlips {
        strategy: (*strategy).to_owned(),
        slipped: tally.slipped,
        example: tally.examples.first().map(|(start, _)| fen(start)),
    };
    let found = Slips {
        version: VERSION,
        wins: found.wins,
        strategies: names.iter().zip(&found.tallies).map(of_strategy).collect(),
        all_slipped: found.all_slipped,
        all_slip: found.all_slip.first().map(fen),
    };
    let text = serde_json::to_vec_pretty(&found).map_err(|_| ReproduceError::Internal("counts are no JSON"))?;
    write_whole(&kept, text).map_err(TableError::from)?;
    Ok(found)
}

fn run(bench: &Bench<'_>) -> Result<Account> {
    let columns = ["endgame", "wins", "strategy", "slip", "share", "example"];
    let mut table = ResultTable::new("Wins under the fifty-move rule that strategies let slip", &columns);
    let all_columns = ["endgame", "wins that all strategies let slip", "example"];
    let mut all = ResultTable::new("Wins that every one of the strategies lets slip", &all_columns);
    let (mut findings, mut series) = (Vec::new(), Vec::<(String, Vec<(f64, f64)>)>::new());
    for (place, &name) in bench.endgames.iter().enumerate() {
        let found = slips(bench, name)?;
        let mut shares = Vec::new();
        for StrategySlips { strategy, slipped, example } in found.strategies {
            let share = 100.0 * slipped as f64 / found.wins.max(1) as f64;
            table.push([
                name.to_owned(),
                grouped(found.wins),
                strategy.clone(),
                grouped(slipped),
                format!("{}%", decimals(share, 3)),
                example.unwrap_or_else(none),
            ]);
            shares.push(format!("{strategy} {}%", decimals(share, 2)));
            let point = (place as f64 + 1.0, share);
            match series.iter_mut().find(|(own, _)| *own == strategy) {
                Some((_, points)) => points.push(point),
                None => series.push((strategy, vec![point])),
            }
        }
        all.push([name.to_owned(), grouped(found.all_slipped), found.all_slip.unwrap_or_else(none)]);
        findings.push(format!("{name}, {} wins: {}.", grouped(found.wins), shares.join(", ")));
    }
    let missing: Vec<&str> = ENDGAMES.into_iter().filter(|name| !bench.endgames.contains(name)).collect();
    if !missing.is_empty() {
        findings.push(format!("Not computed here: {}.", missing.join(", ")));
    }
    let chart = LineChart {
        title: "Wins that slip under the fifty-move rule".to_owned(),
        x: Axis::linear(format!("endgame: {}", numbered(&bench.endgames))),
        y: Axis::log("share of wins that slip (%)"),
        series: series.into_iter().map(|(name, points)| Series::dots(name, points)).collect(),
        marks: Vec::new(),
    };
    let caption = "Share of the wins of each endgame that a strategy lets slip; none is not drawn.".to_owned();
    Ok(Account { findings, tables: vec![table, all], pictures: vec![Picture { caption, chart }] })
}

fn none() -> String {
    "none".to_owned()
}

fn numbered(names: &[&str]) -> String {
    let numbered: Vec<String> = (1..).zip(names).map(|(number, name)| format!("{number} {name}")).collect();
    numbered.join(", ")
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
