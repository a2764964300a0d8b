//! `errare table build`, end to end.

use crate::common::{files, fresh, json, run, stderr, stdout};

#[test]
fn a_build_reports_every_table_and_what_it_cost() {
    let folder = fresh();
    let built = json(&mut run(folder.path(), "table build KRKN --metric dtc --format json --threads 2"));
    let rows: Vec<(&str, &str, &str)> = built
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["material"].as_str().unwrap(), row["metric"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    assert_eq!(rows.len(), 3, "{built}");
    assert_eq!(*rows.last().unwrap(), ("KRKN", "dtc", "built"));
    assert!(rows.contains(&("KRK", "dtc", "built")) && rows.contains(&("KNK", "dtc", "built")));
    let row = &built[2];
    for key in ["solving_seconds", "solving_cpu_seconds", "storing_seconds", "storing_cpu_seconds"] {
        assert!(row[key].as_f64().unwrap() >= 0.0, "{key}");
    }
    assert!(row["solving_seconds"].as_f64().unwrap() > 0.0);
    let length = folder.path().join("KRKN.dtc.egt").metadata().unwrap().len();
    assert_eq!(row["bytes"].as_u64(), Some(length));
    assert_eq!(files(folder.path()), ["KNK.dtc.egt", "KRK.dtc.egt", "KRKN.dtc.egt"]);

    let again = json(&mut run(folder.path(), "table build krkn KNvKR --metric dtz --format json"));
    assert_eq!(again.as_array().unwrap().len(), 1, "one table, however it is spelt");
    assert_eq!((again[0]["state"].as_str(), again[0]["metric"].as_str()), (Some("present"), Some("dtz")));
    assert_eq!(again[0]["solving_seconds"], serde_json::Value::Null);
    assert_eq!(again[0]["bytes"].as_u64(), Some(length));
}

#[test]
fn all_metrics_take_four_files_and_dtz_none_of_its_own() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build KQK --metric all"));
    assert_eq!(files(folder.path()), ["KQK.dtc.egt", "KQK.dtm.egt", "KQK.dtr.egt", "KQK.dtz50.egt"]);
    let folder = fresh();
    let text = stdout(&mut run(folder.path(), "table build KQK --metric dtz --format csv"));
    assert_eq!(files(folder.path()), ["KQK.dtc.egt"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "material,metric,state,solving_seconds,solving_cpu_seconds,storing_seconds,storing_cpu_seconds,\
         peak_memory_bytes,bytes,white_max_plies,black_max_plies"
    );
    assert!(lines[1].starts_with("KQK,dtz,built,") && lines[1].ends_with(",20,"), "{text}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn every_endgame_of_so_many_men_can_be_built() {
    let folder = fresh();
    let text = stdout(&mut run(folder.path(), "table build --men 3 --metric dtm"));
    assert_eq!(files(folder.path()), ["KBK.dtm.egt", "KNK.dtm.egt", "KPK.dtm.egt", "KQK.dtm.egt", "KRK.dtm.egt"]);
    assert_eq!(text.lines().count(), 7, "a heading, a line a table and a last one: {text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("5 tables, ") && last.ends_with("deepest win: KPK dtm in 56 plies"), "{last}");
    assert!(text.lines().any(|line| line.starts_with("KRK      dtm      built")), "{text}");
}

#[test]
fn a_second_run_of_a_set_does_only_what_is_missing() {
    let folder = fresh();
    stdout(&mut run(folder.path(), "table build --men 3 --metric dtz"));
    std::fs::remove_file(folder.path().join("KPK.dtz.egt")).unwrap();
    let again = json(&mut run(folder.path(), "table build --men 3 --metric dtz --format json"));
    let states: Vec<(&str, &str)> = again
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["material"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    let present = |name| (name, "present");
    assert_eq!(states, [present("KQK"), present("KRK"), present("KBK"), present("KNK"), ("KPK", "built")]);
}

#[test]
fn what_cannot_be_built_is_refused_before_the_work() {
    for (line, words) in [
        ("table build KPPPKP", "too many men in KPPPKP: expected at most 5 with pawns, found 6"),
        ("table build KK", "two bare kings are always drawn"),
        ("table build KQKR --memory 1M", "KQKR to dtm needs about"),
        ("table build KXKR", "invalid endgame `KXKR`: expected K, Q, R, B, N or P, found `X` at place 2"),
        ("table build KQKQQQQ", "expected at most 6 men, found 7"),
        ("table build KQK --metric dtx", "invalid metric `dtx`"),
        ("table build KQK --memory lots", "invalid size `lots`"),
        ("table build KQK --threads 0", "--threads"),
        ("table build KQK --men 3", "cannot be used with"),
        ("table build --men 2", "--men"),
        ("table build --men 7", "--men"),
        ("table build", "MATERIAL|--men"),
        ("table build KQK --format xml", "xml"),
    ] {
        let folder = fresh();
        let said = stderr(&mut run(folder.path(), line), 2);
        assert!(said.contains(words), "{line}: {said}");
        assert_eq!(files(folder.path()), [""; 0], "{line}");
    }
}

#[test]
fn what_was_built_before_a_failure_is_reported() {
    let folder = fresh();
    // A folder in the place of the second table's lock, which only its turn shows.
    std::fs::create_dir_all(folder.path().join("KRK.dtm.egt.lock")).unwrap();
    let assert = run(folder.path(), "table build KNK KRK --format json").assert().code(2);
    let built: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!((built.as_array().unwrap().len(), built[0]["material"].as_str()), (1, Some("KNK")));
}

#[test]
fn off_a_terminal_a_build_says_nothing_on_stderr() {
    assert_eq!(stderr(&mut run(fresh().path(), "table build KRKB"), 0), "");
}
