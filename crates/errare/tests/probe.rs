//! `errare table probe`, end to end.

use crate::common::{DEEP_KQKR, files, fresh, json, keys, run, shared, stderr, stdout};
use serde_json::{Value, json};

fn probe(fen: &str, flags: &str) -> Value {
    let mut command = run(shared(), &format!("table probe --format json {flags}"));
    json(command.arg(fen))
}

#[test]
fn taking_en_passant_is_looked_up_even_where_the_table_was_not_built_for_it() {
    let folder = fresh();
    // To DTZ any table that knows who wins will do for what captures lead to: here KPK to mate.
    stdout(&mut run(folder.path(), "table build KPK --metric dtm"));
    let answer =
        json(&mut run(folder.path(), "table probe 8/8/8/8/4p3/8/k2P4/3K4 w - - 0 1 --metric dtz --format json"));
    let double = answer["successors"].as_array().unwrap().iter().find(|mv| mv["uci"] == "d2d4").unwrap();
    assert_eq!(double["zeroing"], true);
    assert!(folder.path().join("KPK.dtz.egt").exists());
    // Black takes: KPK, won for him or not, tells.
    let answer =
        json(&mut run(folder.path(), "table probe 8/8/8/8/3Pp3/8/k7/3K4 b - d3 0 1 --metric dtm --format json"));
    assert!(answer["successors"].as_array().unwrap().iter().any(|mv| mv["uci"] == "e4d3"));
}

#[test]
fn json_has_its_keys_in_their_order() {
    let mut command = run(shared(), "table probe --format json");
    let text = stdout(command.arg(DEEP_KQKR));
    assert_eq!(keys(&text, 2), ["fen", "metric", "outcome", "plies", "moves", "successors"]);
    assert_eq!(keys(&text, 6)[..5], ["uci", "san", "outcome", "plies", "moves"]);
}

#[test]
fn the_longest_kqkr_win_takes_35_moves() {
    let answer = probe(DEEP_KQKR, "");
    assert_eq!(answer["fen"], DEEP_KQKR);
    assert_eq!(answer["metric"], "dtm");
    assert_eq!((&answer["outcome"], &answer["plies"], &answer["moves"]), (&json!("win"), &json!(69), &json!(35)));
    let moves = answer["successors"].as_array().unwrap();
    assert_eq!(moves.len(), 21);
    // From the mover's side, with what is left after the move.
    assert_eq!((&moves[0]["outcome"], &moves[0]["plies"], &moves[0]["moves"]), (&json!("win"), &json!(68), &json!(34)));
    let sacrifice = moves.iter().find(|mv| mv["san"] == "Qb1+").unwrap();
    assert_eq!((&sacrifice["uci"], &sacrifice["zeroing"]), (&json!("h1b1"), &json!(false)));
    let draw = moves.iter().find(|mv| mv["san"] == "Qd5").unwrap();
    assert_eq!((&draw["outcome"], &draw["plies"], &draw["moves"]), (&json!("draw"), &Value::Null, &Value::Null));
    // Black to move mates next ply: one move of the winner's.
    let blunder = moves.iter().find(|mv| mv["san"] == "Ka2").unwrap();
    assert_eq!((&blunder["outcome"], &blunder["plies"], &blunder["moves"]), (&json!("loss"), &json!(1), &json!(1)));
}

#[test]
fn successors_come_best_first() {
    let answer = probe(DEEP_KQKR, "");
    let merits: Vec<(i64, i64)> = answer["successors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| {
            let plies = mv["plies"].as_i64().unwrap_or(0);
            match mv["outcome"].as_str().unwrap() {
                "win" => (2, -plies),
                "draw" => (1, 0),
                _ => (0, plies),
            }
        })
        .collect();
    assert!(merits.is_sorted_by(|a, b| a >= b), "{merits:?}");
    assert!(merits.first() > merits.last());
}

#[test]
fn a_fen_may_come_in_words_and_leave_things_out() {
    let words = json(&mut run(shared(), &format!("table probe {DEEP_KQKR} --format json")));
    assert_eq!(words, probe(DEEP_KQKR, ""));
    let short = json(&mut run(shared(), "table probe 8/8/8/8/2r5/8/2k5/K6Q w --format json"));
    assert_eq!(short, words);
}

#[test]
fn colours_do_not_matter() {
    let mirrored = probe("k6q/2K5/8/2R5/8/8/8/8 b - - 0 1", "");
    assert_eq!((&mirrored["outcome"], &mirrored["plies"]), (&json!("win"), &json!(69)));
    assert_eq!(mirrored["successors"][0]["plies"], 68);
}

