//! `errare rate` of games, end to end, with an engine that this file is itself: it knows Stockfish's evaluations by heart.

#![cfg(all(unix, feature = "evaluate"))]

use crate::common::{errare, fresh, json, program, stderr, stdout};
use assert_cmd::Command;
use errare_ratings::TurnRows;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data");

/// This file as an engine: it gives the evaluations of the turn file, after as many milliseconds as FAKE_SLEEP says.
#[test]
#[ignore = "an engine, not a test"]
fn engine() {
    let Ok(asked) = std::env::var("FAKE_ASKED") else { return };
    let sleep = std::env::var("FAKE_SLEEP").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let rows = TurnRows::open(Path::new(&format!("{DATA}/mileposts.jsonl.gz"))).unwrap().map(Result::unwrap);
    let known: HashMap<String, Vec<_>> = rows.map(|row| (row.position(), row.lines)).collect();
    let (mut position, mut count) = (String::new(), 0);
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!(
                "id name Stockfish 15.1\noption name Threads type spin default 1 min 1 max 9\noption name Hash type spin \
                 default 16 min 1 max 999\noption name MultiPV type spin default 1 min 1 max 500\noption name EvalFile \
                 type string default nn-ad9b42354671.nnue\nuciok"
            ),
            ["isready"] => println!("readyok"),
            ["position", "fen", ref words @ ..] => position = words[..4].join(" "),
            ["go", "depth", depth] => {
                thread::sleep(Duration::from_millis(sleep));
                for (rank, (mv, score)) in (1..).zip(&known[&position]) {
                    let score = score.to_string();
                    let score = score.strip_prefix('#').map_or(format!("cp {score}"), |moves| format!("mate {moves}"));
                    println!("info depth {depth} multipv {rank} score {score} pv {mv}");
                }
                println!("bestmove {}", known[&position][0].0);
                count += 1;
                fs::write(&asked, count.to_string()).unwrap();
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(fresh());
        let script = format!(
            "#!/bin/sh\nexec '{}' --ignored --exact rate_games::engine --nocapture\n",
            std::env::current_exe().unwrap().display()
        );
        fs::write(place.path("stockfish"), script).unwrap();
        fs::set_permissions(place.path("stockfish"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::copy(format!("{DATA}/mileposts.pgn"), place.path("games.pgn")).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn arguments(command: &str, line: &str) -> Vec<String> {
        let line = format!("--threads 1 {command} games.pgn --min-turns 40 {line}");
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn rate(&self, line: &str) -> Command {
        self.run("rate", line)
    }

    /// A run whose engine is found in PATH.
    fn run(&self, command: &str, line: &str) -> Command {
        let arguments = Place::arguments(command, line);
        let mut command = errare();
        command.current_dir(self.0.path()).args(arguments);
        let path = format!("{}:/usr/bin:/bin", self.0.path().display());
        command.env("PATH", path).env("XDG_CACHE_HOME", self.path("cache")).env("FAKE_ASKED", self.path("asked"));
        command
    }

    fn asked(&self) -> usize {
        fs::read_to_string(self.path("asked")).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    }
}

#[test]
fn players_of_games_are_screened_against_their_tags() {
    let place = Place::new();
    let table = stdout(&mut place.run("screen", ""));
    let head: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head[..4], ["player", "games", "turns", "claimed"]);
    assert_eq!(head[6..], ["z_mm", "z_ad", "z", "chance", "by_chance", "adjusted"]);
    assert!(table.contains("players were compared with their ratings. The greatest z is"), "{table}");
    assert!(table.contains("This is a screening, not a verdict"), "{table}");
    let found = json(&mut place.run("screen", "--format json"));
    let rows: Vec<_> = found["rows"].as_array().unwrap().iter().filter(|row| !row["z"].is_null()).collect();
    assert!(rows.len() > 3);
    let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap();
    for pair in rows.windows(2) {
        assert!(number(pair[0], "z") >= number(pair[1], "z"), "the most unusual first");
        assert!(number(pair[0], "adjusted") <= number(pair[1], "adjusted"));
    }
    for row in &rows {
        let (chance, count) = (number(row, "chance"), rows.len() as f64);
        assert!((number(row, "by_chance") - chance * count).abs() < 1e-9 && number(row, "adjusted") >= chance);
        assert_eq!(number(row, "z"), number(row, "z_mm").max(number(row, "z_ad")));
    }
    // What the moves were compared with is in the row: the tags, or what was claimed.
    assert!(rows.iter().all(|row| row["claimed"] == row["elo"]), "{rows:?}");
    let claimed = json(&mut place.run("screen", "--claimed 2400 --format json"));
    let mut compared = claimed["rows"].as_array().unwrap().iter().filter(|row| !row["z"].is_null());
    assert!(compared.all(|row| row["claimed"] == 2400.0 && row["elo"] != 2400.0), "{claimed}");
    // Any column sorts.
    let names = json(&mut place.rate("--sort player --format json"));
    let names: Vec<&str> =
        names["rows"].as_array().unwrap().iter().map(|row| row["player"].as_str().unwrap()).collect();
    assert!(names.is_sorted(), "{names:?}");
    let refused = stderr(&mut place.rate("--sort height"), 2);
    assert!(refused.contains("invalid order `height`: expected ipr, player"), "{refused}");
}

#[test]
fn games_become_one_table_with_its_cautions() {
    let place = Place::new();
    let table = stdout(&mut place.rate(""));
    let head: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["player", "games", "turns", "ipr", "se", "95%", "elo", "z", "mm", "ad"]);
    for words in [
        "740 turns of 14 games count, evaluated by Stockfish 15.1 at depth 10",
        "29056 turns of 537 games",
        "fewer than the 40 turns that a rating takes",
        "leave the rating uncertain by about",
        "not how strong a player is",
        "This is a screening, not a verdict",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    // All is known now: nothing is asked again.
    fs::remove_file(place.path("asked")).unwrap();
    let found = json(&mut place.rate("--format json"));
    assert_eq!((place.asked(), &found["evaluated"]), (0, &0.into()));
    let rows = found["rows"].as_array().unwrap();
    for key in ["player", "ipr", "low", "high", "se", "games", "turns"] {
        assert!(!rows[0][key].is_null(), "{key}");
    }
    let csv = stdout(&mut place.rate("--format csv"));
    assert_eq!(csv.lines().count(), rows.len() + 1);
    let columns =
        "player,games,turns,ipr,outside_range,se,low,high,low_outside_range,high_outside_range,elo,claimed,z,";
    assert!(csv.starts_with(columns), "{csv}");
    // So few moves say little: an interval reaches beyond the calibration, and its end has the mark.
    let range = &found["calibration"]["range"];
    let is_outside = |elo: &serde_json::Value| !(range[0].as_f64()..=range[1].as_f64()).contains(&elo.as_f64());
    let mut marks = 0;
    for row in rows.iter().filter(|row| !row["ipr"].is_null()) {
        let end = |name: &str| {
            let is_outside = is_outside(&row[name]);
            assert_eq!(row["interval_outside_range"][name], is_outside, "{row}");
            format!("{:.0}{}", row[name].as_f64().unwrap(), if is_outside { "*" } else { "" })
        };
        let interval = format!("{} to {}", end("low"), end("high"));
        marks += interval.matches('*').count();
        assert!(table.contains(&format!(" {interval} ")), "{interval}: {table}");
        let cells = format!(",{},{},", row["interval_outside_range"]["low"], row["interval_outside_range"]["high"]);
        let name = format!("\"{}\",", row["player"].as_str().unwrap());
        assert!(csv.lines().any(|line| line.starts_with(&name) && line.contains(&cells)), "{name} {cells}: {csv}");
    }
    assert!(marks > 0 && table.contains("* outside the range of the calibration"), "{table}");
    let pooled = json(&mut place.rate("--pooled --format json"));
    assert_eq!((&pooled["rows"][0]["player"], &pooled["rows"][0]["turns"]), (&"everybody".into(), &740.into()));
    let one = stdout(&mut place.rate("--player popovic --trace"));
    assert!(one.contains("Popovic, Petar") && one.contains("probability") && one.contains("black"), "{one}");
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = Place::new();
    let mut command = std::process::Command::new(program());
    command.current_dir(place.0.path()).args(Place::arguments("rate", "")).env("XDG_CACHE_HOME", place.path("cache"));
    command.env("PATH", format!("{}:/usr/bin:/bin", place.0.path().display()));
    command.env("FAKE_ASKED", place.path("asked")).env("FAKE_SLEEP", "20").env_remove("ERRARE_ENGINE");
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while place.asked() < 20 {
        assert!(Instant::now() < deadline, "{} positions", place.asked());
        thread::sleep(Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("interrupted: run the same command again to continue"), "{said}");
    let found = json(&mut place.rate("--format json"));
    assert!(found["evaluated"].as_u64().unwrap() <= 871 - 20, "{}", found["evaluated"]);
    assert_eq!(found["turns"], 740);
}

#[test]
fn bad_use_is_explained_in_a_sentence() {
    let place = Place::new();
    for (line, sentence) in [
        ("--engine /nowhere/at-all", "there is no engine `/nowhere/at-all`"),
        ("--engine /bin/true", "error: "),
        ("--player nobody", "no player matches `nobody`"),
        ("--player popovic --pooled", "cannot be used with"),
        ("--trace", "--player"),
        ("--settings x", "--settings has no effect with games"),
        ("--posterior", "--posterior has no effect with games"),
        ("--bootstrap 5", "--bootstrap has no effect with games"),
    ] {
        let said = stderr(&mut place.rate(line), 2);
        assert!(said.contains(sentence) && !said.contains("panicked"), "{line}: {said}");
    }
    let named = stderr(place.rate("").env("ERRARE_ENGINE", "/nowhere/named"), 2);
    assert!(named.contains("there is no engine `/nowhere/named`"), "{named}");
}
