//! `errare fit`, `calibrate`, `rate`, `screen` and `report`, end to end.

mod common;

use common::{errare, fresh, json, run, stderr, stdout};
use std::path::Path;

const TURNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../errare-ratings/tests/data/mileposts.jsonl.gz");
const ENGINE: &str = "--engine Stockfish-15.1 --depth 10";

fn calibrated(folder: &Path) -> String {
    let file = folder.join("calibration.json").display().to_string();
    stdout(&mut run(folder, &format!("calibrate {TURNS} {ENGINE} --out {file}")));
    file
}

#[test]
fn fits_tell_skill_and_how_well_it_predicts() {
    let folder = fresh();
    let answer = json(&mut run(
        folder.path(),
        &format!("fit {TURNS} --method percentile,moments --bootstrap 10 --seed 3 --estimate-a --format json"),
    ));
    let fits = answer["fits"].as_array().unwrap();
    assert_eq!(fits.len(), 2);
    assert_eq!((&fits[0]["games"], &fits[0]["group"]), (&15.into(), &"all".into()));
    assert_eq!(fits[0]["percentiles"].as_array().unwrap().len(), 21);
    assert_eq!((&fits[0]["bootstrap"]["draws"], &fits[0]["bootstrap"]["seed"]), (&10.into(), &3.into()));
    assert!(answer["left_out"]["decided"].as_u64().unwrap() > 0);
    assert!(answer["scale_estimate"]["a"].as_f64().unwrap() > 0.0);
    let moments = fits.iter().find(|fit| fit["method"] == "moments").unwrap();
    for (actual, expected) in [("mm", "mm_expected"), ("ad", "ad_expected")] {
        assert!((moments[actual].as_f64().unwrap() - moments[expected].as_f64().unwrap()).abs() < 1e-6);
    }
    let csv = stdout(&mut run(folder.path(), &format!("fit {TURNS} --by milepost --format csv")));
    let groups: Vec<&str> = csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(groups, ["1900", "2100", "2300", "2500", "2700"]);
    let table = stdout(&mut run(folder.path(), &format!("fit {TURNS} --percentiles --a 0")));
    assert!(table.contains("turns of 15 games"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("0.50")), "{table}");
}

#[test]
fn all_fifteen_pairs_are_compared_most_likely_first() {
    let folder = fresh();
    let answer = json(&mut run(folder.path(), &format!("fit {TURNS} --compare --method likelihood --format json")));
    let logs: Vec<f64> =
        answer["fits"].as_array().unwrap().iter().map(|fit| fit["log_likelihood"].as_f64().unwrap()).collect();
    assert_eq!(logs.len(), 15);
    assert!(logs.windows(2).all(|pair| pair[0] >= pair[1]));
}

#[test]
fn a_calibration_rates_and_screens() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let stored: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&stored["engine"]["name"], &stored["engine"]["depth"]), (&"Stockfish-15.1".into(), &10.into()));
    assert!(stored["data"].as_str().unwrap().contains("mileposts.jsonl.gz"));
    assert_eq!(stored["mileposts"].as_array().unwrap().len(), 5);
    let line = format!("{TURNS} {ENGINE} --calibration {file} --format json");
    let rating = json(&mut run(folder.path(), &format!("rate {line} --bootstrap 10")));
    let number = |key: &str| rating[key].as_f64().unwrap();
    assert!((1500.0..3000.0).contains(&number("ipr")), "{rating}");
    assert!(rating["interval"][0].as_f64().unwrap() < number("ipr") && number("se") > number("se_sample"));
    assert!(rating["drawn_interval"].is_array());
    let readings = rating["posterior"].as_array().unwrap();
    assert_eq!((&readings[3]["moves"], &readings[readings.len() - 1]["moves"]), (&10.into(), &rating["turns"]));
    assert!(readings[0]["sd"].as_f64() > readings[readings.len() - 1]["sd"].as_f64(), "{rating}");
    // A game of 2007 in which a 2700 had 15 turns, and others.
    let screened =
        json(&mut run(folder.path(), &format!("screen {line} --player karjakin --claimed 2700 --least-turns 10")));
    let turns = screened["overall"]["turns"].as_u64().unwrap() as usize;
    assert_eq!(screened["trace"].as_array().unwrap().len(), turns);
    assert_eq!(screened["widening"], serde_json::json!({"mm": 1.15, "ad": 1.4}));
    let first = &screened["trace"][0];
    assert!(first["played"].is_string() && first["rank"].as_u64().unwrap() >= 1, "{first}");
    assert!(screened["note"].as_str().unwrap().contains("not a verdict"));
    assert!(screened["opponents"]["turns"].as_u64().unwrap() > 0);
    // The calibration's own error moves z; from so few games the line ends before a standard error above 2700.
    let z = screened["overall"]["z_ad"].as_f64().unwrap();
    let off = &screened["if_calibration_off"];
    let [low, high] = [0, 1].map(|end| off["z_ad"][end].as_f64().unwrap());
    assert!(off["elo"].as_f64().unwrap() > 0.0 && low <= z && z < high, "{off}");
    // A lower claim makes the same moves look better.
    let lower =
        json(&mut run(folder.path(), &format!("screen {line} --player karjakin --claimed 1900 --least-turns 10")));
    assert!(lower["overall"]["z_ad"].as_f64() > screened["overall"]["z_ad"].as_f64());
}

