//! `errare table squares`, end to end.

use crate::common::{DEEP_KQKR, json, keys, run, shared, stderr, stdout};
use serde_json::json;

#[test]
fn people_see_a_board_with_a_value_on_every_square() {
    let text = stdout(&mut run(shared(), &format!("table squares {DEEP_KQKR} h1")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "the white queen on h1: win for White in 35 moves (69 plies) to mate, White to move");
    assert_eq!(lines[3], " 8    +32    +33     +6    +33    +33    +33     +6    +34");
    assert_eq!(lines[10], " 1      K      x      x      x    +33     +6    +34   [+35]");
    assert_eq!(lines[11], "        a      b      c      d      e      f      g      h");
    assert!(text.ends_with("to mate:\n+ win, x no legal position\n"), "{text}");
    let text = stdout(&mut run(shared(), &format!("table squares {DEEP_KQKR} a1 --metric dtz10")));
    assert!(text.contains("* a draw by the move rule") && text.contains("to a zeroing move:"), "{text}");
}

#[test]
fn programs_get_64_squares() {
    let mut command = run(shared(), &format!("table squares {DEEP_KQKR} h1 --format json"));
    let text = stdout(&mut command);
    assert_eq!(keys(&text, 2), ["fen", "metric", "square", "man", "squares"]);
    assert_eq!(keys(&text, 6), ["square", "fen", "value", "fault", "reason"]);
    let answer = json(&mut command);
    assert_eq!((&answer["man"], answer["squares"].as_array().map(Vec::len)), (&json!("Q"), Some(64)));
    assert_eq!(answer["squares"][7]["value"], json!({"outcome": "win", "plies": 69, "moves": 35}));
    assert_eq!(answer["squares"][0]["fault"], "occupied");
    let text = stdout(&mut run(shared(), &format!("table squares {DEEP_KQKR} h1 --format csv")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "square,man,metric,outcome,plies,moves,phase_plies,fault,position");
    assert_eq!(lines[8], format!("h1,Q,dtm,win,69,35,,,{DEEP_KQKR}"));
    assert_eq!((lines[1], lines.len()), ("a1,Q,dtm,,,,,occupied,", 65));
}

#[test]
fn squares_without_a_man_are_bad_use() {
    for (square, words) in [("h8", "no man on h8"), ("z1", "invalid square `z1`")] {
        let said = stderr(&mut run(shared(), &format!("table squares {DEEP_KQKR} {square}")), 2);
        assert!(said.contains(words), "{said}");
    }
}