#[test]
fn captures_are_looked_up_in_tables_built_for_them() {
    let folder = fresh();
    // Enough to build KQKR to conversion, not to answer for its captures.
    stdout(&mut run(folder.path(), "table build KQK KRK --metric dtm"));
    let mut command = run(folder.path(), "table probe --metric dtc --format json");
    let answer = json(command.arg("8/8/8/8/8/1k6/1r6/KQ6 w - - 0 1"));
    let takes = answer["successors"].as_array().unwrap().iter().find(|mv| mv["san"] == "Qxb2+").cloned();
    let mut command = run(folder.path(), "table probe --metric dtc --format json");
    let after = json(command.arg("8/8/8/8/8/1k6/1Q6/K7 b - - 0 1"));
    assert_eq!(after["outcome"], "loss");
    let expected = json!({"uci": "b1b2", "san": "Qxb2+", "outcome": "win", "plies": after["plies"],
        "moves": after["moves"], "zeroing": true});
    assert_eq!(takes, Some(expected));
    assert_eq!(files(folder.path()), ["KQK.dtc.egt", "KQK.dtm.egt", "KQKR.dtc.egt", "KRK.dtm.egt"]);
}

#[test]
fn the_end_of_the_game_has_no_successors() {
    let mate = probe("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "");
    assert_eq!((&mate["outcome"], &mate["plies"], &mate["moves"]), (&json!("loss"), &json!(0), &json!(0)));
    assert_eq!(mate["successors"], json!([]));
    let stalemate = probe("k7/8/KQ6/8/8/8/8/8 b - - 0 1", "");
    assert_eq!((&stalemate["outcome"], &stalemate["plies"]), (&json!("draw"), &Value::Null));
    assert_eq!(stalemate["successors"], json!([]));
}

#[test]
fn two_bare_kings_are_drawn_without_a_table() {
    let folder = fresh();
    let mut command = run(folder.path(), "table probe --format json");
    let answer = json(command.arg("k7/8/8/8/8/8/8/K7 w - - 0 1"));
    assert_eq!((&answer["outcome"], &answer["plies"]), (&json!("draw"), &Value::Null));
    assert_eq!(answer["successors"].as_array().unwrap().len(), 3);
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn each_metric_answers_under_its_name() {
    // KQKR takes at most 31 moves to conversion.
    for metric in ["dtc", "dtz"] {
        let answer = probe("8/8/8/8/Q7/5k2/8/K3r3 w - - 0 1", &format!("--metric {metric}"));
        assert_eq!((&answer["metric"], &answer["plies"], &answer["moves"]), (&json!(metric), &json!(61), &json!(31)));
        assert!(answer.get("phase_plies").is_none());
    }
    // KRK takes at most 16.
    let krk = |metric: &str| probe("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", &format!("--metric {metric}"));
    let (held, cursed) = (krk("dtz50"), krk("dtz10"));
    assert_eq!((&held["metric"], &held["outcome"], &held["plies"]), (&json!("dtz50"), &json!("win"), &json!(31)));
    assert_eq!((&cursed["outcome"], &cursed["plies"]), (&json!("cursed-win"), &json!(31)));
    let rule = krk("dtr");
    assert_eq!((&rule["plies"], &rule["phase_plies"]), (&json!(31), &json!(31)));
    assert_eq!(rule["successors"][0]["phase_plies"], 30);
}

#[test]
fn people_read_sentences() {
    let text = stdout(&mut run(shared(), &format!("table probe {DEEP_KQKR}")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], DEEP_KQKR);
    assert_eq!(lines[1], "win for White in 35 moves (69 plies) to mate, White to move");
    assert!(lines.contains(&"Qb1+  win      34 moves (68 plies) to mate"), "{text}");
    assert!(lines.contains(&"Ka2   loss     1 move (1 ply) to mate"), "{text}");
    let text = stdout(&mut run(shared(), "table probe 8/8/8/8/8/2k5/1R6/K7 w --metric dtr"));
    let line = "win for White with no phase over 16 moves (31 plies), White to move; this phase takes 31 plies";
    assert_eq!(text.lines().nth(1), Some(line));
    let text = stdout(&mut run(shared(), "table probe k7/1Q6/1K6/8/8/8/8/8 b"));
    assert!(text.contains("checkmate: win for White"), "{text}");
    let text = stdout(&mut run(shared(), "table probe k7/8/KQ6/8/8/8/8/8 b"));
    assert!(text.contains("stalemate: draw, Black to move"), "{text}");
}

#[test]
fn csv_is_a_row_for_the_position_and_one_a_move() {
    let text = stdout(&mut run(shared(), &format!("table probe {DEEP_KQKR} --format csv")));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "fen,metric,uci,san,outcome,plies,moves,zeroing,phase_plies");
    assert_eq!(lines[1], format!("{DEEP_KQKR},dtm,,,win,69,35,,"));
    assert!(lines.contains(&&*format!("{DEEP_KQKR},dtm,h1d5,Qd5,draw,,,false,")), "{text}");
    assert_eq!(lines.len(), 2 + 21);
}

#[test]
fn further_metrics_stand_beside_the_first() {
    let text = stdout(&mut run(shared(), &format!("table probe {DEEP_KQKR} --also dtc,dtr")));
    let wanted =
        "Qb1+  win      34 moves (68 plies) to mate  29 moves (58 plies) to conversion  no phase over 29 moves";
    assert!(text.contains(wanted), "{text}");
    let text = stdout(&mut run(shared(), &format!("table probe {DEEP_KQKR} --also dtc --format csv")));
    assert!(text.lines().next().is_some_and(|line| line.ends_with(",phase_plies,dtc_outcome,dtc_plies,dtc_moves")));
    assert!(text.contains("h1b1,Qb1+,win,68,34,false,,win,58,29"), "{text}");
}

#[test]
fn a_move_rule_says_that_it_counts_from_zero() {
    let mut command = run(shared(), "table probe --metric dtz50");
    assert!(stderr(command.arg("8/8/8/8/8/8/1Q6/K1k5 b - - 37 80"), 0).contains("clock of 37 is ignored"));
    let mut command = run(shared(), "table probe --metric dtz50");
    assert_eq!(stderr(command.arg("8/8/8/8/8/8/1Q6/K1k5 b - - 0 80"), 0), "");
}

#[test]
fn positions_that_no_table_has_get_one_clear_sentence() {
    for (fen, words) in [
        ("", "invalid FEN"),
        ("nonsense", "invalid FEN `nonsense`"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has no king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "more than one king"),
        ("k7/8/8/8/8/8/8/4K2R w K - 0 1", "castling rights"),
        ("k7/8/8/8/8/8/8/K7 w KQkq - 0 1", "castling rights"),
        ("kK6/8/8/8/8/8/8/7Q w - - 0 1", "the kings touch"),
        ("k6Q/8/8/8/8/8/8/K7 w - - 0 1", "could capture the king"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
        ("k7/8/8/8/8/PP6/PP6/K7 w - - 0 1", "too many men in KPPPPK: expected at most 5"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "too many men: expected at most 6, found 32"),
        ("k7/8/8/8/8/8/8/K6Q w - - minus 1", "invalid FEN"),
        ("k7/8/8/8/8/8/8/K6Ü w - - 0 1", "invalid FEN"),
    ] {
        let folder = fresh();
        let mut command = run(folder.path(), "table probe");
        let assert = command.arg(fen).assert().code(2);
        let output = assert.get_output();
        let said = String::from_utf8_lossy(&output.stderr).to_lowercase();
        assert!(said.contains(&words.to_lowercase()), "{fen}: {said}");
        assert_eq!((said.lines().count(), said.starts_with("error: "), output.stdout.len()), (1, true, 0), "{fen}");
        assert_eq!(files(folder.path()), [""; 0], "{fen}");
    }
}

#[test]
fn clocks_however_high_change_nothing() {
    let answer = probe("k7/8/8/8/8/8/8/K5Q1 w - - 99999999999999999999 99999999999999999999", "");
    assert_eq!(answer["plies"], probe("k7/8/8/8/8/8/8/K5Q1 w - - 0 1", "")["plies"]);
}

#[test]
fn wrong_arguments_are_bad_use() {
    for line in
        ["table probe", "table probe k7/8/8/8/8/8/8/K7 --metric dtm,dtc", "table probe k7/8/8/8/8/8/8/K7 --depth"]
    {
        stderr(&mut run(shared(), line), 2);
    }
}

#[test]
fn six_men_are_built_only_by_name() {
    let folder = fresh();
    let mut command = run(folder.path(), "table probe");
    let output = command.arg("8/8/8/3nk3/3n4/8/1R6/KN6 w - - 0 1").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("KRNKNN has 6 men") && text.contains("errare table build KRNKNN --metric dtm"), "{text}");
    assert!(files(folder.path()).is_empty());
}
