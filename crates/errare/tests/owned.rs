//! `errare table probe --source` and `errare table compare`, end to end, with tables of three men.

use crate::common::{files, fresh, json, run, shared, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const WON_PAWN: &str = "4K3/2k5/8/8/8/3P4/8/8 w - - 0 1";

fn owned(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/owned").join(kind)
}

fn spec(kind: &str) -> String {
    format!("{kind}:{}", owned(kind).display())
}

fn probe(kind: &str, fen: &str, flags: &str) -> Value {
    let folder = fresh();
    let mut command = run(folder.path(), &format!("table probe --format json {flags}"));
    let answer = json(command.args([fen, "--source", &spec(kind)]));
    assert!(files(folder.path()).is_empty(), "nothing is built");
    answer
}

/// What python-chess reads, of the position and of one after it.
fn a_pawn_endgame_is_probed(kind: &str, metric: &str, plies: u16, after: u16) {
    let answer = probe(kind, WON_PAWN, "");
    assert_eq!((&answer["metric"], &answer["outcome"]), (&json!(metric), &json!("win")));
    assert_eq!(answer["plies"], plies);
    assert_eq!(answer["successors"][0]["plies"], after);
    assert_eq!(answer["successors"].as_array().unwrap().len(), 4);
    assert_eq!(probe(kind, WON_PAWN, &format!("--metric {metric}")), answer);
    let promoting = probe(kind, "8/P7/8/8/8/8/6k1/K7 w - - 0 1", "");
    let moves = promoting["successors"].as_array().unwrap();
    let to = |san: &str| moves.iter().find(|mv| mv["san"] == san).unwrap()["outcome"].clone();
    assert_eq!([to("a8=Q+"), to("a8=R"), to("a8=B+"), to("a8=N")], ["win", "win", "draw", "draw"]);
}

fn tables_are_compared(kind: &str, metric: &str) {
    let mut command = run(shared(), "table compare KQK kvkr KRK --format json --with");
    let found = json(command.arg(spec(kind)));
    let expected = |material: &str, count: u64| {
        json!({"material": material, "metric": metric, "with": spec(kind), "extent": "whole", "placements": null,
            "seed": null, "compared": count, "agreeing": count, "rounded": 0, "between": 0, "disagreeing": 0,
            "differences": []})
    };
    assert_eq!(found, json!([expected("KQK", 46_137), expected("KRK", 50_015)]));
}

#[test]
fn syzygy_answers_for_pawns() {
    a_pawn_endgame_is_probed("syzygy", "dtz50", 7, 6);
}

#[test]
fn syzygy_tables_are_compared() {
    tables_are_compared("syzygy", "dtz50");
}

#[test]
fn rounding_is_said_once() {
    let mut command = run(shared(), "table probe 8/8/8/8/8/2k5/1R6/K7 w --source");
    assert_eq!(
        stderr(command.arg(spec("syzygy")), 0),
        "note: these tables round: a depth may be one ply more than shown\n"
    );
}

#[test]
fn our_own_tables_elsewhere_are_a_source_too() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KRK --metric dtm"));
    let line = format!("table probe 8/8/8/8/8/2k5/1R6/K7 w --format json --source tables:{}", folder.path().display());
    let empty = fresh();
    assert_eq!(json(&mut run(empty.path(), &line))["plies"], 31);
    let said = stderr(&mut run(empty.path(), &line.replace("json", "json --metric dtc")), 2);
    assert!(said.contains("no dtc table of KRK"), "{said}");
    assert_eq!(files(folder.path()), ["KRK.dtm.egt"], "nothing is built");
}

/// The checksum of the table that errs, by the code of the generator.
const CHECKSUM: u128 = 0xebee8607b4e35464e3c2df6c4bfbcdb4;

/// A set of Syzygy tables of which one was changed, with its old checksum or another one.
fn changed(checksum: Option<u128>) -> tempfile::TempDir {
    let folder = fresh();
    for name in files(&owned("syzygy")) {
        fs::copy(owned("syzygy").join(&name), folder.path().join(&name)).unwrap();
    }
    let path = folder.path().join("KRvK.rtbz");
    let mut bytes = fs::read(&path).unwrap();
    // In the table of the code's symbols.
    bytes[80] ^= 1;
    if let Some(checksum) = checksum {
        let end = bytes.len() - 16;
        bytes[end..].copy_from_slice(&checksum.to_be_bytes());
    }
    fs::write(path, bytes).unwrap();
    folder
}

/// A set of Syzygy tables that errs in a dozen positions.
fn wrong() -> tempfile::TempDir {
    changed(Some(CHECKSUM))
}

#[test]
fn a_single_wrong_bit_of_a_syzygy_table_is_named() {
    let folder = changed(None);
    let with = format!("syzygy:{}", folder.path().display());
    let path = folder.path().join("KRvK.rtbz");
    let expected = format!("error: damaged Syzygy table {}: its checksum is wrong\n", path.display());
    for line in
        [format!("table compare KRK --with {with}"), format!("table probe 8/8/8/8/8/2k5/1R6/K7 w --source {with}")]
    {
        assert_eq!(stderr(&mut run(shared(), &line), 2), expected, "{line}");
    }
    // The others are sound.
    stdout(&mut run(shared(), &format!("table compare KNK --with {with}")));
}

