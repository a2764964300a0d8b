//! Tables in which only some conversions count, against the rules of chess, and counts over several tables at once.

use crate::support::tables;

use errare_tables::{
    Cells, Counting, Extent, Library, Material, Metric, Outcome, Source, Table, Tables, Value, build_conversion_goal,
    count_jointly, statistics,
};
use errare_work::Silent;
use shakmaty::{Chess, Color, Position};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Whether a conversion to this endgame and value counts.
type Counts<'a> = dyn Fn(Material, Value) -> bool + Sync + 'a;

fn endgame(name: &str) -> Material {
    name.parse().expect("an endgame")
}

fn plain(name: &str) -> (Tables, Arc<Table>) {
    let material = endgame(name);
    tables::table(material, Metric::Dtz);
    let tables = Tables::new(Library::new(tables::library().folder()), 8 << 30);
    let table = tables.ensure(material, Metric::Dtz, &Silent).expect("a table");
    (tables, table)
}

fn goal(tables: &Tables, name: &str, kind: &str, counts: &Counts<'_>) -> Arc<Table> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("goal-{name}-{kind}"));
    let _ = fs::remove_dir_all(&folder);
    build_conversion_goal(tables, &Library::new(folder), endgame(name), Metric::Dtz, counts, &Silent)
        .expect("a goal table")
}

/// The value of a position by its moves: mate, or a conversion that counts, as soon as the other side allows it.
fn by_moves(position: &Chess, goal: &Table, library: &Library, counts: &Counts<'_>) -> Value {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { Value::new(Outcome::Loss, 0) } else { Value::DRAW };
    }
    let mut best: Option<Value> = None;
    for mv in moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let there = if mv.is_capture() {
            let (material, _) = Material::of_board(after.board());
            let there =
                if material.men() == 2 { Value::DRAW } else { library.value(&after, Metric::Dtz).expect("a value") };
            if material.men() > 2 && counts(material, there) { Value::new(there.outcome, 0) } else { Value::DRAW }
        } else {
            goal.value(after.board(), after.turn()).expect("a value").expect("the endgame")
        };
        let value = match there.outcome {
            Outcome::Loss => Value::new(Outcome::Win, there.plies.0 + 1),
            Outcome::Win => Value::new(Outcome::Loss, there.plies.0 + 1),
            _ => Value::DRAW,
        };
        let is_better = |best: Value| match (value.outcome, best.outcome) {
            (Outcome::Win, Outcome::Win) => value.plies < best.plies,
            (Outcome::Loss, Outcome::Loss) => value.plies > best.plies,
            (one, other) => one > other,
        };
        if best.is_none_or(is_better) {
            best = Some(value);
        }
    }
    best.expect("a move")
}

#[test]
fn goal_tables_keep_the_rules_of_chess() {
    for name in ["KQKR", "KRKN"] {
        let (tables, table) = plain(name);
        // Conversions to wins of at most nine plies, to longer ones, to any, and to none.
        let short = |_: Material, value: Value| value.plies.0 <= 9;
        let long = |_: Material, value: Value| value.plies.0 > 9;
        let (any, none) = (|_: Material, _: Value| true, |_: Material, _: Value| false);
        let kinds: [(&str, &Counts<'_>); 4] = [("short", &short), ("long", &long), ("any", &any), ("none", &none)];
        let goals = kinds.map(|(kind, counts)| goal(&tables, name, kind, counts));
        let cells = Cells::new(endgame(name), Extent::Sample { placements: 4000, seed: 5 }).expect("men");
        let mut wins = [0; 4];
        for position in (0..cells.count()).filter_map(|n| cells.position(n)) {
            for (at, ((_, counts), goal)) in kinds.iter().zip(&goals).enumerate() {
                let found = goal.value(position.board(), position.turn()).expect("a value").expect("the endgame");
                let expected = by_moves(&position, goal, tables.library(), *counts);
                assert_eq!((found.outcome, found.plies), (expected.outcome, expected.plies), "{name}: {position:?}");
                wins[at] += usize::from(found.outcome == Outcome::Win);
            }
            let any = goals[2].value(position.board(), position.turn()).expect("a value");
            assert_eq!(any, table.value(position.board(), position.turn()).expect("a value"), "{position:?}");
        }
        assert!(wins.iter().all(|&wins| wins > 0) && wins[3] < wins[0] && wins[0] < wins[2], "{name}: {wins:?}");
    }
}

#[test]
fn counts_over_several_tables_add_up_to_those_of_one() {
    let (tables, table) = plain("KQKR");
    let mates = goal(&tables, "KQKR", "mates", &|_, _| false);
    let class = |first: Outcome, second: Outcome| 10 * first as u8 + second as u8;
    let by_outcomes = |values: &[Value]| Some(class(values[0].outcome, values[1].outcome));
    let counted = count_jointly(&[Arc::clone(&table), mates], Color::White, &by_outcomes, 3, &Silent).expect("counts");
    let wins = |first: Outcome| -> u64 {
        counted.iter().filter(|&(class, _)| class / 10 == first as u8).map(|(_, found)| found.count).sum()
    };
    let alone = statistics(&table, Counting::Once, false, &Silent).expect("counts");
    let expected: u64 =
        alone.sides.white.histogram.iter().filter(|((o, _), _)| *o == Outcome::Win).map(|(_, n)| n).sum();
    assert_eq!(wins(Outcome::Win), expected);
    let both = &counted[&class(Outcome::Win, Outcome::Win)];
    assert!(both.count > 0 && both.count < expected && both.examples.len() == 3, "{both:?}");
    // Nothing is mate that is not won.
    assert!(!counted.contains_key(&class(Outcome::Draw, Outcome::Win)));
}
