//! Endgames of six men against the published statistics of the Syzygy tables in `data/six_men.csv`.
//!
//! The counts are those that the tables' own statistics make: `histograms.rs` holds these against a count of its own, on
//! smaller endgames.

use crate::support::facts::{number, rows};
use errare_tables::{Counting, Extent, Library, Material, Metric, Tables, statistics, verify};
use errare_work::Silent;
use std::collections::BTreeMap;

const PUBLISHED: &str = include_str!("data/six_men.csv");

/// As much as building any of them may take.
const MEMORY: u64 = 6 << 30;

/// Positions by side to move, outcome and plies, all from 100 on together.
type Histogram = BTreeMap<(char, String, u16), u64>;

fn published(material: Material) -> Histogram {
    let of_material = rows::<5>(PUBLISHED).into_iter().filter(|[endgame, ..]| *endgame == material.to_string());
    of_material
        .map(|[_, turn, result, plies, count]| ((number(turn), result.into(), number(plies)), number(count)))
        .collect()
}

fn agrees(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Tables::new(Library::new(folder.path()), MEMORY);
    let material: Material = name.parse().expect("an endgame");
    let table = tables.ensure(material, Metric::Dtz, &Silent).expect("built");
    let found = statistics(&table, Counting::Ordered, false, &Silent).expect("a sound table");
    let mut ours = Histogram::new();
    for (turn, side) in [('w', &found.sides.white), ('b', &found.sides.black)] {
        for (&(outcome, plies), &count) in &side.histogram {
            let result = if outcome.is_win() { "win" } else { "loss" };
            if outcome != errare_tables::Outcome::Draw {
                *ours.entry((turn, result.into(), plies.0.min(100))).or_default() += count;
            }
        }
    }
    assert!(!ours.is_empty());
    assert_eq!(ours, published(material), "{name}");
    let sample = Extent::Sample { placements: 1_000_000, seed: 0 };
    let verified = verify(tables.library(), &table, sample, &Silent).expect("sound tables");
    assert!(verified.disagreement.is_none(), "{name}: {:?}", verified.disagreement);
    assert!(verified.checked > 100_000, "{name}: {} positions checked", verified.checked);
}

#[test]
#[ignore = "about two minutes of one processor: make test-full"]
fn three_knights_against_a_knight() {
    agrees("KNNNKN");
}

#[test]
#[ignore = "about two minutes of one processor: make test-full"]
fn three_bishops_against_a_rook() {
    agrees("KBBBKR");
}

#[test]
#[ignore = "about six minutes of one processor, and 3.5 GB: make test-full"]
fn rook_and_knight_against_two_knights() {
    agrees("KRNKNN");
}
