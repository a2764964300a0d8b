//! The operations on turns, as any door would use them.

use errare_lab::{
    BenchRequest, CalibrateRequest, CalibrateResponse, CalibrationInput, ChoiceModelRequest, FitRequest, Lab,
    LabConfig, LabError, PlayersRequest, RateRequest, RatingBench, ReportPlayerRequest, ScaleRequest, ScreenRequest,
    TurnsRequest,
};
use errare_ratings::{Method, Scale};
use errare_work::{Cancel, Silent};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

const TURNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data/mileposts.jsonl.gz");

fn lab() -> Lab {
    Lab::new(LabConfig::default())
}

fn turns() -> TurnsRequest {
    TurnsRequest { engine: Some("Stockfish-15.1".to_owned()), depth: Some(10), ..TurnsRequest::new([TURNS]) }
}

fn read<T: DeserializeOwned>(request: Value) -> T {
    serde_json::from_value(request).expect("a request")
}

#[test]
fn fields_that_are_left_out_have_the_defaults_of_the_command_line() {
    let (files, calibration) = (json!({"files": ["a"]}), "c.json");
    let turns = TurnsRequest::new(["a"]);
    assert_eq!((turns.first_move, turns.max_eval, turns.keep_repeats), (9, Some(3.0), false));
    assert_eq!(read::<TurnsRequest>(files.clone()), turns);
    assert_eq!(read::<TurnsRequest>(json!({"files": ["a"], "max_eval": null})).max_eval, None);

    let fit = FitRequest::new(turns.clone());
    assert_eq!((fit.min_turns, fit.methods.as_slice(), fit.bootstrap), (50, &[Method::Percentile][..], 0));
    assert_eq!((fit.scale.a, fit.scale.cap), (1.0, 10.0));
    assert_eq!((fit.model.relation.to_string(), fit.model.curve.to_string()), ("powers".into(), "invexp".into()));
    assert_eq!(read::<FitRequest>(json!({"turns": files})), fit);
    let input = CalibrationInput {
        turns: turns.clone(),
        scale: ScaleRequest::default(),
        model: ChoiceModelRequest::default(),
        method: Method::Percentile,
    };
    assert_eq!(
        read::<CalibrateRequest>(json!({"input": {"turns": files}})),
        CalibrateRequest { input, out: None, about: None }
    );
    let rate = RateRequest::new(turns.clone(), calibration);
    assert_eq!(rate.min_turns, 100);
    assert_eq!(read::<RateRequest>(json!({"turns": files, "calibration": calibration})), rate);
    let with_player = json!({"turns": files, "calibration": calibration, "player": "b"});
    let screen = ScreenRequest::new(turns.clone(), calibration, "b");
    assert_eq!((screen.min_turns, screen.widening), (50, None));
    assert_eq!(read::<ScreenRequest>(with_player.clone()), screen);
    let report = ReportPlayerRequest::new(turns.clone(), calibration, "b");
    assert_eq!(read::<ReportPlayerRequest>(with_player), report);
    assert_eq!(read::<PlayersRequest>(json!({"turns": files})), PlayersRequest::new(turns));
}

#[test]
fn requests_that_make_no_sense_are_refused_with_the_reason() {
    let lab = lab();
    let files = json!({"files": [TURNS]});
    for (operation, request, words) in [
        ("fit", json!({"turns": files, "metods": []}), "unknown field `metods`"),
        ("fit", json!({"turns": files, "scale": {"b": 1}}), "unknown field `b`"),
        ("fit", json!({"turns": {"files": []}}), "no turn files"),
        ("fit", json!({"turns": files, "methods": []}), "no methods"),
        ("fit", json!({"turns": files, "bootstrap": 1_000_001}), "invalid number of draws `1000001`"),
        ("fit", json!({"turns": {"files": [TURNS], "first_move": 0}}), "invalid first move `0`"),
        ("fit", json!({"turns": {"files": [TURNS], "max_eval": -1}}), "invalid greatest evaluation `-1`"),
        ("fit", json!({"turns": files, "scale": {"a": -1}}), "invalid constant a `-1`"),
        ("fit", json!({"turns": files, "scale": {"cap": 0}}), "invalid greatest loss `0`"),
        ("players", json!({"turns": files, "page": 9}), "there is no page 9"),
        (
            "screen",
            json!({"turns": files, "calibration": "none", "player": "a", "claimed": 0}),
            "invalid rating `0`: expected a number above 0",
        ),
    ] {
        let error = lab.call(operation, request.clone(), &Silent).expect_err("refused").to_string();
        assert!(error.contains(words), "{request}: {error}");
    }
}