/// A part of a name is enough if no other name contains it; nobody is pooled with others.
#[test]
fn a_player_is_one_player() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let line = format!("{TURNS} {ENGINE} --calibration {file} --least-turns 10");
    for part in ["karjakin", "Karjakin,Sergey", "KARJAKIN,S"] {
        let rating = json(&mut run(folder.path(), &format!("rate {line} --player {part} --format json")));
        assert_eq!((&rating["player"], &rating["turns"]), (&"Karjakin,Sergey".into(), &15.into()));
    }
    for command in ["rate", "screen", "report player --out page.html"] {
        let refused = |name: &str| stderr(run(folder.path(), &format!("{command} {line} --player")).arg(name), 2);
        let several = refused(",e");
        for expected in ["ambiguous player `,e`: 4 names contain it: ", "Bacrot,E", "Dizdarevic,E", "Matorin,E"] {
            assert!(several.contains(expected), "{command}: {several}");
        }
        assert!(refused("karyakin").contains("no player matches `karyakin`; similar names: Karjakin,Sergey"));
        assert!(refused("").contains("empty player name"), "{command}");
    }
}

#[test]
fn ratings_need_no_home_and_no_tables() {
    let folder = fresh();
    let calibration = calibrated(folder.path());
    for line in [
        format!("fit {TURNS}"),
        format!("rate {TURNS} {ENGINE} --calibration {calibration}"),
        format!("screen {TURNS} {ENGINE} --calibration {calibration} --player karjakin --min-turns 10"),
    ] {
        stdout(errare().env_remove("HOME").args(line.split_whitespace()));
    }
}

#[test]
fn flags_keep_their_old_names() {
    let folder = fresh();
    let fit = |flags: &str| stdout(&mut run(folder.path(), &format!("fit {TURNS} --by player {flags} --format csv")));
    assert_eq!(fit("--max-eval 2 --min-turns 40"), fit("--most-eval 2 --least-turns 40"));
}

/// Pages are whole documents that need nothing else, and have what they promise.
#[test]
fn pages_stand_alone() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let (ratings, player) = (folder.path().join("ratings.html"), folder.path().join("player.html"));
    stdout(&mut run(folder.path(), &format!("report ratings {TURNS} {ENGINE} --out {}", ratings.display())));
    let line = format!("report player {TURNS} {ENGINE} --calibration {file} --player karjakin --least-turns 10");
    stdout(&mut run(folder.path(), &format!("{line} --out {}", player.display())));
    for (path, pictures, words) in [
        (
            &ratings,
            4,
            ["s over Elo", "Percentiles", "rated by a calibration of the others", "likelihood", "Which method to use"],
        ),
        (
            &player,
            2,
            [
                "Intrinsic performance rating",
                "Posterior over Elo",
                "the opponents",
                "not a verdict",
                "least likely moves",
            ],
        ),
    ] {
        let page = std::fs::read_to_string(path).unwrap();
        assert_eq!(page.matches("<svg ").count(), pictures);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        for word in words {
            assert!(page.contains(word), "{word}");
        }
        // Nothing is fetched; the name space of SVG is no address.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "<script", "<link", "src="] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn bad_use_is_told_in_a_sentence() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let broken = folder.path().join("broken.jsonl");
    std::fs::write(&broken, "{\"ply\":3}\n").unwrap();
    let broken = broken.display();
    let text = std::fs::read_to_string(&file).unwrap();
    let odd = folder.path().join("odd.json").display().to_string();
    std::fs::write(&odd, text.replace("\"cap\":10.0", "\"cap\":-1.0")).unwrap();
    let old = folder.path().join("old.json").display().to_string();
    std::fs::write(&old, text.replace("calibration 2", "calibration 1")).unwrap();
    for (line, sentence) in [
        ("fit none.jsonl".to_owned(), "none.jsonl: cannot open it"),
        (format!("fit {broken}"), "broken.jsonl: line 1: missing field"),
        (format!("fit {TURNS} --model share"), "invalid model `share`"),
        (format!("fit {TURNS} --curve tanh"), "invalid curve `tanh`"),
        (format!("fit {TURNS} --method best"), "invalid method `best`"),
        (format!("fit {TURNS} --weights 1,2"), "invalid weights: 2 for 1 depths"),
        (format!("fit {TURNS} --least-turns 100000"), "but at least 100000 are needed"),
        (format!("calibrate {TURNS}"), "must name its engine and depth"),
        (format!("rate {TURNS} {ENGINE} --calibration {broken}"), "broken.jsonl: not a calibration"),
        (format!("rate {TURNS} {ENGINE} --calibration {odd}"), "odd.json: invalid scale"),
        (format!("rate {TURNS} {ENGINE} --calibration {old}"), "make it again with `errare calibrate`"),
        (format!("fit {TURNS} --a inf"), "expected a finite number"),
        (format!("rate {TURNS} --engine Other --depth 10 --calibration {file}"), "ratings would be meaningless"),
        (format!("rate {TURNS} --engine Stockfish-15.1 --depth 12 --calibration {file}"), "at depth 12"),
        (format!("rate {TURNS} {ENGINE} --calibration {file} --player nobody"), "no player matches `nobody`"),
        (format!("rate {TURNS} {ENGINE} --calibration {file} --player karjakin"), "too few turns: 15"),
        (format!("screen {TURNS} {ENGINE} --calibration {file} --player nobody"), "no player matches `nobody`"),
        (
            format!("screen {TURNS} {ENGINE} --calibration {file} --player karjakin --least-turns 5 --claimed 9000"),
            "Elo 9000 is outside the range",
        ),
    ] {
        let found = stderr(&mut run(folder.path(), &line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
}