#[test]
fn disagreement_is_a_finding() {
    let folder = wrong();
    let line = format!("table compare KNK KRK --with syzygy:{} --limit 2", folder.path().display());
    let text = String::from_utf8(run(shared(), &line).assert().code(1).get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("With syzygy:") && lines[0].ends_with(" (whole tables)"), "{text}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[2]), ["KNK", "dtz50", "53,806", "53,806", "0", "0", "0"]);
    assert_eq!(words(lines[3]), ["KRK", "dtz50", "50,015", "50,003", "0", "0", "12"]);
    let first = "  8/8/8/8/1R6/2K5/8/2k5 w - - 0 1  ours: win in 3 plies, theirs: win in 1 ply";
    assert_eq!(lines[4], first);
    let assert = run(shared(), &format!("{line} --format json")).assert().code(1);
    let found: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(
        found[1]["differences"][0],
        json!({"fen": "8/8/8/8/1R6/2K5/8/2k5 w - - 0 1", "ours": {"outcome": "win", "plies": 3, "moves": 2},
            "theirs": {"outcome": "win", "plies": 1, "moves": 1}})
    );
}

#[test]
fn csv_is_a_row_for_each_endgame_and_difference() {
    let folder = wrong();
    let with = format!("syzygy:{}", folder.path().display());
    let assert = run(shared(), &format!("table compare KNK KRK --with {with} --limit 1 --format csv")).assert().code(1);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let expected = format!(
        "material,metric,with,extent,placements,seed,compared,agreeing,rounded,between,disagreeing,fen,our_outcome,\
         our_plies,their_outcome,their_plies\n\
         KNK,dtz50,{with},whole,,,53806,53806,0,0,0,,,,,\n\
         KRK,dtz50,{with},whole,,,50015,50003,0,0,12,,,,,\n\
         KRK,dtz50,{with},whole,,,,,,,,8/8/8/8/1R6/2K5/8/2k5 w - - 0 1,win,3,win,1\n"
    );
    assert_eq!(text, expected);
}

#[test]
fn a_sample_names_its_seed_and_repeats() {
    let line = format!("table compare KRK --with {} --sample 3000 --seed 11", spec("syzygy"));
    let text = stdout(&mut run(shared(), &line));
    assert!(text.contains(" (samples of 3,000 placements, seed 11)\n"), "{text}");
    assert_eq!(stdout(&mut run(shared(), &line)), text);
    assert_ne!(stdout(&mut run(shared(), &line.replace("11", "12"))).replace("12", "11"), text);
}

#[test]
fn what_is_not_there_gets_one_clear_sentence() {
    let empty = fresh();
    let (syzygy, nothing) = (spec("syzygy"), empty.path().display().to_string());
    for (line, words) in [
        (format!("table probe 8/8/8/8/2r5/8/2k5/K6Q w --source {syzygy}"), "no Syzygy table KQvKR.rtbw in "),
        (format!("table compare KRKN --with {syzygy}"), "no Syzygy table KRvKN.rtbw in "),
        (
            format!("table probe k7/8/8/8/8/8/8/KQ6 w --source syzygy:{nothing}"),
            "no Syzygy tables (*.rtbw and *.rtbz) in",
        ),
        (format!("table probe k7/8/8/8/8/8/8/KQ6 w --source syzygy:{nothing}/none"), "cannot read the folder"),
        (format!("table compare KQK --with syzygy:{nothing}/none"), "cannot read the folder"),
        (
            format!("table probe k7/8/8/8/8/8/8/KQ6 w --metric dtm --source {syzygy}"),
            "invalid metric dtm for Syzygy tables: expected dtz50",
        ),
        (
            format!("table probe kqqqqqqq/8/8/8/8/8/8/K7 w --source {syzygy}"),
            "too many men: expected at most 7, found 9",
        ),
        (
            "table probe k7/8/8/8/8/8/8/KQ6 w --source nalimov:x".to_owned(),
            "invalid source `nalimov:x`: expected syzygy:DIR",
        ),
        ("table compare KQK".to_owned(), "--with"),
        (format!("table compare KQK --with {syzygy} --seed 1"), "--sample"),
        (format!("table compare --with {syzygy}"), "MATERIAL"),
    ] {
        let said = stderr(&mut run(shared(), &line), 2);
        assert!(said.starts_with("error: ") && said.contains(words), "{line}: {said}");
    }
}

#[test]
fn seven_men_are_read_if_the_source_has_them() {
    let said = stderr(run(shared(), "table probe kqqqqq2/8/8/8/8/8/8/K7 w --source").arg(spec("syzygy")), 2);
    assert!(said.contains("no Syzygy table KQQQQQvK.rtbw in "), "{said}");
}

#[cfg(not(feature = "gaviota"))]
#[test]
fn gaviota_is_a_matter_of_the_build() {
    let said = stderr(run(shared(), "table probe k7/8/8/8/8/8/8/KQ6 w --source").arg(spec("gaviota")), 2);
    assert!(said.contains("--features gaviota") && said.contains("libgaviotatb-dev"), "{said}");
}

#[cfg(feature = "gaviota")]
mod gaviota {
    use super::*;

    #[test]
    fn gaviota_answers_for_pawns() {
        a_pawn_endgame_is_probed("gaviota", "dtm", 37, 36);
    }

    #[test]
    fn gaviota_tables_are_compared() {
        tables_are_compared("gaviota", "dtm");
    }

    #[test]
    fn a_missing_gaviota_table_is_named() {
        let said = stderr(run(shared(), "table probe 8/8/8/8/2r5/8/2k5/K6Q w --source").arg(spec("gaviota")), 2);
        assert!(said.contains("no Gaviota table kqkr.gtb.cp4 in "), "{said}");
    }
}
