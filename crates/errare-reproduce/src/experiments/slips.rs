//! How many wins strategies let slip under the fifty-move rule, in the five-man endgames in which the rule spoils wins.

use super::{Account, Experiment, ResultTable};
use crate::bench::{Bench, material};
use crate::error::{ReproduceError, Result};
use crate::finding::Picture;
use crate::numerals::{decimals, grouped};
use errare_endgame::{Strategy, WholeComparer};
use errare_figures::{Axis, LineChart, Series};
use errare_tables::{Metric, TableError};
use shakmaty::{Chess, EnPassantMode, fen::Fen};

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
    needs: || {
        let metrics = vec![Metric::DtzRule(RULE), Metric::Dtz, Metric::Dtc, Metric::Dtm, Metric::Dtr];
        ENDGAMES.iter().map(|&name| (name, metrics.clone())).collect()
    },
    run,
};

const RULE: u16 = 50;
/// From small to large, those with the fewest other endgames behind them first.
const ENDGAMES: [&str; 20] = [
    "KBBKN", "KQKNN", "KQKBB", "KBNKN", "KRBKR", "KQRKQ", "KNNKP", "KBBKP", "KNPKN", "KBPKN", "KRPKB", "KQKNP",
    "KQKRP", "KBNKP", "KQRKP", "KQPKQ", "KQKPP", "KRPKP", "KQPKP", "KPPKP",
];

fn run(bench: &Bench<'_>) -> Result<Account> {
    let ours = bench.tables.our_library().ok_or(TableError::Internal("tables of other makers cannot be searched"))?;
    let columns = ["endgame", "wins", "strategy", "slip", "share", "example"];
    let mut table = ResultTable::new("Wins under the fifty-move rule that strategies let slip", &columns);
    let all_columns = ["endgame", "wins that all strategies let slip", "example"];
    let mut all = ResultTable::new("Wins that every one of the strategies lets slip", &all_columns);
    let (mut findings, mut series) = (Vec::new(), Vec::<(&str, Vec<(f64, f64)>)>::new());
    for (place, &name) in bench.endgames.iter().enumerate() {
        let material = material(name)?;
        let names: &[&str] = if material.has_pawns() { &["SZ", "SC", "SM", "SR"] } else { &["SZ", "SM", "SR"] };
        let strategies = names
            .iter()
            .map(|name| name.parse().map_err(|_| ReproduceError::Internal("a strategy that is none")))
            .collect::<Result<Vec<Strategy>>>()?;
        let source = bench.source();
        let comparer = WholeComparer {
            source: &*source,
            library: Some(&**ours),
            material,
            rule: RULE,
            strategies: &strategies,
            examples: 1,
        };
        let found = comparer.compare(bench.progress)?;
        let mut shares = Vec::new();
        for (&strategy, tally) in names.iter().zip(&found.tallies) {
            let share = tally.slipped as f64 / found.wins.max(1) as f64;
            let example = tally.examples.first().map_or_else(|| "none".to_owned(), |(start, _)| fen(start));
            table.push([
                name.to_owned(),
                grouped(found.wins),
                strategy.to_owned(),
                grouped(tally.slipped),
                format!("{}%", decimals(100.0 * share, 3)),
                example,
            ]);
            shares.push(format!("{strategy} {}%", decimals(100.0 * share, 2)));
            match series.iter_mut().find(|(own, _)| *own == strategy) {
                Some((_, points)) => points.push((place as f64 + 1.0, 100.0 * share)),
                None => series.push((strategy, vec![(place as f64 + 1.0, 100.0 * share)])),
            }
        }
        let example = found.all_slip.first().map_or_else(|| "none".to_owned(), fen);
        all.push([name.to_owned(), grouped(found.all_slipped), example]);
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

fn numbered(names: &[&str]) -> String {
    let numbered: Vec<String> = (1..).zip(names).map(|(number, name)| format!("{number} {name}")).collect();
    numbered.join(", ")
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
