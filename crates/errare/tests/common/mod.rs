//! What the end-to-end tests share: the program, a folder of tables and readers of its output.

#![allow(dead_code)] // no test file needs all of it

pub mod server;

use assert_cmd::Command;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Longest KQKR win to mate: 35 moves.
pub const DEEP_KQKR: &str = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1";

/// The program, deaf to the environment of whoever runs the tests.
pub fn errare() -> Command {
    let mut command = Command::new(program());
    for variable in ["ERRARE_TABLES", "ERRARE_ENGINE", "XDG_CACHE_HOME", "NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.timeout(std::time::Duration::from_secs(120));
    command
}

pub fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("errare").to_owned()
}

/// Arguments are words of one line.
pub fn run(folder: &Path, line: &str) -> Command {
    let mut command = errare();
    command.arg("--tables").arg(folder).args(line.split_whitespace()).env("ERRARE_DATA", folder.join("data"));
    command
}

/// A folder shared by the tests of one file, empty when the first of them asks.
pub fn shared() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = std::env::current_exe().unwrap().file_name().unwrap().to_owned();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(fs::remove_dir_all(&folder));
        folder
    })
}

/// The turns of players of known skill, as their engine evaluated them.
pub const TURNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data/mileposts.jsonl.gz");

/// The calibration that [`TURNS`] make, which takes seconds and is made once.
pub fn calibration() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        fs::create_dir_all(shared()).unwrap();
        let file = shared().join("calibration.json").display().to_string();
        let line = format!("calibrate {TURNS} --engine Stockfish-15.1 --depth 10 --out {file}");
        stdout(&mut run(shared(), &line));
        file
    })
}

/// As few of [`TURNS`] as make a calibration: the first ones of each milepost. For tests that ask for no certain numbers.
pub fn few_turns() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        let milepost = |line: &str| line.split(',').next().unwrap().to_owned();
        let mut seen = HashMap::new();
        let mut few = String::new();
        for line in BufReader::new(GzDecoder::new(File::open(TURNS).unwrap())).lines().map(Result::unwrap) {
            let count = seen.entry(milepost(&line)).or_insert(0);
            *count += 1;
            if *count <= 52 {
                few += &line;
                few.push('\n');
            }
        }
        fs::create_dir_all(shared()).unwrap();
        let file = shared().join("few_turns.jsonl");
        fs::write(&file, few).unwrap();
        file.display().to_string()
    })
}

pub fn fresh() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// What a run that must succeed wrote on stdout.
pub fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().code(0).get_output().stdout.clone()).unwrap()
}

pub fn stderr(command: &mut Command, code: i32) -> String {
    String::from_utf8(command.assert().code(code).get_output().stderr.clone()).unwrap()
}

pub fn json(command: &mut Command) -> Value {
    serde_json::from_str(&stdout(command)).unwrap()
}

/// The keys of the first object at an indentation, in the order in which they are written.
pub fn keys(text: &str, indent: usize) -> Vec<String> {
    let start = format!("{}\"", " ".repeat(indent));
    let end = format!("{}}}", " ".repeat(indent - 2));
    let inside = text.lines().take_while(|line| line.trim_end_matches(',') != end);
    let keys = inside.filter_map(|line| line.strip_prefix(&start)?.split_once("\":"));
    keys.map(|(key, _)| key.to_owned()).collect()
}

pub fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map(|entries| entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

/// Where the list of values begins in the header of a table file.
pub fn values_in_header(header: &[u8]) -> usize {
    let (name, metric, sides, order, counts) = (1 + usize::from(header[0]), 3, 1, 1, 2 * (5 * 8 + 2 * 2));
    // Where one side to move is stored, a byte for each kind of move says what is guessed of the other side: captures by six
    // men of six men and two kinds of pawn steps, in four circumstances each.
    let guesses = if header[name + metric] >= 2 { (6 * 6 + 2) * 4 } else { 0 };
    name + metric + sides + order + guesses + counts
}
