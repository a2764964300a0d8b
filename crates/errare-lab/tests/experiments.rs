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
    let asked = names.iter().map(|&name| name.to_owned()).collect();
    lab.run(&ExperimentRequest { names: asked, out: Some(out.clone()), ..ExperimentRequest::default() }, &Silent)
        .expect("a response");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/experiments");
    for name in names {
        let page = fs::read_to_string(out.join(format!("{name}.html"))).expect("a page");
        assert!(page.contains("<svg") && !page.contains("<script"), "{name}");
        for file in [format!("{name}.md"), format!("{name}-1.svg")] {
            let known = fs::read_to_string(book.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let found = fs::read_to_string(out.join(&file)).expect("a page");
            let differing = known.lines().zip(found.lines()).find(|(one, two)| one != two);
            assert_eq!((differing, known.len()), (None, found.len()), "{file}: run `make experiments`");
        }
    }
}

#[test]
fn competence_by_elo_is_as_the_book_has_it() {
    check(&["elo"]);
}

#[test]
#[ignore = "fifteen Markov models: a quarter of a minute"]
fn kappa_and_the_depths_of_the_draw_are_as_the_book_has_them() {
    check(&["parameters"]);
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
