//! Statements that take seconds come to what they came to before.

use errare_reproduce::{Item, is_quick, items};

#[test]
fn quick_statements_have_not_moved() {
    let quick: Vec<Item> =
        items().expect("the list").into_iter().filter(|item| !item.needs_six_men && is_quick(item)).collect();
    assert!(quick.len() > 100, "{}", quick.len());
    crate::support::check("quick", &quick);
}
