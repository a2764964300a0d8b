//! How every command writes its outputs, and what it does about inputs that are not what they should be.

#![cfg(unix)]

use crate::common::{TURNS, errare, few_turns, files, fresh, program, run, shared, stderr, stdout};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/browne_belle.pgn");
const ENGINE: &str = "--engine Stockfish-15.1 --depth 10";
const KRK: &str = "8/8/8/8/8/2k5/1R6/K7_w_-_-_0_1";

/// A command line in which the spaces of a FEN are underlines.
fn command(line: &str) -> assert_cmd::Command {
    let mut command = errare();
    command.arg("--tables").arg(shared()).args(
        line.split_whitespace().map(|word| {
            if word.contains('/') && word.contains("_w_") { word.replace('_', " ") } else { word.to_owned() }
        }),
    );
    command
}

fn played(games: u32) -> String {
    format!("match --white player:20 --black infallible --fen {KRK} --games {games}")
}

fn line_of_play() -> String {
    format!("line {KRK} --white SZ --black SZ")
}

/// Every command that has an output flag, all but the name of the file, and how the output begins.
fn outputs() -> Vec<(String, &'static str)> {
    vec![
        (format!("{} --pgn", played(3)), "[Event \"errare match"),
        (format!("{} --pgn", line_of_play()), "[Event \"errare line\"]"),
        (format!("assess {GAMES} --annotate"), "[Event "),
        ("play KRK --format json --seed 1 --pgn".to_owned(), "[Event "),
        (format!("choose {KRK} --sweep 0:10:20 --svg"), "<svg "),
        ("markov KRK -c 20 --matrix".to_owned(), "competence,from,to,probability\n"),
        ("markov KRK -c 20 --heat-map".to_owned(), "<svg "),
        ("markov KRK -c 20 --svg".to_owned(), "<svg "),
        (format!("calibrate {} {ENGINE} --out", few_turns()), "{\"kind\":\"errare calibration"),
        (format!("report ratings {} {ENGINE} --out", few_turns()), "<!DOCTYPE html>"),
    ]
}

#[test]
fn a_dash_is_standard_output_and_nothing_else_goes_there() {
    let folder = fresh();
    let file = folder.path().join("output");
    for (line, beginning) in outputs() {
        stdout(&mut command(&format!("{line} {}", file.display())));
        let written = fs::read_to_string(&file).unwrap();
        assert!(written.to_lowercase().starts_with(&beginning.to_lowercase()), "{line}: {written:.100}");
        for name in ["-", "/dev/stdout"] {
            let printed = stdout(command(&format!("{line} {name}")).current_dir(folder.path()));
            assert!(printed == written, "{line} {name}: {printed:.200}");
        }
        assert_eq!(files(folder.path()), ["output"], "{line}");
    }
}

#[test]
fn standard_output_that_is_a_file_is_written_in_place() {
    let folder = fresh();
    let path = folder.path().join("log");
    fs::write(&path, "before\n").unwrap();
    let log = File::options().append(true).open(&path).unwrap();
    let mut command = Command::new(program());
    command.args(["--tables".as_ref(), shared().as_os_str()]).args(["markov", "KRK", "-c", "20", "--matrix"]);
    assert!(command.arg("/dev/stdout").stdout(log).status().unwrap().success());
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.starts_with("before\ncompetence,from,to,probability\n"), "{written:.100}");
}

#[test]
fn merged_turns_may_go_to_standard_output() {
    let folder = fresh();
    let turns = folder.path().join("turns.jsonl");
    stdout(&mut command(&format!("merge {TURNS} --out {}", turns.display())));
    let printed = stdout(command(&format!("merge {TURNS} --out -")).current_dir(folder.path()));
    assert!(printed == fs::read_to_string(&turns).unwrap());
    assert_eq!(files(folder.path()), ["turns.jsonl"]);
}

