//! How many positions have each depth, in all endgames of three and four men.
//!
//! The truth is the published statistics of the Gaviota (DTM) and Syzygy (DTZ) tables in
//! `data/dtm_histograms.csv`, `data/dtz_histograms.csv` and `data/totals.csv`. The positions are
//! set up square by square and put to the tables as boards, so that the tables' own numbering and
//! counting cannot hide their mistakes. What the tables' headers and statistics say is then held
//! against this census, and so are the mutual zugzwangs.

use crate::support::facts::{number, rows};
use crate::support::placements::{Placement, for_each_placement, men, stabiliser, symmetries};
use crate::support::probe::{fen, probe};
use crate::support::symmetry::{SYMMETRIES, Symmetry, king_pairs};
use crate::support::tables::table;
use errare_tables::{Counting, Counts, Material, Metric, Outcome, Plies, Table, Value, statistics};
use errare_work::Silent;
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, PositionError, Setup};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Positions by side to move, outcome and plies.
type Histogram = BTreeMap<(char, Outcome, u16), u64>;

/// The three ways to count.
const COUNTINGS: [Counting; 3] = [Counting::Ordered, Counting::Once, Counting::All];

/// What a census of one table found, counted in the three ways.
#[derive(Default)]
struct Found {
    positions: BTreeMap<(char, Outcome, u16), [u64; 3]>,
    zugzwangs: [u64; 3],
}

impl Found {
    fn add(&mut self, other: Found) {
        for (key, counts) in other.positions {
            add(self.positions.entry(key).or_default(), counts);
        }
        add(&mut self.zugzwangs, other.zugzwangs);
    }

    fn histogram(&self, way: usize) -> Histogram {
        self.positions.iter().map(|(&key, counts)| (key, counts[way])).collect()
    }
}

fn add(sum: &mut [u64; 3], counts: [u64; 3]) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// Puts every position of an endgame to its tables.
fn census(material: Material, tables: &[Arc<Table>]) -> Vec<Found> {
    let men = men(material);
    let nothing = || tables.iter().map(|_| Found::default()).collect::<Vec<_>>();
    let symmetries = symmetries(&men);
    let by_kings = king_pairs(symmetries).into_par_iter().map(|kings| {
        let mut found = nothing();
        let stabiliser = stabiliser(kings, &men);
        for_each_placement(kings, &men, &mut |placement| {
            let keeps = |symmetry: &&Symmetry| placement.squares.iter().all(|&square| symmetry(square) == square);
            let images = symmetries.len() / stabiliser.iter().filter(keeps).count();
            // Placements that differ only in like men are merged below.
            let weights = [1, u64::from(placement.is_first_ordering()), images as u64];
            for (table, found) in tables.iter().zip(&mut found) {
                let stored = [Color::White, Color::Black]
                    .map(|turn| placement.is_legal(turn).then(|| probe(table, placement.board, turn)));
                for (turn, value) in ['w', 'b'].into_iter().zip(stored) {
                    if let Some(Value { outcome, plies, .. }) = value {
                        add(found.positions.entry((turn, outcome, plies.0)).or_default(), weights);
                    }
                }
                if let [Some(white), Some(black)] = stored {
                    // White would rather Black had to move, and so would Black.
                    if white.outcome < black.outcome.reversed() {
                        add(&mut found.zugzwangs, weights);
                    }
                }
            }
        });
        found
    });
    let mut found = by_kings.reduce(nothing, |mut sum, found| {
        sum.iter_mut().zip(found).for_each(|(sum, found)| sum.add(found));
        sum
    });
    for found in &mut found {
        found
            .positions
            .values_mut()
            .chain([&mut found.zugzwangs])
            .for_each(|counts| counts[2] /= material.like_orderings());
    }
    found
}

