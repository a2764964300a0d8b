//! Ctrl-C: every long command stops within a fifth of a second, says nothing more, exits with 130 and leaves nothing
//! half-written.

#![cfg(unix)]

mod common;

use common::{files, fresh, program, run, stdout};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How soon a command stops.
const PROMPT: Duration = Duration::from_millis(200);

/// A busy machine may be late; it is not late every time.
const ATTEMPTS: usize = 8;

const TURNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data/mileposts.jsonl.gz");

/// Starts a command, its words separated by spaces and a FEN's by underscores.
fn start(folder: &Path, line: &str) -> Child {
    let mut command = Command::new(program());
    command.arg("--tables").arg(folder).args(line.split_whitespace().map(|word| word.replace('_', " ")));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Interrupts a command after a while; how it ended, and how soon.
fn interrupted(folder: &Path, line: &str, after: Duration) -> (ExitStatus, Duration) {
    let mut child = start(folder, line);
    thread::sleep(after);
    assert!(child.try_wait().unwrap().is_none(), "`{line}` was over before it could be interrupted");
    interrupt(&child);
    let asked = Instant::now();
    let status = child.wait().unwrap();
    (status, asked.elapsed())
}

/// A command stops in time when it is interrupted early, and when it is well into its work.
fn stops(folder: &Path, line: &str) {
    let mut best = Duration::MAX;
    for attempt in 0..ATTEMPTS {
        let after = Duration::from_millis(if attempt % 2 == 0 { 300 } else { 700 });
        let (status, took) = interrupted(folder, line, after);
        assert_eq!(status.code(), Some(130), "`{line}`");
        best = best.min(took);
        if attempt > 0 && best <= PROMPT {
            return;
        }
    }
    panic!("`{line}` took {best:?} to stop");
}

#[test]
fn building_stops_and_leaves_no_file() {
    for (line, kept) in [
        ("table build KBBKN --metric dtr", "KBBKN"),
        ("table build KNNKP --metric dtz", "KNNKP"),
        ("table build KQPKQ --metric dtz50", "KQPKQ"),
    ] {
        let folder = fresh();
        stops(folder.path(), line);
        let left: Vec<String> = files(folder.path()).into_iter().filter(|name| name.contains(kept)).collect();
        assert_eq!(left, [""; 0], "{line}");
        assert!(files(folder.path()).iter().all(|name| name.ends_with(".egt")), "{line}");
    }
}

#[test]
fn going_through_tables_stops() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KQKR KRKN --metric dtm,dtc,dtz50"));
    let ours = folder.path().display();
    for line in [
        "table verify KQKR --metric dtm".to_owned(),
        format!("table compare KQKR --with tables:{ours} --sample 100000000"),
        "markov KQKR --competence 0:0.05:45".to_owned(),
        format!("markov KQKR --competence 20 --source tables:{ours} --sample 100000000"),
    ] {
        stops(folder.path(), &line);
    }
}

#[test]
fn playing_and_assessing_stop() {
    let folder = fresh();
    let games = folder.path().join("games.pgn");
    let (start, out) = ("K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1", folder.path().join("out.pgn"));
    let white = "match --white player:20 --black infallible --metric dtc --fen";
    let mut few = run(folder.path(), white);
    stdout(few.arg(start.replace('_', " ")).args(["--games", "1000", "--pgn"]).arg(&games));
    let huge = folder.path().join("huge.pgn");
    // Copies of games would be passed over.
    let games = std::fs::read_to_string(&games).unwrap();
    let others = (0..40).map(|copy| games.replace("errare match", &format!("match {copy}")));
    std::fs::write(&huge, others.collect::<String>()).unwrap();
    for line in [
        format!("{white} {start} --games 1000000 --pgn {}", out.display()),
        format!("assess {} --annotate {}", huge.display(), out.display()),
        "choose 8/8/6Q1/2K5/5r2/4k3/8/8_b_-_-_0_1 --agent predator:20,plies=10,scope=all".to_owned(),
        "choose 8/8/8/4k3/8/2n5/4K3/7R_w_-_-_0_1 --agent levy:0.01,plies=12".to_owned(),
    ] {
        stops(folder.path(), &line);
        assert!(!out.exists(), "{line}");
    }
    assert!(files(folder.path()).iter().all(|name| !name.ends_with(".tmp")));
}

#[test]
fn following_strategies_stops() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRKN --metric dtc,dtz,dtz15,dtm"));
    stops(folder.path(), "strategy compare KRKN --rule 15 --strategies SZ,SC,SM,SMC,SZCM,SCM,SZM,SMZ,SCZ --whole");
}

#[test]
fn rating_stops() {
    let folder = fresh();
    let out = folder.path().join("calibration.json");
    let engine = "--engine Stockfish-15.1 --depth 10";
    stdout(&mut run(folder.path(), &format!("calibrate {TURNS} {engine} --out {}", out.display())));
    let page = folder.path().join("page.html");
    for line in [
        format!("fit {TURNS} --bootstrap 100000"),
        format!("fit {TURNS} --method likelihood --model ratio --bootstrap 100000"),
        format!("rate {TURNS} {engine} --calibration {} --bootstrap 100000", out.display()),
        format!("report ratings {TURNS} {engine} --out {}", page.display()),
    ] {
        stops(folder.path(), &line);
    }
    assert!(!page.exists());
}

#[test]
fn a_second_interrupt_ends_the_program_at_once() {
    let folder = fresh();
    let mut child = start(folder.path(), "table build KBBKN --metric dtr");
    thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
