//! Requests of clients, as a server has them: whatever the operation, they reach nothing that they name, and ask for
//! bounded work.

use crate::common::shared_tables;
use errare_lab::{ErrorKind, Lab, LabConfig, LabError, OPERATIONS, OperationInfo};
use errare_work::{Cancel, Progress, Silent};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

const WON: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

/// One lab for all tests, so that tables are built once.
static LAB: LazyLock<Lab> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let engine = folder.join("clients-engine.sh");
    fs::write(&engine, ENGINE).expect("written");
    Lab::new(LabConfig {
        tables: Some(shared_tables()),
        engine: format!("/bin/sh {}", engine.display()).parse().ok(),
        evaluations: Some(folder.join("clients-evaluations.sqlite")),
        ..LabConfig::default()
    })
});

/// An engine that is never asked about a position.
const ENGINE: &str = "while read -r word rest; do case \"$word\" in
uci) echo 'option name MultiPV type spin default 1 min 1 max 500'; echo uciok;;
isready) echo readyok;;
quit) exit;;
esac; done
";

/// A request of each operation that is quick to answer, with a value wherever a path may stand that only a richer
/// request would reach. A new operation needs one here.
fn requests(operation: &str) -> Vec<Value> {
    let turns = json!({"files": []});
    match operation {
        "build" => vec![json!({"materials": ["KRK"]})],
        "probe" => vec![json!({"fen": WON})],
        "squares" => vec![json!({"fen": WON, "square": "b2"})],
        "stats" => vec![json!({"materials": ["KRK"]})],
        "zugzwangs" => vec![json!({"material": "KRK"})],
        "find" => vec![json!({"materials": ["KRK"]})],
        "course" => vec![json!({})],
        "draw" => vec![json!({"material": "KRK", "competence": 20}), json!({"lesson": "rook", "chance": 0.5})],
        "play" => vec![json!({"fen": WON}), json!({"fen": WON, "opponent": "predator"})],
        "verify" => vec![json!({"materials": ["KRK"], "sample": 10})],
        "compare" => vec![json!({"materials": ["KRK"], "with": "tables:none", "sample": 10})],
        "list" => vec![json!({})],
        "choose" => vec![json!({"fen": WON, "agent": "player:20"}), json!({"fen": WON, "agent": "predator"})],
        "assess" => vec![json!({"pgn": format!("[SetUp \"1\"]\n[FEN \"{WON}\"]\n\n1. Rb1 *\n")})],
        "markov" => vec![json!({"material": "KRK", "competence": 20, "sample": 10})],
        "match" => vec![json!({"fen": WON, "white": "infallible", "black": "player:1", "games": 1, "most_moves": 2})],
        "whole-games" => {
            vec![json!({"white": "infallible", "black": "player:1", "advice": "search", "fens": [WON]})]
        }
        "contest" => vec![json!({"engines": ["none"], "material": "KRK", "positions": 1})],
        "predict" => vec![json!({"sample": 1000, "fen": WON, "competence": 20})],
        "line" => vec![json!({"fen": WON, "white": "SC", "black": "SC", "plies": 2})],
        "strategy-follow" => vec![json!({"fen": WON, "strategies": ["SZ"]})],
        "strategy-compare" => vec![json!({"material": "KRK", "strategies": ["SZ"], "sample": 10})],
        "evaluate" => vec![json!({"files": [], "engine": "none", "out": "none"})],
        "merge" => vec![json!({"parts": [], "out": "none"})],
        "fit" | "players" => vec![json!({"turns": turns})],
        "calibrate" | "report-ratings" | "periods" | "honesty" => vec![json!({"input": {"turns": turns}})],
        "rate" => vec![json!({"turns": turns, "calibration": "none"})],
        "rate-games" => vec![json!({"pgn": "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n"})],
        "scale" => vec![json!({"files": []})],
        "reproduce" => vec![json!({"only": ["004-2-76"]}), json!({"list": true})],
        "experiment" => vec![json!({"names": []}), json!({"names": ["elo"]})],
        "cluster-tables" => {
            vec![
                json!({"tables": {"materials": ["KRK"]}, "run": {"folder": "none", "system": "xargs", "dry_run": true}}),
            ]
        }
        "cluster-evaluate" => vec![json!({
            "evaluate": {"files": ["none"], "engine": "none", "out": "none"},
            "shards": 2,
            "run": {"folder": "none", "system": "xargs", "dry_run": true}
        })],
        "cluster-status" | "cluster-resume" => vec![json!({"folder": "none"})],
        "cluster-work" => vec![json!({"folder": "none", "number": 0})],
        "cluster-forecast" => vec![json!({"work": {"tables": {"tables": {"materials": ["KRK"]}}}})],
        "screen" | "report-player" => vec![json!({"turns": turns, "calibration": "none", "player": "a"})],
        _ => panic!("there is no request of `{operation}` to try"),
    }
}

