//! `errare contest`, end to end: with engines that fail, and with Stockfish if it is there.

#![cfg(unix)]

use crate::common::{files, fresh, json, program, run, shared, stderr};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// An engine in shell that introduces itself, and reacts to the rest by these cases.
fn fake(folder: &Path, name: &str, cases: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "cd '{}'\necho $$ >> pids\nwhile read -r word rest; do case \"$word\" in\n{cases}\n\
         uci) echo 'id name Fake'; echo 'option name Threads type spin default 4 min 1 max 8'\n\
         echo 'option name SyzygyPath type string default /tables'; echo uciok;;\n\
         isready) echo readyok;;\n setoption) echo \"$rest\" >> options;;\n quit) exit 0;;\n esac; done\n",
        folder.display()
    );
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

fn contest(engine: &str, line: &str) -> assert_cmd::Command {
    let mut command = run(shared(), "contest --engine");
    command.arg(engine).args(line.split_whitespace());
    command
}

#[test]
fn games_of_engines_that_fail_are_broken_and_named() {
    let folder = fresh();
    for (name, cases, reason) in [
        ("crash", "go) echo go >> crashes; exit 3;;", "Fake ended unexpectedly (exit status: 3)"),
        ("cheat", "go) echo bestmove a1h8;;", "Fake answered `a1h8`, which is not a possible move in "),
        ("mute", "go) ;; stop) echo bestmove a1a1;;", "Fake had not finished its search within 1s"),
    ] {
        let engine = fake(folder.path(), name, cases);
        let mut command = contest(&engine, "--material KQK --positions 2 --side strong --patience 1 --format json");
        let output = command.assert().code(1).get_output().clone();
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&told["results"][0]["games"], &told["results"][0]["broken"]), (&0.into(), &2.into()));
        for broken in told["broken"].as_array().unwrap() {
            assert!(broken["reason"].as_str().unwrap().starts_with(reason), "{broken}");
            assert_eq!((&broken["engine"], &broken["side"]), (&"Fake".into(), &"strong".into()));
        }
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.matches("warning: a game of Fake depth=8 is broken: Fake ").count(), 2, "{said}");
    }
    // Two games, each with one restart.
    assert_eq!(fs::read_to_string(folder.path().join("crashes")).unwrap().lines().count(), 4);
    let options = fs::read_to_string(folder.path().join("options")).unwrap();
    assert!(options.starts_with("name SyzygyPath value <empty>\nname Threads value 1\n"), "{options}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = fresh();
    let engine = fake(folder.path(), "engine", "");
    let refused = [
        ("/no/such/engine", "--material KQK", "/no/such/engine cannot be started"),
        ("true", "--material KQK", "true ended unexpectedly (exit status: 0)"),
        (&engine, "--material KQK --option Hash=1", "Fake has no option `Hash`"),
        (&engine, "--material KQK --option Threads=9", "expected a number from 1 to 8"),
        (&engine, "--material KQK --option syzygypath=/tables", "engines play without tables"),
        (&engine, "--material KQK --limit depth", "invalid limit `depth`"),
        (&engine, "--material KNK", "no position of KNK is a win of the stronger side"),
        (&engine, "--material KXK", "KXK"),
        ("", "--material KQK", "missing engine: expected a file or a command"),
    ];
    for (engine, line, message) in refused {
        let said = stderr(&mut contest(engine, line), 2);
        assert!(said.contains(message), "{line}: {said}");
    }
}

