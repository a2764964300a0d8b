//! Every endgame of three to five men: how many positions are won and lost.
//!
//! The truth is the published statistics of the Syzygy tables in `data/set_totals.csv`. Building the
//! set takes minutes and gigabytes.

use crate::support::facts::{number, rows};
use crate::support::tables::{library, table};
use errare_tables::{Counting, Material, Metric, Outcome, statistics};
use errare_work::Silent;
use std::collections::BTreeMap;

/// By side to move and result.
type Totals = BTreeMap<(char, &'static str), u64>;

/// The published totals by name, and whether the weaker side is named first.
fn published() -> BTreeMap<String, (bool, Totals)> {
    let mut found: BTreeMap<String, (bool, Totals)> = BTreeMap::new();
    for [name, turn, result, count] in rows::<4>(include_str!("data/set_totals.csv")) {
        let (material, swapped) = Material::parse_oriented(name).expect("an endgame");
        let (_, totals) = found.entry(material.to_string()).or_insert_with(|| (swapped, Totals::new()));
        totals.insert((number(turn), result), number(count));
    }
    found
}

fn counted(material: Material, swapped: bool) -> Totals {
    let table = table(material, Metric::Dtz);
    let stored = statistics(&table, Counting::Ordered, false, &Silent).expect("a sound table");
    let turns = if swapped { ['b', 'w'] } else { ['w', 'b'] };
    let sides = turns.into_iter().zip([&stored.sides.white, &stored.sides.black]);
    let totals = sides.flat_map(|(turn, side)| {
        [("win", Outcome::Win), ("loss", Outcome::Loss)].map(|(name, outcome)| ((turn, name), side.count(outcome)))
    });
    totals.collect()
}

#[test]
#[ignore = "slow: make test-full"]
fn wins_and_losses_of_all_145_endgames() {
    let published = published();
    let all: Vec<Material> = (3..=5).flat_map(|men| Material::all(men, true)).collect();
    assert_eq!((all.len(), published.len()), (145, 143));
    for material in all {
        match published.get(&material.to_string()) {
            Some((swapped, totals)) => assert_eq!(counted(material, *swapped), *totals, "{material}"),
            None => assert!(counted(material, false).values().all(|&count| count == 0), "{material}"),
        }
        library().close_all();
    }
}
