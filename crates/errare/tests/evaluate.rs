//! `errare evaluate` and `errare merge`, end to end: with an engine that this file is itself, and with Stockfish if it is
//! there.

#![cfg(unix)]

use crate::common::{errare, files, fresh, program, stderr, stdout};
use assert_cmd::Command;
use serde_json::Value;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const GAMES: &str = include_str!("data/evaluate.pgn");

/// This file as an engine, when the program under test runs it so. Its evaluations are all but random, yet the same for
/// the same position. It takes down what it is asked in a file.
#[test]
#[ignore = "an engine, not a test"]
fn engine() {
    let Ok(log) = std::env::var("FAKE_LOG") else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let [crash, crash_once] = ["FAKE_CRASH", "FAKE_CRASH_ONCE"].map(|name| std::env::var(name).ok());
    let (mut fen, mut lines) = (String::new(), 1);
    for command in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!(
                "id name Fake 1\noption name Hash type spin default 1 min 1 max 99\noption name MultiPV type spin \
                 default 1 min 1 max 500\noption name EvalFile type string default fake.net\nuciok"
            ),
            ["isready"] => println!("readyok"),
            ["setoption", "name", "MultiPV", "value", value] => lines = value.parse().unwrap(),
            ["position", "fen", ref words @ ..] => fen = words.join(" "),
            ["go", "depth", depth, ref among @ ..] => {
                let before = fs::read_to_string(&log).unwrap_or_default();
                let mut log = OpenOptions::new().create(true).append(true).open(&log).unwrap();
                log.write_all(format!("{fen}\n").as_bytes()).unwrap();
                let is_named = |name: &Option<String>| name.as_ref().is_some_and(|part| fen.contains(part));
                if is_named(&crash) || (is_named(&crash_once) && !before.contains(&fen)) {
                    std::process::exit(3);
                }
                thread::sleep(Duration::from_millis(number("FAKE_SLEEP").unwrap_or(0)));
                search(&fen, depth, lines, among.get(1..).unwrap_or_default());
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

fn search(fen: &str, depth: &str, lines: usize, among: &[&str]) {
    let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let legal = position.legal_moves();
    let moves = legal.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
    let mut scored: Vec<(i64, String)> = moves
        .filter(|mv| among.is_empty() || among.contains(&mv.as_str()))
        .map(|mv| {
            let mut hasher = DefaultHasher::new();
            (fen, depth, &mv).hash(&mut hasher);
            (hasher.finish() as i64 % 300, mv)
        })
        .collect();
    scored.sort_by(|one, two| two.cmp(one));
    for (place, (score, mv)) in scored.iter().take(lines).enumerate() {
        let score = if *score < -290 { format!("mate {}", score + 280) } else { format!("cp {score}") };
        println!("info depth {depth} multipv {} score {score} pv {mv}", place + 1);
    }
    println!("bestmove {}", scored[0].1);
}

/// A folder with games, in which the program can be run.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = fresh();
        fs::write(folder.path().join("games.pgn"), GAMES).unwrap();
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A run of the engine above on the games, with this output, cache and further arguments.
    fn arguments(&self, out: &str, cache: &str, line: &str) -> Vec<String> {
        let engine =
            format!("{} --ignored --exact evaluate::engine --nocapture", std::env::current_exe().unwrap().display());
        let head =
            ["--tables", "none", "evaluate", "--engine", &engine, "--depth", "3", "--out", out, "--cache", cache];
        let games = if line.contains(".pgn") { "" } else { "games.pgn " };
        let tail = format!("{games}{line}");
        head.into_iter().chain(tail.split_whitespace()).map(str::to_owned).collect()
    }

    fn evaluate(&self, out: &str, cache: &str, line: &str) -> Command {
        let mut command = errare();
        command.current_dir(self.folder.path()).args(self.arguments(out, cache, line));
        command.env("FAKE_LOG", self.path("log"));
        command
    }

    /// Starts the command with a slow engine, and does not wait for its end.
    fn started(&self, out: &str, cache: &str, line: &str) -> Child {
        let mut command = std::process::Command::new(program());
        command.current_dir(self.folder.path()).args(self.arguments(out, cache, line));
        command.env("FAKE_LOG", self.path("log")).env("FAKE_SLEEP", "5");
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn merge(&self, line: &str) -> Command {
        let mut command = errare();
        command.current_dir(self.folder.path()).args(["--tables", "none", "merge"]).args(line.split_whitespace());
        command
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn rows(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Searches so far.
    fn searches(&self) -> usize {
        fs::read_to_string(self.path("log")).map_or(0, |log| log.lines().count())
    }

    fn wait_for_searches(&self, count: usize) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.searches() < count {
            assert!(Instant::now() < deadline, "{} searches", self.searches());
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn assert_same(&self, one: &str, two: &str) {
        for name in ["turns.parquet", "turns.jsonl"] {
            assert!(self.bytes(&format!("{one}/{name}")) == self.bytes(&format!("{two}/{name}")), "{name}");
        }
    }
}

fn signal(child: &Child, name: &str) {
    let line = format!("kill -{name} {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &line]).status().unwrap().success());
}

#[test]
fn turns_may_go_to_standard_output() {
    let place = Place::new();
    stdout(&mut place.evaluate("turns", "cache.sqlite", "--jsonl"));
    let before = files(place.folder.path());
    let printed = stdout(&mut place.evaluate("-", "cache.sqlite", ""));
    assert!(printed.as_bytes() == place.bytes("turns/turns.jsonl"), "{printed:.300}");
    assert_eq!(files(place.folder.path()), before, "no folder named -");
    // The games are as much an input as any: here under the name of an output.
    fs::rename(place.path("games.pgn"), place.path("turns/turns.jsonl")).unwrap();
    let line = "turns/turns.jsonl --jsonl games.pgn";
    let said = stderr(&mut place.evaluate("turns", "cache.sqlite", line), 2);
    assert!(said.contains("is being read: write the output to another file"), "{said}");
}

#[test]
fn turns_tell_where_they_come_from() {
    let place = Place::new();
    let told = stdout(&mut place.evaluate("out", "cache", "--jsonl"));
    let rows = place.rows("out/turns.jsonl");
    assert_eq!(place.searches(), rows.len());
    assert!(told.contains(&format!("{} turns: {} evaluated now, 0 known", rows.len(), rows.len())), "{told}");
    assert!(told.starts_with("3 games, 1 broken game skipped\n"), "{told}");
    let first = &rows[0];
    assert_eq!(first["milepost"], 2100);
    assert_eq!((&first["game"], &first["source"], &first["source_game"]), (&1.into(), &"games.pgn".into(), &1.into()));
    assert_eq!((&first["white"], &first["white_elo"]), (&"Vorobjov,P".into(), &"2110".into()));
    assert_eq!((&first["round"], &first["result"]), (&"8".into(), &"0-1".into()));
    assert_eq!((&first["ply"], &first["played"]), (&16.into(), &"e1g1".into()));
    assert_eq!(first["fen"], "r1bq1rk1/pp1nppbp/2p2np1/3p4/1PPP4/3BPN2/PB1N1PPP/R2QK2R w KQ - 3 9");
    assert_eq!((&first["engine"], &first["depth"]), (&"Fake 1".into(), &3.into()));
    assert_eq!(
        first["settings"],
        "arguments --ignored --exact evaluate::engine --nocapture, net fake.net, Hash=64, MultiPV=all"
    );
    assert!(first["engine_file"].as_str().unwrap().starts_with("sha256:"));
    // The second game is broken, but it counts.
    let numbers: Vec<i64> = rows.iter().map(|row| row["game"].as_i64().unwrap()).collect();
    assert!(numbers.is_sorted() && [1, 3, 4].iter().all(|number| numbers.contains(number)) && !numbers.contains(&2));
    for row in &rows {
        let fen: Fen = row["fen"].as_str().unwrap().parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        assert_eq!(row["lines"].as_array().unwrap().len(), position.legal_moves().len());
    }
    // A second run finds all it needs.
    let again = stdout(&mut place.evaluate("again", "cache", "--jsonl --workers 3"));
    assert!(again.contains("0 evaluated now"), "{again}");
    assert_eq!(place.searches(), rows.len());
    place.assert_same("out", "again");
}

#[test]
fn a_killed_run_goes_on_and_ends_the_same() {
    let place = Place::new();
    stdout(&mut place.evaluate("whole", "other-cache", "--jsonl --workers 1"));
    let all = place.searches();
    fs::remove_file(place.path("log")).unwrap();
    let mut searches = 0;
    for after in [10, 25] {
        let mut child = place.started("out", "cache", "--jsonl --workers 2");
        place.wait_for_searches(after);
        signal(&child, "KILL");
        assert_eq!(child.wait().unwrap().code(), None);
        assert!(files(&place.path("out")).is_empty());
        searches = place.searches();
        assert!(searches < all);
    }
    stdout(&mut place.evaluate("out", "cache", "--jsonl --workers 2"));
    // Only what was being searched when the run was killed is searched again.
    assert!(place.searches() <= all + 4, "{} after {searches}", place.searches());
    place.assert_same("whole", "out");
}

#[test]
fn an_interrupted_run_leaves_nothing_half_done() {
    let place = Place::new();
    for name in ["INT", "TERM"] {
        let before = place.searches();
        let child = place.started("out", "cache", "--workers 2");
        place.wait_for_searches(before + 5);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("error: interrupted: run the same command again to continue"), "{said}");
        assert!(files(&place.path("out")).is_empty(), "{:?}", files(&place.path("out")));
    }
    stdout(&mut place.evaluate("out", "cache", ""));
    assert_eq!(files(&place.path("out")), ["turns.parquet"]);
}

#[test]
fn two_runs_share_a_cache() {
    let place = Place::new();
    let children = ["one", "two"].map(|out| place.started(out, "cache", "--jsonl --workers 2"));
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    stdout(&mut place.evaluate("whole", "other-cache", "--jsonl"));
    place.assert_same("one", "whole");
    place.assert_same("two", "whole");
}

#[test]
fn shards_together_are_the_whole() {
    let place = Place::new();
    // Other games: copies would be dropped.
    let more = GAMES.replace("Holvason", "Another").replace("[White \"One\"]", "[White \"Third\"]");
    fs::write(place.path("more.pgn"), more).unwrap();
    let both = "more.pgn games.pgn --jsonl";
    stdout(&mut place.evaluate("whole", "cache", both));
    for shard in 1..=3 {
        stdout(&mut place.evaluate(&format!("part{shard}"), "cache", &format!("{both} --shard {shard}/3")));
    }
    let whole = place.rows("whole/turns.jsonl");
    let parts: Vec<usize> = (1..=3).map(|part| place.rows(&format!("part{part}/turns.jsonl")).len()).collect();
    assert!(parts.iter().sum::<usize>() == whole.len() && parts.iter().all(|&turns| turns > 0), "{parts:?}");
    // In any order, twice, as folders, lines or columns.
    let told = stdout(&mut place.merge("part3 part1 part2 part3/turns.jsonl --out all.parquet"));
    assert_eq!(told, format!("{} turns, {} duplicates dropped\n", whole.len(), parts[2]));
    assert!(place.bytes("all.parquet") == place.bytes("whole/turns.parquet"));
    stdout(&mut place.merge("part2 part3 part1/turns.jsonl --out all.jsonl"));
    assert!(place.bytes("all.jsonl") == place.bytes("whole/turns.jsonl"));
    stdout(&mut place.merge("all.jsonl --out all.jsonl.gz"));
    stdout(&mut place.merge("all.jsonl.gz --out again.parquet"));
    assert!(place.bytes("again.parquet") == place.bytes("whole/turns.parquet"));
}

#[test]
fn fits_read_every_form() {
    let place = Place::new();
    stdout(&mut place.evaluate("out", "cache", "--jsonl"));
    stdout(&mut place.merge("out --out turns.jsonl.gz"));
    let [columns, text, packed] = ["out/turns.parquet", "out/turns.jsonl", "turns.jsonl.gz"].map(|name| {
        let mut command = errare();
        stdout(command.current_dir(place.folder.path()).args(["--tables", "none", "fit", name, "--most-eval", "99"]))
    });
    assert!(
        columns.contains(
            "Fake 1 at depth 3 (arguments --ignored --exact evaluate::engine --nocapture, net fake.net, Hash=64, MultiPV=all)"
        ),
        "{columns}"
    );
    // But for the name of the file, which comes first.
    let [columns, text, packed] = [&columns, &text, &packed].map(|found| found.split_once(": ").unwrap().1);
    assert_eq!((columns, columns), (text, packed));
}

#[test]
fn a_bad_turn_is_named_by_its_place() {
    let place = Place::new();
    stdout(&mut place.evaluate("out", "cache", "--jsonl"));
    let mut rows = place.rows("out/turns.jsonl");
    rows[3]["played"] = "a1a1".into();
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(place.path("bad.jsonl"), text).unwrap();
    stdout(&mut place.merge("bad.jsonl --out bad.parquet"));
    for (name, at) in [("bad.jsonl", "line 4"), ("bad.parquet", "row 4")] {
        let mut command = errare();
        let said = stderr(command.current_dir(place.folder.path()).args(["--tables", "none", "fit", name]), 2);
        assert!(said.contains(&format!("{name}: {at}: the played move a1a1 is not among the lines")), "{said}");
    }
}

#[test]
fn caches_of_several_machines_become_one() {
    let place = Place::new();
    stdout(&mut place.evaluate("one", "one.sqlite", "--shard 1/2"));
    stdout(&mut place.evaluate("two", "two.sqlite", "--shard 2/2"));
    let searches = place.searches();
    let told = stdout(&mut place.merge("one.sqlite two.sqlite --out all.sqlite"));
    assert_eq!(told, format!("{searches} answers added\n"));
    stdout(&mut place.evaluate("all", "all.sqlite", ""));
    assert_eq!(place.searches(), searches);
    let said = stderr(&mut place.merge("none.sqlite --out all.sqlite"), 2);
    assert!(said.contains("cannot find the file none.sqlite"), "{said}");
}

#[test]
fn positions_at_which_the_engine_fails_are_left_out() {
    let place = Place::new();
    // The first turn of the first game.
    let fen = "r1bq1rk1/pp1nppbp/2p2np1/3p4/1PPP4/3BPN2/PB1N1PPP/R2QK2R w";
    let said = stderr(place.evaluate("out", "cache", "--jsonl").env("FAKE_CRASH", fen), 1);
    let warning = "warning: games.pgn, game 1, 9. e1g1 is left out: Fake 1 ended unexpectedly (exit status: 3)";
    assert!(said.contains(warning), "{said}");
    let log = fs::read_to_string(place.path("log")).unwrap();
    assert_eq!(log.lines().filter(|line| line.starts_with(fen)).count(), 2);
    let without = place.rows("out/turns.jsonl");
    assert_eq!(without[0]["ply"], 17);
    // The next run tries again, and an engine that fails once is forgiven.
    fs::remove_file(place.path("log")).unwrap();
    stdout(place.evaluate("out", "other", "--jsonl").env("FAKE_CRASH_ONCE", fen));
    assert_eq!(place.searches(), without.len() + 2);
    stdout(&mut place.evaluate("again", "cache", "--jsonl"));
    place.assert_same("out", "again");
    assert_eq!(place.rows("out/turns.jsonl").len(), without.len() + 1);
    // One that does nothing but fail is given up.
    let said = stderr(place.evaluate("out", "third", "").env("FAKE_CRASH", " "), 2);
    assert!(said.contains("error: the engine failed at 10 positions in a row"), "{said}");
}

#[test]
fn rules_can_be_switched() {
    let place = Place::new();
    let turns = |line: &str| {
        stdout(&mut place.evaluate("out", "cache", &format!("--jsonl {line}")));
        place.rows("out/turns.jsonl")
    };
    let usual = turns("");
    assert!(usual.iter().all(|row| row["ply"].as_u64().unwrap() >= 16));
    let early = turns("--first-move 1");
    assert_eq!(early.iter().filter(|row| row["ply"] == 0).count(), 2);
    // The third game repeats positions twice; the fourth, from a position, has a forced move.
    let searches = place.searches();
    assert_eq!(turns("--keep-repeats").len(), usual.len() + 2);
    // Their counters are not those of the first time, so the engine might see them otherwise.
    assert_eq!(place.searches(), searches + 2);
    let forced = turns("--keep-forced");
    assert_eq!(forced.len(), usual.len() + 1);
    assert_eq!(forced.iter().filter(|row| row["lines"].as_array().unwrap().len() == 1).count(), 1);
}

#[test]
fn the_played_move_is_always_among_the_lines() {
    let place = Place::new();
    stdout(&mut place.evaluate("out", "cache", "--jsonl --multipv 2"));
    let rows = place.rows("out/turns.jsonl");
    let lines = |row: &Value| row["lines"].as_array().unwrap().clone();
    assert!(rows.iter().all(|row| lines(row).iter().any(|line| line[0] == row["played"])));
    let alone = rows.iter().filter(|row| lines(row).len() == 3).count();
    assert!(alone > 10 && rows.iter().all(|row| (2..=3).contains(&lines(row).len())));
    assert_eq!(place.searches(), rows.len() + alone);
    assert_eq!(
        rows[0]["settings"],
        "arguments --ignored --exact evaluate::engine --nocapture, net fake.net, Hash=64, MultiPV=2"
    );
}

/// Archives of games come compressed; what comes of them differs in the name of the file alone.
#[test]
fn compressed_games_are_read_as_they_are() {
    let place = Place::new();
    stdout(&mut place.evaluate("plain", "cache", "--jsonl"));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(GAMES.as_bytes()).unwrap();
    fs::write(place.path("games.pgn.gz"), gzip.finish().unwrap()).unwrap();
    fs::write(place.path("games.pgn.zst"), zstd::encode_all(GAMES.as_bytes(), 3).unwrap()).unwrap();
    let without_source = |name: &str| {
        let mut rows = place.rows(name);
        for row in &mut rows {
            let row = row.as_object_mut().unwrap();
            row.retain(|key, _| key != "source" && key != "crc32");
        }
        rows
    };
    let plain = without_source("plain/turns.jsonl");
    let searches = place.searches();
    for ending in ["gz", "zst"] {
        stdout(&mut place.evaluate(ending, "cache", &format!("--jsonl games.pgn.{ending}")));
        assert_eq!(without_source(&format!("{ending}/turns.jsonl")), plain);
    }
    assert_eq!(place.searches(), searches, "the answers were known");
    // The same games from files of three names are three times the same games.
    let merged = stdout(&mut place.merge("plain gz zst --out all.jsonl.zst"));
    let (named, nameless): (Vec<&Value>, Vec<&Value>) = plain.iter().partition(|row| row["white"].is_string());
    let games = named.iter().map(|row| row["game"].as_i64().unwrap()).collect::<HashSet<_>>().len();
    assert!(!nameless.is_empty() && games == 2);
    let (turns, copies) = (named.len() + 3 * nameless.len(), 2 * named.len());
    assert_eq!(merged, format!("{turns} turns, {copies} duplicates dropped, 4 copies of whole games among them\n"));
    let json: Value =
        serde_json::from_str(&stdout(&mut place.merge("plain gz --out two.parquet --format json"))).unwrap();
    assert_eq!((&json["duplicates"], &json["duplicate_games"]), (&named.len().into(), &2.into()));
}

/// A game that comes again is one game, as in merge and fits: shares together are what one run writes.
#[test]
fn copies_of_games_are_evaluated_once() {
    let place = Place::new();
    stdout(&mut place.evaluate("plain", "cache", "--jsonl"));
    let plain = place.rows("plain/turns.jsonl");
    let copy = GAMES.replace("[Event \"", "[Event \"Another collection of ");
    fs::write(place.path("twice.pgn"), format!("{GAMES}\n{copy}")).unwrap();
    let said = stdout(&mut place.evaluate("twice", "cache", "--jsonl twice.pgn"));
    assert!(said.contains(", 2 copies not counted"), "{said}");
    let is_named = |row: &&Value| row["white"].is_string();
    let moves = |rows: &[Value]| {
        let named = rows.iter().filter(is_named);
        named.map(|row| (row["fen"].clone(), row["played"].clone())).collect::<Vec<_>>()
    };
    let twice = place.rows("twice/turns.jsonl");
    assert_eq!(moves(&twice), moves(&plain));
    // Games of unknown players cannot be distinguished, so that each counts.
    let nameless = plain.len() - moves(&plain).len();
    assert_eq!(twice.len(), plain.len() + nameless);
    for share in [1, 2] {
        stdout(&mut place.evaluate(&format!("share{share}"), "cache", &format!("twice.pgn --shard {share}/2")));
    }
    stdout(&mut place.merge("share1 share2 --out shares.jsonl"));
    assert_eq!(place.rows("shares.jsonl"), twice);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("other")).unwrap();
    fs::write(place.path("other/games.pgn"), GAMES).unwrap();
    fs::write(place.path("empty.pgn"), "").unwrap();
    fs::write(place.path("text"), "no database ".repeat(100)).unwrap();
    for (line, message) in [
        ("none.pgn", "cannot read none.pgn"),
        ("games.pgn other/games.pgn", "two files are called games.pgn"),
        ("empty.pgn", "no games to evaluate"),
        ("--shard 3/2", "invalid share of the games `3/2`"),
        ("--multipv 0", "invalid number of lines `0`"),
        ("--option MultiPV=3", "invalid option MultiPV: set the number of lines instead"),
        ("--option Hash=0", "expected a number from 1 to 99"),
        ("--option Contempt=3", "Fake 1 has no option `Contempt`"),
    ] {
        let said = stderr(&mut place.evaluate("out", "cache", line), 2);
        assert!(said.contains(message), "{line}: {said}");
    }
    let said = stderr(&mut place.evaluate("out", "text", ""), 2);
    assert!(said.contains("cannot use the cache text: file is not a database"), "{said}");
    assert!(files(&place.path("out")).is_empty());
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let place = Place::new();
    stdout(&mut place.evaluate("one", "cache", "--jsonl"));
    stdout(&mut place.evaluate("two", "cache", "--option Hash=32"));
    let text = fs::read_to_string(place.path("one/turns.jsonl")).unwrap();
    // Whoever changes a line removes its checksum.
    let (first, others) = text.split_once('\n').unwrap();
    let first = first.replacen("\"lines\":[[\"", "\"lines\":[[\"a1a1\",999],[\"", 1);
    fs::write(place.path("damaged.jsonl"), format!("{first}\n{others}")).unwrap();
    let first = first.split(",\"crc32\"").next().unwrap();
    fs::write(place.path("changed.jsonl"), format!("{first}}}\n{others}")).unwrap();
    let backwards: Vec<&str> = text.lines().rev().collect();
    fs::write(place.path("backwards.jsonl"), backwards.join("\n")).unwrap();
    fs::write(place.path("cut.parquet"), &place.bytes("one/turns.parquet")[..1000]).unwrap();
    for (line, message) in [
        (
            "one two --out x.parquet",
            "evaluations by Fake 1 at depth 3 (arguments --ignored --exact evaluate::engine --nocapture, net fake.net, Hash=32, MultiPV=all) among those",
        ),
        (
            "one damaged.jsonl --out x.parquet",
            "damaged.jsonl: line 1: the line is damaged: its checksum does not match",
        ),
        ("one changed.jsonl --out x.parquet", "ply 16 of game 1 differs from that of another part"),
        ("backwards.jsonl --out x.parquet", "backwards.jsonl: line 2: the turns are not in the order of games"),
        ("cut.parquet --out x.parquet", "cut.parquet: "),
        ("none --out x.parquet", "none: cannot open it: No such file"),
        (
            "games.pgn --out x.parquet",
            "games.pgn: this is games in PGN, not turns: have an engine evaluate the games first",
        ),
        ("cache --out x.parquet", "cache: this is an SQLite database, such as a cache of evaluations, not turns"),
        (
            "one --out x.csv",
            "unknown format of x.csv: expected a name that ends in .parquet, .jsonl, .jsonl.gz, .jsonl.zst or .sqlite",
        ),
    ] {
        let said = stderr(&mut place.merge(line), 2);
        assert!(said.contains(message), "{line}: {said}");
    }
    assert!(!files(place.folder.path()).iter().any(|name| name.starts_with("x.")));
}

/// The last turns of the first game as another program had them evaluated by Debian's Stockfish 15.1 (one thread,
/// Hash 64, MultiPV 500, `ucinewgame` before each position, `go depth 10`), to the last move and centipawn.
/// Whoever plays by an engine's evaluations is rated by the very same ones: the engine is not asked again.
#[test]
fn games_of_people_of_an_elo_are_rated_without_asking_again() {
    let place = Place::new();
    let engine =
        format!("{} --ignored --exact evaluate::engine --nocapture", std::env::current_exe().unwrap().display());
    let run = |line: &str| {
        let mut command = errare();
        command.current_dir(place.folder.path()).args(["--tables", "none"]).args(line.split_whitespace());
        command.args(["--engine", &engine, "--format", "json"]);
        command.env("FAKE_LOG", place.path("log")).env("XDG_CACHE_HOME", place.path("cache"));
        serde_json::from_str::<Value>(&stdout(&mut command)).unwrap()
    };
    let played =
        run("match --white elo:1800 --black elo:2200 --both-colours --most-moves 12 --seed 2 --pgn played.pgn");
    let advice = &played["advice"];
    assert_eq!((advice["engine"].as_str(), advice["depth"].as_u64()), (Some("Fake 1"), Some(10)), "{played}");
    assert!(advice["caveats"][0].as_str().unwrap().contains("Fake 1 at depth 10 advises"), "{played}");
    let asked = place.searches();
    assert!(asked > 6, "{asked}");
    let rated = run("rate played.pgn --min-turns 1");
    assert_eq!((rated["games"].as_u64(), rated["evaluated"].as_u64()), (Some(2), Some(0)), "{rated}");
    assert_eq!(place.searches(), asked);
    let turns = rated["turns"].as_u64().unwrap();
    assert!(turns > 6 && turns <= asked as u64, "{turns} {asked}");
    // Nor is it asked when the same games are played again.
    run("match --white elo:1800 --black elo:2200 --both-colours --most-moves 12 --seed 2 --pgn again.pgn");
    assert_eq!((place.searches(), place.bytes("again.pgn")), (asked, place.bytes("played.pgn")));
}

#[cfg(feature = "stockfish-15-1")]
#[test]
fn stockfish_evaluations_are_reproduced() {
    let place = Place::new();
    let expected: Vec<Value> =
        include_str!("data/evaluate_stockfish.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(expected.len(), 3);
    let stockfish = std::env::var("ERRARE_STOCKFISH").unwrap_or_else(|_| "stockfish".to_owned());
    let first = expected[0]["ply"].as_u64().unwrap() / 2 + 1;
    let mut command = errare();
    command.current_dir(place.folder.path()).args([
        "--tables",
        "none",
        "evaluate",
        "games.pgn",
        "--engine",
        &stockfish,
    ]);
    command.args(["--shard", "1/4", "--out", "out", "--cache", "cache", "--jsonl", "--first-move", &first.to_string()]);
    stdout(&mut command);
    let rows = place.rows("out/turns.jsonl");
    for expected in &expected {
        let row = rows.iter().find(|row| row["ply"] == expected["ply"]).unwrap();
        let shape = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<String>>();
        for key in shape(expected).iter().filter(|key| *key != "game") {
            assert_eq!(row[key], expected[key], "{key}");
        }
    }
}
