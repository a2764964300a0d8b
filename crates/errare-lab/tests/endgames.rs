//! Operations on endgames, as a door without a terminal uses them: requests and responses as JSON.

use crate::common::LAB;
use errare_lab::{
    AssessRequest, ChooseRequest, CompetenceRequest, LabError, MarkovRequest, MatchRequest, Operation, OperationInfo,
    PredictRequest,
};
use errare_work::{Cancel, Silent};
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

const KQKR: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";
const DRAWN: &str = "8/8/8/4k3/8/2n5/4K3/7R w - - 0 1";
const BELLE: &str = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";

/// One lab for all tests, so that tables are built once.
/// Calls an operation with JSON, and checks that the request and the response survive being read back.
fn call<O: Operation>(request: Value) -> Value {
    let read: O = serde_json::from_value(request.clone()).unwrap_or_else(|error| panic!("{request}: {error}"));
    let again: O = serde_json::from_value(serde_json::to_value(&read).expect("JSON")).expect("the same request");
    let answer = LAB.call(O::NAME, request, &Silent).unwrap_or_else(|error| panic!("{error}"));
    let typed: O::Response = serde_json::from_value(answer.clone()).expect("the typed response");
    assert_eq!(serde_json::to_value(&typed).expect("JSON"), answer);
    let typed = LAB.run(&again, &Silent).expect("a response");
    assert_eq!(serde_json::to_value(&typed).expect("JSON"), answer);
    answer
}

#[test]
fn an_agent_chooses() {
    let answer = call::<ChooseRequest>(json!({
        "fen": BELLE, "agent": "predator:2", "model": {"hold": "value"},
    }));
    assert_eq!((&answer["move"]["san"], &answer["spec"]), (&"Ra4".into(), &"predator:2".into()));
    assert_eq!((&answer["agent"], &answer["opponent"]), (&"predator".into(), &"2".into()));
    assert_eq!(answer["figure"], "expected depth");
    // The opponent may be part of the request.
    let weak = json!({"grid": [1, 1, 2], "probabilities": [0.5, 0.5]});
    let inline = call::<ChooseRequest>(json!({
        "fen": BELLE, "agent": "predator", "opponent": weak, "model": {"hold": "value"},
    }));
    assert_eq!(inline["move"]["san"], "Ra4");
    let swept = call::<ChooseRequest>(json!({
        "fen": BELLE, "sweep": "0:10:50", "chart": true, "model": {"hold": "value", "kappa": "0+"},
    }));
    assert!(swept["chart"].as_str().is_some_and(|svg| svg.starts_with("<svg ") && svg.contains("c = 5.97")));
    let levy = call::<ChooseRequest>(json!({"fen": DRAWN, "agent": "levy"}));
    assert_eq!(levy["figure"], "chance of giving up the draw");
    let strategy = call::<ChooseRequest>(json!({"fen": KQKR, "agent": "strategy:SZ", "rule": 40}));
    assert_eq!((&strategy["agent"], &strategy["mleft"]), (&"strategy:SZ".into(), &40.into()));
}

#[test]
fn agents_play_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    let answer = call::<MatchRequest>(json!({
        "white": "player:20", "black": "infallible", "fen": KQKR, "games": 20, "seed": 5, "pgn": pgn,
    }));
    assert_eq!((&answer["games"], &answer["results"]["1-0"]), (&20.into(), &20.into()));
    assert_eq!(answer["apparent_c"]["side"], "white");
    let games = std::fs::read_to_string(&pgn).expect("games");
    let assessed = call::<AssessRequest>(json!({"pgn": games, "player": "player", "model": {"hold": "wins"}}));
    assert_eq!(assessed["players"][0]["games"], 20);
    assert_eq!(assessed["games"].as_array().map(Vec::len), Some(20));
    let brief = call::<AssessRequest>(json!({"files": [pgn], "detail": "none"}));
    assert_eq!((brief["games"].as_array().map(Vec::len), &brief["players"][1]["name"]), (Some(0), &"player:20".into()));
}

