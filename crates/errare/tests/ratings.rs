//! `errare fit`, `calibrate`, `rate`, `screen` and `report`, end to end.

use crate::common::{TURNS, calibration, errare, fresh, json, run, stderr, stdout};
use errare_ratings::{TurnFormat, TurnOutput, TurnRows};
use std::path::Path;

const ENGINE: &str = "--engine Stockfish-15.1 --depth 10";

fn calibrated(folder: &Path) -> String {
    let file = folder.join("calibration.json").display().to_string();
    std::fs::copy(calibration(), &file).unwrap();
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
    for (path, charts, diagrams, words) in [
        (
            &ratings,
            4,
            0,
            [
                "s over Elo",
                "Percentiles",
                "rated by a calibration of the others",
                "likelihood",
                "Which method to use",
                "The mileposts",
            ],
        ),
        (
            &player,
            2,
            // One for each of the player's turns, which are fewer than are shown at most.
            15,
            [
                "<p>15 turns of",
                "Intrinsic performance rating",
                "Posterior over Elo",
                "the opponents",
                "not a verdict",
                "least likely moves",
            ],
        ),
    ] {
        let page = std::fs::read_to_string(path).unwrap();
        // Each chart is there twice, broad and slim; the least likely moves have a diagram each.
        for (start, expected) in
            [("\"broad\"><svg ", charts), ("\"slim\"><svg ", charts), ("<desc>Chess diagram.", diagrams)]
        {
            assert_eq!(page.matches(start).count(), expected, "{start}");
        }
        assert_eq!(page.matches("<svg ").count(), 2 * charts + diagrams);
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
        (format!("fit {TURNS} --a inf"), "expected a number from 0 to 1000"),
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

fn csv_rows(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap()
}

/// Whoever gives a file in the wrong place learns what it is, and what to do.
#[test]
fn files_in_the_wrong_place_are_named() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("games.pgn"), "[Event \"x\"]\n\n1. e4 *\n").unwrap();
    std::fs::write(path("cache.sqlite"), b"SQLite format 3\0 and more").unwrap();
    std::fs::create_dir(path("empty")).unwrap();
    let (games, cache, empty) = (path("games.pgn"), path("cache.sqlite"), path("empty"));
    for (line, sentence) in [
        (format!("fit {games}"), "games.pgn: this is games in PGN, not turns: have an engine evaluate the games first"),
        (format!("calibrate {games} {ENGINE}"), "this is games in PGN, not turns"),
        (format!("rate {games} --engine nothing"), "there is no engine `nothing`"),
        (format!("rate {games} {TURNS}"), "games and turns do not go together"),
        (format!("screen {games} --player a"), "no player matches `a`"),
        (format!("fit {file}"), "this is a calibration, not turns: give the calibration by --calibration"),
        (format!("fit {cache}"), "this is an SQLite database, such as a cache of evaluations, not turns"),
        (format!("fit {empty}"), "this is a folder without a turns.parquet, not turns"),
        (
            format!("rate {TURNS} {ENGINE} --calibration {TURNS}"),
            "this is turns, not a calibration: make a calibration",
        ),
        (format!("rate {TURNS} {ENGINE} --calibration {games}"), "this is games in PGN, not a calibration"),
        (format!("rate {TURNS} {ENGINE} --calibration {empty}"), "this is a folder"),
    ] {
        let found = stderr(&mut run(folder.path(), &line), 2);
        assert!(found.contains(sentence), "{line}: {found}");
    }
    // A folder that `errare evaluate` wrote is read.
    let mut output = TurnOutput::create(Path::new(&path("empty/turns.parquet")), TurnFormat::Parquet).unwrap();
    TurnRows::open(Path::new(TURNS)).unwrap().for_each(|row| output.write(row.unwrap()).unwrap());
    output.finish().unwrap();
    let text = stdout(&mut run(folder.path(), &format!("fit {empty}")));
    assert!(text.contains("818 turns of 15 games"), "{text}");
}

