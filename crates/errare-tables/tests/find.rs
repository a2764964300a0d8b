//! Searches: counts against the statistics of whole tables, and against positions and moves that shakmaty makes.

use crate::support::placements::{for_each_placement, men, symmetries};
use crate::support::symmetry::king_pairs;
use crate::support::tables::{library, table};
use errare_tables::{
    CountRange, Criteria, DepthRange, Found, Listing, Material, Metric, Outcome, Source, Value, WantedOutcome, find,
    statistics,
};
use errare_work::{Cancel, Silent};
use shakmaty::fen::Fen;
use shakmaty::{ByColor, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Setup};
use std::collections::{BTreeMap, HashSet};

const SAMPLE: Listing = Listing::Sample { count: 5, seed: 1 };

/// Builds an endgame and what its moves lead to.
fn built(name: &str, metric: Metric) -> Material {
    let material: Material = name.parse().expect("an endgame");
    let endgames = std::iter::once(material).chain(material.conversions()).filter(|material| material.men() > 2);
    endgames.for_each(|material| drop(table(material, metric)));
    material
}

fn search(material: Material, metric: Metric, criteria: &Criteria, listing: Listing) -> Found {
    find(library(), (material, false), metric, criteria, listing, &Silent).expect("a search")
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Every bin of the statistics is found with as many positions, and nothing else is.
fn agrees_with_statistics(name: &str, metric: Metric) {
    let material = built(name, metric);
    let counted = statistics(&table(material, metric), Default::default(), false, &Silent).expect("statistics");
    for turn in Color::ALL {
        for (&(outcome, plies), &count) in &counted.sides.get(turn).histogram {
            let depth = (outcome != Outcome::Draw).then(|| format!("{}p", plies.0).parse().expect("a depth"));
            let wanted = Some(WantedOutcome::ToMove(outcome));
            let criteria = Criteria { turn: Some(turn), outcome: wanted, depth, ..Criteria::default() };
            let found = search(material, metric, &criteria, SAMPLE);
            let expected = ByColor { white: turn.fold_wb(count, 0), black: turn.fold_wb(0, count) };
            assert_eq!(found.count, expected, "{name} {metric} {turn:?} {outcome} {plies}");
            assert_eq!(found.positions.len() as u64, count.min(5));
            let is_wanted = |value: &Value| value.outcome == outcome && value.plies == plies;
            assert!(found.positions.iter().all(|found| is_wanted(&found.value)));
        }
    }
    let all = search(material, metric, &Criteria::default(), SAMPLE);
    assert_eq!(all.count, counted.sides.as_ref().map(|side| side.total()), "{name} {metric}");
    let zugzwangs = search(material, metric, &Criteria { zugzwang: true, ..Criteria::default() }, SAMPLE);
    let count = counted.zugzwangs.count;
    assert_eq!(zugzwangs.count, ByColor { white: count, black: count }, "{name} {metric}");
}

#[test]
fn counts_are_those_of_the_statistics() {
    agrees_with_statistics("KRKN", Metric::Dtc);
    agrees_with_statistics("KBBK", Metric::Dtm);
    agrees_with_statistics("KQKQ", Metric::Dtm);
    agrees_with_statistics("KPK", Metric::Dtz);
    agrees_with_statistics("KRK", Metric::DtzRule(10));
}

fn position(setup: Setup) -> Chess {
    let position = Chess::from_setup(setup, CastlingMode::Standard);
    position.or_else(PositionError::ignore_impossible_check).expect("a legal position")
}

/// The number of positions by side to move, outcome, plies and number of keeping moves. Positions and moves are made
/// by shakmaty; only values come from the tables.
fn by_hand(material: Material, metric: Metric) -> BTreeMap<(bool, Outcome, u16, u16), u64> {
    let men = men(material);
    let mut counts = BTreeMap::new();
    for kings in king_pairs(symmetries(&men)) {
        for_each_placement(kings, &men, &mut |placement| {
            for turn in Color::ALL.into_iter().filter(|&turn| placement.is_legal(turn)) {
                if !placement.is_first_ordering() {
                    continue;
                }
                let position = position(Setup { board: placement.board.clone(), turn, ..Setup::empty() });
                let value = library().value(&position, metric).expect("a value");
                let after = |mv| library().value(&position.clone().play(mv).expect("legal"), metric).expect("a value");
                let keeps = |mv: &_| after(*mv).outcome.reversed() == value.outcome;
                let keeping = position.legal_moves().iter().filter(|mv| keeps(mv)).count() as u16;
                *counts.entry((turn.is_white(), value.outcome, value.plies.0, keeping)).or_default() += 1;
            }
        });
    }
    counts
}

#[test]
fn positions_and_their_keeping_moves_are_those_of_shakmaty() {
    for (name, metric) in [("KPK", Metric::Dtm), ("KBBK", Metric::Dtc), ("KRK", Metric::Dtm)] {
        let material = built(name, metric);
        let expected = by_hand(material, metric);
        for keeping in ["0", "1", "2..4", "7.."].map(|text| text.parse::<CountRange>().expect("a range")) {
            let criteria = Criteria { keeping: Some(keeping), ..Criteria::default() };
            let found = search(material, metric, &criteria, SAMPLE);
            let of = |white: bool| {
                let matching =
                    expected.iter().filter(|((turn, .., kept), _)| *turn == white && keeping.contains(*kept));
                matching.map(|(_, count)| count).sum::<u64>()
            };
            assert_eq!(found.count, ByColor { white: of(true), black: of(false) }, "{name}, keeping {keeping}");
            assert!(found.positions.iter().all(|found| keeping.contains(found.keeping)));
        }
        // With a depth, all of them are listed, each once and as it is.
        let criteria = Criteria {
            outcome: Some(WantedOutcome::WonBy(Color::White)),
            depth: Some("9..11".parse::<DepthRange>().expect("a depth")),
            keeping: Some(CountRange::at_least(2)),
            ..Criteria::default()
        };
        let found = search(material, metric, &criteria, Listing::All { limit: 1_000_000 });
        let mut listed: BTreeMap<_, u64> = BTreeMap::new();
        for found in &found.positions {
            let (turn, value) = (found.position.turn(), found.value);
            *listed.entry((turn.is_white(), value.outcome, value.plies.0, found.keeping)).or_default() += 1;
            assert_eq!(found.legal as usize, found.position.legal_moves().len());
            assert_eq!(library().value(&found.position, metric).expect("a value"), value, "{}", fen(&found.position));
        }
        let is_wanted = |&(white, outcome, plies, keeping): &(bool, Outcome, u16, u16)| {
            outcome == if white { Outcome::Win } else { Outcome::Loss }
                && (9..=11).contains(&if white { plies.div_ceil(2) } else { plies / 2 })
                && keeping >= 2
        };
        let expected: BTreeMap<_, u64> = expected.into_iter().filter(|(key, _)| is_wanted(key)).collect();
        assert!(!expected.is_empty() && listed == expected, "{name}: {listed:?}, expected {expected:?}");
        let names: HashSet<String> = found.positions.iter().map(|found| fen(&found.position)).collect();
        assert_eq!(names.len(), found.positions.len());
        assert!(found.positions.is_sorted_by(|one, two| one.value.plies >= two.value.plies));
    }
}

/// A move rule: what a move keeps is what it makes of the position under the rule.
#[test]
fn every_position_that_is_not_over_has_a_move_that_keeps_its_value() {
    for (name, metric) in [("KRK", Metric::DtzRule(10)), ("KPK", Metric::DtzRule(3)), ("KRKN", Metric::Dtr)] {
        let material = built(name, metric);
        if metric != Metric::Dtr {
            built(name, Metric::Dtz);
        }
        let none = Criteria { keeping: Some(CountRange::exactly(0)), ..Criteria::default() };
        let found = search(material, metric, &none, Listing::All { limit: 100_000 });
        assert_eq!(found.count.white + found.count.black, found.positions.len() as u64);
        assert!(!found.positions.is_empty());
        assert!(found.positions.iter().all(|found| found.legal == 0), "{name} {metric}");
    }
}

#[test]
fn colours_can_be_exchanged() {
    let material = built("KRKN", Metric::Dtm);
    let criteria = |turn, winner| Criteria {
        turn: Some(turn),
        outcome: Some(WantedOutcome::WonBy(winner)),
        depth: Some("12".parse().expect("a depth")),
        keeping: Some(CountRange::exactly(1)),
        ..Criteria::default()
    };
    let all = Listing::All { limit: 100_000 };
    let search = |swapped, turn, winner| {
        find(library(), (material, swapped), Metric::Dtm, &criteria(turn, winner), all, &Silent).expect("a search")
    };
    let (one, other) = (search(false, Color::White, Color::White), search(true, Color::Black, Color::Black));
    assert!(one.count.white > 0);
    assert_eq!(one.count, other.count.into_swapped());
    let mirrored = |fen: &Chess| {
        let setup = Fen::from_position(fen, EnPassantMode::Legal).into_setup().into_mirrored();
        (setup.board, setup.turn)
    };
    let of = |position: &Chess| (position.board().clone(), position.turn());
    let pairs = one.positions.iter().zip(&other.positions);
    assert!(pairs.clone().all(|(one, other)| mirrored(&one.position) == of(&other.position)));
    assert_eq!(search(true, Color::White, Color::White).count.white, 0, "the knight wins in 12 nowhere");
}

#[test]
fn samples_are_drawn_by_a_seed_from_what_matches() {
    let material = built("KRKN", Metric::Dtm);
    let criteria = Criteria { depth: Some("20..25".parse().expect("a depth")), ..Criteria::default() };
    let names = |listing| -> Vec<String> {
        search(material, Metric::Dtm, &criteria, listing).positions.iter().map(|found| fen(&found.position)).collect()
    };
    let sample = |count, seed| names(Listing::Sample { count, seed });
    let all: HashSet<String> = names(Listing::All { limit: 1_000_000 }).into_iter().collect();
    let ten = sample(10, 7);
    assert_eq!(ten.iter().collect::<HashSet<_>>().len(), 10);
    assert!(ten.iter().all(|fen| all.contains(fen)));
    assert_eq!(ten[..3], sample(3, 7));
    assert_ne!(ten, sample(10, 8));
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    assert_eq!(ten, one_thread.install(|| sample(10, 7)));
    assert_eq!(names(Listing::All { limit: all.len() - 1 }), [""; 0], "too many to list");
}

#[test]
fn a_search_can_be_stopped() {
    let material = built("KRKN", Metric::Dtm);
    let stopped = Cancel::new();
    stopped.cancel();
    for keeping in [None, Some(CountRange::exactly(1))] {
        let criteria = Criteria { keeping, ..Criteria::default() };
        let found = find(library(), (material, false), Metric::Dtm, &criteria, SAMPLE, &stopped);
        assert!(found.is_err(), "{keeping:?}");
    }
}
