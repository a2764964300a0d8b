//! Computes statements, and compares them with what they came to when they were last looked at.

use errare_reproduce::{Item, Reproduced, reproduce};
use errare_tables::{Library, TableSource, Tables};
use errare_work::Silent;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Every statement with its computed value, as `errare reproduce --six-men --format json` writes them.
const EXPECTED: &str = include_str!("../data/expected.json");

/// Compares the computed values of statements with the expected ones. `name` is that of a folder for their tables; what was
/// found is left in a file beside it, for a look and for the day when a change is meant.
pub fn check(name: &str, items: &[Item]) {
    let six_men = items.iter().any(|item| item.needs_six_men);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reproduce-{name}"));
    // No table of an older build is believed.
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("old tables can be removed");
    }
    let tables = TableSource::Ours(Tables::new(Library::new(&folder), 2 << 30));
    let found = reproduce(items, &tables, six_men, &Silent).expect("findings");
    let found: Vec<Value> = found.iter().map(shown).collect();
    let expected: Value = serde_json::from_str(EXPECTED).expect("JSON");
    let expected = expected["items"].as_array().expect("a list of items");
    let differing: Vec<String> = found
        .iter()
        .filter(|found| expected.iter().find(|item| item["id"] == found["id"]) != Some(*found))
        .map(|found| found["id"].to_string())
        .collect();
    let path = folder.with_extension("json");
    fs::write(&path, serde_json::to_string_pretty(&json!({ "items": found })).expect("JSON")).expect("a file");
    assert!(differing.is_empty(), "not as expected: {}; what was found is in {}", differing.join(", "), path.display());
}

fn shown(found: &Reproduced) -> Value {
    let Reproduced { item, finding } = found;
    json!({
        "id": item.id,
        "paper": item.paper,
        "where": item.place,
        "claim": item.claim,
        "printed": item.printed,
        "computed": finding.computed,
        "difference": finding.difference,
        "verdict": finding.verdict.name(),
        "why": finding.why,
    })
}
