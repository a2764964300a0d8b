//! The list of statements is whole.

use errare_reproduce::{PAPERS, items};
use std::collections::HashSet;

#[test]
fn every_row_is_whole_and_named_once() {
    let items = items().expect("the list");
    let ids: HashSet<&str> = items.iter().map(|item| item.id).collect();
    assert_eq!(ids.len(), items.len());
    for item in &items {
        let is_filled = [item.place, item.claim, item.printed].iter().all(|text| !text.is_empty());
        assert!(is_filled && item.cannot != Some(""), "{}", item.id);
    }
    for paper in &PAPERS {
        assert!(items.iter().any(|item| item.paper == paper.name), "{}", paper.number);
    }
}
