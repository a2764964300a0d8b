//! The operations `find` and `play`, as a board without memory uses them: JSON in, JSON out.

use errare_lab::{FindRequest, Lab, LabConfig, LabError, Operation, PlayRequest};
use errare_work::Silent;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static LAB: LazyLock<Lab> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("play-tables");
    Lab::new(LabConfig { tables: Some(folder), ..LabConfig::default() })
});

/// Calls an operation twice, and checks that request and response survive being read back.
fn call<O: Operation>(request: &Value) -> Value {
    let read: O = serde_json::from_value(request.clone()).unwrap_or_else(|error| panic!("{request}: {error}"));
    let answer = LAB.call(O::NAME, request.clone(), &Silent).unwrap_or_else(|error| panic!("{request}: {error}"));
    let again: O = serde_json::from_value(serde_json::to_value(&read).expect("JSON")).expect("the same request");
    let typed = LAB.run(&again, &Silent).expect("a response");
    assert_eq!(serde_json::to_value(&typed).expect("JSON"), answer, "the same request, the same response");
    let back: O::Response = serde_json::from_value(answer.clone()).expect("the typed response");
    assert_eq!(serde_json::to_value(&back).expect("JSON"), answer);
    answer
}

fn refused<O: Operation>(request: Value) -> String {
    LAB.call(O::NAME, request, &Silent).map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

fn texts(moves: &Value, key: &str) -> Vec<String> {
    let moves = moves.as_array().expect("a list").iter();
    moves.map(|mv| mv[key].as_str().expect("a text").to_owned()).collect()
}

/// Plays a game with a choice for the person's moves; the requests and responses in turn.
fn played(mut request: Value, choose: impl Fn(usize, &[Value]) -> usize) -> Vec<(Value, Value)> {
    let mut steps = Vec::new();
    loop {
        let answer = LAB.call("play", request.clone(), &Silent).unwrap_or_else(|error| panic!("{request}: {error}"));
        let legal = answer["legal"].as_array().expect("moves").clone();
        let mut moves = texts(&answer["moves"], "uci");
        steps.push((request.clone(), answer.clone()));
        if !answer["end"].is_null() {
            return steps;
        }
        assert_eq!(answer["turn"], answer["human"]);
        moves.push(legal[choose(steps.len(), &legal)]["uci"].as_str().expect("a move").to_owned());
        request["fen"] = answer["start"].clone();
        request
            .as_object_mut()
            .expect("an object")
            .retain(|key, _| !["material", "depth", "outcome"].contains(&&key[..]));
        request["moves"] = json!(moves);
        assert!(moves.len() < 400);
    }
}

#[test]
fn positions_are_found() {
    let found = call::<FindRequest>(&json!({"materials": ["KQK", "KKQ"], "depth": 10, "sample": 3, "seed": 1}));
    assert_eq!((&found[0]["material"], &found[1]["material"]), (&json!("KQK"), &json!("KKQ")));
    assert_eq!(found[0]["white_to_move"], found[1]["black_to_move"]);
    let position = &found[0]["positions"][0];
    assert_eq!((&position["moves"], found[0]["positions"].as_array().map(Vec::len)), (&json!(10), Some(3)));
    let none = call::<FindRequest>(&json!({"materials": ["KQK"], "depth": "11.."}));
    assert_eq!((&none[0]["matched"], none[0]["positions"].as_array().map(Vec::len)), (&json!(0), Some(0)));
    assert_eq!(none[0]["depths"][0]["max_moves"], 10);
    let plies = call::<FindRequest>(&json!({"materials": ["KQK"], "depth": "19p", "all": true}));
    assert_eq!((&plies[0]["seed"], &plies[0]["black_to_move"]), (&Value::Null, &json!(0)));
    for (request, words) in [
        (json!({"materials": ["KQK"], "depth": "x"}), "invalid depth `x`"),
        (json!({"materials": ["KQK"], "depth": 3, "outcome": "draw"}), "draws have no depth"),
        (json!({"materials": ["KQK"], "sample": 100_001}), "invalid sample 100001: expected at most 100,000"),
        (json!({"materials": ["KBBK"], "all": true}), "too many to list"),
        (json!({"materials": ["KK"]}), "two bare kings"),
    ] {
        let error = refused::<FindRequest>(request);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_default_game_is_a_queen_against_a_rook() {
    let answer = call::<PlayRequest>(&json!({}));
    assert_eq!((&answer["material"], &answer["human"]), (&json!("KQKR"), &json!("white")));
    assert_eq!((&answer["opponent"], &answer["theory"]), (&json!("player:12"), &json!("win")));
    assert!(answer["depth"].as_u64().is_some_and(|depth| depth >= 15), "{}", answer["depth"]);
    assert_eq!((&answer["clock"]["moves_left"], &answer["clock"]["claim"]), (&json!(50), &Value::Null));
    let best = &answer["legal"][0];
    assert_eq!((&best["keeps"], &best["optimal"], &best["outcome"]), (&json!(true), &json!(true), &json!("win")));
    assert_eq!(best["uci"].as_str().map(|uci| &uci[..2]), best["from"].as_str());
    // Starts are not always in the same corner.
    let fens: Vec<Value> = (0..8).map(|seed| call::<PlayRequest>(&json!({"seed": seed}))["start"].clone()).collect();
    let on_top = |fen: &&Value| fen.as_str().is_some_and(|fen| fen.split('/').take(4).any(|row| row.contains('K')));
    assert!((1..8).contains(&fens.iter().filter(on_top).count()), "{fens:?}");
}

#[test]
fn a_start_is_what_was_asked_for() {
    for (request, turn, outcome) in [
        (json!({"material": "KRKN", "human": "black", "outcome": "draw", "seed": 4}), "black", "draw"),
        (json!({"material": "KRKN", "outcome": "white-wins", "depth": "5..9"}), "white", "win"),
        (json!({"material": "KNKR", "human": "white", "outcome": "loss"}), "white", "loss"),
    ] {
        let answer = call::<PlayRequest>(&request);
        assert_eq!((&answer["turn"], &answer["outcome"]), (&json!(turn), &json!(outcome)), "{request}");
        assert_eq!(answer["material"], request["material"]);
        if request["depth"] == "5..9" {
            assert!(answer["depth"].as_u64().is_some_and(|depth| (5..=9).contains(&depth)));
        }
    }
    for (request, words) in [
        (json!({"material": "KRK", "depth": 40}), "no game of KRK can start like that with White to move"),
        (json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w", "material": "KRK"}), "the start is given as a FEN"),
        (json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w", "opponent": "nobody"}), "invalid agent `nobody`"),
        (json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w", "moves": ["Rb9"]}), "move 1 of the game: Rb9: no such square as b9"),
        (json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w", "finish": "claim-draw"}), "a draw cannot be claimed yet"),
    ] {
        let error = refused::<PlayRequest>(request);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_game_is_played_to_mate_and_reviewed() {
    let start = json!({"material": "KRK", "depth": "12..16", "seed": 3, "opponent": "8"});
    let steps = played(start, |_, _| 0);
    let (_, last) = steps.last().expect("a game");
    assert_eq!((&last["end"]["reason"], &last["end"]["winner"]), (&json!("mate"), &json!("white")));
    let review = &last["review"];
    assert_eq!((&review["theory"], &review["result"]), (&json!("win"), &json!("win")));
    assert_eq!(review["human"]["optimal"], review["human"]["moves"]);
    let verdict = review["verdict"].as_array().expect("sentences");
    assert_eq!(verdict[0], "You won by checkmate.");
    assert!(verdict.iter().any(|line| line.as_str().is_some_and(|line| line.starts_with("All your "))), "{verdict:?}");
    let pgn = last["pgn"].as_str().expect("a game");
    assert!(pgn.contains("[White \"You\"]") && pgn.contains("[Black \"player:8\"]") && pgn.contains("# {"), "{pgn}");
    assert!(pgn.trim_end().ends_with("1-0"));
    // Every earlier response is the beginning of the last, and a take-back is a request with fewer moves.
    for (request, answer) in &steps {
        assert_eq!(&call::<PlayRequest>(request), answer);
        let count = answer["moves"].as_array().expect("moves").len();
        assert_eq!(answer["moves"].as_array().expect("moves")[..], last["moves"].as_array().expect("moves")[..count]);
    }
}

#[test]
fn a_posterior_is_carried_over_to_the_next_game() {
    let sloppy = |n: usize, legal: &[Value]| {
        let kept = legal.iter().filter(|mv| mv["keeps"] == true).count();
        if n.is_multiple_of(2) { (kept - 1).min(4) } else { 0 }
    };
    let start = json!({"material": "KQKR", "depth": "10..14", "seed": 2, "opponent": "predator", "rule": "none"});
    let steps = played(start, sloppy);
    let (_, last) = steps.last().expect("a game");
    let expected = last["competence"]["expected_c"].as_f64().expect("a number");
    let moves = last["moves"].as_array().expect("moves").iter();
    let own: Vec<&Value> = moves.filter(|mv| mv["side"] == "white").map(|mv| &mv["competence"]).collect();
    assert_eq!(own.last(), Some(&&last["competence"]));
    let next = json!({"seed": 9, "analysis": {"prior": last["posterior"]}});
    let begun = call::<PlayRequest>(&next)["competence"]["expected_c"].as_f64().expect("a number");
    assert!((begun - expected).abs() < 1e-9, "{begun} {expected}");
}

#[test]
fn servers_take_games_that_name_no_files() {
    let clients = LAB.for_clients();
    assert!(clients.call("play", json!({"material": "KRK", "opponent": "20", "moves": []}), &Silent).is_ok());
    for request in [json!({"model": {"source": "syzygy:/"}}), json!({"opponent": "predator:/etc/passwd"})] {
        let error = clients.call("play", request, &Silent).expect_err("refused");
        assert!(matches!(error, LabError::Outside(_)), "{error}");
    }
    assert!(clients.call("find", json!({"materials": ["KRK"]}), &Silent).is_ok());
}

/// Sixty moves by each side are made again in a few milliseconds once tables are open; a busy machine gets ten times that.
#[test]
fn a_long_game_is_replayed_at_once() {
    let start = json!({"material": "KQKR", "depth": 31, "rule": "none", "seed": 1, "opponent": "infallible"});
    // A person who errs as much as keeps the win, for a while.
    let steps = played(start, |n, legal| {
        let kept = legal.iter().filter(|mv| mv["keeps"] == true).count();
        if n < 45 && !n.is_multiple_of(3) { kept / 2 } else { 0 }
    });
    let (longest, _) = steps.last().expect("a game");
    let plies = longest["moves"].as_array().map_or(0, Vec::len);
    assert!(plies >= 100, "{plies} plies");
    let mut best = Duration::MAX;
    for _ in 0..20 {
        let begun = Instant::now();
        LAB.call("play", longest.clone(), &Silent).expect("a response");
        best = best.min(begun.elapsed());
    }
    println!("{plies} plies replayed in {best:?}");
    assert!(best < Duration::from_millis(60), "{best:?}");
}