/// The places of a schema that hold values of a type, as JSON pointers into a request.
fn places(schema: &Value, root: &Value, kind: &str, at: &str, found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return places(target.unwrap_or_else(|| panic!("{reference}")), root, kind, at, found);
    }
    let of_kind = |value: &Value| value == kind;
    if of_kind(&schema["type"]) || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(of_kind)) {
        found.insert(at.to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        places(field, root, kind, &format!("{at}/{name}"), found);
    }
    if schema["items"].is_object() {
        places(&schema["items"], root, kind, &format!("{at}/0"), found);
    }
    for choices in ["anyOf", "oneOf", "allOf"] {
        for choice in schema[choices].as_array().into_iter().flatten() {
            places(choice, root, kind, at, found);
        }
    }
}

fn places_of(operation: &OperationInfo, kind: &str) -> BTreeSet<String> {
    let (schema, mut found) = ((operation.request_schema)().to_value(), BTreeSet::new());
    places(&schema, &schema, kind, "", &mut found);
    found.remove("");
    found
}

/// The request with a value at a place, whatever was there.
fn with_value(request: &Value, place: &str, value: Value) -> Value {
    let mut changed = request.clone();
    let mut here = &mut changed;
    for step in place.split('/').skip(1) {
        if step == "0" {
            if !here.is_array() {
                *here = json!([]);
            }
            let items = here.as_array_mut().expect("an array");
            if items.is_empty() {
                items.push(Value::Null);
            }
            here = &mut items[0];
        } else {
            if !here.is_object() {
                *here = Value::Object(Map::new());
            }
            here = here.as_object_mut().expect("an object").entry(step).or_insert(Value::Null);
        }
    }
    *here = value;
    changed
}

/// The texts by which a path may be named.
fn texts(path: &Path) -> Vec<String> {
    let path = path.display();
    ["", "syzygy:", "gaviota:", "tables:", "predator:"].iter().map(|kind| format!("{kind}{path}")).collect()
}

/// A folder with what is worth reading and starting, and nothing else. It can be hidden, so that its paths lead nowhere.
struct Bait {
    folder: tempfile::TempDir,
}