#[test]
fn positions_are_predicted() {
    let sure = call::<PredictRequest>(json!({"fen": KQKR, "competence": 20}));
    assert!(sure["expected_moves"].as_f64().is_some_and(|moves| (moves - 97.196).abs() < 1e-3));
    assert_eq!((&sure["competence"], &sure["fallible"]), (&"20".into(), &"white".into()));
    let posterior = json!({"grid": [19, 1, 21], "probabilities": [1, 2, 1]});
    let unsure = call::<PredictRequest>(json!({"fen": KQKR, "competence": posterior, "within": [50, 75]}));
    assert_eq!(unsure["competence"], "20.00 expected, of 19(1)21");
    assert_eq!(unsure["within"].as_object().map(|within| within.len()), Some(2));
    // A sample is quicker, and says about the same.
    let sampled = call::<PredictRequest>(json!({"fen": KQKR, "competence": 20, "sample": 50_000, "seed": 1}));
    let won = |found: &Value| found["within"]["50"]["won"].as_f64().expect("a chance");
    assert_eq!((&sampled["sample"], &sure["sample"]), (&50_000.into(), &Value::Null));
    assert!((won(&sampled) - won(&sure)).abs() < 0.03 && won(&sampled) != won(&sure), "{sampled} {sure}");
    // In a drawn position the side that is weaker by its men errs.
    let drawn = call::<PredictRequest>(json!({"fen": DRAWN, "competence": 10, "model": {"hold": "nothing"}}));
    assert_eq!(
        (&drawn["fallible"], &drawn["outcome"], &drawn["depth"]),
        (&"black".into(), &"draw".into(), &Value::Null)
    );
}

#[test]
fn endgames_are_modelled() {
    let answer = call::<MarkovRequest>(json!({"material": "KQKR", "competence": [21, 20], "matrices": true,
        "charts": ["lengths", "at-most", "heat-map"], "after": [5], "passage": 10}));
    assert_eq!(answer["results"][0]["competence"], 20.0);
    assert_eq!(answer["metric"], "dtc");
    assert_eq!(answer["matrices"].as_array().map(Vec::len), Some(2));
    for chart in ["lengths", "at-most", "heat-map"] {
        assert!(answer["charts"][chart].as_str().is_some_and(|svg| svg.starts_with("<svg ")), "{chart}");
    }
    let other = call::<MarkovRequest>(json!({"material": "KRKQ", "side": "black", "competence": "20,21"}));
    assert_eq!(other["results"][0]["lengths"], answer["results"][0]["lengths"]);
}

#[test]
fn bad_requests_are_refused_in_words() {
    for (operation, request, words) in [
        ("choose", json!({"fen": KQKR}), "the agent `player` needs a competence"),
        ("choose", json!({"fen": KQKR, "agent": "player:3", "depth": 4}), "takes no search depth"),
        ("choose", json!({"fen": KQKR, "agent": "predator:nobody"}), "invalid competence `nobody`"),
        ("choose", json!({"fen": KQKR, "agent": "player:3", "sweep": "0:50"}), "a sweep works with the predator only"),
        ("choose", json!({"fen": KQKR, "speed": 3}), "unknown field `speed`"),
        ("choose", json!({"fen": "7k/6Q1/6K1/8/8/8/8/r7 b - - 0 1", "competence": 3}), "the game is over"),
        ("match", json!({"white": "player:3", "black": "playr", "fen": KQKR}), "invalid agent `playr`"),
        ("match", json!({"white": "player:3", "black": "levy", "fen": KQKR, "games": 0}), "invalid number of games 0"),
        ("predict", json!({"fen": KQKR, "model": {"leanings": ["check=2"]}}), "leave the leanings out"),
        ("predict", json!({"fen": KQKR, "competence": "x.json"}), "invalid competence `x.json`"),
        (
            "markov",
            json!({"material": "KQKR", "competence": 20, "from_depth": 40}),
            "invalid depth 40: expected at most 31",
        ),
        ("markov", json!({"material": "KQKR", "competence": "0:0.01:20"}), "too many competences"),
        ("markov", json!({"material": "KQKR", "competence": 20, "gone": 60}), "invalid number of moves gone 60"),
        ("markov", json!({"material": "KPK", "competence": 20, "blocks": true}), "expected dtm or dtr"),
        (
            "markov",
            json!({"material": "KPK", "competence": 20, "blocks": true, "passage": 9, "model": {"metric": "dtm"}}),
            "goes without passage times",
        ),
        ("assess", json!({}), "nothing to assess"),
        ("assess", json!({"pgn": ""}), "there is no game to assess"),
        ("assess", json!({"files": ["no such file"]}), "cannot open no such file"),
    ] {
        let error = LAB.call(operation, request, &Silent).expect_err(words).to_string();
        assert!(error.contains(words), "{operation}: {error}");
    }
}