#[test]
fn a_reader_of_an_output_that_leaves_is_no_error() {
    let line = format!("{} --pgn -", played(2000)).replace(KRK, &format!("'{}'", KRK.replace('_', " ")));
    let script = format!("set -o pipefail; {} --tables {} {line} | head -1", program().display(), shared().display());
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"[Event "), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn devices_are_written_in_place_and_a_full_one_is_reported() {
    use std::os::unix::fs::FileTypeExt;
    for (line, _) in outputs() {
        let said = stderr(&mut command(&format!("{line} /dev/full")), 2);
        assert!(said.starts_with("error: cannot write /dev/full: No space left on device"), "{line}: {said}");
        stdout(&mut command(&format!("{line} /dev/null")));
    }
    for device in ["/dev/full", "/dev/null"] {
        assert!(fs::symlink_metadata(device).unwrap().file_type().is_char_device(), "{device}");
    }
}

#[test]
fn an_output_never_replaces_what_it_is_made_from() {
    let folder = fresh();
    let path = |name: &str| folder.path().join(name);
    let posterior = r#"{"grid": [0, 10, 20], "probabilities": [1, 2, 1]}"#;
    fs::write(path("posterior.json"), posterior).unwrap();
    fs::copy(GAMES, path("games.pgn")).unwrap();
    fs::copy(TURNS, path("turns.jsonl.gz")).unwrap();
    std::os::unix::fs::symlink("turns.jsonl.gz", path("link.jsonl.gz")).unwrap();
    fs::hard_link(path("games.pgn"), path("hard.pgn")).unwrap();
    fs::create_dir(path("part")).unwrap();
    let part = path("part/turns.parquet");
    stdout(&mut command(&format!("merge {TURNS} --out {}", part.display())));
    let calibration = path("calibration.json");
    stdout(&mut command(&format!("calibrate {TURNS} {ENGINE} --out {}", calibration.display())));
    let before = |name: &str| fs::read(path(name)).unwrap();
    let names = ["posterior.json", "games.pgn", "turns.jsonl.gz", "part/turns.parquet", "calibration.json"];
    let contents = names.map(before);
    for line in [
        "assess games.pgn --annotate games.pgn".to_owned(),
        "assess games.pgn --annotate hard.pgn".to_owned(),
        "assess games.pgn --prior posterior.json --annotate posterior.json".to_owned(),
        format!("calibrate turns.jsonl.gz {ENGINE} --out ./turns.jsonl.gz"),
        format!("calibrate turns.jsonl.gz {ENGINE} --out link.jsonl.gz"),
        format!("calibrate link.jsonl.gz {ENGINE} --out turns.jsonl.gz"),
        format!("report ratings turns.jsonl.gz {ENGINE} --out turns.jsonl.gz"),
        "report player turns.jsonl.gz --player X --calibration calibration.json --out calibration.json".to_owned(),
        "report player turns.jsonl.gz --player X --calibration calibration.json --out turns.jsonl.gz".to_owned(),
        "merge turns.jsonl.gz --out turns.jsonl.gz".to_owned(),
        "merge part --out part/turns.parquet".to_owned(),
        format!("choose {KRK} --agent predator:posterior.json --sweep 0:10:20 --svg posterior.json"),
        "play KRK --against predator:posterior.json --pgn posterior.json".to_owned(),
        format!("match --white predator:posterior.json --black infallible --fen {KRK} --pgn posterior.json"),
        "evaluate games.pgn part/turns.parquet --engine /bin/true --out part".to_owned(),
    ] {
        let said = stderr(command(&line).current_dir(folder.path()), 2);
        assert!(said.contains("is being read: write the output to another file"), "{line}: {said}");
    }
    let games = File::open(path("games.pgn")).unwrap();
    let mut standard_input = Command::new(program());
    standard_input.args(["assess", "-", "--annotate", "games.pgn"]).current_dir(folder.path()).stdin(games);
    let refused = standard_input.output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(names.map(before) == contents);
}

