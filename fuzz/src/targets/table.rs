//! Files of tables.

use super::lab::LAB;
use errare_tables::{Library, Material, Metric, Source, parse_fen};
use errare_work::Silent;
use serde_json::json;
use std::fs;
use std::sync::LazyLock;

const POSITIONS: [&str; 4] = [
    "8/8/8/8/8/2k5/1R6/K7 w - - 0 1",
    "8/8/8/8/8/2k5/1R6/K7 b - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R b - - 0 1",
];

fn material() -> Material {
    "KRK".parse().expect("an endgame")
}

/// The file of a small table, and what it says.
static TRUE: LazyLock<(Vec<u8>, Vec<String>)> = LazyLock::new(|| {
    let (folder, lab) = &*LAB;
    lab.call("build", json!({"materials": ["KRK"], "metrics": ["dtm"]}), &Silent).expect("a table");
    let library = Library::new(folder.path());
    let bytes = fs::read(library.path(material(), Metric::Dtm)).expect("the file of a table");
    (bytes, values(&library).expect("its values"))
});

fn values(library: &Library) -> Option<Vec<String>> {
    let value = |fen: &&str| {
        let position = parse_fen(fen).expect("a position");
        library.value(&position, Metric::Dtm).ok().map(|value| format!("{value:?}"))
    };
    POSITIONS.iter().map(value).collect()
}

/// A damaged table is refused, or says what the whole one says.
pub fn table(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = Library::new(folder.path());
    fs::write(library.path(material(), Metric::Dtm), bytes).expect("a temporary file");
    if let Some(found) = values(&library) {
        assert_eq!(found, TRUE.1);
    }
}

/// The file of the whole table.
pub fn made() -> Vec<Vec<u8>> {
    vec![TRUE.0.clone()]
}