/// The men of both sides are named as they were typed, and a block of its own is the endgame on its own.
#[test]
fn endgames_after_a_conversion_have_blocks() {
    let model = json!({"metric": "dtm"});
    let blocks = |material: &str, side: &str| {
        let request = json!({
            "material": material, "competence": 12, "side": side, "blocks": true, "model": model.clone(),
        });
        call::<MarkovRequest>(request)["results"][0].clone()
    };
    let (white, black) = (blocks("KPK", "white"), blocks("KKP", "black"));
    assert_eq!(white["lengths"], black["lengths"]);
    let names = |outlook: &Value| -> Vec<String> {
        let blocks = outlook["blocks"].as_array().into_iter().flatten();
        blocks.filter_map(|block| block["material"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!((names(&white), names(&black)), (vec!["KQK".into(), "KRK".into()], vec!["KKQ".into(), "KKR".into()]));
    let alone = call::<MarkovRequest>(json!({"material": "KRK", "competence": 12, "model": model.clone()}));
    let close = |one: &Value, two: &Value| {
        let numbers =
            |list: &Value| -> Vec<f64> { list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect() };
        let (one, two) = (numbers(one), numbers(two));
        one.len() == two.len() && one.iter().zip(&two).all(|(one, two)| (one - two).abs() <= 1e-9 * two)
    };
    assert!(close(&white["blocks"][1]["lengths"], &alone["results"][0]["lengths"]), "{white} {alone}");
}

#[test]
fn fields_are_described_in_schemas() {
    for name in ["choose", "match", "predict", "markov", "assess"] {
        let operation = OperationInfo::find(name).expect(name);
        for schema in [(operation.request_schema)(), (operation.response_schema)()] {
            let fields = schema.get("properties").and_then(Value::as_object).expect("fields");
            for (field, shape) in fields {
                assert!(shape.get("description").is_some(), "{name}: {field} has no description");
            }
        }
    }
}

#[test]
fn long_operations_stop() {
    let request: MatchRequest = serde_json::from_value(json!({
        "white": "predator:20,plies=4,scope=all", "black": "player:0", "fen": KQKR, "games": 1_000_000,
    }))
    .expect("a request");
    // Tables are there before the clock runs.
    LAB.run(&PredictRequest::new(KQKR, CompetenceRequest::from("20")), &Silent).expect("a prediction");
    let cancel = Cancel::new();
    let waiting = cancel.clone();
    let stopper = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        waiting.cancel();
        Instant::now()
    });
    let stopped = LAB.run(&request, &cancel);
    let (now, then) = (Instant::now(), stopper.join().expect("a time"));
    assert!(matches!(stopped, Err(LabError::Cancelled(_))));
    assert!(now.saturating_duration_since(then) < Duration::from_secs(5));
}
