//! `errare reproduce`.

use crate::common::{fresh, run, shared, stderr, stdout};
use serde_json::Value;

#[test]
fn the_list_names_every_paper_and_computes_nothing() {
    let found = stdout(&mut run(shared(), "reproduce --list --format json"));
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let items = found["items"].as_array().expect("items");
    assert!(items.len() > 400, "{}", items.len());
    for number in ["000-", "001-", "002-", "003-", "004-"] {
        assert!(items.iter().any(|item| item["id"].as_str().is_some_and(|id| id.starts_with(number))), "{number}");
    }
    assert!(items.iter().all(|item| item["verdict"].is_null() && item["computed"] == ""));
}

#[test]
fn a_statement_is_computed_from_nothing_and_written_as_a_page() {
    let folder = fresh();
    let out = folder.path().join("papers");
    let text = stdout(run(shared(), "reproduce --only 000-fig-5 001-2-states --out").arg(&out));
    assert!(text.contains("5.97") && text.contains("2 statements: 2 agrees"), "{text}");
    let page = std::fs::read_to_string(out.join("reproduce.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("id=\"000-fig-5\"") && !page.contains("<script"), "{page}");
    let data = std::fs::read(out.join("reproduce.json")).expect("data");
    let data: Value = serde_json::from_slice(&data).expect("JSON");
    assert_eq!(data["items"][1]["computed"], "31, 3, 37");
}

#[test]
fn an_unknown_statement_is_refused() {
    let said = stderr(&mut run(shared(), "reproduce --only 001-6-markov-21x"), 2);
    assert!(said.contains("unknown item `001-6-markov-21x`; did you mean 001-6-markov-21?"), "{said}");
}
