//! Single positions whose value others have published: traps of en passant and promotion, and the
//! examples of Haworth (2000).
//!
//! The truth is `data/positions.csv`, each row with its source.

use crate::support::facts::{number, rows};
use crate::support::tables::{library, table};
use errare_tables::{Material, Metric, Outcome, Source, parse_fen, probe};
use shakmaty::{Chess, Position, Role};
use std::cell::Cell;

/// Builds what the position and its moves ask for.
fn ensure(position: &Chess, metric: Metric) {
    let boards = position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        Material::of_board(after.board()).0
    });
    for material in boards.chain([Material::of_board(position.board()).0]).filter(|material| material.men() > 2) {
        table(material, metric);
    }
}

fn positions_agree(selected: fn(usize) -> bool) {
    let checked = Cell::new(0);
    for [fen, metric, outcome, plies, source] in rows::<5>(include_str!("data/positions.csv")) {
        let position = parse_fen(fen).expect("a position");
        if !selected(position.board().occupied().count()) {
            continue;
        }
        let metric: Metric = metric.parse().expect("a metric");
        ensure(&position, metric);
        let value = library().value(&position, metric).expect("a value");
        let stored = (value.outcome.name(), value.plies.0);
        assert_eq!(stored, (outcome, number(plies)), "{metric} of {fen} ({source})");
        checked.set(checked.get() + 1);
    }
    assert!(checked.get() > 20, "{} positions", checked.get());
}

#[test]
fn traps_of_en_passant_and_promotion() {
    positions_agree(|men| men <= 4);
}

#[test]
#[ignore = "slow: make test-full"]
fn examples_of_haworth_2000() {
    positions_agree(|men| men == 5);
}

/// At the end of Saavedra's study the pawn must become a rook, for a queen leaves Black a stalemate.
#[test]
fn only_the_rook_wins_saavedras_study() {
    let position = parse_fen("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1").expect("a position");
    ensure(&position, Metric::Dtm);
    let found = probe(library(), &position, Metric::Dtm).expect("a value");
    let after = |role: Role| {
        let promotion = found.successors.iter().find(|successor| successor.mv.promotion() == Some(role));
        promotion.expect("a legal move").value.outcome
    };
    assert_eq!([Role::Queen, Role::Rook].map(after), [Outcome::Draw, Outcome::Win]);
    assert_eq!(found.successors[0].mv.promotion(), Some(Role::Rook));
}
