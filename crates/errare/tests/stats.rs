//! `errare table stats`, end to end.

use crate::common::{json, keys, run, shared, stderr, stdout};
use serde_json::{Value, json};

/// The statistics of one endgame.
fn stats(line: &str) -> Value {
    let found = json(&mut run(shared(), &format!("table stats --format json {line}")));
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    found[0].clone()
}

fn total(side: &Value) -> u64 {
    side["histogram"].as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap()).sum()
}

#[test]
fn json_has_its_keys_in_their_order() {
    let text = stdout(&mut run(shared(), "table stats KQK --format json"));
    let top = ["material", "metric", "count", "white_to_move", "black_to_move", "mutual_zugzwangs"];
    assert_eq!(keys(&text, 4), top);
    let side = ["wins", "draws", "losses", "max_win_plies", "max_loss_plies", "histogram", "deepest", "deepest_values"];
    assert_eq!(keys(text.split_once("white_to_move").unwrap().1, 6), side);
    assert_eq!(keys(text.split_once("histogram").unwrap().1, 10), ["outcome", "plies", "count"]);
    assert_eq!(keys(text.split_once("mutual_zugzwangs").unwrap().1, 6), ["count", "deepest", "list"]);
}

#[test]
fn the_histogram_adds_up_and_ends_at_the_maxima() {
    let found = stats("KQKR");
    assert_eq!(
        (&found["material"], &found["metric"], &found["count"]),
        (&json!("KQKR"), &json!("dtm"), &json!("once"))
    );
    let (white, black) = (&found["white_to_move"], &found["black_to_move"]);
    assert_eq!((&white["max_win_plies"], &black["max_loss_plies"]), (&json!(69), &json!(70)));
    for side in [white, black] {
        let sum = |key: &str| side[key].as_u64().unwrap();
        assert_eq!(total(side), sum("wins") + sum("draws") + sum("losses"));
        let bins = side["histogram"].as_array().unwrap();
        let deepest = |outcome: &str| {
            bins.iter().filter(|bin| bin["outcome"] == outcome).map(|bin| bin["plies"].as_u64()).max().unwrap()
        };
        assert_eq!(deepest("win"), side["max_win_plies"].as_u64());
        assert_eq!(deepest("loss"), side["max_loss_plies"].as_u64());
        let draws: Vec<&Value> = bins.iter().filter(|bin| bin["outcome"] == "draw").collect();
        assert_eq!(draws, [&json!({"outcome": "draw", "plies": null, "count": sum("draws")})]);
    }
}

#[test]
fn the_deepest_positions_are_as_deep_as_they_say() {
    for endgame in ["KQKR", "KRKQ"] {
        let found = stats(endgame);
        for (side, letter) in [("white_to_move", " w "), ("black_to_move", " b ")] {
            let deepest = found[side]["deepest"].as_array().unwrap();
            assert_eq!(deepest.len(), 2, "a win and a loss");
            let mut depths = Vec::new();
            for fen in deepest {
                let fen = fen.as_str().unwrap();
                assert!(fen.contains(letter), "{fen}");
                let answer = json(run(shared(), "table probe --format json").arg(fen));
                let outcome = answer["outcome"].as_str().unwrap();
                assert_eq!(answer["plies"], found[side][format!("max_{outcome}_plies")], "{endgame} {fen}");
                depths.push(answer["plies"].as_u64());
            }
            assert!(depths[0] > depths[1], "the deeper first");
        }
    }
}

#[test]
fn white_is_the_side_typed_first() {
    let (one, other) = (stats("KQKR"), stats("krvkq"));
    assert_eq!(other["material"], "KRKQ");
    let counts = |side: &Value| ["wins", "draws", "losses", "max_win_plies", "histogram"].map(|key| side[key].clone());
    assert_eq!(counts(&one["white_to_move"]), counts(&other["black_to_move"]));
    assert_eq!(counts(&one["black_to_move"]), counts(&other["white_to_move"]));
    let fen = other["white_to_move"]["deepest"][0].as_str().unwrap();
    let board = fen.split(' ').next().unwrap();
    assert!(board.contains('R') && board.contains('q') && fen.contains(" w "), "{fen}");
}

#[test]
fn conventions_count_differently() {
    // 3 men on 64 squares; 462 king pairs up to symmetry have 3612 images.
    let [once, all, ordered] = ["once", "all", "ordered"].map(|count| stats(&format!("KQK --count {count}")));
    assert_eq!((&all["count"], total(&all["black_to_move"])), (&json!("all"), 3612 * 62));
    assert_eq!(total(&once["black_to_move"]), 28056);
    assert_eq!(total(&ordered["black_to_move"]), 28056);
}

#[test]
fn what_does_not_occur_is_null() {
    let found = stats("KQK");
    assert_eq!(found["white_to_move"]["max_loss_plies"], Value::Null);
    assert_eq!(found["black_to_move"]["max_win_plies"], Value::Null);
    assert_eq!(found["white_to_move"]["draws"], 0);
    let bins = found["white_to_move"]["histogram"].as_array().unwrap();
    assert!(bins.iter().all(|bin| bin["outcome"] == "win"));
    let drawn = stats("KNK");
    assert_eq!(drawn["white_to_move"]["deepest"], json!([]));
    assert_eq!(drawn["white_to_move"]["max_win_plies"], Value::Null);
}