/// The published histogram of an endgame: nothing for one that is wholly drawn.
fn published(text: &'static str, material: Material) -> Histogram {
    let of_material = rows::<5>(text).into_iter().filter(|[endgame, ..]| *endgame == material.to_string());
    of_material
        .map(|[_, turn, result, plies, count]| ((number(turn), outcome(result), number(plies)), number(count)))
        .collect()
}

fn outcome(name: &str) -> Outcome {
    match name {
        "win" => Outcome::Win,
        "loss" => Outcome::Loss,
        _ => panic!("invalid result `{name}`"),
    }
}

fn decisive(histogram: &Histogram) -> Histogram {
    histogram
        .iter()
        .filter(|((_, outcome, _), _)| *outcome != Outcome::Draw)
        .map(|(&key, &count)| (key, count))
        .collect()
}

/// The counts that a table's header should give.
fn counts(once: &Histogram, turn: Color) -> Counts {
    let of = |outcome: Outcome| once.iter().filter(move |((t, o, _), _)| *t == turn.char() && *o == outcome);
    let sum = |outcome| of(outcome).map(|(_, count)| count).sum();
    let deepest = |outcome| Plies(of(outcome).map(|((.., plies), _)| *plies).max().unwrap_or(0));
    Counts {
        wins: sum(Outcome::Win),
        cursed_wins: 0,
        draws: sum(Outcome::Draw),
        blessed_losses: 0,
        losses: sum(Outcome::Loss),
        max_win: deepest(Outcome::Win),
        max_loss: deepest(Outcome::Loss),
    }
}

const DTM: &str = include_str!("data/dtm_histograms.csv");
const DTZ: &str = include_str!("data/dtz_histograms.csv");
const TOTALS: &str = include_str!("data/totals.csv");

fn agrees_with_the_published_statistics(materials: impl IntoIterator<Item = Material>) {
    for material in materials {
        let tables = [Metric::Dtm, Metric::Dtz].map(|metric| table(material, metric));
        let found = census(material, &tables);
        for ((table, found), text) in tables.iter().zip(found).zip([DTM, DTZ]) {
            let name = format!("{} of {material}", table.metric());
            assert_eq!(decisive(&found.histogram(0)), published(text, material), "{name}");
            for turn in Color::ALL {
                let expected = counts(&found.histogram(1), turn);
                assert_eq!(*table.header().counts.get(turn), expected, "{name}, {turn} to move");
            }
            for (way, counting) in COUNTINGS.into_iter().enumerate() {
                let stored = statistics(table, counting, false, &Silent).expect("a sound table");
                let sides = [('w', &stored.sides.white), ('b', &stored.sides.black)];
                let histogram = sides.into_iter().flat_map(|(turn, side)| {
                    side.histogram.iter().map(move |(&(outcome, plies), &count)| ((turn, outcome, plies.0), count))
                });
                assert_eq!(histogram.collect::<Histogram>(), found.histogram(way), "{name}, counted {counting}");
                assert_eq!(stored.zugzwangs.count, found.zugzwangs[way], "{name}, zugzwangs counted {counting}");
            }
        }
    }
}

#[test]
fn three_men_agree_with_the_published_statistics() {
    agrees_with_the_published_statistics(Material::all(3, true));
}

#[test]
fn four_men_agree_with_the_published_statistics() {
    agrees_with_the_published_statistics(Material::all(4, false));
}

#[test]
fn pawn_against_pawn_agrees_with_the_published_statistics() {
    agrees_with_the_published_statistics(["KPKP".parse().expect("an endgame")]);
}

#[test]
#[ignore = "slow: make test-full"]
fn other_endgames_of_four_men_with_pawns_agree_with_the_published_statistics() {
    let others = |material: &Material| material.has_pawns() && material.to_string() != "KPKP";
    agrees_with_the_published_statistics(Material::all(4, true).into_iter().filter(others));
}

#[test]
fn every_published_row_belongs_to_an_endgame_that_is_tested() {
    let known: Vec<String> = [3, 4].iter().flat_map(|&men| Material::all(men, true)).map(|m| m.to_string()).collect();
    for [endgame, ..] in rows::<5>(DTM).into_iter().chain(rows::<5>(DTZ)) {
        assert!(known.iter().any(|name| name == endgame), "{endgame}");
    }
}

