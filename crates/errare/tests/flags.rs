//! Flags that every reader of the help may combine: one default metric, and none that does nothing.

use crate::common::{errare, json, run, shared, stderr, stdout};

/// Rook against king.
const KRK: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

#[test]
fn tables_count_to_mate_and_models_to_conversion() {
    for line in ["table build KRK", "table verify KRK --sample 10", "table stats KRK", "table find KRK"] {
        assert_eq!(json(&mut run(shared(), &format!("{line} --format json")))[0]["metric"], "dtm", "{line}");
    }
    assert_eq!(json(&mut run(shared(), &format!("table probe {KRK} --format json")))["metric"], "dtm");
    let models = [
        (format!("choose {KRK} --agent infallible"), "/model/metric"),
        (format!("predict {KRK} --competence 20"), "/model/metric"),
        ("markov KRK --competence 20".to_owned(), "/metric"),
    ];
    for (line, place) in models {
        let found = json(&mut run(shared(), &format!("{line} --format json")));
        assert_eq!(found.pointer(place), Some(&"dtc".into()), "{line}");
    }
    let help = stdout(errare().arg("--help"));
    assert!(help.contains("Metrics: tables (errare table) count to mate, dtm"), "{help}");
    for command in ["build", "probe", "stats", "find", "verify"] {
        let help = stdout(errare().args(["table", command, "-h"]));
        assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains("[default: dtm"), "{help}");
    }
}

#[test]
fn flags_that_do_nothing_are_refused_with_the_reason() {
    let predict = format!("predict {KRK} --competence 20");
    let line = format!("line {KRK} --white SZ --black SZ");
    let game = "match --white infallible --black infallible --metric dtm --fen";
    for (line, flag, why) in [
        ("table verify KRK", "--seed 1", "without --sample, as nothing is drawn"),
        ("table compare KRK --with tables:/nowhere", "--seed 1", "without --sample"),
        ("markov KRK --competence 20", "--seed 1", "without --sample"),
        ("markov KRK --competence 20", "--from-depth 3", "without --after, --passage"),
        ("markov KRK --competence 20 --svg x.svg", "--from-depth 3", "as lengths are shown from every depth"),
        ("markov KRK --competence 20", "--picture within", "without --svg FILE"),
        (&predict, "--grid 0:1:20", "with --competence, which says what is known"),
        (&predict, "--prior uniform", "with --competence"),
        (&line, "--most 3", "without --all"),
        (&format!("{line} --moves Rb8"), "--plies 3", "with --moves"),
        ("strategy compare KRK --strategies SZ --whole", "--sample 10", "with --whole"),
        ("strategy compare KRK --strategies SZ --whole", "--seed 1", "with --whole, as nothing is drawn"),
        (&format!("{game} x"), "--to-mate", "unless the metric is dtc"),
        ("assess x.pgn --source tables:/nowhere", "--men 3", "with --source, as nothing is built there"),
        ("fit x.jsonl", "--seed 1", "without --bootstrap, as nothing is drawn"),
        ("fit x.jsonl --compare", "--model ratio", "with --compare, which fits all models"),
        ("fit x.jsonl --compare", "--curve ipa", "with --compare"),
        ("fit x.jsonl --format csv", "--percentiles", "with --format csv"),
        ("fit x.jsonl --format json", "--percentiles", "with --format json, which has them"),
        ("rate x.jsonl --calibration c.json", "--seed 1", "without --bootstrap"),
        ("rate x.jsonl --calibration c.json --format csv", "--posterior", "with --format csv"),
        ("rate x.jsonl --calibration c.json --format json", "--posterior", "with --format json"),
        ("screen x.jsonl --calibration c.json --player A --format json", "--trace", "with --format json"),
        ("serve --port 0", "--turns-engine x", "without turn files"),
        ("serve --port 0", "--depth 10", "without turn files"),
        ("serve --port 0", "--keep-repeats", "without turn files"),
        ("schema", "--of request", "without the name of an operation"),
    ] {
        let said = stderr(&mut run(shared(), &format!("{line} {flag}")), 2);
        let flag = flag.split(' ').next().unwrap();
        assert!(said.starts_with(&format!("error: {flag} has no effect ")) && said.contains(why), "{line}: {said}");
    }
}