#[test]
fn a_move_rule_adds_what_it_spoils() {
    // KRK takes up to 16 moves, so a rule of 10 spoils some wins.
    let (plain, rule) = (stats("KRK --metric dtz"), stats("KRK --metric dtz10"));
    assert_eq!((&plain["metric"], &rule["metric"]), (&json!("dtz"), &json!("dtz10")));
    let (plain, rule) = (&plain["white_to_move"], &rule["white_to_move"]);
    assert!(plain.get("cursed_wins").is_none());
    let count = |side: &Value, key: &str| side[key].as_u64().unwrap();
    assert!(count(rule, "cursed_wins") > 0 && count(rule, "wins") > 0);
    assert_eq!(count(rule, "wins") + count(rule, "cursed_wins"), count(plain, "wins"));
    assert_eq!((&rule["max_win_plies"], &rule["max_cursed_win_plies"]), (&json!(19), &json!(31)));
    assert_eq!(rule["blessed_losses"], 0);
}

#[test]
fn zugzwangs_are_listed_when_asked_for() {
    let found = stats("KRKN --metric dtc --zugzwangs");
    let zugzwangs = &found["mutual_zugzwangs"];
    assert_eq!(zugzwangs["count"], 18, "as published by Haworth");
    let list = zugzwangs["list"].as_array().unwrap();
    assert_eq!(list.len(), 18);
    assert_eq!(list[0], zugzwangs["deepest"]);
    for zugzwang in list {
        let fen = zugzwang["fen"].as_str().unwrap();
        for (key, fen) in [("white_to_move", fen.to_owned()), ("black_to_move", fen.replace(" w ", " b "))] {
            let answer = json(run(shared(), "table probe --metric dtc --format json").arg(&fen));
            let expected = json!({"outcome": answer["outcome"], "plies": answer["plies"], "moves": answer["moves"]});
            assert_eq!(zugzwang[key], expected, "{fen}");
        }
    }
    let swapped = stats("KNKR --metric dtc --zugzwangs");
    let (one, other) = (&list[0], &swapped["mutual_zugzwangs"]["list"][0]);
    assert_eq!((&one["white_to_move"], &one["black_to_move"]), (&other["black_to_move"], &other["white_to_move"]));
    let fen = other["fen"].as_str().unwrap();
    assert!(fen.contains(" w ") && fen.contains('N') && fen.contains('r'), "{fen}");
    assert_eq!(stats("KRKN --metric dtc")["mutual_zugzwangs"]["list"], Value::Null);
}

#[test]
fn csv_is_the_histogram_or_the_zugzwangs() {
    let text = stdout(&mut run(shared(), "table stats KQK --format csv"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("material,metric,count_convention,side_to_move,outcome,plies,count"));
    assert!(text.lines().any(|line| line.starts_with("KQK,dtm,once,black,draw,,")), "{text}");
    assert_eq!(lines.count(), 10 + 1 + 11, "wins in 1 to 19 plies, draws, losses in 0 to 20");
    let text = stdout(&mut run(shared(), "table stats KRKN --metric dtc --zugzwangs --format csv"));
    assert_eq!(text.lines().next(), Some("material,fen,white_outcome,white_plies,black_outcome,black_plies"));
    assert_eq!(text.lines().count(), 19);
    assert!(text.lines().skip(1).all(|line| line.starts_with("KRKN,")), "{text}");
}

#[test]
fn several_endgames_are_counted_at_once() {
    let both = json(&mut run(shared(), "table stats KQK KRK --format json"));
    assert_eq!(both, json!([stats("KQK"), stats("KRK")]));
    let text = stdout(&mut run(shared(), "table stats KQK KRK"));
    let alone = ["KQK", "KRK"].map(|endgame| stdout(&mut run(shared(), &format!("table stats {endgame}"))));
    assert_eq!(text, alone.join("\n"));
    let csv = stdout(&mut run(shared(), "table stats KQK KRK --format csv"));
    assert_eq!(csv.lines().filter(|line| line.starts_with("material,")).count(), 1);
    assert!(csv.lines().any(|line| line.starts_with("KRK,")) && csv.lines().any(|line| line.starts_with("KQK,")));
}

#[test]
fn people_read_a_summary() {
    let text = stdout(&mut run(shared(), "table stats KQK"));
    assert!(text.starts_with("KQK to dtm, each position counted once up to symmetry\n"), "{text}");
    assert!(text.contains("win for White in 10 moves (19 plies) to mate, White to move"), "{text}");
    assert!(text.contains("win for White in 10 moves (20 plies) to mate, Black to move"), "{text}");
    assert!(text.contains("Mutual zugzwangs: 0"), "{text}");
    let text = stdout(&mut run(shared(), "table stats KRK --metric dtz10"));
    assert!(text.contains("cursed wins") && text.contains("a draw by the 10-move rule"), "{text}");
}

#[test]
fn wrong_arguments_are_bad_use() {
    for (line, words) in [
        ("table stats", "MATERIAL"),
        ("table stats KQ", "expected two kings"),
        ("table stats KK", "two bare kings"),
        ("table stats KPPPPK", "too many men in KPPPPK"),
        ("table stats KQK --count twice", "invalid counting `twice`"),
        ("table stats KQK --metric dtz0", "invalid metric `dtz0`"),
    ] {
        let said = stderr(&mut run(shared(), line), 2);
        assert!(said.contains(words), "{line}: {said}");
    }
}
