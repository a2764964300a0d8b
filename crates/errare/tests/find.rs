//! `errare table find`, end to end.

use crate::common::{json, keys, run, shared, stderr, stdout};
use serde_json::{Value, json};

fn find(line: &str) -> Value {
    json(&mut run(shared(), &format!("table find --format json {line}")))
}

#[test]
fn json_has_its_keys_in_their_order() {
    let text = stdout(&mut run(shared(), "table find KQK --depth 10 --format json"));
    let top = ["material", "metric", "matched", "white_to_move", "black_to_move", "seed", "positions", "depths"];
    assert_eq!(keys(&text, 4), top);
    let position = ["fen", "outcome", "plies", "moves", "keeping", "legal"];
    assert_eq!(keys(text.split_once("positions").unwrap().1, 8), position);
}

#[test]
fn positions_are_as_deep_as_they_say() {
    let found = &find("KQKR --metric dtc --depth 31 --turn w --sample 5")[0];
    // Haworth (2003): the deepest wins of KQKR take 31 moves to conversion.
    assert_eq!((&found["matched"], &found["black_to_move"]), (&json!(2), &json!(0)));
    let positions = found["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 2);
    for position in positions {
        let fen = position["fen"].as_str().unwrap();
        let probed = json(run(shared(), "table probe --metric dtc --format json").arg(fen));
        for key in ["outcome", "plies", "moves"] {
            assert_eq!(position[key], probed[key], "{fen}");
        }
        let moves = probed["successors"].as_array().unwrap();
        let keeping = moves.iter().filter(|mv| mv["outcome"] == probed["outcome"]).count();
        assert_eq!((&position["keeping"], &position["legal"]), (&json!(keeping), &json!(moves.len())));
    }
}

#[test]
fn wins_are_those_of_the_side_to_move_or_of_a_colour() {
    let won = &find("KRKN --outcome white-wins --sample 0")[0];
    let stats = &json(&mut run(shared(), "table stats KRKN --format json"))[0];
    assert_eq!(won["white_to_move"], stats["white_to_move"]["wins"]);
    assert_eq!(won["black_to_move"], stats["black_to_move"]["losses"]);
    let swapped = &find("KNKR --outcome black-wins --sample 0")[0];
    assert_eq!((&swapped["white_to_move"], &swapped["black_to_move"]), (&won["black_to_move"], &won["white_to_move"]));
    let zugzwangs = &find("KRKN --zugzwang --turn b --all")[0];
    assert_eq!(zugzwangs["matched"], stats["mutual_zugzwangs"]["count"]);
    assert_eq!(zugzwangs["positions"].as_array().map(|list| json!(list.len())), Some(zugzwangs["matched"].clone()));
    assert_eq!(zugzwangs["seed"], Value::Null);
}

#[test]
fn only_moves_are_the_only_ones() {
    let only = &find("KPK --outcome win --only-moves --sample 20 --seed 5")[0];
    assert!(only["positions"].as_array().unwrap().iter().all(|found| found["keeping"] == 1));
    assert_eq!(find("KPK --outcome win --keeping 1 --sample 20 --seed 5")[0], *only);
    assert_ne!(find("KPK --outcome win --keeping 1 --sample 20 --seed 6")[0], *only);
}

#[test]
fn people_and_spreadsheets_read_it_too() {
    let text = stdout(&mut run(shared(), "table find KQK KRK --depth 10 --turn w --sample 2 --seed 1"));
    assert!(text.starts_with("KQK to dtm: "), "{text}");
    assert!(text.contains("a sample of 2, seed 1") && text.contains("\n\nKRK to dtm: "), "{text}");
    assert!(text.contains("win for White in 10 moves (19 plies) to mate, White to move"), "{text}");
    let csv = stdout(&mut run(shared(), "table find KQK KRK --depth 17p --sample 2 --format csv"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("material,metric,fen,outcome,plies,moves,keeping,legal"));
    assert_eq!(lines.clone().count(), 4);
    assert!(lines.all(|line| line.contains(",dtm,") && line.contains(",win,17,9,")), "{csv}");
}

#[test]
fn nothing_found_is_a_finding_that_names_the_depths_there_are() {
    let sentence = "no position of KQK matches; by dtm, with White to move there are 18,081 wins in 1 to 10; with Black to \
                    move there are 2,896 draws, 25,160 losses in 0 to 10";
    let output = run(shared(), "table find KQK --depth 11").assert().code(1).get_output().clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), sentence);
    assert_eq!(stderr(&mut run(shared(), "table find KQK --depth 11 --format csv"), 1).trim_end(), sentence);
    // One endgame with positions is enough.
    stdout(&mut run(shared(), "table find KQK KRK --depth 11"));
}

#[test]
fn wrong_arguments_are_bad_use() {
    for (line, words) in [
        ("table find", "MATERIAL"),
        ("table find KQK --depth deep", "invalid depth `deep`: expected moves of the winner"),
        ("table find KQK --depth 5..3", "invalid depth `5..3`"),
        ("table find KQK --outcome white", "invalid outcome `white`: expected win, draw, loss"),
        ("table find KQK --turn x", "invalid value 'x'"),
        ("table find KQK --only-moves --keeping 2", "cannot be used with"),
        ("table find KQK --all --sample 3", "cannot be used with"),
        ("table find KQK --outcome draw --depth 3", "draws have no depth"),
        ("table find KRKN --all", "narrow them down to 100,000"),
    ] {
        let said = stderr(&mut run(shared(), line), 2);
        assert!(said.contains(words), "{line}: {said}");
    }
}
