//! The longest wins of endgames.
//!
//! The truth is what others have published, in `data/maxima.csv`, each row with its source.

use crate::support::facts::{number, rows};
use crate::support::tables::table;
use errare_tables::{Material, Metric, Outcome, Value, WinnerMoves};

/// Whether a row of the file is checked by default: up to four men, and KBBKN.
fn is_quick(material: Material) -> bool {
    material.men() <= 4 || material.to_string() == "KBBKN"
}

fn maxima_agree(selected: fn(Material) -> bool) {
    let mut checked = 0;
    for [endgame, metric, moves, source] in rows::<4>(include_str!("data/maxima.csv")) {
        let material: Material = endgame.parse().expect("an endgame");
        let metric: Metric = metric.parse().expect("a metric");
        assert_eq!(material.to_string(), endgame, "the winner is the side named first");
        if selected(material) {
            let plies = table(material, metric).header().counts.white.max_win;
            let found = Value::new(Outcome::Win, plies.0).winner_moves(metric);
            assert_eq!(found, Some(WinnerMoves(number(moves))), "{metric} of {endgame} ({source})");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
#[ignore = "slow: make test-full"]
fn maxima_of_small_endgames() {
    maxima_agree(is_quick);
}

#[test]
#[ignore = "slow: make test-full"]
fn maxima_of_five_man_endgames() {
    maxima_agree(|material| !is_quick(material));
}
