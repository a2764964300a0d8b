//! Lines and strategies as operations of the lab, with JSON in and out.

use crate::common::LAB;
use errare_lab::{
    FollowOutcome, LabError, LineEnd, LineRequest, LineResponse, StrategyCompareRequest, StrategyCompareResponse,
    StrategyFollowRequest, StrategyFollowResponse,
};
use errare_work::{Cancel, Silent};
use serde_json::{Value, json};

fn refused(operation: &str, request: Value) -> String {
    LAB.call(operation, request, &Silent).expect_err("an error").to_string()
}

#[test]
fn a_line_has_defaults_and_its_response_is_read_back() {
    let request = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "white": "SM", "black": "SM"});
    let found = LAB.call("line", request, &Silent).expect("a line");
    assert_eq!((&found["rule"], &found["mleft"], &found["lines"][0]["plies"]), (&50.into(), &50.into(), &31.into()));
    assert_eq!(found["lines"][0]["phases"][0]["depths"]["dtm"]["plies"], 31);
    let read: LineResponse = serde_json::from_value(found.clone()).expect("the same shape");
    assert_eq!(read.lines[0].end, LineEnd::Mate);
    assert_eq!(serde_json::to_value(read).expect("JSON"), found);
}

#[test]
fn what_makes_no_line_is_refused() {
    let with = |field: &str, value: Value| {
        let mut request = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "white": "SM", "black": "SM", "seed": 1});
        request[field] = value;
        refused("line", request)
    };
    assert_eq!(with("all", true.into()), "`seed` and `all` exclude each other");
    assert_eq!(with("moves", "Kb1".into()), "`seed` and `moves` exclude each other");
    assert!(with("white", "X".into()).contains("invalid strategy `X`"));
    assert!(with("rule", "0".into()).contains("invalid move rule `0`"));
    let moves = |moves: &str| {
        refused("line", json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w", "white": "SM", "black": "SM", "moves": moves}))
    };
    assert!(moves("1.").starts_with("no moves to mark"));
    assert!(moves("Xx").starts_with("invalid move `Xx`"));
    assert!(moves("Rb9").starts_with("invalid move `Rb9`"));
    assert!(moves("Kb3").starts_with("illegal move Kb3 in 8/8/8/8/8/2k5/1R6/K7 w"));
}

#[test]
fn strategies_are_followed() {
    let request = json!({"fen": "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1", "strategies": ["SZ", "SM"], "rule": 20});
    let found = LAB.call("strategy-follow", request, &Silent).expect("outcomes");
    let read: StrategyFollowResponse = serde_json::from_value(found).expect("the same shape");
    assert_eq!((read.defence.as_str(), read.rule), ("SR", 20));
    assert!(read.strategies.iter().all(|followed| followed.outcome == FollowOutcome::Wins && followed.line.is_empty()));
    let fen = "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1";
    assert!(refused("strategy-follow", json!({"fen": fen, "strategies": []})).starts_with("no strategy"));
    let endless = json!({"fen": fen, "strategies": ["SZ"], "rule": 10_000});
    assert!(refused("strategy-follow", endless).starts_with("invalid move rule `10000`"));
}

#[test]
fn strategies_are_compared() {
    let request = json!({"material": "KRK", "strategies": ["SZ"], "defence": "SM", "rule": 15, "sample": 200});
    let found = LAB.call("strategy-compare", request, &Silent).expect("a comparison");
    let read: StrategyCompareResponse = serde_json::from_value(found).expect("the same shape");
    let tally = &read.strategies[0];
    assert!(read.wins > 0 && tally.kept + tally.slipped + tally.unsettled == read.wins);
    assert_eq!((read.sample, read.seed), (Some(200), Some(0)));
}

#[test]
fn cancelled_work_is_an_error_of_its_own() {
    let cancel = Cancel::new();
    cancel.cancel();
    let line = json!({"fen": "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "white": "SM", "black": "SM"});
    let line: LineRequest = serde_json::from_value(line).expect("a request");
    assert!(matches!(LAB.run(&line, &cancel), Err(LabError::Cancelled(_))));
    let follow = json!({"fen": "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1", "strategies": ["SZ"]});
    let follow: StrategyFollowRequest = serde_json::from_value(follow).expect("a request");
    assert!(matches!(LAB.run(&follow, &cancel), Err(LabError::Cancelled(_))));
    let compare = json!({"material": "KRK", "strategies": ["SZ"], "sample": null});
    let compare: StrategyCompareRequest = serde_json::from_value(compare).expect("a request");
    assert!(matches!(LAB.run(&compare, &cancel), Err(LabError::Cancelled(_))));
}
