//! Whole endgames, position by position, against a reference solver.
//!
//! The truth is the definition of each metric, applied by [`oracle`] to the graph of all legal
//! moves as shakmaty generates them. Every position is put to the table in one of its sixteen
//! set-ups (eight symmetries, two colourings), so that the way from a board to an entry is tested
//! with the entries. Move rules of few moves make cursed wins common.

use crate::oracle::{Kind, Men, Node, Solved};
use crate::support::probe::{fen, probe};
use crate::support::symmetry::SYMMETRIES;
use crate::support::tables::table;
use errare_tables::{Metric, Outcome};
use rayon::prelude::*;

/// So short that even KQK has cursed wins, and a longer one.
const RULES: [u16; 2] = [5, 10];

/// What makes a comparison worth something, so that it cannot be empty by mistake.
#[derive(Debug, Default)]
struct Compared {
    positions: usize,
    cursed: usize,
    /// Positions whose depth by the rule is that of a later phase.
    later_phases: usize,
}

/// Compares all positions in all metrics.
fn agree(endgame: &str) -> Compared {
    let solved = Solved::new(Men::read(endgame), &RULES);
    let metrics = [Metric::Dtm, Metric::Dtc, Metric::Dtr].into_iter().chain(RULES.map(Metric::DtzRule));
    for metric in metrics {
        let table = table(endgame.parse().expect("an endgame"), metric);
        let compare = |node: Node| {
            if solved.graph.kind(node) == Kind::Broken {
                return None;
            }
            let set_up = node.wrapping_mul(0x9E37_79B1) >> 28;
            let (board, turn) = solved.graph.board(node, SYMMETRIES[set_up as usize % 8], set_up >= 8);
            let (stored, expected) = (probe(&table, &board, turn), solved.value(node, metric));
            (stored != expected).then(|| format!("{}: table {stored:?}, truth {expected:?}", fen(&board, turn)))
        };
        let wrong: Vec<String> = solved.graph.nodes().into_par_iter().filter_map(compare).collect();
        assert!(
            wrong.is_empty(),
            "{metric} of {endgame}, {} wrong:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(10)].join("\n")
        );
    }
    let positions = || solved.graph.nodes().filter(|&node| solved.graph.kind(node) != Kind::Broken);
    let is_cursed = |node| matches!(solved.value(node, Metric::DtzRule(RULES[0])).outcome, Outcome::CursedWin);
    let is_later = |node| solved.value(node, Metric::Dtr).plies > solved.value(node, Metric::Dtr).phase;
    Compared {
        positions: positions().count(),
        cursed: positions().filter(|&node| is_cursed(node)).count(),
        later_phases: positions().filter(|&node| is_later(node)).count(),
    }
}

#[test]
fn three_men() {
    let compared = ["KQK", "KRK", "KBK", "KNK"].map(agree);
    assert!(compared[1].cursed > 10_000, "{compared:?}");
}

#[test]
fn queen_against_rook() {
    let compared = agree("KQKR");
    assert!(compared.positions > 2_000_000 && compared.later_phases > 100_000, "{compared:?}");
}

#[test]
fn rook_against_knight() {
    let compared = agree("KRKN");
    assert!(compared.cursed > 100_000 && compared.later_phases > 100_000, "{compared:?}");
}

#[test]
#[ignore = "slow: make test-full"]
fn two_rooks() {
    let compared = agree("KRRK");
    assert!(compared.later_phases > 1_000, "{compared:?}");
}

#[test]
#[ignore = "slow: make test-full"]
fn the_other_four_man_endgames() {
    let others = [
        "KQQK", "KQRK", "KQBK", "KQNK", "KRBK", "KRNK", "KBBK", "KBNK", "KNNK", "KQKQ", "KQKB", "KQKN", "KRKR", "KRKB",
        "KBKB", "KBKN", "KNKN",
    ];
    for endgame in others {
        let compared = agree(endgame);
        println!("{endgame}: {compared:?}");
    }
}