/// Losses are numbers of 32 bits, which have more digits as numbers of 64 bits.
#[test]
fn a_value_has_the_digits_of_the_text() {
    let (lab, request) = (lab(), json!({"input": {"turns": turns()}}));
    let text = lab.call_text("calibrate", request.clone(), &Silent).expect("a calibration");
    let value = lab.call("calibrate", request, &Silent).expect("a calibration");
    assert_eq!(value, serde_json::from_str::<Value>(&text).expect("JSON"));
    let losses = value["reference"].to_string();
    let is_short = |number: &str| number.len() <= "1.234".len();
    assert!(
        losses.contains('.') && losses.split(|other: char| !(other.is_ascii_digit() || other == '.')).all(is_short)
    );
}

#[test]
fn turns_are_loaded_again_only_when_a_file_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("turns.jsonl.gz");
    std::fs::copy(TURNS, &file).expect("copied");
    let (lab, request) = (lab(), TurnsRequest::new([&file]));
    let load = |scale| lab.turns(&request, scale, &Silent).expect("turns");
    let (first, second) = (load(Scale::default()), load(Scale::default()));
    assert!(Arc::ptr_eq(&first, &second));
    assert!(!Arc::ptr_eq(&first, &load(Scale { a: 0.0, ..Scale::default() })));
    std::fs::write(&file, "").expect("written");
    assert_eq!(load(Scale::default()).turns.count(), 0);
}

/// The calibration is made once, rates as a file and on a bench, and both give the same.
#[test]
fn one_player_has_one_rating_at_every_door() {
    let (lab, folder) = (lab(), tempfile::tempdir().expect("a folder"));
    let path = |name: &str| folder.path().join(name);
    let input =
        CalibrationInput { turns: turns(), scale: <_>::default(), model: <_>::default(), method: <_>::default() };
    let out = Some(path("calibration.json"));
    let made = lab.run(&CalibrateRequest { input: input.clone(), out, about: None }, &Silent).expect("a calibration");
    assert!(made.left_out.total() > 0);

    let page = path("player.html");
    let request = ReportPlayerRequest {
        claimed: Some(2500.0),
        min_turns: 10,
        out: Some(page.clone()),
        ..ReportPlayerRequest::new(turns(), path("calibration.json"), "karjakin")
    };
    let report = lab.run(&request, &Silent).expect("a report");
    assert_eq!(report.title, "Karjakin,Sergey");
    assert_eq!(std::fs::read_to_string(page).expect("a page"), report.html);
    assert!(!report.study.calibration.from_these_turns);

    let request = BenchRequest { input: Some(input), calibration: None, min_turns: 10 };
    let bench = lab.rating_bench(&request, &Silent).expect("a bench");
    assert_eq!(bench.find_player("KARJ").expect("a name"), "Karjakin,Sergey");
    let rated = bench.rate("Karjakin,Sergey", &Silent).expect("a rating");
    let study = bench.player(&rated, Some(2500.0), &Silent).expect("a study");
    assert!(study.calibration.from_these_turns);
    assert_eq!(study.rating.turns, report.study.rating.turns);
    assert!((study.rating.ipr - report.study.rating.ipr).abs() < 1e-6);
    let json = |response| serde_json::to_value::<CalibrateResponse>(response).expect("JSON");
    assert_eq!(json(bench.mileposts().expect("mileposts")), json(made));

    let cancel = Cancel::new();
    cancel.cancel();
    assert!(matches!(bench.rate("Karjakin,Sergey", &cancel), Err(LabError::Cancelled(_))));
}

#[test]
fn labs_and_benches_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Lab>();
    shared::<RatingBench>();
}
