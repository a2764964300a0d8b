//! The operations `find` and `play`, as a board without memory uses them: JSON in, JSON out.

use crate::common::LAB;
use errare_lab::{ChooseRequest, FindRequest, LabError, Operation, PlayRequest};
use errare_work::Silent;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

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
    let summary = review["summary"].as_array().expect("sentences");
    assert_eq!(summary[0], "You won by checkmate; the position was won for you, and you won it.");
    assert!(summary[1].as_str().is_some_and(|line| line.starts_with("All your ")), "{summary:?}");
    assert_eq!((summary.len(), &summary[2]), (3, &json!("Nothing that you played could have been better.")));
    assert_eq!(review["turning_point"], Value::Null);
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

/// The summary and the turning point of a game.
fn reviewed(request: &Value) -> (Vec<String>, Value) {
    let review = call::<PlayRequest>(request)["review"].clone();
    let summary = review["summary"].as_array().expect("sentences").iter();
    let summary: Vec<String> = summary.map(|line| line.as_str().expect("a sentence").to_owned()).collect();
    assert_eq!(summary.len(), 3);
    // One sentence each: a full stop within one belongs to the number of a move.
    let has_inner_stop = |line: &str| line.match_indices(". ").any(|(at, _)| !line[..at].ends_with(char::is_numeric));
    assert!(summary.iter().all(|line| line.ends_with('.') && !has_inner_stop(line)), "{summary:?}");
    (summary, review["turning_point"].clone())
}

/// The rook is lost at once.
#[test]
fn the_move_that_cost_most_is_shown() {
    let rook = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let game = json!({"fen": rook, "moves": ["Rc2"], "opponent": "infallible"});
    let (summary, turning_point) = reviewed(&game);
    let ended = "The game is drawn: neither side has enough left to mate with; the position was won for you, so half a \
                 point was lost.";
    let decided = "1. Rc2+ decided it: it turned a win into a draw; Rb1, Ra2 or others were better.";
    assert_eq!(summary, [ended, "Your only move gave up the value of the position.", decided]);
    let legal = call::<PlayRequest>(&json!({"fen": rook}))["legal"].as_array().expect("moves").clone();
    let named = |flag: &str| -> Vec<Value> {
        legal.iter().filter(|mv| mv[flag] == true).map(|mv| json!({"uci": mv["uci"], "san": mv["san"]})).collect()
    };
    let (keeping, best) = (named("keeps"), named("optimal"));
    let expected = json!({
        "place": 0, "number": "1.", "fen": rook, "move": {"uci": "b2c2", "san": "Rc2+"}, "cost": "It turned a win into a draw.",
        "legal": legal.len(), "keeping": keeping.len(), "optimal": best.len(), "reply": {"uci": "c3c2", "san": "Kxc2"},
    });
    for (field, value) in expected.as_object().expect("fields") {
        assert_eq!(&turning_point[field], value, "{field}");
    }
    let shown = turning_point["best"].as_array().expect("moves");
    assert!(shown.len() == best.len() && best.iter().all(|mv| shown.contains(mv)), "{turning_point}");
    // The model at every competence, weighed by what is believed of it.
    let posterior = call::<PlayRequest>(&game)["posterior"].clone();
    let (mut kept, mut found) = (0.0, 0.0);
    for (c, belief) in posterior["probabilities"].as_array().expect("a belief").iter().enumerate() {
        let chosen = call::<ChooseRequest>(&json!({"fen": rook, "agent": format!("player:{c}")}));
        for mv in chosen["candidates"].as_array().expect("moves") {
            let share = belief.as_f64().expect("a number") * mv["probability"].as_f64().expect("a number");
            let is_among = |moves: &[Value]| moves.iter().any(|other| other["uci"] == mv["uci"]);
            kept += if is_among(&keeping) { share } else { 0.0 };
            found += if is_among(&best) { share } else { 0.0 };
        }
    }
    let chance = |field: &str| turning_point[field].as_f64().expect("a chance");
    assert!((chance("keeping_chance") - kept).abs() < 1e-9, "{kept} {turning_point}");
    assert!((chance("optimal_chance") - found).abs() < 1e-9, "{found} {turning_point}");
    let why = turning_point["why"].as_str().expect("a sentence");
    let words = format!("{} of {} moves kept the win; a player like you finds", keeping.len(), legal.len());
    assert!(why.contains(&words), "{why}");
}

#[test]
fn summaries_say_what_decided() {
    let rook = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let (resigned, _) = reviewed(&json!({"fen": rook, "finish": "resign"}));
    assert_eq!(
        resigned,
        [
            "You lost by resigning; the position was won for you, so a whole point was lost.",
            "You made no move.",
            "You resigned a position that was still won.",
        ]
    );
    let shuffle = ["Rg1", "Ke5", "Rh1", "Ke4", "Rg1", "Ke5", "Rh1", "Ke4"];
    let game = json!({"fen": "8/8/8/8/4k3/8/8/K6R w - - 0 1", "opponent": "infallible", "moves": shuffle, "finish": "claim-draw"});
    let (claimed, turning_point) = reviewed(&game);
    assert_eq!(claimed[2], "You claimed a draw in a position that was still won.");
    assert!(turning_point["cost"].as_str().is_some_and(|cost| cost.contains("longer")), "{turning_point}");
    // The agent has claimed the draw that the 50-move rule allows.
    let (ruled, _) =
        reviewed(&json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 99 80", "opponent": "infallible", "moves": ["Rb1"]}));
    assert_eq!(ruled[2], "The position was still won, but the 50-move rule ended the game first.");
    // A loser who does not resist, and an opponent who hangs the rook.
    let lost =
        json!({"fen": "8/8/8/8/8/1k6/2R5/K7 b - - 0 1", "human": "black", "opponent": "infallible", "moves": ["Kxc2"]});
    let (gained, _) = reviewed(&lost);
    assert!(gained[0].contains("the position was a draw, and a draw it is"), "{gained:?}");
    let hung = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "human": "black", "moves": ["Rc2", "Kxc2"]});
    let (gained, turning_point) = reviewed(&hung);
    assert_eq!(gained[2], "Your opponent's 1. Rc2+ decided it: it turned a win into a draw.");
    assert_eq!(turning_point, Value::Null);
}