/// The cheap test of legality that the census uses, against shakmaty's whole one. Checks that no
/// game could have led to are let pass: all makers of tables do so.
#[test]
fn legality_is_that_of_chess() {
    let kings = king_pairs(&SYMMETRIES);
    let mut compared = 0;
    let mut compare = |placement: &Placement<'_>| {
        for turn in Color::ALL {
            let setup = Setup { board: placement.board.clone(), turn, ..Setup::empty() };
            let position = Chess::from_setup(setup, CastlingMode::Standard);
            let legal = position.or_else(PositionError::ignore_impossible_check).is_ok();
            assert_eq!(placement.is_legal(turn), legal, "{}", fen(placement.board, turn));
            compared += 1;
        }
    };
    for material in ["KQKR", "KBKN", "KRRK"].map(|text| text.parse().expect("an endgame")) {
        kings.iter().step_by(29).for_each(|&pair| for_each_placement(pair, &men(material), &mut compare));
    }
    assert!(compared > 100_000, "{compared} positions compared");
}

fn only_exchanges_like_men(placement: &Placement<'_>, reflection: Symmetry) -> bool {
    let man_on = |square| placement.board.piece_at(square);
    placement.squares.iter().any(|&square| reflection(square) != square)
        && placement.squares.iter().all(|&square| man_on(reflection(square)) == man_on(square))
}

/// Compares the totals of a five-man endgame in its header with the published ones. The header counts each position
/// once; with like men distinguished, two of them make two positions of it and three make six, but half as many if a
/// reflection of the board exchanges them.
fn totals_agree(endgame: &str) {
    let material: Material = endgame.parse().expect("an endgame");
    let table = table(material, Metric::Dtz);
    let men = men(material);
    let mut exchanged = Histogram::new();
    for kings in king_pairs(&SYMMETRIES) {
        let reflections = &stabiliser(kings, &men)[1..];
        if reflections.is_empty() {
            continue;
        }
        for_each_placement(kings, &men, &mut |placement| {
            if reflections.iter().any(|&reflection| only_exchanges_like_men(placement, reflection)) {
                for turn in Color::ALL.into_iter().filter(|&turn| placement.is_legal(turn)) {
                    let value = probe(&table, placement.board, turn);
                    *exchanged.entry((turn.char(), value.outcome, 0)).or_default() += 1;
                }
            }
        });
    }
    let expected: Vec<_> = rows::<5>(TOTALS).into_iter().filter(|[name, ..]| *name == endgame).collect();
    assert_eq!(expected.len(), 4, "rows of {endgame}");
    for [_, turn, result, count, deepest] in expected {
        let turn: char = number(turn);
        let counts = table.header().counts.get(Color::from_char(turn).expect("w or b"));
        let (once, plies) = match outcome(result) {
            Outcome::Win => (counts.wins, counts.max_win),
            _ => (counts.losses, counts.max_loss),
        };
        let own = exchanged.get(&(turn, outcome(result), 0)).copied().unwrap_or(0);
        let ordered = material.like_orderings() * once - own;
        assert_eq!((ordered, plies.0), (number(count), number(deepest)), "{endgame}, {turn} to move, {result}");
    }
}

#[test]
fn totals_of_two_bishops_against_knight() {
    totals_agree("KBBKN");
}

#[test]
#[ignore = "slow: make test-full"]
fn totals_of_two_rooks_against_bishop() {
    totals_agree("KRRKB");
}

#[test]
#[ignore = "slow: make test-full"]
fn totals_of_the_other_five_man_endgames() {
    for endgame in ["KRBKR", "KQKNN", "KQKBB", "KBNKN", "KQRKQ", "KBBBK", "KNNNK"] {
        totals_agree(endgame);
    }
}
