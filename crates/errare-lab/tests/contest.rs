//! Contests as operations of the lab, with engines in shell.

#![cfg(unix)]

use errare_lab::{ContestRequest, ContestResponse, Lab, LabConfig, LabError};
use errare_work::{Cancel, Silent};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

fn lab(folder: &Path) -> Lab {
    Lab::new(LabConfig { tables: Some(folder.join("tables")), ..LabConfig::default() })
}

/// An engine in shell that reacts to `go` and `stop` by these cases.
fn engine(folder: &Path, cases: &str) -> String {
    let path = folder.join("engine");
    let script = format!(
        "cd '{}'\nwhile read -r word rest; do case \"$word\" in\n{cases}\nuci) echo 'id name Fake'; echo uciok;;\n\
         isready) echo readyok;;\nquit) exit 0;;\nesac; done\n",
        folder.display()
    );
    fs::write(&path, script).expect("a script");
    format!("sh {}", path.display())
}

fn request(value: Value) -> ContestRequest {
    serde_json::from_value(value).expect("a request")
}

#[test]
fn games_of_an_engine_that_fails_are_broken() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), "go) exit 3;;");
    let asked = json!({"engines": [engine], "material": "KQK", "positions": 2, "side": "strong", "seed": 3});
    let found = lab(folder.path()).call("contest", asked, &Silent).expect("a contest");
    let read: ContestResponse = serde_json::from_value(found.clone()).expect("the same shape");
    assert_eq!((read.results[0].games, read.results[0].broken, read.starts.len()), (0, 2, 2));
    assert!(read.broken.iter().all(|game| game.reason.starts_with("Fake ended unexpectedly")), "{found:#}");
    assert_eq!(serde_json::to_value(read).expect("JSON"), found);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = lab(folder.path());
    let refused = |asked: Value| lab.call("contest", asked, &Silent).expect_err("an error").to_string();
    assert_eq!(refused(json!({"engines": [], "material": "KQK"})), "no engine: expected at least one");
    assert_eq!(
        refused(json!({"engines": ["x"], "material": "KQK", "positions": 0})),
        "invalid number of positions 0: expected 1 to 100000"
    );
    assert!(
        refused(json!({"engines": ["/no/such/engine"], "material": "KQK"}))
            .starts_with("/no/such/engine cannot be started")
    );
}

#[test]
fn a_contest_is_cancelled_while_engines_think() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), "go) touch searching;; stop) echo bestmove a1a1;;");
    let pgn = folder.path().join("games.pgn");
    let request = request(json!({"engines": [engine], "material": "KQK", "positions": 4, "pgn": pgn}));
    let (lab, cancel) = (lab(folder.path()), Cancel::new());
    let running = thread::spawn({
        let cancel = cancel.clone();
        move || lab.run(&request, &cancel)
    });
    while !folder.path().join("searching").exists() {
        assert!(!running.is_finished(), "{:?}", running.join());
        thread::sleep(Duration::from_millis(5));
    }
    cancel.cancel();
    let begun = Instant::now();
    let ended = running.join().expect("no panic");
    assert!(matches!(ended, Err(LabError::Cancelled(_))), "{ended:?}");
    // 200 ms on an idle machine; this one may be busy.
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(!pgn.exists());
}
