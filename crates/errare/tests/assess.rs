//! `errare assess`, end to end.

mod common;

use common::{fresh, json, run, shared, stderr, stdout};
use serde_json::Value;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/browne_belle.pgn");

fn assess(line: &str) -> assert_cmd::Command {
    let mut command = run(shared(), "assess");
    command.arg(GAMES).args(line.split_whitespace());
    command
}

#[test]
fn browne_and_belle_in_json() {
    let answer = json(&mut assess("--keep-value --kappa 0+ --format json"));
    let games = answer["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((&games[0]["white"], &games[1]["black"]), (&"Browne, Walter".into(), &"BELLE".into()));
    let moves = |game: usize| games[game]["segments"][0]["moves"].as_array().unwrap();
    assert_eq!(games[0]["segments"][0]["material"], "KQKR");
    assert_eq!(games[0]["segments"][0]["metric"], "dtc");
    // 17.Qc6 of the first game: +3/+4, Qd2+ and Qe4+ optimal.
    let slip = &moves(0)[32];
    assert_eq!((&slip["ply"], &slip["side"], &slip["san"]), (&33.into(), &"white".into(), &"Qc6".into()));
    assert_eq!((&slip["depth_before"], &slip["depth_after"]), (&16.into(), &18.into()));
    assert_eq!((&slip["conceded"], &slip["conceded_total"]), (&3.into(), &4.into()));
    assert_eq!(slip["optimal"], serde_json::json!(["Qd2+", "Qe4+"]));
    assert!((slip["expected_c"].as_f64().unwrap() - 32.19).abs() < 0.01);
    // 12...Rf4 of the second: the model prefers Rg4.
    assert_eq!(moves(1)[23]["model_choice"], "Rg4");
    let last = |game: usize, side: &str| -> &Value { moves(game).iter().rfind(|mv| mv["side"] == side).unwrap() };
    assert!((last(0, "white")["expected_c"].as_f64().unwrap() - 18.0214236661).abs() < 1e-6);
    assert!((last(1, "white")["expected_c"].as_f64().unwrap() - 18.3901698341).abs() < 1e-6);
    assert_eq!((&last(0, "white")["conceded_total"], &last(1, "white")["conceded_total"]), (&27.into(), &19.into()));
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players[1]["name"], "Browne, Walter");
    assert_eq!(
        (&players[1]["games"], &players[1]["moves"], &players[1]["conceded"]),
        (&2.into(), &95.into(), &46.into())
    );
    // Both games together say more than either.
    assert!(players[1]["sd_c"].as_f64().unwrap() < last(0, "white")["sd_c"].as_f64().unwrap());
    let probabilities = players[1]["posterior"]["probabilities"].as_array().unwrap();
    assert_eq!(probabilities.len(), 51);
}

#[test]
fn one_players_posterior_is_an_opponent_and_a_prior() {
    let folder = fresh();
    let file = folder.path().join("browne.json");
    std::fs::write(&file, stdout(&mut assess("--keep-value --player browne --format json"))).unwrap();
    let opponent = file.display();
    let mut choose =
        run(shared(), &format!("choose --agent predator --keep-value --format json --opponent {opponent}"));
    choose.arg("8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1");
    assert_eq!(json(&mut choose)["move"]["san"], "Re4");
    let carried = json(&mut assess(&format!("--keep-value --player Browne --format json --prior {opponent}")));
    let afresh = json(&mut assess("--keep-value --player Browne --format json"));
    let sd = |answer: &Value| answer["players"][0]["sd_c"].as_f64().unwrap();
    assert!(sd(&carried) < 0.8 * sd(&afresh));
    assert_eq!(afresh["players"].as_array().unwrap().len(), 1);
    assert!(afresh["games"][0]["segments"][0]["moves"].as_array().unwrap().iter().all(|mv| mv["side"] == "white"));
    let normal = json(&mut assess("--keep-value --player Browne --format json --prior normal:40,1"));
    assert!(normal["players"][0]["expected_c"].as_f64().unwrap() > 25.0);
}

#[test]
fn tables_annotations_and_csv() {
    let folder = fresh();
    let file = folder.path().join("annotated.pgn");
    let text = stdout(&mut assess(&format!("--keep-value --annotate {}", file.display())));
    assert!(text.contains("17. Qc6") && text.contains("+3") && text.contains("26... Ke7°"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("Browne, Walter      2     95        46"), "{text}");
    let annotated = std::fs::read_to_string(file).unwrap().replace('\n', " ");
    assert!(annotated.contains("17. Qc6 {+3/+4: Qd2+, Qe4+ optimal; win in 18; E[c]"), "{annotated}");
    let brief = stdout(&mut assess("--keep-value --brief"));
    assert_eq!(brief.lines().count(), 5);
    let csv = stdout(&mut assess("--keep-value --format csv"));
    assert_eq!(csv.lines().count(), 1 + 189);
}

#[test]
fn an_impossible_move_is_listed_and_not_fatal() {
    let folder = fresh();
    let file = folder.path().join("games.pgn");
    // 1.Qd8+ throws the queen away: lost.
    let game = "[White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"]\n\n1. Qd8+ Rxd8+ 0-1\n\n";
    let broken = "[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Kxe5 *\n\n";
    std::fs::write(&file, format!("{game}{broken}{game}")).unwrap();
    let mut command = run(shared(), "assess --keep-value --format json");
    command.arg(&file);
    let output = command.assert().code(0).get_output().clone();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let slip = &answer["games"][0]["segments"][0]["moves"][0];
    assert_eq!(
        (&slip["impossible"], &slip["conceded"], &slip["outcome_after"]),
        (&true.into(), &Value::Null, &"loss".into())
    );
    assert_eq!(slip["expected_c"], 25.0);
    assert_eq!(answer["games"].as_array().unwrap().len(), 2);
    assert_eq!(answer["players"][0]["impossible"], 2);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("game 2 (C - D)") && said.contains("illegal move 2. Kxe5; skipped"), "{said}");
    // A move that drops into another endgame goes on there.
    assert_eq!(answer["games"][0]["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn bad_use_is_told_in_a_sentence() {
    let folder = fresh();
    let file = folder.path().join("empty.pgn");
    std::fs::write(&file, "").unwrap();
    // Nothing is written before there is something to say.
    let silent =
        run(shared(), &format!("assess {} --format json", file.display())).assert().code(2).get_output().clone();
    assert!(silent.stdout.is_empty());
    for (line, sentence) in [
        (format!("assess {}", folder.path().join("none.pgn").display()), "cannot open"),
        (format!("assess {}", file.display()), "there is no game to assess"),
        (format!("assess {GAMES} --grid 0:50:x"), "invalid grid"),
        (format!("assess {GAMES} --prior odd"), "cannot open odd"),
        (format!("assess {GAMES} --prior normal:x,2"), "invalid prior `normal:x,2`"),
        (format!("assess {GAMES} --prior normal:2,0"), "invalid normal prior"),
        (format!("assess {GAMES} --annotate {GAMES}"), "is being read: write the output to another file"),
        (format!("assess {GAMES} --grid 0:0.0001:50"), "points are too fine"),
        (format!("assess {GAMES} --metric dt"), "invalid metric `dt`"),
        (format!("assess {GAMES} --hold on"), "invalid hold `on`"),
    ] {
        let found = stderr(&mut run(shared(), &line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
}