/// A game that is in the files twice counts once, and every command says so.
#[test]
fn copies_of_games_do_not_count() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let fit = |files: &str, more: &str| run(folder.path(), &format!("fit {files} --keep-repeats {more}"));
    let (once, twice) =
        (json(&mut fit(TURNS, "--format json")), json(&mut fit(&format!("{TURNS} {TURNS}"), "--format json")));
    assert_eq!((&once["duplicate_games"], &twice["duplicate_games"]), (&0.into(), &15.into()));
    assert_eq!(twice["left_out"]["duplicate"], 998);
    for field in ["s", "se_s", "c", "se_c", "turns", "games"] {
        assert_eq!(once["fits"][0][field], twice["fits"][0][field], "{field}");
    }
    let sentence = "15 games were in the files more than once, and were counted once.";
    let rated = format!("{TURNS} {TURNS} {ENGINE} --calibration {file}");
    for line in [
        format!("fit {TURNS} {TURNS}"),
        format!("calibrate {TURNS} {TURNS} {ENGINE}"),
        format!("rate {rated}"),
        format!("screen {rated} --player karjakin --min-turns 10"),
    ] {
        let text = stdout(&mut run(folder.path(), &line));
        assert!(text.contains(sentence), "{line}: {text}");
        let said = stderr(&mut run(folder.path(), &format!("{line} --format csv")), 0);
        assert!(said.contains(sentence), "{line}: {said}");
        assert_eq!(json(&mut run(folder.path(), &format!("{line} --format json")))["duplicate_games"], 15, "{line}");
    }
}

/// Three games a milepost are no calibration to trust, and no Elo beyond its mileposts is shown without a mark.
#[test]
fn weak_calibrations_and_extrapolated_ratings_are_marked() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let made = json(&mut run(folder.path(), &format!("calibrate {TURNS} {ENGINE} --format json")));
    assert_eq!(made["warnings"].as_array().unwrap().len(), 2, "{}", made["warnings"]);
    let line = format!("rate {TURNS} {ENGINE} --calibration {file} --player dizdarevic --min-turns 10");
    let rating = json(&mut run(folder.path(), &format!("{line} --format json")));
    assert_eq!(rating["calibrated_range"], serde_json::json!([1900.0, 2700.0]));
    let ipr = rating["ipr"].as_f64().unwrap();
    assert_eq!(rating["outside_range"].as_bool().unwrap(), !(1900.0..=2700.0).contains(&ipr));
    // Somebody among these players is far out.
    let text = std::fs::read_to_string(&file).unwrap();
    let narrow = folder.path().join("narrow.json").display().to_string();
    let mut changed: serde_json::Value = serde_json::from_str(&text).unwrap();
    for milepost in changed["mileposts"].as_array_mut().unwrap() {
        milepost["elo"] = (milepost["elo"].as_f64().unwrap() / 100.0 + 3000.0).into();
    }
    std::fs::write(&narrow, changed.to_string()).unwrap();
    let line = format!("{TURNS} {ENGINE} --calibration {narrow}");
    let table = stdout(&mut run(folder.path(), &format!("rate {line}")));
    assert!(table.contains("* ") && table.contains("* outside the range of the calibration, 3019 to 3027"), "{table}");
    assert!(table.contains("warning: weak calibration: the milepost 3019 has 3 games"), "{table}");
    assert!(table.contains("warning: weak calibration: its 5 mileposts do not show beyond chance"), "{table}");
    let rows = csv_rows(&stdout(&mut run(folder.path(), &format!("rate {line} --format csv"))));
    assert_eq!(rows[0]["outside_range"], "true");
    let screen = format!("screen {line} --player karjakin --claimed 2500 --min-turns 10");
    assert_eq!(json(&mut run(folder.path(), &format!("{screen} --format json")))["outside_range"], true);
    assert!(stdout(&mut run(folder.path(), &screen)).contains("is outside the range of the calibration, 3019 to 3027"));
    let page = folder.path().join("page.html").display().to_string();
    let report = format!("report player {line} --player karjakin --min-turns 10 --out {page}");
    assert!(stderr(&mut run(folder.path(), &report), 0).contains("warning: weak calibration"));
    let page = std::fs::read_to_string(page).unwrap();
    for words in [
        "(outside the calibrated range of 3019 to 3027: extrapolated)",
        "Warning: weak calibration",
        "Two scores were looked at",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

/// The text of an interval, and whether its ends are marked as they are outside of a range.
fn marked(interval: &serde_json::Value, outside: &serde_json::Value, (lowest, highest): (f64, f64)) -> [String; 2] {
    let end = |place: usize, name: &str| {
        let elo = interval[place].as_f64().unwrap();
        let is_outside = !(lowest..=highest).contains(&elo);
        assert_eq!(outside[name].as_bool(), Some(is_outside), "{elo}: {outside}");
        format!("{elo:.0}{}", if is_outside { "*" } else { "" })
    };
    [end(0, "low"), end(1, "high")]
}

/// A rating may be inside the range of its calibration while its interval is not: then that end has the mark, at every place.
#[test]
fn ends_of_intervals_beyond_the_calibration_are_marked() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let line = format!("{TURNS} {ENGINE} --calibration {file} --player karjakin --min-turns 10");
    let rating = json(&mut run(folder.path(), &format!("rate {line} --bootstrap 20 --format json")));
    let range = (1900.0, 2700.0);
    let [low, high] = marked(&rating["interval"], &rating["interval_outside_range"], range);
    let drawn = marked(&rating["drawn_interval"], &rating["drawn_interval_outside_range"], range);
    assert!(low.ends_with('*') || high.ends_with('*'), "twelve turns should say little: {low} to {high}");
    let table = stdout(&mut run(folder.path(), &format!("rate {line} --bootstrap 20")));
    let posterior = rating["posterior"].as_array().unwrap();
    let readings = posterior.iter().map(|found| marked(&found["interval"], &found["interval_outside_range"], range));
    let readings: Vec<[String; 2]> = readings.collect();
    let last = readings.last().unwrap();
    for words in [
        format!(" {low} to {high} "),
        format!("taken as exact: {} to {}", drawn[0], drawn[1]),
        format!("95% between {} and {}", last[0], last[1]),
        "* outside the range of the calibration, 1900 to 2700: extrapolated".to_owned(),
    ] {
        assert!(table.contains(&words), "{words}: {table}");
    }
    let rows = csv_rows(&stdout(&mut run(folder.path(), &format!("rate {line} --bootstrap 20 --format csv"))));
    for (name, text) in [
        ("low_outside_range", &low),
        ("high_outside_range", &high),
        ("drawn_low_outside_range", &drawn[0]),
        ("drawn_high_outside_range", &drawn[1]),
    ] {
        assert_eq!(rows[0][name], text.ends_with('*').to_string(), "{name}");
    }
    let page = folder.path().join("page.html").display().to_string();
    stderr(&mut run(folder.path(), &format!("report player {line} --out {page}")), 0);
    let page = std::fs::read_to_string(page).unwrap();
    for [low, high] in [[low, high], last.clone()] {
        assert!(page.contains(&format!("95% between {low} and {high}")), "{low} {high}: {page}");
    }
    assert!(page.contains("* is outside the calibrated range of 1900 to 2700: extrapolated, and worth little."));
}