fn is_running(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

fn within_seconds(seconds: u64, mut happened: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < deadline {
        if happened() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Starts a contest, sends a signal once engines search, and tells the exit code and what was said.
fn struck(folder: &Path, cases: &str, signal: &str) -> (Option<i32>, String) {
    let engine = fake(folder, "engine", cases);
    let child = Command::new(program())
        .arg("--tables")
        .arg(shared())
        .args(["contest", "--material", "KQK", "--threads", "2", "--engine", &engine, "--pgn"])
        .arg(folder.join("games.pgn"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(within_seconds(60, || folder.join("searching").exists()));
    assert!(Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn engines(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("pids")).unwrap().lines().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_contest_ends_cleanly() {
    for signal in ["INT", "TERM"] {
        let folder = fresh();
        let cases = "go) touch searching;; stop) echo stopped >> stops; echo bestmove a1a1;;";
        let (code, said) = struck(folder.path(), cases, signal);
        assert_eq!(code, Some(130), "{said}");
        assert_eq!(said, "");
        assert!(folder.path().join("stops").exists());
        let engines = engines(folder.path());
        assert!(!engines.is_empty() && !engines.iter().any(|process| is_running(process)));
        assert!(!files(folder.path()).iter().any(|name| name.contains("pgn")), "{:?}", files(folder.path()));
    }
}

/// Not even an engine that reads no input any more, and so does not see that it has been left alone.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_outlives_a_killed_contest() {
    let folder = fresh();
    let (code, _) = struck(folder.path(), "go) touch searching; while :; do sleep 1; done;;", "KILL");
    assert_eq!(code, None);
    let engines = engines(folder.path());
    assert!(!engines.is_empty());
    assert!(within_seconds(10, || !engines.iter().any(|process| is_running(process))), "{engines:?}");
}

/// Our own engine as a contestant, so both directions of UCI: with tables and competence without end it concedes nothing.
#[test]
fn an_engine_with_tables_concedes_nothing() {
    run(shared(), "table build KQK --metric dtc").assert().code(0);
    let engine = format!("{} --tables {} uci --option Competence=inf", program().display(), shared().display());
    let told = json(&mut contest(&engine, "--material KQK --positions 6 --limit depth=1 --format json"));
    for row in told["results"].as_array().unwrap() {
        assert_eq!((&row["conceded"], &row["broken"]), (&0.into(), &0.into()), "{told:#}");
        // The strong side wins every game, whichever the engine has.
        assert!(row["side"] == "both" || row["won"] == row["games"], "{told:#}");
    }
}

#[cfg(feature = "stockfish-tests")]
mod with_stockfish {
    use super::*;
    use crate::common::stdout;
    use serde_json::Value;

    fn stockfish() -> String {
        std::env::var("ERRARE_STOCKFISH").unwrap_or_else(|_| "stockfish".to_owned())
    }

    fn row<'a>(told: &'a Value, limit: &str, side: &str) -> &'a Value {
        let rows = told["results"].as_array().unwrap();
        rows.iter().find(|row| row["limit"] == limit && row["side"] == side).unwrap()
    }

    #[test]
    #[ignore = "slow: make test-full"]
    fn looking_further_ahead_looks_more_competent() {
        let line = "--material KQKR --positions 12 --limit depth=1,depth=12 --grid 0:0.1:50 --format json";
        let told = json(&mut contest(&stockfish(), line));
        for side in ["strong", "weak", "both"] {
            let bound = |limit, place: usize| row(&told, limit, side)["interval"][place].as_f64().unwrap();
            assert!(bound("depth=1", 1) < bound("depth=12", 0), "{side}: {told:#}");
        }
        let (shallow, deep) = (row(&told, "depth=1", "strong"), row(&told, "depth=12", "strong"));
        assert!(deep["won"].as_u64() > shallow["won"].as_u64(), "{told:#}");
        // Against an infallible opponent a game lasts as long as the engine makes it.
        let weak = row(&told, "depth=12", "weak");
        let (moves, depth) = (weak["mean_moves"].as_f64().unwrap(), weak["mean_depth"].as_f64().unwrap());
        let conceded = weak["conceded"].as_u64().unwrap() as f64;
        assert!(weak["won"] == 12 && ((depth - moves) * 12.0 - conceded).abs() < 1e-9, "{weak}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let line = "--material KQKR --positions 4 --limit depth=3,nodes=2000 --format json --threads";
        let told = |threads: &str| stdout(&mut contest(&stockfish(), &format!("{line} {threads}")));
        assert_eq!(told("1"), told("3"));
    }

    /// The games as another command reads and assesses them.
    #[test]
    fn assess_agrees() {
        let folder = fresh();
        let pgn = folder.path().join("games.pgn");
        let line = format!("--material KQKR --positions 5 --limit depth=6 --spread positions --pgn {}", pgn.display());
        let told = json(&mut contest(&stockfish(), &format!("{line} --format json")));
        let own = row(&told, "depth=6", "both");
        let line = format!("assess {} --metric dtc --format json", pgn.display());
        let assessed = json(&mut run(shared(), &line));
        let players = assessed["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"].as_str().unwrap().contains("Stockfish")).unwrap();
        for key in ["moves", "conceded", "impossible"] {
            assert_eq!(player[key], own[key], "{key}");
        }
        let gap = player["expected_c"].as_f64().unwrap() - own["expected_c"].as_f64().unwrap();
        assert!(gap.abs() < 1e-9, "{player} {own}");
    }

    #[test]
    fn a_crash_that_a_restart_mends_changes_nothing() {
        let folder = fresh();
        let engine = fake(folder.path(), "engine", "go) touch crashed; exit 1;;");
        let path = folder.path().join("engine");
        let second = format!("[ -e crashed ] && PATH=$PATH:/usr/games exec {}\nwhile read", stockfish());
        fs::write(&path, fs::read_to_string(&path).unwrap().replacen("while read", &second, 1)).unwrap();
        let line = "--material KQKR --positions 2 --limit depth=4 --threads 1 --format json";
        let mut mended = json(&mut contest(&engine, line));
        let mut whole = json(&mut contest(&stockfish(), line));
        for told in [&mut mended, &mut whole] {
            for row in told["results"].as_array_mut().unwrap() {
                row["engine"] = Value::Null;
            }
        }
        assert!(folder.path().join("crashed").exists());
        assert_eq!(mended, whole);
    }
}
