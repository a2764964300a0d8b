//! What must hold between the metrics, on every position of whole endgames.
//!
//! The truth is the definitions: nobody can mate before he zeroes the move count, so
//! `dz <= dc <= dm`; a line to mate is a line by the rule of its own length, so
//! `dz <= dr <= dm`; and a k-move rule lets pass just what is won with no phase over 2k plies.
//! The values themselves are for other tests.

use crate::support::placements::{Placement, for_each_placement, men, symmetries};
use crate::support::probe::{fen, probe};
use crate::support::symmetry::king_pairs;
use crate::support::tables::table;
use errare_tables::{Material, Metric, Outcome, Table, Value};
use rayon::prelude::*;
use shakmaty::Color;
use std::sync::Arc;

/// An endgame's tables, and how deep the endgames it turns into are by the rule.
struct Tables {
    mate: Arc<Table>,
    conversion: Arc<Table>,
    zeroing: Arc<Table>,
    by_the_rule: Arc<Table>,
    under_a_rule: Arc<Table>,
    rule: u16,
    deepest_to_come: u16,
    /// Then later phases may belong to the same endgame, with its pawns further on.
    has_pawns: bool,
}

/// What the tables say of one position.
#[derive(Debug)]
struct Values {
    dm: Value,
    dc: Value,
    dz: Value,
    dr: Value,
    dz_rule: Value,
}

impl Tables {
    fn new(material: Material, rule: u16) -> Tables {
        let subs = material.conversions().into_iter().filter(|sub| sub.men() > 2);
        let depths = subs.flat_map(|sub| {
            let counts = table(sub, Metric::Dtr).header().counts;
            [counts.white, counts.black].map(|side| side.max_win.max(side.max_loss).0)
        });
        Tables {
            mate: table(material, Metric::Dtm),
            conversion: table(material, Metric::Dtc),
            zeroing: table(material, Metric::Dtz),
            by_the_rule: table(material, Metric::Dtr),
            under_a_rule: table(material, Metric::DtzRule(rule)),
            rule,
            deepest_to_come: depths.max().unwrap_or(0),
            has_pawns: material.has_pawns(),
        }
    }

    fn ask(&self, placement: &Placement<'_>, turn: Color) -> Values {
        let ask = |table: &Table| probe(table, placement.board, turn);
        let dc = ask(&self.conversion);
        // Without pawns one table answers for both.
        let dz = if Arc::ptr_eq(&self.conversion, &self.zeroing) { dc } else { ask(&self.zeroing) };
        Values { dm: ask(&self.mate), dc, dz, dr: ask(&self.by_the_rule), dz_rule: ask(&self.under_a_rule) }
    }

    /// The first theorem that the values of a position violate.
    fn broken(&self, stored: &Values) -> Option<&'static str> {
        let Values { dm, dc, dz, dr, dz_rule } = stored;
        let limit = 2 * self.rule;
        let alike = |value: &Value| value.outcome == dm.outcome;
        let decisive = dm.outcome != Outcome::Draw;
        let cursed = matches!(dz_rule.outcome, Outcome::CursedWin | Outcome::BlessedLoss);
        let claims = [
            ("one outcome in all metrics", [dc, dz, dr].into_iter().all(alike)),
            ("one winner with and without a rule", dz_rule.outcome.is_win() == dm.outcome.is_win()),
            ("one loser with and without a rule", dz_rule.outcome.is_loss() == dm.outcome.is_loss()),
            (
                "a draw has no depth",
                decisive || [dm, dc, dz, dr, dz_rule].into_iter().all(|value| *value == Value::DRAW),
            ),
            ("dz <= dc", dz.plies <= dc.plies),
            ("dc <= dm", dc.plies <= dm.plies),
            ("dz <= dr", dz.plies <= dr.plies),
            ("dr <= dm", dr.plies <= dm.plies),
            ("dz <= phase", dz.plies <= dr.phase),
            ("phase <= dr", dr.phase <= dr.plies),
            (
                "only dr distinguishes a depth from its phase",
                [dm, dc, dz, dz_rule].into_iter().all(|value| value.plies == value.phase),
            ),
            (
                "dr = dz = phase where no later phase can be longer",
                self.has_pawns || dz.plies.0 < self.deepest_to_come || (dr.plies, dr.phase) == (dz.plies, dz.plies),
            ),
            ("cursed where dr is over the rule", !decisive || cursed == (dr.plies.0 > limit)),
            ("a cursed win has its plain depth", !cursed || dz_rule.plies == dz.plies),
            (
                "dz <= dz under the rule <= phase by the rule, within the rule",
                cursed || dz.plies <= dz_rule.plies && dz_rule.plies <= dr.phase && dz_rule.plies.0 <= limit,
            ),
        ];
        claims.into_iter().find(|(_, holds)| !holds).map(|(claim, _)| claim)
    }
}

/// Asks for every position of an endgame; returns how many were decisive.
fn theorems_hold(material: Material, rule: u16) -> u64 {
    let tables = Tables::new(material, rule);
    let men = men(material);
    let of_kings = |kings| {
        let mut decisive = 0;
        for_each_placement(kings, &men, &mut |placement| {
            if !placement.is_first_ordering() {
                return;
            }
            for turn in Color::ALL.into_iter().filter(|&turn| placement.is_legal(turn)) {
                let stored = tables.ask(placement, turn);
                if let Some(claim) = tables.broken(&stored) {
                    panic!("{material}, {}: not {claim}: {stored:?}", fen(placement.board, turn));
                }
                decisive += u64::from(stored.dm.outcome != Outcome::Draw);
            }
        });
        decisive
    };
    king_pairs(symmetries(&men)).into_par_iter().map(of_kings).sum()
}

/// With wins of one side and of both, and with like men.
#[test]
fn theorems_hold_for_three_men_and_four_kinds_of_four() {
    let four = ["KQKR", "KRKN", "KBNK", "KRRK"].map(|name| name.parse().expect("an endgame"));
    let decisive: u64 =
        Material::all(3, false).into_iter().chain(four).map(|material| theorems_hold(material, 10)).sum();
    assert!(decisive > 2_000_000, "{decisive} decisive positions");
}

#[test]
#[ignore = "slow: make test-full"]
fn theorems_hold_for_four_men() {
    let decisive: u64 = Material::all(4, false).into_iter().map(|material| theorems_hold(material, 10)).sum();
    assert!(decisive > 10_000_000, "{decisive} decisive positions");
}

#[test]
#[ignore = "slow: make test-full"]
fn theorems_hold_for_pawns() {
    let decisive: u64 =
        ["KPK", "KPKP"].map(|name| theorems_hold(name.parse().expect("an endgame"), 5)).into_iter().sum();
    assert!(decisive > 5_000_000, "{decisive} decisive positions");
}

#[test]
#[ignore = "slow: make test-full"]
fn theorems_hold_for_four_men_with_pawns() {
    let endgames = Material::all(4, true).into_iter().filter(Material::has_pawns);
    let decisive: u64 = endgames.map(|material| theorems_hold(material, 7)).sum();
    assert!(decisive > 50_000_000, "{decisive} decisive positions");
}

#[test]
#[ignore = "slow: make test-full"]
fn theorems_hold_for_two_bishops_against_knight() {
    assert!(theorems_hold("KBBKN".parse().expect("an endgame"), 50) > 30_000_000);
}

#[test]
#[ignore = "slow: make test-full"]
fn theorems_hold_for_two_rooks_against_bishop() {
    assert!(theorems_hold("KRRKB".parse().expect("an endgame"), 12) > 60_000_000);
}