/// CSV is for programs: every cell but names is one number, with all its digits.
#[test]
fn csv_has_all_digits_and_one_number_a_cell() {
    let folder = fresh();
    let file = calibrated(folder.path());
    let rated = format!("{TURNS} {ENGINE} --calibration {file}");
    let words = ["group", "method", "model", "curve", "settled", "player", "game", "side", "played", "best"];
    let mut all = Vec::new();
    for line in [
        format!("fit {TURNS} --bootstrap 5"),
        format!("calibrate {TURNS} {ENGINE}"),
        format!("rate {rated} --bootstrap 5"),
        format!("screen {rated} --player karjakin --min-turns 10"),
        format!("screen {rated} --player karjakin --min-turns 10 --trace"),
    ] {
        let rows = csv_rows(&stdout(&mut run(folder.path(), &format!("{line} --format csv"))));
        for (name, cell) in rows
            .iter()
            .flatten()
            .filter(|(name, _)| !words.contains(&name.as_str()) && !name.ends_with("outside_range"))
        {
            let number: f64 = cell.parse().unwrap_or_else(|_| panic!("{line}: {name} is {cell}"));
            assert!(number.is_finite() && cell.len() < 25, "{line}: {name} is {cell}");
        }
        all.push(rows.into_iter().next().unwrap());
    }
    let [fit, calibration, rating, screening, trace] = &all[..] else { panic!("five commands") };
    let rate = json(&mut run(folder.path(), &format!("rate {rated} --bootstrap 5 --format json")));
    for (cell, value) in [("ipr", &rate["ipr"]), ("low", &rate["interval"][0]), ("high", &rate["interval"][1])] {
        assert_eq!(rating[cell].parse::<f64>().ok(), value.as_f64(), "{cell}");
    }
    assert!(["s_low", "s_high", "c_low", "c_high"].iter().all(|name| fit.contains_key(*name)));
    assert!(["drawn_low", "drawn_high"].iter().all(|name| !rating[*name].is_empty()));
    assert!(calibration["s"].len() > 8 && screening["z_mm"].len() > 8 && trace["probability"].len() > 8);
    assert!(trace["move"].parse::<u16>().is_ok() && ["white", "black"].contains(&trace["side"].as_str()));
}

#[test]
fn trials_and_periods_need_games_of_players_of_known_elo() {
    let folder = fresh();
    for command in ["honesty", "periods"] {
        let refused = stderr(&mut run(folder.path(), &format!("report {command} {TURNS} {ENGINE}")), 2);
        assert!(refused.contains("too few turns of players whose Elo is known"), "{refused}");
    }
}