#[test]
fn two_outputs_do_not_share_a_file() {
    let folder = fresh();
    for name in ["both", "-"] {
        let line = format!("markov KRK -c 20 --matrix {name} --svg {name}");
        let said = stderr(command(&line).current_dir(folder.path()), 2);
        assert!(said.starts_with("error: two outputs would go to "), "{said}");
    }
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_full_disk_leaves_the_output_that_was_there() {
    let folder = fresh();
    let path = folder.path().join("output");
    // The others write less than the limit.
    let is_long = |line: &str| !["line", "choose", "play"].iter().any(|command| line.starts_with(command));
    for (line, _) in outputs().into_iter().filter(|(line, _)| is_long(line)) {
        let line = line.replace("--games 3", "--games 300");
        fs::write(&path, "what was there").unwrap();
        // A limit on the size of files stands in for a full disk. The tables exist already.
        stdout(&mut command(&format!("{line} /dev/null")));
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let mut limited = Command::new("bash");
        limited.args(["-c", script, "bash"]).arg(program()).arg("--tables").arg(shared());
        limited.args(
            line.split_whitespace().map(
                |word| {
                    if word.contains("_w_") { word.replace('_', " ") } else { word.to_owned() }
                },
            ),
        );
        let output = limited.arg(&path).stdout(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        let expected = format!("error: cannot write {}: File too large", path.display());
        assert!(said.contains(&expected), "{line}: {said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "what was there", "{line}");
        assert_eq!(files(folder.path()), ["output"], "{line}");
    }
}

#[test]
fn a_killed_command_leaves_the_output_that_was_there() {
    let folder = fresh();
    let path = folder.path().join("games.pgn");
    fs::write(&path, "what was there").unwrap();
    stdout(&mut command(&format!("{} --pgn /dev/null", played(1))));
    let mut killed = Command::new(program());
    killed.arg("--tables").arg(shared()).args(["match", "--white", "player:20", "--black", "infallible", "--fen"]);
    killed.arg(KRK.replace('_', " ")).args(["--games", "100000000", "--pgn"]).arg(&path);
    let mut child = killed.stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    let half = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.filter(|entry| entry.file_name() != "games.pgn").any(|entry| entry.metadata().unwrap().len() > 0)
    };
    while !half(folder.path()) {
        assert!(child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(100));
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
    assert_eq!(files(folder.path()).len(), 2, "{:?}", files(folder.path()));
    stdout(&mut command(&format!("{} --pgn {}", played(2), path.display())));
    assert_eq!(fs::read_to_string(&path).unwrap().matches("[Event ").count(), 2);
    assert_eq!(files(folder.path()), ["games.pgn"], "the half-written file was removed");
}

#[test]
fn files_that_are_read_whole_are_regular_and_not_endless() {
    let folder = fresh();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for name in [pipe, PathBuf::from("/dev/zero")] {
        let name = name.display();
        for line in [
            format!("rate {TURNS} {ENGINE} --calibration {name}"),
            format!("screen {TURNS} {ENGINE} --calibration {name} --player X"),
            format!("choose {KRK} --agent predator:{name}"),
            format!("predict {KRK} --competence {name}"),
            format!("assess {GAMES} --prior {name}"),
        ] {
            let said = stderr(command(&line).timeout(Duration::from_secs(20)), 2);
            let expected = format!("{name}: it is a pipe or a device, expected a regular file");
            assert!(said.contains(&expected), "{line}: {said}");
        }
    }
}

#[test]
fn a_long_posterior_is_refused_unread() {
    let folder = fresh();
    let path = folder.path().join("posterior.json");
    File::create(&path).and_then(|file| file.set_len(1 << 40)).unwrap();
    let said = stderr(&mut run(shared(), &format!("assess {GAMES} --prior {}", path.display())), 2);
    assert!(said.contains("the file is too long: expected at most "), "{said}");
}

#[test]
fn games_and_turns_may_come_through_a_pipe() {
    let folder = fresh();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (source, line) in [(GAMES, "assess PIPE --brief"), (TURNS, "fit PIPE --engine X --depth 10")] {
        let writer = {
            let (source, pipe) = (source.to_owned(), pipe.clone());
            thread::spawn(move || fs::copy(source, pipe))
        };
        let direct = stdout(&mut command(&line.replace("PIPE", source)));
        let piped = stdout(&mut command(&line.replace("PIPE", &pipe.display().to_string())));
        let tail = |text: &str| text.lines().last().map(str::to_owned);
        assert_eq!(tail(&piped), tail(&direct), "{line}");
        writer.join().unwrap().unwrap();
    }
}
