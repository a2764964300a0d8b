//! Surveys: reading moves from rows of our own tables and making them with shakmaty must give the same arrivals.

use crate::support::tables;

use errare_tables::{Arrival, Extent, Material, Metric, Outcome, Surveyor, Value, deepest, survey, survey_source};
use errare_work::Silent;
use shakmaty::Color;
use std::collections::BTreeMap;

/// Counts positions by value and by what their moves lead to.
struct Counter;

type Sheet = BTreeMap<(u16, Vec<u16>), f64>;

impl Counter {
    fn class(value: Value) -> u16 {
        let outcome = match value.outcome {
            Outcome::Loss => 0,
            Outcome::BlessedLoss => 1,
            Outcome::Draw => 2,
            Outcome::CursedWin => 3,
            Outcome::Win => 4,
        };
        outcome + 5 * value.plies.0
    }
}

impl Surveyor for Counter {
    type Sheet = Sheet;

    fn sheet(&self) -> Sheet {
        Sheet::new()
    }

    fn position(&self, value: Value) -> u16 {
        Counter::class(value)
    }

    fn arrival(&self, arrival: Arrival) -> u16 {
        let kind = 4 * u16::from(arrival.stalemate) + 2 * u16::from(arrival.zeroing) + u16::from(arrival.converting);
        8 * Counter::class(arrival.value) + kind
    }

    fn record(&self, sheet: &mut Sheet, position: u16, arrivals: &[u16], times: f64) {
        let mut arrivals = arrivals.to_vec();
        arrivals.sort_unstable();
        *sheet.entry((position, arrivals)).or_default() += times;
    }
}

fn sum(sheets: Vec<Sheet>) -> Sheet {
    let mut whole = Sheet::new();
    for sheet in sheets {
        for (key, times) in sheet {
            *whole.entry(key).or_default() += times;
        }
    }
    whole
}

fn compare(name: &str, metric: Metric) {
    let material: Material = name.parse().expect("an endgame");
    for needed in std::iter::once(material).chain(material.conversions()).filter(|material| material.men() > 2) {
        tables::table(needed, metric);
    }
    let library = tables::library();
    for turn in Color::ALL {
        let ours = sum(survey(library, material, metric, turn, &Counter, &Silent).expect("a survey"));
        let whole = Extent::Whole;
        let theirs = survey_source(library, material, metric, turn, whole, &Counter, &Silent).expect("a survey");
        let theirs = sum(theirs);
        // Where the axis man has a twin every position has two cells.
        let total = |sheet: &Sheet| sheet.values().sum::<f64>();
        let factor = total(&theirs) / total(&ours);
        assert!(factor == 1.0 || factor == 2.0 || factor == 3.0, "{name}, {turn}: {factor}");
        assert_eq!(ours.len(), theirs.len(), "{name}, {turn}");
        for (key, times) in &ours {
            assert_eq!(theirs.get(key), Some(&(factor * times)), "{name}, {turn}: {key:?}");
        }
    }
}

#[test]
fn rows_and_moves_agree() {
    compare("KRK", Metric::Dtm);
    compare("KPK", Metric::Dtz);
    compare("KPK", Metric::Dtr);
    compare("KBBK", Metric::Dtc);
    compare("KQK", Metric::Dtc);
}

#[test]
#[ignore = "every move of nine endgames: minutes"]
fn rows_and_moves_agree_on_four_men() {
    for name in ["KQKR", "KRKN", "KRKR", "KQQK", "KPKP", "KPPK", "KRKP", "KNKP"] {
        compare(name, Metric::Dtc);
    }
    compare("KNNK", Metric::Dtm);
    compare("KPKP", Metric::DtzRule(50));
}

#[test]
fn the_deepest_wins() {
    let library = tables::library();
    for (name, metric, white, black) in
        [("KQKR", Metric::Dtc, 31, 3), ("KQKR", Metric::Dtm, 35, 19), ("KRK", Metric::Dtm, 16, 0)]
    {
        let material: Material = name.parse().expect("an endgame");
        tables::table(material, metric);
        let found = deepest(library, material, metric, &Silent).expect("depths");
        assert_eq!((found.white.0, found.black.0), (white, black), "{name} {metric}");
    }
}
