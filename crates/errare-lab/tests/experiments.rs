//! The pages of the book on experiments are what the experiments come to.

use errare_lab::{ExperimentRequest, Lab, LabConfig};
use errare_work::{Cancel, Silent};
use std::fs;
use std::path::Path;

/// Runs experiments, and compares their pages and figures with those of the book.
fn check(names: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = Lab::new(LabConfig { tables: Some(folder.path().join("tables")), ..LabConfig::default() });
    let out = folder.path().join("pages");
    let names = names.iter().map(|&name| name.to_owned()).collect();
    lab.run(&ExperimentRequest { names, figures: false, out: Some(out.clone()) }, &Silent).expect("a response");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/experiments");
    let mut compared = 0;
    for entry in fs::read_dir(out).expect("pages") {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        if name.ends_with(".html") {
            let page = fs::read_to_string(&path).expect("a page");
            assert!(page.contains("<svg") && !page.contains("<script"), "{name}");
            continue;
        }
        let known = fs::read_to_string(book.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = fs::read_to_string(&path).expect("a page");
        let differing = known.lines().zip(found.lines()).find(|(one, two)| one != two);
        assert_eq!((differing, known.len()), (None, found.len()), "{name}: run `make experiments`");
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}

#[test]
fn competence_by_elo_is_as_the_book_has_it() {
    check(&["elo"]);
}

#[test]
#[ignore = "builds tables and plays hundreds of games: minutes"]
fn other_experiments_are_as_the_book_has_them() {
    check(&["parameters", "steadiness", "metrics", "predator"]);
}

#[test]
fn experiments_are_listed_and_can_be_cancelled() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = Lab::new(LabConfig { tables: Some(folder.path().into()), ..LabConfig::default() });
    let listed = lab.run(&ExperimentRequest::default(), &Silent).expect("a list");
    assert!(listed.experiments.len() >= 7 && listed.experiments.iter().all(|one| one.findings.is_empty()));
    let asked = |name: &str| ExperimentRequest { names: vec![name.to_owned()], ..ExperimentRequest::default() };
    let refused = lab.run(&asked("steadines"), &Silent).expect_err("no such experiment").to_string();
    assert!(refused.contains("did you mean steadiness?"), "{refused}");
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(lab.run(&asked("steadiness"), &cancel).is_err());
}
