//! The page of the book on the papers is what the known values make of it.

use errare_lab::ReproduceResponse;
use std::fs;
use std::path::Path;

#[test]
fn the_page_of_the_book_is_current() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let known = fs::read_to_string(top.join("crates/errare-reproduce/tests/data/expected.json")).expect("the values");
    let known: ReproduceResponse = serde_json::from_str(&known).expect("a response");
    let page = fs::read_to_string(top.join("docs/src/figures.md")).expect("the page");
    let fresh = known.markdown(true);
    let differing = page.lines().zip(fresh.lines()).find(|(one, two)| one != two);
    assert_eq!(differing, None);
    assert_eq!(page.len(), fresh.len(), "run `make figures`");
}
