//! Tables of which one side to move is stored have the values of tables with both.

use super::{SliceReader, Stored, Table};
use crate::address::Address;
use crate::build::{BuildObserver, Builder, BuiltRules};
use crate::legality::legal;
use crate::library::Library;
use crate::material::Material;
use crate::metric::Metric;
use crate::other_side::Ranks;
use crate::words::Bits;
use errare_work::Silent;
use shakmaty::Color;
use std::sync::Arc;

fn built(library: &Library, material: Material, metric: Metric, stored: Stored) -> Arc<Table> {
    let observer = BuildObserver::new(&Silent);
    let builder =
        |stored| Builder { library, memory: u64::MAX, built_rules: BuiltRules::All, stored, observer: &observer };
    // What the table needs is built first, in the usual way.
    let table = builder(None).ensure(material, metric).expect("a table");
    library.close(material, metric);
    std::fs::remove_file(table.path()).expect("the file of the table");
    let table = builder(Some(stored)).ensure(material, metric).expect("a table");
    library.close(material, metric);
    assert_eq!(table.header().stored, stored);
    table
}

/// Compares all cells, those of both sides to move read by slices, and every `step`-th one looked up.
fn compare(one: &Table, both: &Table, step: usize) {
    let layout = both.layout();
    let (one_reader, both_reader) = (SliceReader::new(one), SliceReader::new(both));
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    let mut positions = 0;
    for turn in Color::ALL {
        for slice in 0..layout.slices() {
            one_reader.read(turn, slice, &mut found).expect("a slice");
            both_reader.read(turn, slice, &mut expected).expect("a slice");
            assert_eq!(found.len(), expected.len());
            for word in 0..layout.words() {
                for bit in Bits(legal(layout, slice, turn, word)) {
                    let at = word * 64 + usize::from(bit);
                    let address = Address { turn, slice, word, bit };
                    let value = both.values()[usize::from(expected[at])];
                    let read = one.values()[usize::from(found[at])];
                    assert_eq!(read, value, "{} {:?}", both.material(), address.fen(layout));
                    positions += 1;
                    if positions % step == 0 {
                        // A small table may have expanded what it does not store.
                        let stored = one.stored(address).expect("an address");
                        for looked_up in [one.value_at(address), one.value_from_blocks(stored)] {
                            let looked_up = looked_up.expect("a value");
                            assert_eq!(looked_up, value, "{} {:?}", both.material(), address.fen(layout));
                        }
                    }
                }
            }
            assert!(found.iter().all(|&symbol| usize::from(symbol) < one.values().len()));
        }
    }
    assert!(positions > 0);
}

fn check(name: &str, step: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::new(folder.path());
    let material: Material = name.parse().expect("an endgame");
    let metrics = [Metric::Dtz, Metric::Dtc, Metric::Dtm];
    for metric in metrics.into_iter().filter(|metric| metric.stored(material) == *metric) {
        let both = built(&library, material, metric, Stored::Both);
        // Depths of up to 115 moves for either outcome, as in KNNKP to mate, are too many to be ranked by bytes.
        if Ranks::new(both.values(), metric).is_none() {
            assert!(both.values().len() > 128, "{name} {metric}");
            continue;
        }
        for side in Color::ALL {
            let one = built(&library, material, metric, Stored::One(side));
            assert!(one.check(&Silent).is_ok());
            compare(&one, &both, step);
        }
    }
}

#[test]
fn one_stored_side_gives_both_without_pawns() {
    // Like men, men that are all alike, and endgames in which each side may win.
    for name in ["KRK", "KQKR", "KRKN", "KBBK", "KBNK"] {
        check(name, 7);
    }
}

#[test]
fn one_stored_side_gives_both_with_pawns() {
    // Promotions, captures en passant, and a king as the axis.
    for name in ["KPK", "KNKP", "KPPK"] {
        check(name, 7);
    }
}

#[test]
#[ignore = "takes minutes"]
fn one_stored_side_gives_both_in_all_endgames_of_four_men() {
    for material in Material::all(4, true).into_iter().chain(Material::all(4, false)) {
        if !material.is_symmetric() {
            check(&material.to_string(), 101);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn one_stored_side_gives_both_with_five_men() {
    for name in ["KQQQK", "KBBKN", "KQBKR", "KRBKR"] {
        check(name, 1009);
    }
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn one_stored_side_gives_both_with_five_men_and_pawns() {
    for name in ["KNNKP", "KQPKQ", "KPPKP", "KRPKR"] {
        check(name, 1009);
    }
}