impl Bait {
    fn new() -> Bait {
        let bait = Bait { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(bait.shown()).expect("a folder");
        bait.restore();
        let program = format!("#!/bin/sh\ntouch {}\n", bait.path("started").display());
        fs::write(bait.path("program"), program).expect("written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(bait.path("program"), fs::Permissions::from_mode(0o755)).expect("a program");
        }
        fs::create_dir(bait.path("folder")).expect("a folder");
        bait
    }

    /// Puts back what whoever runs the program may have written over.
    fn restore(&self) {
        fs::write(self.path("bait"), r#"{"grid": [0, 1, 2], "probabilities": [1, 2, 3]}"#).expect("written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.shown().join(name)
    }

    fn shown(&self) -> PathBuf {
        self.folder.path().join("shown")
    }

    /// Does something while the paths lead nowhere.
    fn hidden<T>(&self, work: impl FnOnce() -> T) -> T {
        let hidden = self.folder.path().join("hidden");
        fs::rename(self.shown(), &hidden).expect("renamed");
        let found = work();
        assert!(!self.shown().exists(), "something was written there");
        fs::rename(&hidden, self.shown()).expect("renamed");
        found
    }

    #[allow(clippy::disallowed_methods, reason = "the folder of the test")]
    fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.shown()).expect("readable");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

/// What came of a request.
fn outcome(lab: &Lab, operation: &OperationInfo, request: &Value) -> String {
    let answer = lab.call(operation.name, request.clone(), &Silent);
    answer.map_or_else(|error| format!("{:?} {error}", error.kind()), |answer| answer.to_string())
}

/// Whether what a path leads to is there makes no difference to a client, for any operation and in any place; so nothing
/// was opened, nor even looked for. To whoever runs the program it does, which shows that the requests get that far.
#[test]
fn clients_reach_nothing_by_name() {
    let (bait, lab) = (Bait::new(), LAB.for_clients());
    let before = bait.names();
    let mut differing: BTreeSet<&str> = BTreeSet::new();
    for operation in OPERATIONS {
        for request in requests(operation.name) {
            for place in places_of(operation, "string") {
                for existing in ["bait", "folder", "program"] {
                    for text in texts(&bait.path(existing)) {
                        let asked = with_value(&request, &place, json!(text));
                        let seen = outcome(&lab, operation, &asked);
                        let unseen = bait.hidden(|| outcome(&lab, operation, &asked));
                        assert_eq!(seen, unseen, "{} {asked}", operation.name);
                        assert_eq!(bait.names(), before, "{} {asked}", operation.name);
                        if existing == "bait" && operation.exposure.is_served() {
                            let seen = outcome(&LAB, operation, &asked);
                            bait.restore();
                            if seen != bait.hidden(|| outcome(&LAB, operation, &asked)) {
                                differing.insert(operation.name);
                            }
                        }
                    }
                }
            }
        }
    }
    for operation in ["choose", "draw", "predict", "match", "assess", "rate-games"] {
        assert!(differing.contains(operation), "{operation} is not among {differing:?}");
    }
}

#[test]
fn refusals_of_paths_are_clear() {
    let lab = LAB.for_clients();
    for (operation, request, name) in [
        ("choose", json!({"fen": WON, "agent": "predator:weak.json"}), "weak.json"),
        ("choose", json!({"fen": WON, "agent": "predator", "opponent": "weak.json"}), "weak.json"),
        ("predict", json!({"fen": WON, "competence": "weak.json"}), "weak.json"),
        ("predict", json!({"fen": WON, "analysis": {"prior": "weak.json"}}), "weak.json"),
        ("draw", json!({"material": "KRK", "competence": "weak.json"}), "weak.json"),
        ("match", json!({"fen": WON, "white": "infallible", "black": "player:1", "pgn": "out.pgn"}), "out.pgn"),
        ("probe", json!({"fen": WON, "source": "syzygy:/"}), "syzygy:/"),
        ("assess", json!({"files": ["-"]}), "-"),
        ("line", json!({"fen": WON, "white": "SC", "black": "SC", "pgn": "out.pgn"}), "out.pgn"),
    ] {
        let error = lab.call(operation, request, &Silent).expect_err("refused");
        assert!(matches!(&error, LabError::Outside(refused) if refused == name), "{operation}: {error}");
        let sentence = format!("`{name}` cannot be used here: it would name a file, folder or program of the server");
        assert_eq!(error.to_string(), sentence);
    }
    let error = lab.call("rate", json!({}), &Silent).expect_err("refused");
    assert_eq!(error.to_string(), "`rate` cannot be used here: it works on files of the server");
    // What needs no file is answered.
    let chosen = lab.call("choose", json!({"fen": WON, "agent": "predator:5"}), &Silent).expect("a move");
    assert_eq!(chosen["spec"], "predator:5");
}

/// Stops work that takes too long.
struct Deadline(Instant, Cancel);

impl Progress for Deadline {
    fn is_cancelled(&self) -> bool {
        if Instant::now() > self.0 {
            self.1.cancel();
        }
        self.1.is_cancelled()
    }
}

/// No number makes the work of a client long, or its memory grow: it is refused, or makes no difference.
#[test]
fn clients_ask_for_bounded_work() {
    let lab = LAB.for_clients();
    let mut refused: BTreeSet<String> = BTreeSet::new();
    for operation in OPERATIONS.iter().filter(|operation| operation.exposure.is_served()) {
        for request in requests(operation.name) {
            // Once, so that its tables are there.
            lab.call(operation.name, request.clone(), &Silent).unwrap_or_else(|error| panic!("{request}: {error}"));
            for place in places_of(operation, "integer") {
                for number in [u64::MAX, u64::from(u32::MAX), u64::from(u16::MAX), u64::from(u8::MAX), 60_000] {
                    let asked = with_value(&request, &place, json!(number));
                    let (name, lab) = (operation.name, lab.clone());
                    let deadline = Deadline(Instant::now() + Duration::from_secs(20), Cancel::new());
                    let text = asked.to_string();
                    let answer = thread::spawn(move || lab.call(name, asked, &deadline)).join().expect("no panic");
                    match answer {
                        Err(LabError::Cancelled(_)) => panic!("{name} takes long: {text}"),
                        Err(error) if error.to_string().contains("a server allows at most") => {
                            refused.insert(format!("{name}{place}"));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    for place in [
        "assess/men",
        "draw/within",
        "line/most",
        "line/plies",
        "markov/after/0",
        "markov/passage",
        "markov/sample",
        "markov/within/0",
        "match/games",
        "match/most_moves",
        "predict/sample",
        "predict/within/0",
        "rate-games/depth",
        "rate-games/workers",
        "strategy-compare/examples",
        "strategy-compare/sample",
        "verify/sample",
    ] {
        assert!(refused.contains(place), "{place} is not among {refused:?}");
    }
    for (operation, request) in [
        ("choose", json!({"fen": WON, "agent": "predator:5,plies=64"})),
        ("choose", json!({"fen": WON, "agent": "levy:0.2,plies=64"})),
        ("choose", json!({"fen": WON, "agent": "pitfall:0.2,plies=64"})),
        ("choose", json!({"fen": WON, "agent": "levy", "depth": 10})),
        ("choose", json!({"fen": WON, "sweep": "0:0.001:50"})),
        ("predict", json!({"fen": WON, "analysis": {"grid": "0:0.1:50"}})),
        ("draw", json!({"material": "KRK", "analysis": {"grid": "0:0.1:50"}})),
        ("match", json!({"fen": WON, "white": "predator:5,plies=64", "black": "player:1"})),
        ("build", json!({"materials": ["KRBKNN"]})),
        ("build", json!({"men": 6})),
        ("reproduce", json!({})),
        ("reproduce", json!({"only": ["002"]})),
        ("reproduce", json!({"only": ["004-2-76"], "six_men": true})),
        ("experiment", json!({"names": ["elo", "metrics"]})),
        ("experiment", json!({"names": ["slips"]})),
        ("experiment", json!({"names": ["slips"], "endgames": ["KBBKN", "KQKNN"]})),
    ] {
        let error = lab.call(operation, request, &Silent).expect_err("refused");
        assert!(error.to_string().contains("a server allows at most"), "{operation}: {error}");
    }
    // Whoever runs the program may do as they like.
    let own = json!({"fen": WON, "white": "infallible", "black": "player:1", "games": 20_000, "most_moves": 1});
    assert_eq!(LAB.call("match", own, &Silent).expect("a match")["games"], 20_000);
}

/// There are ten thousand move rules: clients cannot have tables of all of them built, in whatever way they name the rule.
#[test]
#[allow(clippy::disallowed_methods, reason = "the folder of the test")]
fn clients_have_tables_of_few_move_rules_built() {
    let folder = tempfile::tempdir().unwrap();
    let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
    let clients = lab.for_clients();
    let call = |lab: &Lab, operation: &str, request: Value| lab.call(operation, request, &Silent);
    for (operation, request) in [
        ("build", json!({"materials": ["KRK"], "metrics": ["dtz31"]})),
        ("probe", json!({"fen": WON, "metric": "dtz31"})),
        ("stats", json!({"materials": ["KRK"], "metric": "dtz31"})),
        ("find", json!({"materials": ["KRK"], "metric": "dtz31"})),
        ("choose", json!({"fen": WON, "agent": "player:20", "model": {"metric": "dtz31"}})),
        ("draw", json!({"lesson": "rook", "chance": 0.5, "model": {"metric": "dtz31"}})),
        ("draw", json!({"lesson": "pawn-draw", "model": {"metric": "dtz31"}})),
        ("strategy-follow", json!({"fen": WON, "strategies": ["SZ"], "rule": 31})),
    ] {
        let refused = call(&clients, operation, request).expect_err(operation);
        assert_ne!(refused.kind(), ErrorKind::Failed, "{operation}: {refused}");
        assert!(refused.to_string().contains("dtz31 is missing") && refused.to_string().contains("dtz50"), "{refused}");
    }
    let is_of_the_rule = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().contains("dtz31");
    assert!(!fs::read_dir(folder.path()).unwrap().map(Result::unwrap).any(|entry| is_of_the_rule(&entry)));
    call(&clients, "probe", json!({"fen": WON, "metric": "dtz50"})).unwrap();
    // What the owner of the machine built can be asked for.
    call(&lab, "build", json!({"materials": ["KRK"], "metrics": ["dtz31"]})).unwrap();
    call(&clients, "probe", json!({"fen": WON, "metric": "dtz31"})).unwrap();
}
