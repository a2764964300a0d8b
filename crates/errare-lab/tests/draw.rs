//! The operation `draw`: positions to practise with the chance to manage them, and models that are kept.

use crate::common::{LAB, new_lab};
use errare_lab::{DrawRequest, Lab, PlayRequest, PredictRequest};
use errare_work::Silent;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn call(operation: &str, request: &Value) -> Value {
    LAB.call(operation, request.clone(), &Silent).unwrap_or_else(|error| panic!("{operation} {request}: {error}"))
}

fn draw(request: &Value) -> Value {
    let read: DrawRequest = serde_json::from_value(request.clone()).expect("a request");
    let again = serde_json::to_value(&read).expect("JSON");
    let answer = call("draw", request);
    assert_eq!(call("draw", &again), answer, "the same request, the same response");
    answer
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A belief about a person after some games.
fn belief() -> Value {
    let probabilities: Vec<f64> = (0..=50).map(|c| (-(f64::from(c) - 14.0).powi(2) / 50.0).exp()).collect();
    json!({"grid": [0, 1, 50], "probabilities": probabilities})
}

#[test]
fn chances_are_those_of_predict() {
    let model = json!({"hold": "nothing"});
    for competence in [json!(12), belief(), json!("inf")] {
        let won =
            draw(&json!({"material": "KQKR", "depth": "12..18", "competence": competence, "within": 40, "seed": 3}));
        assert_eq!((&won["outcome"], &won["task"], &won["human"]), (&json!("win"), &json!("win"), &json!("white")));
        let asked = json!({"fen": won["fen"], "competence": competence, "within": [40], "model": model});
        assert_eq!(won["chance"], call("predict", &asked)["within"]["40"]["won"]);
        let held = draw(&json!({"lesson": "rook-knight-draw", "competence": competence}));
        assert_eq!((&held["outcome"], &held["task"], &held["depth"]), (&json!("draw"), &json!("draw"), &Value::Null));
        let asked = json!({"fen": held["fen"], "competence": competence, "fallible": "black", "model": model});
        let lost = number(&call("predict", &asked)["within"]["50"]["lost"]);
        assert_eq!(number(&held["chance"]), 1.0 - lost);
    }
    let lost = draw(&json!({"lesson": "queen-rook-defence", "competence": 12}));
    assert_eq!((&lost["task"], &lost["outcome"], &lost["chance"]), (&json!("survive"), &json!("loss"), &Value::Null));
    assert!(
        lost["why"].as_str().is_some_and(|why| why.starts_with("the position is lost against best play")),
        "{lost}"
    );
    let asked = json!({"fen": lost["fen"], "competence": 12, "fallible": "black", "model": model});
    assert_eq!(lost["expected_moves"], call("predict", &asked)["expected_moves"]);
}

#[test]
fn a_chance_is_met_by_the_nearest_depth() {
    for (wanted, competence) in [(0.7, json!(12)), (0.5, belief()), (0.0, json!(30)), (1.0, json!(5))] {
        let drawn = draw(&json!({"material": "KQKR", "chance": wanted, "competence": competence, "seed": 8}));
        let depths = drawn["depths"].as_array().expect("depths");
        assert_eq!(depths.len(), 31, "all depths of KQKR with White to move");
        let distance = |row: &Value| (number(&row["chance"]) - wanted).abs();
        let least = depths.iter().map(distance).fold(f64::INFINITY, f64::min);
        assert!((number(&drawn["chance"]) - wanted).abs() <= least, "{drawn}");
        let row = depths.iter().find(|row| row["depth"] == drawn["depth"]).expect("its depth");
        assert_eq!((row["chance"].clone(), drawn["turn"].clone()), (drawn["chance"].clone(), Value::Null));
        let found = call(
            "find",
            &json!({"materials": ["KQKR"], "metric": "dtc", "turn": "white", "outcome": "win",
            "depth": drawn["depth"], "sample": 1}),
        );
        assert_eq!(found[0]["matched"], row["positions"]);
    }
    // Within a range, and for a draw, which has no depth.
    let few = draw(&json!({"material": "KQKR", "chance": 0.9, "depth": "20..22", "competence": 12}));
    assert_eq!((few["depths"].as_array().map(Vec::len), &few["depth"]), (Some(3), &json!(20)));
    let held = draw(&json!({"material": "KRKN", "human": "black", "outcome": "draw", "chance": 0.9, "competence": 3}));
    assert_eq!((held["depths"].as_array().map(Vec::len), &held["depths"][0]["depth"]), (Some(1), &Value::Null));
    assert_eq!(held["depths"][0]["chance"], held["chance"]);
    // A lesson's depths give way to the chance.
    let easy = draw(&json!({"lesson": "queen-rook", "chance": 0.99, "competence": 12}));
    assert!(number(&easy["depth"]) < 15.0, "{easy}");
}

#[test]
fn the_position_is_that_of_play() {
    for (request, play) in [
        (json!({"seed": 5}), json!({"seed": 5})),
        (json!({"material": "KRKN", "human": "black", "outcome": "draw", "seed": 4}), Value::Null),
        (
            json!({"lesson": "rook", "seed": 2}),
            json!({"material": "KRK", "depth": "10..", "outcome": "win", "seed": 2}),
        ),
    ] {
        let play = if play.is_null() { request.clone() } else { play };
        assert_eq!(draw(&request)["fen"], call("play", &play)["start"], "{request}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    for (request, words) in [
        (
            json!({"lesson": "queen-rok"}),
            "unknown lesson `queen-rok`: `errare course` lists them; did you mean queen-rook?",
        ),
        (json!({"lesson": "rook", "material": "KRK"}), "the lesson says which endgame and which side"),
        (json!({"lesson": "pawn-draw", "chance": 0.5}), "the lesson starts from a fixed position"),
        (json!({"material": "KRK", "chance": 1.5}), "invalid chance 1.5: expected a number from 0 to 1"),
        (json!({"material": "KRK", "chance": 0.5, "outcome": "loss"}), "invalid outcome loss with a chance"),
        (
            json!({"material": "KRK", "chance": 0.5, "outcome": "black-wins"}),
            "invalid outcome black-wins with a chance",
        ),
        (json!({"material": "KRK", "chance": 0.5, "human": "black"}), "no game of KRK can start like that with Black"),
        (json!({"material": "KRK", "chance": 0.5, "depth": "3..9p"}), "give the depth in moves, not in plies"),
        (json!({"material": "KRK", "chance": 0.5, "model": {"metric": "dtr"}}), "dtr"),
        (json!({"material": "KRK", "depth": 40}), "no game of KRK can start like that"),
        (json!({"material": "KRK", "competence": "nobody.json"}), "invalid competence `nobody.json`"),
    ] {
        let error = LAB.call("draw", request.clone(), &Silent).map(|answer| answer.to_string());
        let error = error.expect_err("refused").to_string();
        assert!(error.contains(words), "{request}: {error}");
    }
    // Without a chance asked for the position is given, and why there is none.
    let leaning = draw(&json!({"material": "KRK", "model": {"leanings": ["check=2"]}}));
    assert_eq!(leaning["chance"], Value::Null);
    assert!(leaning["why"].as_str().is_some_and(|why| why.contains("leanings")), "{leaning}");
}

/// What was kept for another request changes no digit of a prediction.
#[test]
fn kept_models_change_nothing() {
    let fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let requests = [
        json!({"fen": fen, "competence": 12}),
        json!({"fen": fen, "competence": belief(), "within": [20, 50]}),
        json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 61 40", "competence": 20}),
        json!({"fen": fen, "competence": 12, "fallible": "black"}),
        json!({"fen": fen, "competence": 12, "model": {"hold": "nothing"}}),
        json!({"fen": fen, "competence": 12, "model": {"kappa": 2}}),
        json!({"fen": fen, "competence": 12, "model": {"metric": "dtm"}}),
    ];
    let shared = new_lab();
    let ask = |lab: &Lab, request: &Value| lab.call("predict", request.clone(), &Silent).expect("a prediction");
    // The whole grid first, so that single competences find it.
    ask(&shared, &json!({"fen": fen}));
    for _ in 0..2 {
        for request in &requests {
            let alone = ask(&new_lab(), request);
            assert_eq!(ask(&shared, request).to_string(), alone.to_string(), "{request}");
        }
    }
}

/// The second answer comes while a page loads: 100 ms, of which a quiet machine needs a few.
#[test]
fn later_answers_come_at_once() {
    let lab = new_lab();
    let quickest = |operation: &str, request: Value| {
        lab.call(operation, request.clone(), &Silent).expect("a response");
        let time = || {
            let begun = Instant::now();
            lab.call(operation, request.clone(), &Silent).expect("a response");
            begun.elapsed()
        };
        (0..20).map(|_| time()).min().unwrap_or_default()
    };
    let targets = quickest("draw", json!({"material": "KQKR", "chance": 0.7, "competence": belief()}));
    let drawn = quickest("draw", json!({"lesson": "queen-rook", "competence": belief(), "seed": 3}));
    let fen = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";
    let predicted = quickest("predict", json!({"fen": fen, "competence": belief(), "model": {"hold": "nothing"}}));
    println!("draw for a chance {targets:?}, draw {drawn:?}, predict {predicted:?}");
    assert!(targets.max(drawn).max(predicted) < Duration::from_millis(100), "{targets:?} {drawn:?} {predicted:?}");
}

#[test]
fn requests_need_little() {
    assert_eq!(serde_json::from_value::<DrawRequest>(json!({})).expect("a request").within, 50);
    assert!(serde_json::from_value::<DrawRequest>(json!({"chances": 1})).is_err());
    // The types that doors written in Rust use.
    let drawn = LAB.run(&DrawRequest { within: 50, ..DrawRequest::default() }, &Silent).expect("a position");
    let predicted = PredictRequest::new(drawn.fen.clone(), "12".into());
    assert!(LAB.run(&predicted, &Silent).is_ok());
    let game = PlayRequest { fen: Some(drawn.fen), ..PlayRequest::default() };
    assert_eq!(LAB.run(&game, &Silent).expect("a game").theory, drawn.outcome);
}
